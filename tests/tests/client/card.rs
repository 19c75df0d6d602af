//! Finding the card, keeping it, and choosing among what it offers.

use crate::builder;
use crate::script::{Script, answer, card, is_card, json, task, with_header};
use a2a_sdk::Binding;
use std::sync::atomic::{AtomicUsize, Ordering};

#[tokio::test]
async fn a_card_is_found_below_the_address_and_else_at_the_origin() {
    for (path, found_at) in [
        ("", "/.well-known/agent-card.json"),
        ("/", "/.well-known/agent-card.json"),
        ("/agents/x", "/agents/x/.well-known/agent-card.json"),
        ("/agents/x/", "/agents/x/.well-known/agent-card.json"),
        ("/agents/x", "/.well-known/agent-card.json"),
        ("/own/place.json", "/own/place.json"),
        ("/.well-known/agent-card.json", "/.well-known/agent-card.json"),
    ] {
        let script = Script::run(move |_, seen, url| {
            if seen.line == format!("GET {found_at}") {
                return json(&card(&[("JSONRPC", &format!("{url}/rpc"))]));
            }
            // A site that answers everything with its page is no agent.
            if seen.line.contains("agents") {
                answer("200 OK", "text/html", "<html>")
            } else {
                answer("404 No", "text/plain", "no")
            }
        })
        .await;
        let client = builder().connect(&format!("{}{path}", script.url)).await.unwrap();
        assert_eq!(client.card().name, "scripted", "{path}");
        assert!(script.seen().iter().all(|seen| seen.header("a2a-version") == Some("1.0")));
    }
}

#[tokio::test]
async fn a_card_that_has_not_changed_is_not_sent_again() {
    let script = Script::run(|number, seen, url| match seen.header("if-none-match") {
        Some("\"one\"") if number == 1 => with_header("304 Not Modified", "etag: \"one\"", ""),
        None | Some("\"one\"") => {
            let name = if number == 0 { "scripted" } else { "renamed" };
            let text = card(&[("JSONRPC", url)]).replace("scripted", name);
            with_header("200 OK", "content-type: application/json\r\netag: \"one\"", &text)
        }
        other => panic!("{other:?}"),
    })
    .await;
    let client = builder().connect(&script.url).await.unwrap();
    let first = client.card();
    assert_eq!(*client.refresh_card().await.unwrap(), *first);
    assert_eq!(client.refresh_card().await.unwrap().name, "renamed");
    assert_eq!((client.card().name.as_str(), first.name.as_str()), ("renamed", "scripted"));
}

#[tokio::test]
async fn a_card_may_be_too_large_no_card_and_of_no_use() {
    let large = Script::run(|_, _, url| json(&card(&[("JSONRPC", url)]))).await;
    let error = builder().max_card_bytes(100).connect(&large.url).await.unwrap_err();
    assert!(error.is_too_large(), "{error}");

    let endless = Script::run(|_, _, _| crate::script::events(&"x".repeat(100_000), 1_000)).await;
    let error = builder().max_card_bytes(50_000).connect(&endless.url).await.unwrap_err();
    assert!(error.is_too_large(), "{error}");

    let page = Script::run(|_, _, _| answer("200 OK", "text/html", "<html>")).await;
    assert!(builder().connect(&page.url).await.unwrap_err().is_protocol_violation());

    let foreign = Script::run(|_, _, url| json(&card(&[("SOAP", url)]))).await;
    let error = builder().connect(&foreign.url).await.unwrap_err();
    assert!(error.is_no_interface() && error.to_string().contains("SOAP 1.0"), "{error}");

    for wrong in ["", "localhost", "ftp://x.example", "http://a:b@x.example"] {
        let error = builder().connect(wrong).await.unwrap_err();
        assert!(!error.is_transport() && !error.to_string().contains("a:b"), "{error}");
    }
}

#[tokio::test]
async fn an_interface_that_cannot_be_reached_is_passed_over() {
    let gone = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let script = Script::run(move |_, seen, url| {
        if is_card(seen) {
            return json(&card(&[
                ("JSONRPC", &gone),
                ("GRPC", &gone),
                ("HTTP+JSON", &format!("{url}/rest/")),
            ]));
        }
        assert_eq!(seen.line, "GET /rest/tasks/t");
        json(&task("COMPLETED"))
    })
    .await;
    let client = builder().connect(&script.url).await.unwrap();
    assert_eq!(client.binding(), Some(Binding::JsonRpc));
    assert_eq!(client.get_task("t").await.unwrap().id, "t");
    assert_eq!(client.binding(), Some(Binding::HttpJson));
    drop(script);
    assert!(client.get_task("t").await.unwrap_err().is_transport());
}

#[tokio::test]
async fn the_tenant_goes_with_every_call_and_the_extensions_too() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let script = Script::run(|_, seen, url| {
        if is_card(seen) {
            let text = card(&[("HTTP+JSON", url)]);
            return json(&text.replace(r#""protocolBinding""#, r#""tenant":"acme","protocolBinding""#));
        }
        CALLS.fetch_add(1, Ordering::Relaxed);
        json(&task("COMPLETED"))
    })
    .await;
    let client = builder().extensions(["urn:a", "urn:b"]).connect(&script.url).await.unwrap();
    client.get_task("t").await.unwrap();
    let other = builder().tenant("other corp").connect(&script.url).await.unwrap();
    other.cancel_task("t").await.unwrap();
    let calls: Vec<_> = script.seen().into_iter().filter(|seen| !is_card(seen)).collect();
    assert_eq!(calls[0].line, "GET /acme/tasks/t");
    assert_eq!(calls[0].header("a2a-extensions"), Some("urn:a, urn:b"));
    assert_eq!(calls[0].header("a2a-version"), Some("1.0"));
    assert_eq!(calls[1].line, "POST /other%20corp/tasks/t:cancel");
}
