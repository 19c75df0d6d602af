/// Prices a trip.
#[a2a_sdk::skill(name = "Price", name = "Cost")]
async fn price(text: String) -> String {
    text
}

fn main() {}
