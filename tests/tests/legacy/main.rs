//! Callers of protocol 0.3 and 0.2 on the same agent, and our client with agents that speak nothing newer.
#![allow(clippy::unwrap_used, reason = "tests")]

mod card;
mod client;
mod gate;
mod grpc;
mod push;
mod rest;
mod rpc;
mod story;
mod streams;

use a2a_sdk::protocol::{Message, Part};
use a2a_sdk::{
    Agent, BearerTokens, Cancel, Context, Principal, Reply, SKILLS_EXTENSION, SkillError, State,
    WebhookPolicy,
};
use a2a_tests::Gate;
use a2a_tests::http::{self, Response, Server, serve};
use serde_json::{Value, json};

/// Says it back.
#[a2a_sdk::agent]
async fn echo(text: String) -> String {
    text
}

/// Asks, until somebody says `done`.
#[a2a_sdk::skill]
async fn ask(message: Message) -> Reply {
    if message.text() == "done" { Reply::text("thanks") } else { Reply::ask("what else?") }
}

/// Answers without a task.
#[a2a_sdk::skill]
async fn direct(text: String) -> Message {
    Message::agent(text)
}

/// Gives the parts back.
#[a2a_sdk::skill(input_modes = ["*/*"], output_modes = ["*/*"])]
async fn mirror(message: Message) -> Vec<Part> {
    message.parts
}

/// Tells that it works, waits at the gate, writes two chunks, and ends.
#[a2a_sdk::skill]
async fn chunks(ctx: Context, State(gate): State<Gate>) -> Result<Reply, SkillError> {
    ctx.progress("working").await?;
    gate.pass().await;
    let mut artifact = ctx.artifact("a");
    artifact.write("one ").await?;
    artifact.finish_with("two").await?;
    Ok(Reply::parts([]))
}

/// Waits until it is told to stop, and gives the reason.
#[a2a_sdk::skill]
async fn wait(cancel: Cancel) -> String {
    cancel.requested().await;
    let reason = cancel.metadata().and_then(|said| said.get("reason")?.as_str());
    reason.unwrap_or_default().to_owned()
}

/// Fails.
#[a2a_sdk::skill]
async fn fail() -> Result<String, SkillError> {
    Err("a secret".into())
}

fn agent(gate: &Gate) -> Agent {
    let webhooks = WebhookPolicy::new().allow_loopback();
    echo::agent().state(gate.clone()).push_notifications(webhooks).check_input_modes(false)
}

async fn server() -> Server {
    serve(agent(&Gate::default())).await
}

fn tokens() -> BearerTokens {
    BearerTokens::new(["a", "b"].map(|name| (name, Principal::new(name))))
}

/// A message for the skill of that id, in the form of JSON-RPC.
fn message(skill: &str, text: &str) -> Value {
    json!({
        "kind": "message", "messageId": "m", "role": "user", "parts": [{ "kind": "text", "text": text }],
        "metadata": { SKILLS_EXTENSION: { "skill": skill } },
    })
}

fn params(skill: &str, text: &str) -> Value {
    json!({ "message": message(skill, text) })
}

/// Sends a request of JSON-RPC without a version, as most clients of 0.3 do.
async fn post(server: &Server, headers: &str, method: &str, params: &Value) -> Response {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let headers = format!("Content-Type: application/json\r\n{headers}");
    http::request(server.address, "POST", "/", &headers, body.as_bytes()).await
}

/// The envelope of an answer.
async fn call(server: &Server, method: &str, params: &Value) -> Value {
    let answer = post(server, "", method, params).await.json().await;
    assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(1)), "{answer}");
    answer
}

async fn result(server: &Server, method: &str, params: &Value) -> Value {
    let answer = call(server, method, params).await;
    assert_eq!(answer.get("error"), None, "{answer}");
    answer["result"].clone()
}

/// Code and text of an error, which has no other members.
async fn error(server: &Server, method: &str, params: &Value) -> (i64, String) {
    let answer = call(server, method, params).await;
    refused(&answer["error"])
}

fn refused(error: &Value) -> (i64, String) {
    let members: Vec<&String> = error.as_object().unwrap_or_else(|| panic!("{error}")).keys().collect();
    assert_eq!(members, ["code", "message"], "0.3 has free data, which some clients take for an object");
    (error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())
}

/// The results of the events of a stream.
async fn stream(server: &Server, method: &str, params: &Value) -> Vec<Value> {
    let response = post(server, "", method, params).await;
    assert_eq!((response.status, response.header("content-type")), (200, "text/event-stream"));
    let events = response.events().await.into_iter();
    events.map(|event| event.data.get("result").unwrap_or(&event.data["error"]).clone()).collect()
}

/// What an event says, in a line.
fn line(event: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match event["kind"].as_str().unwrap_or_else(|| panic!("no event: {event}")) {
        "task" => format!("task {}", text(&event["status"]["state"])),
        "message" => format!("message {}", text(&event["parts"][0]["text"])),
        "status-update" => {
            let last = event["final"].as_bool().unwrap_or_else(|| panic!("no `final`: {event}"));
            format!("{}{}", text(&event["status"]["state"]), if last { " final" } else { "" })
        }
        "artifact-update" => format!(
            "{}{}{}",
            if event["append"] == true { "+" } else { "" },
            text(&event["artifact"]["parts"][0]["text"]),
            if event["lastChunk"] == true { " last" } else { "" }
        ),
        other => panic!("no kind {other}"),
    }
}
