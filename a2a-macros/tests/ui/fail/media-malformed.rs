/// Prices a trip.
#[a2a_sdk::skill(input_modes = ["text/plain; utf8", "text/"])]
async fn price(text: String) -> String {
    text
}

fn main() {}
