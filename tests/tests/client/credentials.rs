//! Credentials go to the origin that they were made for, and nowhere else.

use crate::builder;
use crate::script::{Script, card, is_card, json, task, with_header};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

#[tokio::test]
async fn an_interface_on_another_origin_gets_no_credentials_unless_it_is_trusted() {
    let other = Script::run(|_, _, _| json(&task("COMPLETED"))).await;
    let other_url = other.url.clone();
    let home = Script::run(move |_, seen, url| {
        let url = if seen.line.contains("away") { other_url.as_str() } else { url };
        if is_card(seen) { json(&card(&[("HTTP+JSON", url)])) } else { json(&task("COMPLETED")) }
    })
    .await;
    let count = Arc::new(AtomicU32::new(0));
    let with_credentials = || {
        let count = Arc::clone(&count);
        builder().bearer("secret").header("x-api-key", "key").interceptor(move |mut call| {
            let number = count.fetch_add(1, Ordering::Relaxed);
            async move {
                call.headers.insert("x-number", number.into());
                Ok(call)
            }
        })
    };

    let client = with_credentials().connect(&home.url).await.unwrap();
    client.get_task("t").await.unwrap();
    for seen in home.seen() {
        assert_eq!(seen.header("authorization"), Some("bearer secret"));
        assert_eq!(seen.header("x-api-key"), Some("key"));
    }
    assert_eq!(home.seen()[1].header("x-number"), Some("1"));

    let away = format!("{}/away", home.url);
    let client = with_credentials().connect(&away).await.unwrap();
    client.get_task("t").await.unwrap();
    let trusting = with_credentials().trust_origin(&other.url).connect(&away).await.unwrap();
    trusting.get_task("t").await.unwrap();
    let seen = other.seen();
    for name in ["authorization", "x-api-key", "x-number"] {
        assert_eq!(seen[0].header(name), None, "{name}");
        assert!(seen[1].header(name).is_some(), "{name}");
    }

    let handed = with_credentials().from_card((*client.card()).clone()).unwrap();
    handed.get_task("t").await.unwrap();
    assert_eq!(other.seen()[2].header("authorization"), None);
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_not_followed() {
    let other = Script::run(|_, _, url| json(&card(&[("JSONRPC", url)]))).await;
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
        let location = format!("location: {}/.well-known/agent-card.json", other.url);
        let home = Script::run(move |_, _, _| with_header(status, &location, "")).await;
        let error = builder().bearer("secret").connect(&home.url).await.unwrap_err();
        assert!(error.to_string().contains(&other.url), "{error}");

        let location = format!("location: {}/rpc", other.url);
        let home = Script::run(move |_, seen, url| {
            if is_card(seen) { json(&card(&[("JSONRPC", url)])) } else { with_header(status, &location, "") }
        })
        .await;
        let client = builder().bearer("secret").connect(&home.url).await.unwrap();
        assert!(client.get_task("t").await.is_err());
    }
    assert!(other.seen().is_empty());
}

#[tokio::test]
async fn a_redirect_within_the_origin_is_followed_where_it_calls_the_same() {
    let home = Script::run(|_, seen, url| match seen.line.as_str() {
        "GET /.well-known/agent-card.json" => with_header("302 Found", "location: /new/agent-card.json", ""),
        "GET /new/agent-card.json" => json(&card(&[("HTTP+JSON", &format!("{url}/old"))])),
        "POST /old/tasks/t:cancel" => with_header("308 Moved", "location: /new/tasks/t:cancel", ""),
        "POST /old/tasks/u:cancel" => with_header("302 Found", "location: /new/tasks/u:cancel", ""),
        "POST /new/tasks/t:cancel" => json(&task("CANCELED")),
        "GET /old/tasks/loop" => with_header("307 Again", "location: /old/tasks/loop", ""),
        other => panic!("{other}"),
    })
    .await;
    let client = builder().connect(&home.url).await.unwrap();
    client.cancel_task("t").await.unwrap();
    assert!(client.cancel_task("u").await.is_err());
    assert!(client.get_task("loop").await.unwrap_err().is_protocol_violation());
}

#[tokio::test]
async fn an_interceptor_that_fails_stops_the_call_and_nothing_secret_is_shown() {
    let home = Script::run(|_, _, url| json(&card(&[("JSONRPC", url)]))).await;
    let operations = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&operations);
    let builder = builder().bearer("secret").interceptor(move |call| {
        told.lock().unwrap().push(format!("{} {call:?}", call.operation));
        let refused = call.operation == "GetTask";
        async move { if refused { Err("no token".into()) } else { Ok(call) } }
    });
    assert!(!format!("{builder:?}").contains("secret"));
    let client = builder.connect(&home.url).await.unwrap();
    let error = client.get_task("t").await.unwrap_err();
    assert!(error.to_string().contains("no token") && !error.is_retryable(), "{error}");
    assert_eq!(home.seen().len(), 1);
    assert!(!format!("{client:?} {:?}", operations.lock().unwrap()).contains("secret"));
    assert!(operations.lock().unwrap()[0].starts_with("AgentCard"));
}
