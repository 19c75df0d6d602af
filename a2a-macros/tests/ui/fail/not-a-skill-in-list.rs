struct Hotels;

async fn price(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::agent(skills = [price, Hotels, flights])]
async fn travel(text: String) -> String {
    text
}

fn main() {}
