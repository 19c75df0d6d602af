//! Streams whose connection breaks.

use crate::script::{
    Script, Seen, Step, answer, card, chunk, cut_events, events, is_card, json, status, task,
};
use crate::streams::chunks;
use crate::{BINDINGS, builder, desk_with, serve, to};
use a2a_sdk::Binding;
use a2a_sdk::Client;
use a2a_sdk::protocol::{ErrorKind, StreamResponse};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

/// What passes bytes on until it is told to cut all connections.
async fn relay(to: watch::Receiver<Option<SocketAddr>>, cut: watch::Receiver<u32>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let (mut to, mut cut) = (to.clone(), cut.clone());
            cut.mark_unchanged();
            tokio::spawn(async move {
                let address = to.wait_for(Option::is_some).await.unwrap().unwrap();
                let mut server = TcpStream::connect(address).await.unwrap();
                tokio::select! {
                    _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
                    _ = cut.changed() => client.set_zero_linger().unwrap(),
                }
            });
        }
    });
    url
}

#[tokio::test]
async fn a_stream_of_our_server_goes_on_with_nothing_lost_and_nothing_twice() {
    for binding in BINDINGS {
        let (address, to_address) = watch::channel(None);
        let (cut, cuts) = watch::channel(0);
        let url = relay(to_address, cuts).await;
        let permits = Arc::new(Semaphore::new(0));
        let server = serve(desk_with(&permits).url(&url)).await;
        address.send_replace(Some(server.address));
        let client = builder().bindings([binding]).connect(&url).await.unwrap();

        permits.add_permits(2);
        let mut stream = client.send_streaming_message(to("step", "")).await.unwrap();
        let mut seen = Vec::new();
        while chunks(&seen).len() < 2 {
            seen.push(stream.next().await.unwrap().unwrap());
        }
        cut.send_replace(1);
        permits.add_permits(3);
        let rest = stream.all().await.unwrap();
        assert!(rest.last().unwrap().is_final(), "{binding:?}");
        if binding == Binding::Grpc {
            // Events have no ids there: the task as it stands comes first.
            assert!(matches!(&rest[0], StreamResponse::Task(_)), "{rest:?}");
            continue;
        }
        assert!(rest.iter().all(|event| !matches!(event, StreamResponse::Task(_))), "{rest:?}");
        seen.extend(rest);
        assert_eq!(chunks(&seen), ["0", "1", "2", "3"], "{binding:?}");
    }
}

/// A client of an HTTP+JSON server that answers its calls, by their number from 0, so.
async fn against(answer: impl Fn(usize, &Seen) -> Vec<Step> + Send + Sync + 'static) -> (Client, Script) {
    let script = Script::run(move |number, seen, url| {
        if is_card(seen) { json(&card(&[("HTTP+JSON", url)])) } else { answer(number - 1, seen) }
    })
    .await;
    (builder().connect(&script.url).await.unwrap(), script)
}

fn with_id(id: &str, data: &str) -> String {
    format!("id: {id}\ndata: {data}\n\n")
}

fn working() -> String {
    format!(r#"{{"task":{}}}"#, task("WORKING"))
}

#[tokio::test]
async fn events_that_come_again_are_not_given_again() {
    let (client, script) = against(|number, seen| match number {
        0 => cut_events(&(with_id("t:1", &working()) + &with_id("t:2", &chunk("a"))), 1000),
        _ => {
            assert_eq!(
                (seen.line.as_str(), seen.header("last-event-id")),
                ("POST /tasks/t:subscribe", Some("t:2"))
            );
            let body = with_id("t:1", &working())
                + &with_id("t:2", &chunk("a"))
                + &with_id("t:3", &chunk("b"))
                + &with_id("t:4", &status("COMPLETED"));
            events(&body, 1000)
        }
    })
    .await;
    let events = client.send_streaming_message("Hi").await.unwrap().all().await.unwrap();
    assert_eq!(chunks(&events), ["a", "b"]);
    assert_eq!(events.len(), 4);
    assert_eq!(script.seen().len(), 3);
}

#[tokio::test]
async fn ids_that_begin_anew_with_each_connection_lose_no_event() {
    let (client, _script) = against(|number, _| match number {
        0 => cut_events(&(with_id("1", &working()) + &with_id("2", &chunk("a"))), 1000),
        _ => events(
            &(with_id("1", &chunk("b")) + &with_id("2", &chunk("a")) + &with_id("3", &status("COMPLETED"))),
            9,
        ),
    })
    .await;
    let events = client.send_streaming_message("Hi").await.unwrap().all().await.unwrap();
    assert_eq!(chunks(&events), ["a", "b"]);
    assert!(events.last().unwrap().is_final());
}

#[tokio::test]
async fn a_server_without_ids_gives_the_task_as_it_stands() {
    let (client, script) = against(|number, _| match number {
        0 => cut_events(&format!("data: {}\n\ndata: {}\n\n", working(), chunk("a")), 1000),
        _ => events(&format!("data: {}\n\ndata: {}\n\n", working(), status("COMPLETED")), 1000),
    })
    .await;
    let events = client.send_streaming_message("Hi").await.unwrap().all().await.unwrap();
    let kinds: Vec<_> = events.iter().map(StreamResponse::kind).collect();
    assert_eq!(kinds, ["task", "artifact-update", "task", "status-update"]);
    assert_eq!(script.seen()[2].header("last-event-id"), None);
}

#[tokio::test]
async fn a_server_that_refuses_the_id_is_asked_without_it() {
    let (client, script) = against(|number, seen| match (number, seen.header("last-event-id")) {
        (0, _) => cut_events(&with_id("x", &working()), 1000),
        (_, Some("x")) => {
            answer("400 Bad", "application/json", r#"{"error":{"code":400,"message":"what id"}}"#)
        }
        _ => events(&format!("data: {}\n\n", status("COMPLETED")), 1000),
    })
    .await;
    assert_eq!(client.send_streaming_message("Hi").await.unwrap().all().await.unwrap().len(), 2);
    assert_eq!(script.seen().len(), 4);
}

#[tokio::test]
async fn a_task_that_ended_meanwhile_is_read() {
    // An orderly end before the task's is a break too.
    for orderly in [true, false] {
        let (client, script) = against(move |number, seen| match number {
            0 if orderly => events(&with_id("t:1", &working()), 1000),
            0 => cut_events(&with_id("t:1", &working()), 1000),
            1 => answer(
                "400 Bad",
                "application/json",
                r#"{"error":{"code":400,"status":"FAILED_PRECONDITION","message":"finished"}}"#,
            ),
            _ => {
                assert_eq!(seen.line, "GET /tasks/t");
                json(&task("FAILED"))
            }
        })
        .await;
        let events = client.send_streaming_message("Hi").await.unwrap().all().await.unwrap();
        assert_eq!(events.len(), 2);
        assert!(events[1].is_final());
        assert_eq!(script.seen().len(), 4);
    }
}

#[tokio::test]
async fn a_task_of_an_agent_of_0_3_that_ended_meanwhile_is_read() {
    let card = |url: &str| {
        format!(
            r#"{{"name":"older","description":"d","version":"1","protocolVersion":"0.3.0","url":"{url}","capabilities":{{"streaming":true}},"skills":[],"defaultInputModes":[],"defaultOutputModes":[]}}"#
        )
    };
    let envelope = |seen: &Seen, member: &str| format!(r#"{{"jsonrpc":"2.0","id":{},{member}}}"#, seen.id());
    let task = |state: &str| {
        format!(r#""result":{{"kind":"task","id":"t","contextId":"c","status":{{"state":"{state}"}}}}"#)
    };
    for (code, both) in [(-32602, true), (-32001, true), (-32004, false)] {
        for (as_event, over) in [(true, true), (false, true), (true, false)] {
            // An agent that has no subscription as yet is asked again and again.
            if !both && !over {
                continue;
            }
            let script = Script::run(move |_, seen, url| {
                if is_card(seen) {
                    return json(&card(url));
                }
                let method = serde_json::from_str::<serde_json::Value>(&seen.body).unwrap()["method"].clone();
                match method.as_str().unwrap() {
                    "message/stream" => {
                        cut_events(&format!("data: {}\n\n", envelope(seen, &task("working"))), 1000)
                    }
                    "tasks/resubscribe" => {
                        let text = envelope(seen, &format!(r#""error":{{"code":{code},"message":"over"}}"#));
                        if as_event { events(&format!("data: {text}\n\n"), 1000) } else { json(&text) }
                    }
                    "tasks/get" => json(&envelope(seen, &task(if over { "completed" } else { "working" }))),
                    other => panic!("{other}"),
                }
            })
            .await;
            let client = builder().connect(&script.url).await.unwrap();
            let told = client.send_streaming_message("Hi").await.unwrap().all().await;
            if over {
                let told = told.unwrap();
                assert_eq!(told.len(), 2, "{code} {as_event}");
                assert!(told[1].is_final(), "{code} {as_event}");
                assert_eq!(script.seen().len(), 4, "{code} {as_event}");
            } else {
                // It is not over, and the agent does not let the client follow it.
                assert!(told.unwrap_err().kind().is_some(), "{code}");
            }
        }
    }
}

#[tokio::test]
async fn a_task_whose_stream_begins_again_and_says_nothing_is_read() {
    for orderly in [true, false] {
        let (client, script) = against(move |_, seen| match seen.line.as_str() {
            "POST /message:stream" => cut_events(&format!("data: {}\n\n", working()), 1000),
            "POST /tasks/t:subscribe" if orderly => events("", 1000),
            "POST /tasks/t:subscribe" => cut_events("", 1000),
            "GET /tasks/t" => json(&task("COMPLETED")),
            other => panic!("{other}"),
        })
        .await;
        let events = client.send_streaming_message("Hi").await.unwrap().all().await.unwrap();
        assert_eq!(events.len(), 2, "{orderly}");
        assert!(events[1].is_final(), "{orderly}");
        assert_eq!(script.seen().len(), 4, "{orderly}");
    }
}

#[tokio::test]
async fn a_stream_that_ends_where_the_task_waits_is_over() {
    for cut in [true, false] {
        let (client, script) = against(move |_, _| {
            let body = with_id("t:1", &status("INPUT_REQUIRED"));
            if cut { cut_events(&body, 1000) } else { events(&body, 1000) }
        })
        .await;
        assert_eq!(client.send_streaming_message("Hi").await.unwrap().all().await.unwrap().len(), 1);
        assert_eq!(script.seen().len(), 2);
    }
}

#[tokio::test]
async fn a_stream_ends_with_an_error_where_it_cannot_go_on() {
    let (client, _script) = against(|number, _| match number {
        0 => cut_events(&with_id("t:1", &working()), 1000),
        _ => answer(
            "404 No",
            "application/json",
            r#"{"error":{"code":404,"status":"NOT_FOUND","message":"gone"}}"#,
        ),
    })
    .await;
    let error = client.send_streaming_message("Hi").await.unwrap().all().await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));

    // Nothing is known of the task yet, and the message is not sent twice.
    let (client, script) = against(|_, _| cut_events(": hello\n\n", 1000)).await;
    assert!(client.send_streaming_message("Hi").await.unwrap().all().await.unwrap_err().is_transport());
    assert_eq!(script.seen().len(), 2);

    let script = Script::run(|_, seen, url| {
        if is_card(seen) {
            json(&card(&[("HTTP+JSON", url)]))
        } else {
            cut_events(&with_id("t:1", &working()), 1000)
        }
    })
    .await;
    let client = builder().resume(false).connect(&script.url).await.unwrap();
    let mut stream = client.send_streaming_message("Hi").await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    assert!(stream.next().await.unwrap().unwrap_err().is_transport());
    assert!(stream.next().await.is_none());
    assert_eq!(script.seen().len(), 2);
}

#[tokio::test]
async fn an_event_of_another_task_is_an_error_and_is_not_given() {
    let other = |event: String| event.replace(r#""taskId":"t""#, r#""taskId":"u""#);
    let foreign = [
        with_id("2", &other(status("COMPLETED"))),
        with_id("2", &other(chunk("x"))),
        with_id("2", &format!(r#"{{"task":{}}}"#, task("WORKING").replace(r#""id":"t""#, r#""id":"u""#))),
    ];
    for foreign in foreign {
        let body = with_id("1", &working()) + &foreign + &with_id("3", &status("COMPLETED"));
        let (client, script) = against(move |_, _| events(&body, 1000)).await;
        for opened in [client.send_streaming_message("Hi").await, client.subscribe_to_task("t").await] {
            let mut stream = opened.unwrap();
            assert!(matches!(stream.next().await, Some(Ok(StreamResponse::Task(_)))));
            let error = stream.next().await.unwrap().unwrap_err();
            assert!(error.is_protocol_violation() && error.to_string().contains("`u`"), "{error}");
            assert!(stream.next().await.is_none());
        }
        assert_eq!(script.seen().len(), 3, "it is not tried again");
    }
    // A subscription knows its task from the first event on.
    let (client, _script) = against(|_, _| events(&with_id("1", &working()), 1000)).await;
    let error = client.subscribe_to_task("other").await.unwrap().next().await.unwrap().unwrap_err();
    assert!(error.is_protocol_violation() && error.to_string().contains("`other`"), "{error}");
}
