//! HTTP+JSON as clients see it: paths, parameters, media types, errors and streams.
#![allow(clippy::unwrap_used, reason = "tests")]

mod refused;
mod served;

use a2a_sdk::protocol::Message;
use a2a_sdk::{Agent, Cancel, Context, Principal, SkillError, WebhookPolicy};
use a2a_tests::http::{Response, Server, request, serve};
use a2a_tests::to;
use serde_json::{Value, json};

/// Says it back.
#[a2a_sdk::agent]
async fn echo(text: String) -> String {
    text
}

/// Asks.
#[a2a_sdk::skill]
async fn ask(ctx: Context) -> Result<String, SkillError> {
    Ok(ctx.ask("?").await?.text())
}

/// Answers without a task.
#[a2a_sdk::skill]
async fn direct(text: String) -> Message {
    Message::agent(text)
}

/// Waits until it is told to stop, and says by what.
#[a2a_sdk::skill]
async fn wait(cancel: Cancel) -> String {
    cancel.requested().await;
    let why = cancel.metadata().and_then(|metadata| metadata.get("why")?.as_str());
    why.unwrap_or("nothing").to_owned()
}

fn agent() -> Agent {
    echo::agent().push_notifications(WebhookPolicy::new())
}

async fn server() -> Server {
    serve(agent()).await
}

async fn call(server: &Server, method: &str, path: &str, headers: &str, body: &str) -> Response {
    let headers = format!("A2A-Version: 1.0\r\n{headers}");
    request(server.address, method, path, &headers, body.as_bytes()).await
}

async fn get(server: &Server, path: &str) -> (u16, Value) {
    let response = call(server, "GET", path, "", "").await;
    (response.status, response.json().await)
}

async fn post(server: &Server, path: &str, body: &Value) -> (u16, Value) {
    let headers = "Content-Type: application/json\r\n";
    let response = call(server, "POST", path, headers, &body.to_string()).await;
    (response.status, response.json().await)
}

fn message(skill: &str, text: &str) -> Value {
    json!({ "message": serde_json::to_value(to(skill, text)).unwrap() })
}

/// The task that a message makes.
async fn sent(server: &Server, prefix: &str, skill: &str) -> Value {
    let mut request = message(skill, "hi");
    request["configuration"] = json!({ "returnImmediately": skill == "wait" });
    let (status, answer) = post(server, &format!("{prefix}/message:send"), &request).await;
    assert_eq!(status, 200, "{answer}");
    answer["task"].clone()
}

fn id(task: &Value) -> &str {
    task["id"].as_str().unwrap()
}

/// An error in the form of AIP-193: the statuses agree, and the reason is in the first detail.
fn assert_error((status, body): &(u16, Value), expected: u16, name: &str, reason: &str) {
    let error = &body["error"];
    assert_eq!((*status, &error["code"]), (expected, &json!(expected)), "{body}");
    assert_eq!((&error["status"], &error["details"][0]["reason"]), (&json!(name), &json!(reason)), "{body}");
    assert_eq!(error["details"][0]["@type"], "type.googleapis.com/google.rpc.ErrorInfo");
    assert_eq!(error["details"][0]["domain"], "a2a-protocol.org");
    assert!(!error["message"].as_str().unwrap().is_empty());
    assert!(body.get("jsonrpc").is_none());
}

fn assert_invalid(answer: &(u16, Value), field: &str) {
    assert_error(answer, 400, "INVALID_ARGUMENT", "INVALID_PARAMS");
    let details = &answer.1["error"]["details"][1];
    assert_eq!(details["@type"], "type.googleapis.com/google.rpc.BadRequest");
    assert_eq!(details["fieldViolations"][0]["field"], field, "{}", answer.1);
}
