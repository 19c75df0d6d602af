/// Prices a trip.
#[a2a_sdk::skill(inp)]
async fn price(text: String) -> String {
    text
}

/// Books a trip.
#[a2a_sdk::skill(input_modes)]
async fn book(text: String) -> String {
    text
}

/// Tells a story.
#[a2a_sdk::skill(tags =)]
async fn story(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::agent(skills = [price, book, story], version = "1" + , exam)]
async fn travel(text: String) -> String {
    price(text).await
}

fn main() {
    let _ = travel::agent();
}
