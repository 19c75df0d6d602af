//! An agent that streams, from a `Stream` and by writing an artifact. Run: `cargo run --example story`
//!
//! ```sh
//! curl -sN http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"a fox"}]}}}'
//! curl -sN http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
//!   -d '{"jsonrpc":"2.0","id":2,"method":"SendStreamingMessage","params":{"message":{"messageId":"2","role":"ROLE_USER","parts":[{"text":"a fox"}],"metadata":{"urn:x-a2a-rust:skills:v1":{"skill":"illustrate"}}}}}'
//! ```

use a2a_sdk::{Agent, Context, SkillError};
use futures_util::{Stream, stream};

/// Tells a story, word by word.
#[a2a_sdk::agent]
async fn story(topic: String) -> impl Stream<Item = String> {
    // Each item is a chunk of one artifact, sent at once.
    let text = format!("Once upon a time there was {topic}.");
    let words: Vec<String> = text.split_inclusive(' ').map(str::to_owned).collect();
    stream::iter(words)
}

/// Tells a story in two artifacts, and says how far it is.
#[a2a_sdk::skill]
async fn illustrate(topic: String, ctx: Context) -> Result<(), SkillError> {
    ctx.progress("writing").await?;
    let mut text = ctx.artifact("story.txt");
    text.write("Once upon a time ").await?;
    text.finish_with(format!("there was {topic}.")).await?;

    ctx.progress("drawing").await?;
    let drawing = ctx.artifact("drawing.txt").description("A drawing of it, from afar.");
    drawing.finish_with("^..^").await
}

pub(crate) fn app() -> Agent {
    story::agent()
}

#[tokio::main]
async fn main() -> a2a_sdk::Result<()> {
    app().run().await
}
