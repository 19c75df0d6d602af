/// Prices a trip.
#[a2a_sdk::skill(tags = , name)]
async fn price(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::agent(skills = [price, ], provider(), .)]
async fn travel(text: String) -> String {
    text
}

fn main() {}
