/// Prices a trip.
#[a2a_sdk::skill(output_modes = ["application/pdf"])]
async fn price(text: String) -> String {
    text
}

fn main() {}
