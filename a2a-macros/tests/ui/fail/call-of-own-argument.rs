use a2a_sdk::{Client, FromRequest, Request, SkillError};

struct Language;

impl FromRequest for Language {
    fn from_request(_: &Request) -> Result<Self, SkillError> {
        Ok(Self)
    }
}

/// Greets.
#[a2a_sdk::skill]
async fn greet(_language: Language) -> String {
    String::new()
}

async fn call(client: Client) {
    let _ = client.call::<greet>(()).await;
}

fn main() {}
