/// Prices a trip.
#[a2a_sdk::skill]
async fn price(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::agent(skills = [price, price, travel])]
async fn travel(text: String) -> String {
    text
}

fn main() {}
