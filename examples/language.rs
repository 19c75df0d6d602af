//! An argument type of one's own: the language that the caller wants. Run: `cargo run --example language`
//!
//! ```sh
//! curl -s http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"Ada"}],"metadata":{"language":"fr"}}}}'
//! ```

use a2a_sdk::{Agent, FromRequest, Request, SkillError};

/// Languages that the agent speaks.
#[derive(Clone, Copy)]
enum Language {
    English,
    French,
}

impl FromRequest for Language {
    // It reads the metadata alone, so the card has no media type for it: that is what the constants say by themselves.

    /// What makes an `Option<Language>` none; a language that is not known is refused all the same.
    fn is_present(request: &Request) -> bool {
        request.message().metadata.contains_key("language")
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        match request.message().metadata.get("language").map(|language| language.as_str()) {
            Some(Some("en")) => Ok(Self::English),
            Some(Some("fr")) => Ok(Self::French),
            // The caller is told the path of the field, and no task is made.
            _ => Err(SkillError::invalid_field("message.metadata.language", "expected `en` or `fr`")),
        }
    }
}

/// Greets people in their language.
#[a2a_sdk::agent]
async fn greeter(name: String, language: Option<Language>) -> String {
    match language.unwrap_or(Language::English) {
        Language::English => format!("Hello, {name}!"),
        Language::French => format!("Bonjour, {name} !"),
    }
}

pub(crate) fn app() -> Agent {
    greeter::agent()
}

#[tokio::main]
async fn main() -> a2a_sdk::Result<()> {
    app().run().await
}
