//! An agent that asks back until it knows enough. Run: `cargo run --example book`
//!
//! The answer goes to the same task: take its `id` from the first reply, and put it where `TASK` stands.
//!
//! ```sh
//! curl -s http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"a table at eight"}]}}}'
//! curl -s http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
//!   -d '{"jsonrpc":"2.0","id":2,"method":"SendMessage","params":{"message":{"messageId":"2","taskId":"TASK","role":"ROLE_USER","parts":[{"text":"4 people"}]}}}'
//! ```

use a2a_sdk::{Agent, Context, SkillError};

/// Books a table.
#[a2a_sdk::agent]
async fn book(wish: String, ctx: Context) -> Result<String, SkillError> {
    let mut people = number_in(&wish);
    while people.is_none() {
        // The task is `INPUT_REQUIRED` until the caller answers; then the fn goes on here.
        people = number_in(&ctx.ask("For how many people?").await?.text());
    }
    match people {
        Some(people @ 1..=12) => Ok(format!("{wish}, for {people}: booked")),
        _ => Err(SkillError::rejected("our largest table has 12 seats")),
    }
}

fn number_in(text: &str) -> Option<u32> {
    text.split_whitespace().find_map(|word| word.parse().ok())
}

pub(crate) fn app() -> Agent {
    book::agent()
}

#[tokio::main]
async fn main() -> a2a_sdk::Result<()> {
    app().run().await
}
