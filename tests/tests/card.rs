//! The card at its well-known place.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::Json;
use a2a_sdk::{BearerTokens, Principal};
use a2a_tests::http::{request, serve};
use serde_json::{Value, json};
use tokio::net::TcpListener;

const CARD: &str = "/.well-known/agent-card.json";

/// Greets people by name.
///
/// # Details
/// Not for the card.
#[a2a_sdk::agent(version = "2.1.0", provider(organization = "Acme", url = "https://acme.example"))]
async fn greeter(name: String) -> String {
    format!("Hello, {name}!")
}

/// Counts.
#[a2a_sdk::skill]
async fn count_words(text: String) -> Json<usize> {
    Json(text.split_whitespace().count())
}

#[tokio::test]
async fn the_card_says_what_the_agent_is_and_where_it_listens() {
    let server = serve(greeter::agent()).await;
    let response = server.get(CARD, "").await;
    assert_eq!((response.status, response.header("content-type")), (200, "application/json"));
    let card = response.json().await;
    assert_eq!((&card["name"], &card["description"]), (&json!("Greeter"), &json!("Greets people by name.")));
    assert_eq!(card["version"], "2.1.0");
    assert_eq!(card["provider"], json!({ "organization": "Acme", "url": "https://acme.example" }));
    let interfaces = card["supportedInterfaces"].as_array().unwrap();
    let bindings: Vec<_> = interfaces.iter().map(|interface| &interface["protocolBinding"]).collect();
    assert_eq!(bindings, ["JSONRPC", "HTTP+JSON", "GRPC", "JSONRPC", "HTTP+JSON", "GRPC"]);
    // Those of 1.0 come first, since clients take the first that they speak.
    for (index, interface) in interfaces.iter().enumerate() {
        // gRPC says where something is without a scheme.
        let scheme = if interface["protocolBinding"] == "GRPC" { "" } else { "http://" };
        assert_eq!(interface["url"], format!("{scheme}{}", server.address));
        assert_eq!(interface["protocolVersion"], if index < 3 { "1.0" } else { "0.3" });
    }
    assert_eq!(card["capabilities"]["streaming"], true);
    assert_eq!(card["capabilities"]["pushNotifications"], false);
    let ids: Vec<_> = card["skills"].as_array().unwrap().iter().map(|skill| &skill["id"]).collect();
    assert_eq!(ids, ["greeter", "count_words"]);
    assert_eq!(
        (&card["skills"][1]["name"], &card["skills"][1]["tags"]),
        (&json!("Count words"), &json!(["count_words"]))
    );
    for required in ["defaultInputModes", "defaultOutputModes", "skills"] {
        assert!(card[required].is_array(), "{required}");
    }
}

#[tokio::test]
async fn a_client_that_has_the_card_is_not_sent_it_again() {
    let server = serve(greeter::agent()).await;
    let first = server.get(CARD, "").await;
    let (etag, modified) = (first.header("etag").to_owned(), first.header("last-modified").to_owned());
    assert!(etag.starts_with('"') && etag.ends_with('"') && etag.len() > 2, "{etag}");
    assert!(modified.ends_with(" GMT"), "{modified}");
    assert!(first.header("cache-control").contains("max-age="));
    for header in [
        format!("If-None-Match: {etag}"),
        format!("If-None-Match: \"other\", W/{etag}"),
        "If-None-Match: *".to_owned(),
        format!("If-Modified-Since: {modified}"),
    ] {
        let response = server.get(CARD, &format!("{header}\r\n")).await;
        assert_eq!((response.status, response.header("etag")), (304, &*etag), "{header}");
        assert!(response.header("cache-control").contains("max-age="));
        assert!(response.bytes().await.is_empty());
    }
    for header in ["If-None-Match: \"other\"", "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"] {
        assert_eq!(server.get(CARD, &format!("{header}\r\n")).await.status, 200, "{header}");
    }
    let both = format!("If-None-Match: \"other\"\r\nIf-Modified-Since: {modified}\r\n");
    assert_eq!(server.get(CARD, &both).await.status, 200, "the tag counts before the date");
}

#[tokio::test]
async fn a_changed_card_has_another_tag() {
    let one = serve(greeter::agent().url("https://one.example")).await.get(CARD, "").await;
    let two = serve(greeter::agent().url("https://two.example")).await.get(CARD, "").await;
    assert_ne!(one.header("etag"), two.header("etag"));
}

#[tokio::test]
async fn no_header_of_a_request_gets_into_the_card() {
    let server = serve(greeter::agent()).await;
    let plain = server.get(CARD, "").await.text().await;
    let headers = "Host: localhost:1\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n\
                   Forwarded: host=evil.example\r\nX-Forwarded-Prefix: /evil\r\n";
    let response = server.get(CARD, headers).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.text().await, plain);
}

#[tokio::test]
async fn a_public_url_stands_in_the_card_without_a_slash_at_its_end() {
    let server = serve(greeter::agent().url("https://agents.example/greeter/")).await;
    let card = server.get(CARD, "").await.json().await;
    assert_eq!(card["supportedInterfaces"][0]["url"], "https://agents.example/greeter");
}

#[tokio::test]
async fn a_card_needs_no_server() {
    let card = greeter::agent().url("https://agents.example").card().unwrap();
    let server = serve(greeter::agent().url("https://agents.example")).await;
    let served = server.get(CARD, "A2A-Version: 1.0\r\n").await.json().await;
    assert_eq!(serde_json::to_value(card).unwrap(), served);
}

async fn hosted(app: axum::Router) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    address
}

#[tokio::test]
async fn an_agent_under_a_prefix_answers_there_and_its_card_says_so() {
    let router = || greeter::agent().url("https://host.example/agents/greeter").router().unwrap();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"Ada"}]}}}"#;
    let nested = hosted(axum::Router::new().nest("/agents/greeter", router())).await;
    let service = hosted(axum::Router::new().nest_service("/agents/greeter", router())).await;
    for (address, path) in
        [(nested, "/agents/greeter"), (service, "/agents/greeter"), (service, "/agents/greeter/")]
    {
        let response = request(address, "POST", path, "A2A-Version: 1.0\r\n", body.as_bytes()).await;
        assert_eq!(response.status, 200, "{path}");
        let answer: Value = response.json().await;
        assert_eq!(answer["result"]["task"]["artifacts"][0]["parts"][0]["text"], "Hello, Ada!", "{path}");
        let card = request(address, "GET", &format!("/agents/greeter{CARD}"), "", b"").await.json().await;
        assert_eq!(card["supportedInterfaces"][0]["url"], "https://host.example/agents/greeter");
        assert_eq!(request(address, "GET", CARD, "", b"").await.status, 404);
    }
}

#[tokio::test]
async fn a_mounted_agent_is_as_guarded_as_a_served_one() {
    let tokens = BearerTokens::new([("secret", Principal::new("alice"))]);
    let router = || greeter::agent().layer(tokens.clone()).url("https://host.example/a").router().unwrap();
    let nested = hosted(axum::Router::new().nest("/a", router())).await;
    let service = hosted(axum::Router::new().nest_service("/a", router())).await;
    for address in [nested, service] {
        for (method, path) in
            [("POST", "/a"), ("POST", "/a/message:send"), ("GET", "/a/tasks"), ("GET", "/a/tasks/x")]
        {
            let refused = request(address, method, path, "A2A-Version: 1.0\r\n", b"{}").await;
            assert_eq!(refused.status, 401, "{method} {path}");
            let known = "A2A-Version: 1.0\r\nAuthorization: Bearer secret\r\n";
            assert_ne!(request(address, method, path, known, b"{}").await.status, 401, "{method} {path}");
        }
        assert_eq!(request(address, "GET", &format!("/a{CARD}"), "", b"").await.status, 200);
    }
}
