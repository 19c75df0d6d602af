//! Push notifications: configurations, what is posted and how, and what no caller can make the server call.
#![allow(clippy::unwrap_used, reason = "tests")]

mod configs;
mod posts;
#[path = "../three/mod.rs"]
mod three;

use a2a_sdk::protocol::{Message, Timestamp};
use a2a_sdk::{Agent, BearerTokens, Clock, Context, Principal, Reply, SkillError, State, WebhookPolicy};
use a2a_tests::Gate;
use a2a_tests::http::{self, Server, serve};
use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use three::{BINDINGS, Binding, Outcome, V1, call, message};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

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

/// Tells that it works, waits at the gate, and ends.
#[a2a_sdk::skill]
async fn gated(ctx: Context, State(gate): State<Gate>) -> Result<&'static str, SkillError> {
    ctx.progress("working").await?;
    gate.pass().await;
    Ok("done")
}

/// Tells that it works, waits at the gate, and writes 50 chunks.
#[a2a_sdk::skill]
async fn burst(ctx: Context, State(gate): State<Gate>) -> Result<Reply, SkillError> {
    ctx.progress("working").await?;
    gate.pass().await;
    let mut artifact = ctx.artifact("a");
    for n in 0..49 {
        artifact.write(format!("{n} ")).await?;
    }
    artifact.finish_with("49").await?;
    Ok(Reply::parts([]))
}

/// An agent that may call this machine.
fn local() -> (Agent, Gate) {
    let gate = Gate::default();
    let policy = WebhookPolicy::new().allow_loopback();
    (echo::agent().state(gate.clone()).push_notifications(policy), gate)
}

/// An agent that keeps to the rules that hold where nobody says otherwise.
fn guarded() -> Agent {
    echo::agent().state(Gate::default()).push_notifications(WebhookPolicy::new())
}

/// Takes what is posted; the test says what is answered.
struct Receiver {
    address: SocketAddr,
    posts: mpsc::UnboundedReceiver<Post>,
}

struct Post {
    headers: HeaderMap,
    body: Value,
    reply: oneshot::Sender<Response<Body>>,
}

impl Post {
    fn answer(self, status: StatusCode) -> Value {
        self.answer_with(Response::builder().status(status).body(Body::empty()).unwrap())
    }

    fn answer_with(self, response: Response<Body>) -> Value {
        self.reply.send(response).unwrap();
        self.body
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl Receiver {
    async fn new() -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    fn on(listener: TcpListener) -> Self {
        let address = listener.local_addr().unwrap();
        let (sender, posts) = mpsc::unbounded_channel();
        let take = async move |headers: HeaderMap, body: String| {
            let (reply, answer) = oneshot::channel();
            let body = serde_json::from_str(&body).unwrap();
            drop(sender.send(Post { headers, body, reply }));
            // A test that says nothing leaves it hanging.
            match answer.await {
                Ok(answer) => answer,
                Err(_) => std::future::pending().await,
            }
        };
        let routes = axum::Router::new().fallback(take);
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { address, posts }
    }

    fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    async fn next(&mut self) -> Post {
        tokio::time::timeout(Duration::from_secs(20), self.posts.recv()).await.unwrap().unwrap()
    }

    /// Takes the next one.
    async fn taken(&mut self) -> Value {
        self.next().await.answer(StatusCode::OK)
    }

    /// Takes everything until the task has ended, and tells each in a few words.
    async fn all(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        loop {
            let body = self.taken().await;
            told.push(line(&body));
            if ["COMPLETED", "FAILED", "CANCELED"].contains(&told.last().unwrap().as_str()) {
                return told;
            }
        }
    }
}

/// What is posted, in a few words.
fn line(body: &Value) -> String {
    let members: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(members.len(), 1, "one member of a StreamResponse: {body}");
    let state =
        |status: &Value| status["state"].as_str().unwrap().trim_start_matches("TASK_STATE_").to_owned();
    match members[0].as_str() {
        "task" => format!("task {}", state(&body["task"]["status"])),
        "statusUpdate" => state(&body["statusUpdate"]["status"]),
        "artifactUpdate" => {
            let parts = body["artifactUpdate"]["artifact"]["parts"].as_array().unwrap();
            parts.iter().map(|part| part["text"].as_str().unwrap()).collect()
        }
        other => panic!("{other}: {body}"),
    }
}

fn to(skill: &str) -> Value {
    let mut message = message("hi");
    message["metadata"] = json!({ "skill": skill });
    json!({ "message": message })
}

/// A message to that skill, with a configuration of its own.
fn inline(skill: &str, config: Value) -> Value {
    let mut request = to(skill);
    request["configuration"]["taskPushNotificationConfig"] = config;
    request
}

async fn rpc(server: &Server, method: &str, params: Value) -> Outcome {
    call(server.address, Binding::JsonRpc, V1, method, &params).await
}

/// The id of the task that such a message makes, without waiting for its end.
async fn started(server: &Server, mut request: Value) -> String {
    request["configuration"]["returnImmediately"] = json!(true);
    let answer = rpc(server, "SendMessage", request).await.unwrap();
    answer["task"]["id"].as_str().unwrap().to_owned()
}

const CREATE: &str = "CreateTaskPushNotificationConfig";
const GET: &str = "GetTaskPushNotificationConfig";
const LIST: &str = "ListTaskPushNotificationConfigs";
const DELETE: &str = "DeleteTaskPushNotificationConfig";

/// Addresses that a server must not be made to call.
const FORBIDDEN: [&str; 31] = [
    "http://example.com/",
    "http://8.8.8.8/",
    "ftp://8.8.8.8/",
    "file:///etc/passwd",
    "gopher://8.8.8.8/",
    "/hook",
    "hook",
    "https://",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://0x7f.0.0.1/",
    "https://2130706433/",
    "https://0177.0.0.1/",
    "https://0/",
    "https://localhost/",
    "https://LOCALHOST:8443/",
    "https://localhost./",
    "https://a.localhost/",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://100.64.0.1/",
    "https://[::1]/",
    "https://[::]/",
    "https://[fe80::1]/",
    "https://[fd00::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://user:password@8.8.8.8/",
    "https://\u{ff11}27.0.0.1/",
];
