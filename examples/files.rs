//! An agent that takes a file and gives one. Run: `cargo run --example files`
//!
//! Bytes travel in base64: `bGV0dGVyCmFwcGxlCg==` is a text of the two lines `letter` and `apple`.
//!
//! ```sh
//! curl -s http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"raw":"bGV0dGVyCmFwcGxlCg==","filename":"words.txt","mediaType":"text/plain"}]}}}'
//! ```

use a2a_sdk::{Agent, File, SkillError};

/// Sorts the lines of a text file.
#[a2a_sdk::agent(input_modes = ["text/plain"], output_modes = ["text/plain"])]
async fn files(file: File) -> Result<File, SkillError> {
    // A file may also be an address. The SDK never follows one: whether to is for the skill to decide.
    let Some(bytes) = file.bytes() else {
        return Err(SkillError::rejected("send the bytes, not an address"));
    };
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(SkillError::rejected("the file is not text"));
    };
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    let name = file.name.as_deref().unwrap_or("lines.txt");
    Ok(File::new(format!("sorted-{name}"), "text/plain", lines.join("\n") + "\n"))
}

pub(crate) fn app() -> Agent {
    files::agent()
}

#[tokio::main]
async fn main() -> a2a_sdk::Result<()> {
    app().run().await
}
