/// Prices a trip.
#[a2a_sdk::skill(input_modes = ["image/png", "audio/mpeg"], output_modes = ["application/pdf"])]
async fn price(text: String) -> String {
    text
}

fn main() {}
