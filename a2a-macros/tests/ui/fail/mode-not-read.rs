/// Prices a trip.
#[a2a_sdk::skill(input_modes = ["text/plain", "image/png"])]
async fn price(text: String) -> String {
    text
}

fn main() {}
