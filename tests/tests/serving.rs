//! A server that stops, and whom it answers.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{SendMessageRequest, TaskState};
use a2a_sdk::{Agent, State};
use a2a_tests::http::{request, serve, serve_built};
use a2a_tests::{Gate, at_once, to};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::net::TcpStream;

/// Is served.
#[a2a_sdk::agent]
struct Served;

/// Waits at the gate.
#[a2a_sdk::skill]
async fn gated(State(gate): State<Gate>) -> &'static str {
    let _living = gate.live();
    gate.pass().await;
    "done"
}

fn agent() -> (Agent, Gate) {
    let gate = Gate::default();
    (Served::agent().state(gate.clone()), gate)
}

fn message() -> Value {
    serde_json::to_value(SendMessageRequest::new(to("gated", "go"))).unwrap()
}

/// Waits until connections are refused.
async fn refused(address: std::net::SocketAddr) {
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), future).await.unwrap()
}

#[tokio::test]
async fn a_send_that_runs_when_the_server_stops_still_gets_its_answer() {
    let (agent, gate) = agent();
    let mut server = serve(agent).await;
    let address = server.address;
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": message() }).to_string();
    let sending = tokio::spawn(async move {
        request(address, "POST", "/", "A2A-Version: 1.0\r\n", body.as_bytes()).await.json().await
    });
    gate.reached().await;
    server.stop();
    soon(refused(address)).await;
    gate.open();
    let answer = soon(sending).await.unwrap();
    assert_eq!(answer["result"]["task"]["status"]["state"], "TASK_STATE_COMPLETED");
    soon(server.stopped()).await;
}

#[tokio::test]
async fn open_streams_end_when_the_server_stops_and_their_tasks_may_finish() {
    let (agent, gate) = agent();
    let built = agent.build().unwrap();
    let client = built.client();
    let mut server = serve_built(built).await;
    let mut stream = server.stream("SendStreamingMessage", message(), "").await;
    let task = stream.event().await.unwrap().data["result"]["task"]["id"].as_str().unwrap().to_owned();
    gate.reached().await;
    server.stop();
    let rest = soon(stream.events()).await;
    assert!(rest.len() <= 1, "WORKING at most: {rest:?}");
    gate.open();
    soon(server.stopped()).await;
    assert_eq!(client.get_task(&task).await.unwrap().status.state, TaskState::Completed);
}

#[tokio::test]
async fn a_server_does_not_wait_longer_than_its_drain_time() {
    let (agent, gate) = agent();
    let built = agent.drain(Duration::from_millis(50)).build().unwrap();
    let client = built.client();
    let mut server = serve_built(built).await;
    client.send_message(at_once(to("gated", "go"))).await.unwrap();
    gate.reached().await;
    server.stop();
    soon(server.stopped()).await;
    // The skill is dropped by its own task of the runtime.
    while gate.living() > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn an_idle_server_stops_at_once_also_with_idle_connections() {
    let mut server = serve(agent().0).await;
    let idle = TcpStream::connect(server.address).await.unwrap();
    assert_eq!(server.get("/no-such", "").await.status, 404);
    server.stop();
    soon(server.stopped()).await;
    drop(idle);
}

#[tokio::test]
async fn a_server_on_loopback_answers_to_its_own_names_only() {
    let server = serve(agent().0).await;
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"ListTasks"}"#;
    for (host, status) in [
        ("localhost", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:80", 200),
        ("agent.localhost", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:8080", 421),
        ("10.0.0.1", 421),
    ] {
        let headers = format!("Host: {host}\r\nA2A-Version: 1.0\r\n");
        let response = request(server.address, "POST", "/", &headers, body).await;
        assert_eq!(response.status, status, "{host}");
        let card = server.get("/.well-known/agent-card.json", &format!("Host: {host}\r\n")).await;
        assert_eq!(card.status, status, "{host}");
    }
}

#[tokio::test]
async fn the_host_of_the_public_url_is_a_name_of_the_server() {
    let server = serve(agent().0.url("https://agents.example/x")).await;
    for (host, status) in [("agents.example", 404), ("AGENTS.example:443", 404), ("other.example", 421)] {
        assert_eq!(server.get("/no-such", &format!("Host: {host}\r\n")).await.status, status, "{host}");
    }
}

#[tokio::test]
async fn nothing_of_cors_is_said() {
    let server = serve(agent().0).await;
    let response = server.get("/.well-known/agent-card.json", "Origin: https://evil.example\r\n").await;
    assert_eq!(response.header("access-control-allow-origin"), "");
}
