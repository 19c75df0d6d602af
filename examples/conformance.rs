//! The agent that the public conformance suites expect, in several profiles.
//! Run: `cargo run --example conformance --features full -- --profile full serve --listen 127.0.0.1:9999`

use a2a_sdk::protocol::{AgentExtension, Artifact, HttpAuthSecurityScheme, Message, Part, SecurityScheme};
use a2a_sdk::{Agent, BearerTokens, Binding, Context, Principal, Reply, SkillError, WebhookPolicy};
use axum::extract::Request;
use axum::http::header::AUTHORIZATION;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use std::time::Duration;
use tokio::time::sleep;

/// Behaves as the first word of a message, or the beginning of its id, says.
#[a2a_sdk::agent(tags = ["conformance"])]
async fn conformance(message: Message, ctx: Context) -> Result<Reply, SkillError> {
    // A later message may name a behaviour of its own; without one, that of the task goes on.
    let first = ctx.history().into_iter().next().unwrap_or_else(|| message.clone());
    let behaviour = trigger(&message).or_else(|| trigger(&first)).unwrap_or("tck-complete-task");
    match behaviour {
        "tck-message-response" => Ok(Reply::message("Direct message response")),
        "tck-input-required" => Ok(Reply::ask("What else?")),
        "tck-multi-turn" if message.text().trim_start().starts_with("done") => finish(&ctx, "Done").await,
        "tck-multi-turn" => Ok(Reply::ask("Go on, or say `done`")),
        "tck-reject-task" => Err(SkillError::rejected("rejected")),
        "tck-task-failure" => Err(SkillError::failed("this task fails on purpose")),
        "tck-auth-required" => Err(SkillError::auth_required("authorize the agent first")),
        "tck-artifact-text" => Ok(Reply::text("Generated text content")),
        "tck-artifact-file" => Ok(Reply::parts([file()])),
        "tck-artifact-file-url" => Ok(Reply::parts([with_name(Part::url("https://example.com/output.txt"))])),
        "tck-artifact-data" => {
            Ok(Reply::parts([Part::data(serde_json::json!({"key": "value", "count": 42}))]))
        }
        "tck-stream-001" => streamed(&ctx, Part::text("Stream hello from TCK")).await,
        "tck-stream-002" => Ok(Reply::parts([])),
        "tck-stream-003" => streamed(&ctx, Part::text("Stream task lifecycle")).await,
        "tck-stream-ordering-001" => streamed(&ctx, Part::text("Ordered output")).await,
        "tck-stream-artifact-text" => streamed(&ctx, Part::text("Streamed text content")).await,
        "tck-stream-artifact-file" => streamed(&ctx, file()).await,
        "tck-stream-artifact-chunked" => chunked(&ctx, &["chunk-1 ", "chunk-2"]).await,
        "tck-stream-chunked" => chunked(&ctx, &["piece 1, ", "piece 2, ", "piece 3"]).await,
        "tck-stream-basic" => {
            ctx.progress("Working").await?;
            sleep(Duration::from_millis(300)).await;
            Ok(Reply::text("Streamed"))
        }
        "test-resubscribe-message-id" => {
            ctx.progress("Working").await?;
            sleep(Duration::from_millis(4500)).await;
            Ok(Reply::parts([]))
        }
        "tck-long-running" => {
            ctx.progress("Working").await?;
            sleep(Duration::from_millis(1500)).await;
            Ok(Reply::text("Finished"))
        }
        "tck-cancel" => {
            ctx.progress("Working until canceled").await?;
            sleep(Duration::from_secs(60)).await;
            Ok(Reply::parts([]))
        }
        _ => finish(&ctx, "Hello from TCK").await,
    }
}

const TRIGGERS: [&str; 25] = [
    "tck-complete-task",
    "tck-input-required",
    "tck-message-response",
    "tck-reject-task",
    "tck-artifact-text",
    "tck-artifact-file",
    "tck-artifact-file-url",
    "tck-artifact-data",
    "tck-stream-001",
    "tck-stream-002",
    "tck-stream-003",
    "tck-stream-ordering-001",
    "tck-stream-artifact-text",
    "tck-stream-artifact-file",
    "tck-stream-artifact-chunked",
    "test-resubscribe-message-id",
    "tck-long-running",
    "tck-multi-turn",
    "tck-stream-basic",
    "tck-stream-chunked",
    "tck-cancel",
    "tck-task-failure",
    "tck-auth-required",
    "tck-terminal",
    "tck-infer-ctx",
];

/// The longest trigger that the message begins with: its id, or the first word of its text.
fn trigger(message: &Message) -> Option<&'static str> {
    let text = message.text();
    let word = text.split_whitespace().next().unwrap_or_default();
    let fits = |trigger: &&&str| message.message_id.starts_with(**trigger) || word == **trigger;
    TRIGGERS.iter().filter(fits).max_by_key(|trigger| trigger.len()).copied()
}

/// A finished task whose status says something.
async fn finish(ctx: &Context, text: &str) -> Result<Reply, SkillError> {
    ctx.progress("Working").await?;
    Ok(Reply::message(text))
}

async fn streamed(ctx: &Context, part: Part) -> Result<Reply, SkillError> {
    ctx.progress("Working").await?;
    Ok(Reply::artifact(Artifact { parts: vec![part], ..Artifact::default() }))
}

async fn chunked(ctx: &Context, chunks: &[&str]) -> Result<Reply, SkillError> {
    ctx.progress("Working").await?;
    let mut artifact = ctx.artifact("chunks");
    if let Some((last, chunks)) = chunks.split_last() {
        for chunk in chunks {
            artifact.write(*chunk).await?;
        }
        artifact.finish_with(*last).await?;
    }
    Ok(Reply::parts([]))
}

fn file() -> Part {
    with_name(Part::raw("tck"))
}

fn with_name(part: Part) -> Part {
    part.with_filename("output.txt").with_media_type("text/plain")
}

/// Waits for the caller, who may go on with the task or cancel it: what the suite for protocol 0.3 expects.
#[a2a_sdk::agent(tags = ["conformance"])]
async fn conformance_03(message: Message, ctx: Context) -> Result<Reply, SkillError> {
    ctx.progress("Working").await?;
    if message.message_id.starts_with("test-resubscribe-message-id") {
        sleep(Duration::from_millis(4500)).await;
        return Ok(Reply::parts([]));
    }
    sleep(Duration::from_millis(300)).await;
    Ok(Reply::ask("What else?"))
}

pub(crate) fn app(profile: &str, listen: &str) -> Option<Agent> {
    let webhooks = || WebhookPolicy::new().allow_loopback();
    // The suites for 1.0 take a card with the members of 0.3 for a wrong one.
    let new = || conformance::agent().check_input_modes(false).legacy(false);
    let full = || new().push_notifications(webhooks());
    let strict = || {
        let agent = new().check_input_modes(true).push_notifications(webhooks());
        agent.extended_card(|who, card| (who.id() != Some("low")).then_some(card))
    };
    Some(match profile {
        "full" => full().extended_card(|_, card| Some(card)).layer(from_fn(one_caller)),
        "dual" => full().legacy(true).extended_card(|_, card| Some(card)).layer(from_fn(one_caller)),
        "v03" => conformance_03::agent()
            .check_input_modes(false)
            .push_notifications(webhooks())
            .binding_url(Binding::Grpc, format!("http://{listen}"))
            .layer(from_fn(one_caller)),
        "min" => new().streaming(false),
        // Some tools refuse an address without a scheme, which is what gRPC has.
        "nogrpc" => full().bindings([Binding::JsonRpc, Binding::HttpJson]).layer(from_fn(one_caller)),
        "ext" => full().extension(AgentExtension {
            uri: "urn:a2a:tck:required-extension".to_owned(),
            required: true,
            ..AgentExtension::default()
        }),
        "strict" => strict().layer(from_fn(known_callers)),
        "guarded" => {
            let scheme = HttpAuthSecurityScheme { scheme: "Bearer".to_owned(), ..Default::default() };
            strict()
                .security("bearer", SecurityScheme::HttpAuth(scheme))
                .layer(BearerTokens::new(["good", "low", "second"].map(|name| (name, Principal::new(name)))))
        }
        _ => return None,
    })
}

/// Suites send no credentials: everybody is the same caller.
async fn one_caller(mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Principal::new("tck"));
    next.run(request).await
}

async fn known_callers(mut request: Request, next: Next) -> Response {
    let token =
        request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if let Some(name @ ("good" | "low" | "second")) = token {
        let principal = Principal::new(name);
        request.extensions_mut().insert(principal);
    }
    next.run(request).await
}

#[tokio::main]
async fn main() -> a2a_sdk::Result<()> {
    let mut arguments: Vec<String> = std::env::args().collect();
    let mut profile = "full".to_owned();
    if let Some(at) = arguments.iter().position(|argument| argument == "--profile") {
        profile = arguments.drain(at..(at + 2).min(arguments.len())).nth(1).unwrap_or_default();
    }
    let listen = arguments.iter().position(|argument| argument == "--listen");
    let listen = listen.and_then(|at| arguments.get(at + 1)).map_or("127.0.0.1:8080", String::as_str);
    match app(&profile, listen) {
        Some(agent) => agent.run_with(arguments).await,
        None => {
            eprintln!(
                "no profile `{profile}`; there are: full, dual, v03, min, nogrpc, ext, strict, guarded"
            );
            std::process::exit(2);
        }
    }
}
