/// Prices a trip.
#[a2a_sdk::skill(security = ["bearer"])]
async fn price(text: String) -> String {
    text
}

fn main() {}
