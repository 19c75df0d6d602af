/// Prices a trip.
#[a2a_sdk::skill(input_modes = ["text"], output_modes = ["image/jpg"])]
async fn price(text: String) -> String {
    text
}

fn main() {}
