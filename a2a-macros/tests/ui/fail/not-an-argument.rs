struct Trip;

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(text: String, _trip: Trip) -> String {
    text
}

fn main() {}
