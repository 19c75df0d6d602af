//! Serves the agent. Run: `cargo run -p built-card-agent`
//!
//! `cargo run -p built-card-agent -- built-card` prints the card that was made when it was built.
//!
//! ```sh
//! curl -s http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"Oslo"}]}}}'
//! ```

use std::io::Write;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().nth(1).as_deref() == Some("built-card") {
        std::io::stdout().write_all(built_card_agent::CARD.as_bytes())?;
        return Ok(());
    }
    Ok(built_card_agent::app().run().await?)
}
