//! Skills about hotels.

/// Finds hotels.
#[a2a_sdk::skill(agent = a2a_tests_desk::travel, tags = ["hotels"])]
pub async fn find(text: String) -> String {
    text
}

/// Skills that nothing refers to.
mod rooms {
    /// Wakes a guest.
    #[a2a_sdk::skill(agent = a2a_tests_desk::Concierge)]
    async fn wake(room: String) -> String {
        room
    }
}

/// Does not say which agent it joins, and none is near.
#[a2a_sdk::skill]
pub async fn stray(text: String) -> String {
    text
}
