//! Answers that servers should not give, and what is made of them.

use crate::builder;
use crate::script::{
    Script, Seen, Step, answer, card, chunk, cut_events, events, is_card, json, status, task,
};
use crate::streams::chunks;
use a2a_sdk::Client;
use a2a_sdk::protocol::{DeleteTaskPushNotificationConfigRequest, ErrorKind};
use std::time::Duration;

/// A client of a server that answers every call so.
async fn against(
    binding: &'static str,
    answer: impl Fn(&Seen) -> Vec<Step> + Send + Sync + 'static,
) -> (Client, Script) {
    let script = Script::run(
        move |_, seen, url| {
            if is_card(seen) { json(&card(&[(binding, url)])) } else { answer(seen) }
        },
    )
    .await;
    let client = builder().resume(false).max_event_bytes(64 * 1024).timeout(Duration::from_secs(20));
    (client.connect(&script.url).await.unwrap(), script)
}

fn rpc(seen: &Seen, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, seen.id())
}

fn frame(data: &str) -> String {
    format!("data: {data}\n\n")
}

#[tokio::test]
async fn an_answer_to_another_request_is_refused() {
    let (client, _script) =
        against("JSONRPC", |seen| json(&rpc(seen, &task("COMPLETED")).replace(r#""id":"#, r#""id":9"#)))
            .await;
    let error = client.get_task("t").await.unwrap_err();
    assert!(error.is_protocol_violation(), "{error}");

    let (client, _script) = against("JSONRPC", |seen| {
        events(&frame(&rpc(seen, &task("WORKING")).replacen(r#""id":"#, r#""id":9"#, 1)), 1000)
    })
    .await;
    let error = client.send_streaming_message("Hi").await.unwrap().all().await.unwrap_err();
    assert!(error.is_protocol_violation(), "{error}");
}

#[tokio::test]
async fn null_is_absence() {
    let (client, _script) = against("JSONRPC", |seen| {
        let text = rpc(seen, &task("COMPLETED"));
        json(&text.replace(r#""jsonrpc""#, r#""error":null,"jsonrpc""#))
    })
    .await;
    assert_eq!(client.get_task("t").await.unwrap().id, "t");

    let (client, _script) = against("JSONRPC", |seen| json(&rpc(seen, "null"))).await;
    let delete = DeleteTaskPushNotificationConfigRequest {
        task_id: "t".to_owned(),
        id: "c".to_owned(),
        ..Default::default()
    };
    client.delete_task_push_notification_config(delete.clone()).await.unwrap();
    assert!(client.get_task("t").await.unwrap_err().is_protocol_violation());

    for empty in ["204 No Content", "200 OK"] {
        let (client, _script) = against("HTTP+JSON", move |_| answer(empty, "text/plain", "")).await;
        client.delete_task_push_notification_config(delete.clone()).await.unwrap();
        assert!(client.get_task("t").await.is_err());
    }
}

#[tokio::test]
async fn an_error_to_a_streaming_call_may_be_json_and_may_be_an_event() {
    let error = |seen: &Seen| {
        format!(r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":-32004,"message":"finished"}}}}"#, seen.id())
    };
    let (client, _script) = against("JSONRPC", move |seen| json(&error(seen))).await;
    let refused = client.subscribe_to_task("t").await.unwrap_err();
    assert_eq!((refused.kind(), refused.code()), (Some(ErrorKind::UnsupportedOperation), Some(-32004)));

    let (client, _script) = against("JSONRPC", move |seen| {
        events(
            &(frame(&rpc(seen, &format!(r#"{{"task":{}}}"#, task("WORKING")))) + &frame(&error(seen))),
            1000,
        )
    })
    .await;
    let mut stream = client.send_streaming_message("Hi").await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    let refused = stream.next().await.unwrap().unwrap_err();
    assert_eq!(refused.kind(), Some(ErrorKind::UnsupportedOperation));
    assert!(stream.next().await.is_none());

    for event in ["event: error\n", ""] {
        let (client, _script) = against("HTTP+JSON", move |_| {
            let error = r#"{"error":{"code":500,"status":"INTERNAL","message":"broke"}}"#;
            events(
                &format!("{}{event}{}", frame(&format!(r#"{{"task":{}}}"#, task("WORKING"))), frame(error)),
                1000,
            )
        })
        .await;
        let error = client.send_streaming_message("Hi").await.unwrap().all().await.unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (Some(ErrorKind::Internal), "broke"));
    }
}

#[tokio::test]
async fn however_the_bytes_of_a_stream_are_cut_its_events_are_the_same() {
    for size in [1, 2, 3, 7, 10_000] {
        let (client, _script) = against("HTTP+JSON", move |_| {
            let pretty = status("COMPLETED").replacen('{', "{\r\ndata:", 1);
            let body = format!(
                ": hello\n\ndata:{}\r\n\r\nid: 1\ndata: {}\n\nevent: x\rdata: {}\r\rdata: {pretty}\n\n",
                format_args!(r#"{{"task":{}}}"#, task("WORKING")),
                chunk("\u{65e5}\u{672c}"),
                chunk("\u{1f600}"),
            );
            events(&body, size)
        })
        .await;
        let events = client.send_streaming_message("Hi").await.unwrap().all().await.unwrap();
        assert_eq!(events.len(), 4, "{size}");
        assert_eq!(chunks(&events), ["\u{65e5}\u{672c}", "\u{1f600}"], "{size}");
    }
}

#[tokio::test]
async fn an_event_may_be_large_but_not_endless() {
    let (client, _script) = against("HTTP+JSON", |_| {
        events(&(frame(&chunk(&"x".repeat(50_000))) + &frame(&status("COMPLETED"))), 1_000)
    })
    .await;
    assert_eq!(client.send_streaming_message("Hi").await.unwrap().all().await.unwrap().len(), 2);

    for endless in ["data: ", ": ", "x"] {
        let (client, _script) =
            against("HTTP+JSON", move |_| cut_events(&format!("{endless}{}", "x".repeat(200_000)), 4_000))
                .await;
        let error = client.send_streaming_message("Hi").await.unwrap().all().await.unwrap_err();
        assert!(error.is_too_large(), "{error}");
    }
    let (client, _script) =
        against("HTTP+JSON", |_| cut_events(&"data: 0123456789\n".repeat(20_000), 4_000)).await;
    assert!(client.send_streaming_message("Hi").await.unwrap().all().await.unwrap_err().is_too_large());
}

#[tokio::test]
async fn a_stream_that_is_dropped_closes_its_connection() {
    let (client, script) = against("HTTP+JSON", |_| {
        let mut steps = cut_events(&frame(&format!(r#"{{"task":{}}}"#, task("WORKING"))), 1000);
        steps.push(Step::UntilClosed);
        steps
    })
    .await;
    let mut stream = client.send_streaming_message("Hi").await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    drop(stream);
    script.closed.notified().await;
}

#[tokio::test]
async fn a_stream_that_its_server_leaves_open_ends_with_its_task() {
    let (client, script) = against("HTTP+JSON", |_| {
        let mut steps = cut_events(&frame(&status("COMPLETED")), 1000);
        steps.push(Step::UntilClosed);
        steps
    })
    .await;
    assert_eq!(client.send_streaming_message("Hi").await.unwrap().all().await.unwrap().len(), 1);
    script.closed.notified().await;
}

#[tokio::test]
async fn a_subscription_is_asked_for_by_post_and_then_by_get() {
    for refusal in ["404 Not Found", "405 Method Not Allowed"] {
        let (client, script) = against("HTTP+JSON", move |seen| {
            if seen.line.starts_with("POST") {
                return answer(refusal, "application/json", r#"{"message":"no route"}"#);
            }
            events(&frame(&format!(r#"{{"task":{}}}"#, task("COMPLETED"))), 1000)
        })
        .await;
        assert_eq!(client.subscribe_to_task("t").await.unwrap().all().await.unwrap().len(), 1);
        let lines: Vec<_> = script.seen().into_iter().map(|seen| seen.line).collect();
        assert_eq!(lines[1..], ["POST /tasks/t:subscribe", "GET /tasks/t:subscribe"]);
    }
    // A task that is not there is not asked for again.
    let (client, script) = against("HTTP+JSON", |_| {
        let error = r#"{"error":{"code":404,"status":"NOT_FOUND","message":"no"}}"#;
        answer("404 Not Found", "application/a2a+json", error)
    })
    .await;
    assert_eq!(client.subscribe_to_task("t").await.unwrap_err().kind(), Some(ErrorKind::TaskNotFound));
    assert_eq!(script.seen().len(), 2);
}

#[tokio::test]
async fn what_is_no_answer_of_an_agent_is_told_as_what_it_is() {
    for binding in ["JSONRPC", "HTTP+JSON"] {
        let (client, _script) =
            against(binding, |_| answer("503 Busy", "text/plain", "come back later")).await;
        let error = client.get_task("t").await.unwrap_err();
        assert_eq!((error.status(), error.kind(), error.is_retryable()), (Some(503), None, true), "{error}");
        assert!(error.to_string().contains("come back later"));
        assert_eq!(client.send_streaming_message("Hi").await.unwrap_err().status(), Some(503));

        let (client, _script) = against(binding, |_| answer("401 Who", "text/html", "<html>")).await;
        assert_eq!(client.get_task("t").await.unwrap_err().kind(), Some(ErrorKind::Unauthenticated));

        let (client, _script) = against(binding, |_| answer("200 OK", "text/html", "<html>")).await;
        assert!(client.get_task("t").await.unwrap_err().is_protocol_violation());
        assert!(client.send_streaming_message("Hi").await.is_err());
    }
}

#[tokio::test]
async fn an_answer_that_does_not_come_is_a_timeout_which_streams_have_not() {
    let script = Script::run(|_, seen, url| match () {
        () if is_card(seen) => json(&card(&[("HTTP+JSON", url)])),
        () if seen.line.starts_with("GET") => vec![Step::UntilClosed],
        () => {
            let mut steps = cut_events(&frame(&status("WORKING")), 1000);
            steps.push(Step::UntilClosed);
            steps
        }
    })
    .await;
    let client = builder().timeout(Duration::from_millis(200)).connect(&script.url).await.unwrap();
    let mut stream = client.send_streaming_message("Hi").await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    let error = client.get_task("t").await.unwrap_err();
    assert!(error.is_timeout() && error.is_retryable(), "{error}");
    // The stream is older than the timeout now, and still there.
    let next = tokio::time::timeout(Duration::from_millis(50), stream.next()).await;
    assert!(next.is_err(), "{next:?}");
}
