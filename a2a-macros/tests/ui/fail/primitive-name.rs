/// Prices a trip.
#[a2a_sdk::skill]
async fn str(text: String) -> String {
    text
}

fn main() {}
