/// Prices a trip.
#[a2a_sdk::skill(name = 5, tags = "travel", examples, agent = "travel", id("price"))]
async fn price(text: String) -> String {
    text
}

fn main() {}
