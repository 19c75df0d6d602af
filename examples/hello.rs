//! The smallest agent. Run: `cargo run --example hello`
//!
//! ```sh
//! curl -s http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"Ada"}]}}}'
//! ```

/// Greets people by name.
#[a2a_sdk::agent]
async fn greeter(name: String) -> String {
    format!("Hello, {name}!")
}

#[tokio::main]
async fn main() -> a2a_sdk::Result<()> {
    greeter::agent().run().await
}
