/// Prices a trip.
#[a2a_sdk::skill]
fn price(text: String) -> String {
    text
}

fn main() {}
