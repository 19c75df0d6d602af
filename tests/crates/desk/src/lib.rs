//! Two agents, whose skills stand in other crates.

/// The SDK, for crates that know it through this one alone.
pub use a2a_sdk as sdk;

/// Plans trips.
#[a2a_sdk::agent(version = "1.0.0")]
pub async fn travel(text: String) -> String {
    text
}

/// Sees to guests.
#[a2a_sdk::agent(version = "2.0.0")]
#[derive(Debug)]
pub struct Concierge;
