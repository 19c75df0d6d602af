/// Prices a trip.
#[a2a_sdk::skill]
async fn price(_text: String) -> &str {
    "90"
}

fn main() {}
