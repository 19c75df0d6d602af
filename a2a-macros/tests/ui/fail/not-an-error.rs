struct Trouble;

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(text: String) -> Result<String, Trouble> {
    Ok(text)
}

fn main() {}
