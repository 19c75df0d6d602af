/// Prices a trip.
#[a2a_sdk::skill(security(bearer(format = "JWT"), oauth2 = "trips:read", "basic"))]
async fn price(text: String) -> String {
    text
}

/// Books a trip.
#[a2a_sdk::skill(security)]
async fn book(text: String) -> String {
    text
}

/// Tells a story.
#[a2a_sdk::skill(security = "bearer", extensions = ["urn:a:b"])]
async fn story(text: String) -> String {
    text
}

fn main() {}
