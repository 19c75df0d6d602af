//! Skills about flights.

/// Finds flights.
#[a2a_sdk::skill(id = "flights.find", name = "Find flights", agent = a2a_tests_desk::travel)]
pub async fn find(text: String) -> &'static str {
    drop(text);
    "none"
}

/// Asks for a better seat.
#[a2a_sdk::skill(agent = a2a_tests_desk::Concierge)]
pub async fn upgrade(text: String) -> String {
    text
}
