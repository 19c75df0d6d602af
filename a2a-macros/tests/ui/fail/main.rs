mod tokio {
    pub use std::prelude::v1::test as main;
}

/// Says it back.
#[a2a_sdk::agent]
#[tokio::main]
async fn echo() {}

/// Says it back.
#[a2a_sdk::agent]
fn main() {}
