//! Which bindings are served where, and that the card says so.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::Binding::{Grpc, HttpJson, JsonRpc};
use a2a_sdk::protocol::AgentCard;
use a2a_tests::http::{Server, serve, serve_built};
use serde_json::json;

/// Says it back.
#[a2a_sdk::agent]
async fn echo(text: String) -> String {
    text
}

const VERSION: &str = "Host: localhost\r\nA2A-Version: 1.0\r\n";

async fn interfaces(server: &Server) -> Vec<(String, String)> {
    let card = server.get("/.well-known/agent-card.json", "").await.json().await;
    let card: AgentCard = serde_json::from_value(card).unwrap();
    let named = card.supported_interfaces.into_iter();
    named.map(|interface| (interface.protocol_binding, interface.url)).collect()
}

#[tokio::test]
async fn every_binding_is_on_one_port_unless_set_otherwise() {
    let server = serve(echo::agent().legacy(false)).await;
    let url = format!("http://{}", server.address);
    let expected = [
        ("JSONRPC".to_owned(), url.clone()),
        ("HTTP+JSON".to_owned(), url),
        ("GRPC".to_owned(), server.address.to_string()),
    ];
    assert_eq!(interfaces(&server).await, expected);
}

#[tokio::test]
async fn an_agent_is_served_over_the_bindings_it_declares_and_no_others() {
    let server = serve(echo::agent().legacy(false).bindings([HttpJson])).await;
    assert_eq!(interfaces(&server).await, [("HTTP+JSON".to_owned(), format!("http://{}", server.address))]);
    assert_eq!(server.get("/tasks", VERSION).await.status, 200);
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "ListTasks" }).to_string();
    assert_eq!(server.post(call).await.status, 404);

    let server = serve(echo::agent().bindings([JsonRpc])).await;
    assert_eq!(server.get("/tasks", VERSION).await.status, 404);
    assert_eq!(server.call("ListTasks", json!({})).await["result"]["totalSize"], 0);
}

#[tokio::test]
async fn listeners_of_their_own_share_the_tasks_and_name_each_other() {
    let built = echo::agent().legacy(false).binding_url(Grpc, "grpc.example:443").build().unwrap();
    let (first, second) =
        (serve_built(built.only([JsonRpc])).await, serve_built(built.only([HttpJson])).await);
    let params = json!({ "message": { "messageId": "1", "role": "ROLE_USER", "parts": [{ "text": "hi" }] } });
    let id = first.call("SendMessage", params).await["result"]["task"]["id"].as_str().unwrap().to_owned();
    let task = second.get(&format!("/tasks/{id}"), VERSION).await.json().await;
    assert_eq!(task["artifacts"][0]["parts"][0]["text"], "hi");
    let elsewhere = ("GRPC".to_owned(), "grpc.example:443".to_owned());
    let here = ("JSONRPC".to_owned(), format!("http://{}", first.address));
    assert_eq!(interfaces(&first).await, [here, elsewhere]);
}

#[test]
fn an_agent_without_any_binding_is_not_built() {
    let error = echo::agent().bindings([]).build().unwrap_err();
    assert!(format!("{error:?}").contains(".bindings([Binding::JsonRpc])"), "{error:?}");
}
