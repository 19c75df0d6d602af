//! An agent that does what it is told: for trying clients, and for black-box tests of the server.
//! Run: `cargo run --example workbench --features full -- serve --principals alice=token-alice,bob=token-bob`
//!
//! ```sh
//! curl -s http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' -H 'Authorization: Bearer token-alice' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"say hello"}]}}}'
//! ```

use a2a_sdk::protocol::{HttpAuthSecurityScheme, Message, SecurityScheme};
use a2a_sdk::{Agent, BearerTokens, Context, Principal, Reply, SkillError, WebhookPolicy};
use std::time::Duration;
use tokio::time::sleep;

/// Does what the first text part says: `echo`, `slow MS`, `stream N MS`, `ask`, `say TEXT`, `boom`, `idle MS`.
#[a2a_sdk::agent(input_modes = ["text/plain", "application/json", "application/octet-stream"])]
async fn workbench(message: Message, ctx: Context) -> Result<Reply, SkillError> {
    let first = message.parts.first().and_then(|part| part.as_text()).unwrap_or_default();
    let (command, rest) = first.split_once(' ').unwrap_or((first, ""));
    let numbers: Vec<u64> = rest.split(' ').filter_map(|number| number.parse().ok()).collect();
    let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
    match command {
        "echo" => Ok(Reply::parts(message.parts.into_iter().skip(1))),
        "say" => Ok(Reply::message(rest)),
        "boom" => Err("SECRET-INTERNAL-7731".into()),
        "ask" => Ok(Reply::parts(ctx.ask("What next?").await?.parts)),
        "slow" => {
            ctx.progress("working").await?;
            sleep(Duration::from_millis(number(0))).await;
            Ok(Reply::text("done"))
        }
        "idle" => {
            ctx.progress("working").await?;
            sleep(Duration::from_millis(number(0))).await;
            Ok(Reply::parts([]))
        }
        "stream" => {
            ctx.progress("working").await?;
            let mut artifact = ctx.artifact("chunks");
            for n in 1..number(0) {
                sleep(Duration::from_millis(number(1))).await;
                artifact.write(format!("c{n}")).await?;
            }
            sleep(Duration::from_millis(number(1))).await;
            artifact.finish_with(format!("c{}", number(0))).await?;
            Ok(Reply::parts([]))
        }
        other => Err(SkillError::rejected(format!("no command `{other}`"))),
    }
}

pub(crate) fn app(principals: &str, allow_loopback: bool) -> Agent {
    let webhooks = WebhookPolicy::new();
    let webhooks = if allow_loopback { webhooks.allow_loopback() } else { webhooks };
    let agent = workbench::agent().push_notifications(webhooks);
    if principals.is_empty() {
        return agent;
    }
    let tokens = principals.split(',').filter_map(|pair| pair.split_once('='));
    let tokens = BearerTokens::new(tokens.map(|(name, token)| (token, Principal::new(name))));
    let scheme = HttpAuthSecurityScheme { scheme: "Bearer".to_owned(), ..Default::default() };
    agent.security("bearer", SecurityScheme::HttpAuth(scheme)).layer(tokens)
}

#[tokio::main]
async fn main() -> a2a_sdk::Result<()> {
    let mut arguments: Vec<String> = std::env::args().collect();
    let mut principals = String::new();
    if let Some(at) = arguments.iter().position(|argument| argument == "--principals") {
        principals = arguments.drain(at..(at + 2).min(arguments.len())).nth(1).unwrap_or_default();
    }
    let before = arguments.len();
    arguments.retain(|argument| argument != "--allow-loopback-webhooks");
    app(&principals, arguments.len() < before).run_with(arguments).await
}
