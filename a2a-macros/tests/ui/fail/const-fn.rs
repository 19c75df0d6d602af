/// Prices a trip.
#[a2a_sdk::skill]
const fn price(text: String) -> String {
    text
}

fn main() {}
