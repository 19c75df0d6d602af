/// Prices a trip.
#[a2a_sdk::skill(nme = "Price")]
async fn price(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::agent(skills = [price], version = 2)]
async fn travel(text: String) -> String {
    price(text).await
}

/// Tells a story.
#[a2a_sdk::skill(agent = travel)]
async fn story(topic: String) -> String {
    topic
}

fn main() {
    let _ = travel::agent();
    let _ = travel::entry();
}
