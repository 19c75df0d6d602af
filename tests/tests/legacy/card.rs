//! The card: one document that both generations read, and the pure one for who says that it reads 1.0.

use super::*;
use a2a_sdk::protocol::{AgentCard, HttpAuthSecurityScheme, SecurityScheme, from_json};

const CARD: &str = "/.well-known/agent-card.json";
const V1: &str = "A2A-Version: 1.0\r\n";

#[tokio::test]
async fn who_names_no_version_gets_the_members_of_both_generations() {
    let server = server().await;
    let response = server.get(CARD, "").await;
    assert_eq!(response.header("vary"), "A2A-Version");
    let card = response.json().await;
    assert_eq!((&card["url"], &card["preferredTransport"]), (&json!(server.url()), &json!("JSONRPC")));
    assert_eq!(card["protocolVersion"], "0.3.0");
    let others: Vec<&Value> =
        card["additionalInterfaces"].as_array().unwrap().iter().map(|other| &other["transport"]).collect();
    assert_eq!(others, ["HTTP+JSON", "GRPC", "JSONRPC"]);
    assert_eq!(
        card["additionalInterfaces"][1]["url"],
        server.address.to_string(),
        "gRPC clients dial it as it is"
    );
    assert_eq!(server.get("/.well-known/agent.json", "").await.json().await, card, "where 0.2 looks for it");
    for headers in
        ["A2A-Version: 0.3\r\n", "A2A-Version: 10.0\r\n", "A2A-Version: 1.junk\r\n", "A2A-Version:\r\n"]
    {
        assert_eq!(server.get(CARD, headers).await.json().await, card, "{headers}");
    }
}

#[tokio::test]
async fn who_names_1_0_gets_the_members_of_1_0_alone() {
    let server = server().await;
    let response = server.get(CARD, V1).await;
    assert_eq!(response.header("vary"), "A2A-Version");
    let pure = response.json().await;
    for member in ["url", "preferredTransport", "additionalInterfaces", "protocolVersion", "security"] {
        assert_eq!(pure.get(member), None, "{member}");
    }
    let hybrid = server.get(CARD, "").await.bytes().await;
    let read: AgentCard = from_json(&hybrid).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), pure, "the same card to a reader of 1.0");
    assert_eq!(server.get(&format!("{CARD}?A2A-Version=1.0"), "").await.json().await, pure);
    for version in ["1.0.1", "1.1", "1.0, 1.0"] {
        let headers = format!("A2A-Version: {version}\r\n");
        assert_eq!(server.get(CARD, &headers).await.json().await, pure, "{version}");
    }
}

#[tokio::test]
async fn each_form_has_an_etag_of_its_own() {
    let server = server().await;
    let tag = async |headers: &str| server.get(CARD, headers).await.header("etag").to_owned();
    let (hybrid, pure) = (tag("").await, tag(V1).await);
    assert_ne!(hybrid, pure);
    let status = async |headers: String| server.get(CARD, &headers).await.status;
    assert_eq!(status(format!("If-None-Match: {hybrid}\r\n")).await, 304);
    assert_eq!(status(format!("If-None-Match: {pure}\r\n")).await, 200);
    assert_eq!(status(format!("{V1}If-None-Match: {pure}\r\n")).await, 304);
    let served = serve(agent(&Gate::default()).legacy(false)).await;
    assert_eq!(served.get(CARD, "").await.header("vary"), "", "there is one form");
}

#[tokio::test]
async fn security_is_told_in_both_forms() {
    let scheme = HttpAuthSecurityScheme { scheme: "Bearer".to_owned(), ..HttpAuthSecurityScheme::default() };
    let agent = agent(&Gate::default()).security("bearer", SecurityScheme::HttpAuth(scheme)).layer(tokens());
    let card = serve(agent).await.get(CARD, "").await.json().await;
    assert_eq!(
        card["securitySchemes"]["bearer"],
        json!({ "type": "http", "scheme": "Bearer", "httpAuthSecurityScheme": { "scheme": "Bearer" } })
    );
    assert_eq!(card["security"], json!([{ "bearer": [] }]));
    assert!(card["securityRequirements"][0]["schemes"].get("bearer").is_some());
}

#[tokio::test]
async fn the_card_of_known_callers_is_where_each_version_has_it() {
    let agent = agent(&Gate::default()).layer(tokens()).extended_card(|who, mut card| {
        card.name = format!("Echo for {}", who.id()?);
        Some(card)
    });
    let server = serve(agent).await;
    let headers = "Authorization: Bearer a\r\n";
    let methods = ["agent/getAuthenticatedExtendedCard", "agent/authenticatedExtendedCard"];
    let mut cards = Vec::new();
    for method in methods {
        cards.push(post(&server, headers, method, &Value::Null).await.json().await["result"].clone());
    }
    for path in ["/v1/card", "/agent/authenticatedExtendedCard"] {
        cards.push(http::request(server.address, "GET", path, headers, b"").await.json().await);
    }
    for card in cards {
        assert_eq!(card["name"], "Echo for a");
        assert_eq!(
            (&card["url"], &card["supportsAuthenticatedExtendedCard"]),
            (&json!(server.url()), &json!(true))
        );
    }
    let public = server.get(CARD, "").await.json().await;
    assert_eq!(public["supportsAuthenticatedExtendedCard"], true);
    assert_eq!(public["name"], "Echo");
}

#[tokio::test]
async fn there_is_no_such_card_where_none_is_declared() {
    let server = server().await;
    assert_eq!(error(&server, "agent/getAuthenticatedExtendedCard", &json!({})).await.0, -32007);
    let response = http::request(server.address, "GET", "/agent/authenticatedExtendedCard", "", b"").await;
    assert_eq!((response.status, refused(&response.json().await).0), (404, -32007));
}
