struct Quote;

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(_text: String) -> Quote {
    Quote
}

fn main() {}
