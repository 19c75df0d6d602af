/// Prices a trip.
#[a2a_sdk::skill]
async fn price(text: impl Into<String>) -> String {
    text.into()
}

fn main() {}
