/// Prices a trip.
#[a2a_sdk::skill(tags = [)]
async fn price(text: String) -> String {
    text
}

fn main() {}
