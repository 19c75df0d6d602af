use a2a_sdk::State;

struct Rates;

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(text: String, _rates: State<Rates>) -> String {
    text
}

fn main() {}
