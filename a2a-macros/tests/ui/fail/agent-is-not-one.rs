/// Tells a story.
#[a2a_sdk::skill]
async fn story(topic: String) -> String {
    topic
}

/// Prices a trip.
#[a2a_sdk::skill(agent = story)]
async fn price(text: String) -> String {
    text
}

fn main() {}
