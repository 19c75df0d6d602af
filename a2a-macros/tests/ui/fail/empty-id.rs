/// Prices a trip.
#[a2a_sdk::skill(id = "", name = " ")]
async fn price(text: String) -> String {
    text
}

fn main() {}
