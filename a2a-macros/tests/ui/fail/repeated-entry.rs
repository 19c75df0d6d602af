/// Prices a trip.
#[a2a_sdk::skill(tags = ["a", "b", "a"], examples = ["x", "x"], input_modes = ["text/plain", "text/plain"])]
async fn price(text: String) -> String {
    text
}

fn main() {}
