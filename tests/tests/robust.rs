//! What a caller or a skill can do without meaning well, and what must hold all the same.
#![allow(clippy::unwrap_used, reason = "tests")]

mod three;

use a2a_sdk::protocol::{ListTasksRequest, Part, Role, StreamResponse, TaskState, Timestamp};
use a2a_sdk::{Agent, Clock, Context, Message, Reply, SkillError};
use a2a_tests::http::{serve, serve_built};
use a2a_tests::{answer, at_once, to};
use futures_util::{Stream, stream};
use serde_json::{Value, json};
use std::time::Duration;
use three::{BINDINGS, Binding, V1, call, message};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Counts to a number.
#[a2a_sdk::agent]
async fn count(text: String) -> impl Stream<Item = String> {
    let count: usize = text.parse().unwrap_or(0);
    stream::iter((0..count).map(|n| format!("{n} ")))
}

/// Counts for ever.
#[a2a_sdk::skill]
async fn endless(_text: String) -> impl Stream<Item = String> {
    stream::repeat("on ".to_owned())
}

/// Takes one message after another, each by a call of its own, until one says `done`.
#[a2a_sdk::skill]
async fn collect(message: Message, ctx: Context) -> Reply {
    if message.text() != "done" {
        return Reply::ask("and?");
    }
    let said = ctx.history().into_iter().filter(|message| message.role == Role::User);
    Reply::text(said.map(|message| message.text()).collect::<Vec<_>>().join(","))
}

/// Asks, and holds something that panics when it is dropped.
#[a2a_sdk::skill]
async fn bomb(_text: String, ctx: Context) -> Result<String, SkillError> {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    let _bomb = Bomb;
    Ok(ctx.ask("what?").await?.text())
}

fn agent() -> Agent {
    count::agent()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_is_always_ready_reaches_its_reader_whole_or_by_a_snapshot() {
    let client = agent().client().unwrap();
    let events = client.send_streaming_message(to("count", "30000")).await.unwrap().all().await.unwrap();
    // Whatever was missed is in a snapshot, so that what was seen is the whole text.
    let mut text = String::new();
    let mut last = TaskState::Submitted;
    for event in events {
        match event {
            StreamResponse::Task(task) => {
                text = task.text();
                last = task.status.state;
            }
            StreamResponse::ArtifactUpdate(update) => text.push_str(&update.artifact.text()),
            StreamResponse::StatusUpdate(update) => last = update.status.state,
            _ => {}
        }
    }
    assert_eq!(last, TaskState::Completed);
    assert_eq!(text, (0..30_000).map(|n| format!("{n} ")).collect::<String>());
}

#[tokio::test]
async fn a_stream_without_an_end_stops_nobody() {
    let client = agent().client().unwrap();
    for _ in 0..3 {
        let task = client.send_message(at_once(to("endless", "go"))).await.unwrap().into_task().unwrap();
        assert_eq!(client.get_task(&task.id).await.unwrap().status.state, TaskState::Working);
        assert_eq!(client.cancel_task(&task.id).await.unwrap().status.state, TaskState::Canceled);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn messages_at_the_moment_when_a_skill_stops_to_wait_are_each_taken_once() {
    const ROUNDS: usize = 40;
    const MESSAGES: usize = 24;
    let client = agent().client().unwrap();
    for _ in 0..ROUNDS {
        let task = client.send_message(to("collect", "begin")).await.unwrap().into_task().unwrap();
        let sends: Vec<_> = (0..MESSAGES)
            .map(|n| {
                let (client, message) = (client.clone(), at_once(answer(&task, &format!("m{n}"))));
                tokio::spawn(async move { client.send_message(message).await })
            })
            .collect();
        for sending in sends {
            sending.await.unwrap().unwrap();
        }
        let done = client.send_message(answer(&task, "done")).await.unwrap().into_task().unwrap();
        let mut said: Vec<String> = done.text().split(',').map(str::to_owned).collect();
        said.sort_unstable();
        let mut sent: Vec<String> = (0..MESSAGES).map(|n| format!("m{n}")).collect();
        sent.extend(["begin".to_owned(), "done".to_owned()]);
        sent.sort_unstable();
        assert_eq!(said, sent);
    }
}

#[tokio::test]
async fn a_destructor_that_panics_ends_nothing_but_its_run() {
    let client = agent().client().unwrap();
    let task = client.send_message(to("bomb", "tick")).await.unwrap().into_task().unwrap();
    assert_eq!(client.cancel_task(&task.id).await.unwrap().status.state, TaskState::Canceled);
    let task = client.send_message(to("bomb", "tick")).await.unwrap().into_task().unwrap();
    let done = client.send_message(answer(&task, "tock")).await.unwrap().into_task().unwrap();
    // The future ends by itself, and its destructors are part of it.
    assert_eq!(done.status.state, TaskState::Failed);
}

#[tokio::test(start_paused = true)]
async fn what_is_nested_as_deep_as_allowed_is_kept_and_listed() {
    let clock = Clock::virtual_from(Timestamp::from_unix_millis(0));
    let client = agent().clock(clock).client().unwrap();
    let deep = (0..120).fold(json!(1), |inner, _| json!([inner]));
    let message = to("collect", vec![Part::text("done"), Part::data(deep.clone())]);
    let task = client.send_message(message).await.unwrap().into_task().unwrap();
    tokio::time::advance(Duration::from_secs(120)).await;
    // Without its log it is kept in another form.
    assert_eq!(client.list_tasks(ListTasksRequest::default()).await.unwrap().tasks.len(), 1);
    assert_eq!(client.get_task(&task.id).await.unwrap().history[0].parts[1], Part::data(deep));
}

#[tokio::test]
async fn a_depth_of_128_is_read_over_every_binding_and_129_over_none() {
    let server = serve(agent()).await;
    for (depth, taken) in [(128, true), (129, false)] {
        // Over JSON-RPC the request is in an envelope, over HTTP+JSON it is the body: what counts is the whole.
        let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        let body = |levels: usize| {
            format!(
                r#"{{"message":{{"messageId":"1","role":"ROLE_USER","parts":[{{"text":"1"}}],"metadata":{{"a":{}}}}}}}"#,
                nested(levels)
            )
        };
        let rpc =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{}}}"#, body(depth - 4));
        // Looked at as text: the answer is deeper than what this test's parser reads.
        let answer = server.post(rpc).await.text().await;
        assert_eq!(answer.contains("\"result\""), taken, "{depth}: {answer}");
        let headers = "Host: localhost\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\n";
        let rest = body(depth - 3);
        let answer =
            a2a_tests::http::request(server.address, "POST", "/message:send", headers, rest.as_bytes()).await;
        assert_eq!(answer.status, if taken { 200 } else { 400 }, "{depth}");
    }
}

#[tokio::test]
async fn an_id_that_would_be_echoed_in_every_event_is_short() {
    let server = serve(agent()).await;
    let call = |id: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "ListTasks" }).to_string();
    assert_eq!(server.post(call(&"i".repeat(1000))).await.json().await["result"]["totalSize"], 0);
    assert_eq!(server.post(call(&"i".repeat(2000))).await.json().await["error"]["code"], -32600);
}

#[tokio::test]
async fn a_list_is_no_request() {
    let server = serve(agent()).await;
    let body = r#"["2.0",1,"ListTasks",{}]"#;
    assert_eq!(server.post(body).await.json().await["error"]["code"], -32600);
}

#[tokio::test]
async fn a_message_of_too_many_parts_is_refused_with_its_path() {
    let client = agent().client().unwrap();
    let error = client.send_message(to("count", vec![Part::text("1"); 1001])).await.unwrap_err();
    assert_eq!(error.violations()[0].field, "message.parts");
}

#[tokio::test]
async fn a_task_that_waits_for_its_caller_does_not_hold_up_a_server_that_stops() {
    let built = agent().drain(Duration::from_secs(3600)).build().unwrap();
    let client = built.client();
    let mut server = serve_built(built).await;
    client.send_message(to("bomb", "tick")).await.unwrap();
    server.stop();
    server.stopped().await;
}

#[tokio::test]
async fn a_task_that_has_not_begun_is_canceled() {
    let client = agent().client().unwrap();
    // On one thread nothing of the skill runs between these two calls but its first poll.
    let task = client.send_message(at_once(to("bomb", "tick"))).await.unwrap().into_task().unwrap();
    assert_eq!(task.status.state, TaskState::Submitted);
    assert_eq!(client.cancel_task(&task.id).await.unwrap().status.state, TaskState::Canceled);
}

#[tokio::test]
async fn history_length_counts_for_the_first_event_of_a_stream_too() {
    let client = agent().client().unwrap();
    let task = client.send_message(to("collect", "first")).await.unwrap().into_task().unwrap();
    for (length, expected) in [(Some(0), 0), (Some(1), 1)] {
        let mut request = at_once(answer(&task, "next"));
        request.configuration.return_immediately = false;
        request.configuration.history_length = length;
        let first = client.send_streaming_message(request).await.unwrap().next().await.unwrap().unwrap();
        let StreamResponse::Task(snapshot) = first else { panic!("{first:?}") };
        assert_eq!(snapshot.history.len(), expected);
    }
    assert!(client.get_task(&task.id).await.unwrap().history.len() > 3);
}

#[tokio::test]
async fn a_message_whose_id_was_there_before_is_a_message_of_its_own() {
    let client = agent().client().unwrap();
    let begin = to("collect", "begin").with_message_id("same");
    let task = client.send_message(begin).await.unwrap().into_task().unwrap();
    client.send_message(answer(&task, "one").with_message_id("same")).await.unwrap();
    let done = answer(&task, "done").with_message_id("same");
    let done = client.send_message(done).await.unwrap().into_task().unwrap();
    assert_eq!(done.text(), "begin,one,done");
}

#[tokio::test]
async fn a_head_of_a_megabyte_is_refused_and_the_server_lives() {
    let server = serve(agent()).await;
    let large = format!("X-Large: {}\r\n", "x".repeat(1 << 20));
    let many: String = (0..10_000).map(|n| format!("X-{n}: y\r\n")).collect();
    for headers in [large, many] {
        let head = format!("GET /tasks HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        let (mut reading, mut writing) = TcpStream::connect(server.address).await.unwrap().into_split();
        let mut answer = [0; 12];
        // The server may be done with it before all of it is sent.
        let (_, read) = tokio::join!(writing.write_all(head.as_bytes()), reading.read_exact(&mut answer));
        read.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 431");
        assert_eq!(server.get("/tasks", V1).await.status, 200);
    }
}

#[tokio::test]
async fn ids_of_any_length_are_echoed_or_refused_over_every_binding() {
    let server = serve(agent()).await;
    let long = "é\"i".repeat(30_000);
    for binding in BINDINGS {
        let sending = |change: &dyn Fn(&mut Value)| {
            let mut request = json!({ "message": message("2") });
            change(&mut request);
            let address = server.address;
            async move { call(address, binding, V1, "SendMessage", &request).await }
        };
        let sent = sending(&|request| {
            request["message"]["contextId"] = json!(long);
            request["message"]["messageId"] = json!(long);
        })
        .await
        .unwrap();
        assert_eq!(sent["task"]["contextId"], json!(long), "{binding:?}");
        assert_eq!(sent["task"]["history"][0]["messageId"], json!(long), "{binding:?}");
        assert_eq!(sent["task"]["artifacts"][0]["parts"][1]["text"], "1 ", "{binding:?}");
        let refused = sending(&|request| request["message"]["taskId"] = json!(long)).await.unwrap_err();
        assert_eq!(refused.reason, "TASK_NOT_FOUND", "{binding:?}");
        for (method, name) in [("GetTask", "id"), ("CancelTask", "id"), ("ListTasks", "tenant")] {
            let answer = call(server.address, binding, V1, method, &json!({ name: long })).await;
            match (binding, name) {
                // A path has its limit, which is HTTP's.
                (Binding::Rest, _) => assert_eq!(answer.unwrap_err().code, 414, "{method}"),
                (_, "tenant") => assert_eq!(answer.unwrap()["tasks"].as_array().map_or(0, Vec::len), 0),
                _ => assert_eq!(answer.unwrap_err().reason, "TASK_NOT_FOUND", "{binding:?} {method}"),
            }
        }
        let tenant = "t".repeat(20_000);
        let request = json!({ "tenant": tenant, "message": message("2") });
        let sent = call(server.address, binding, V1, "SendMessage", &request).await.unwrap();
        let get = json!({ "tenant": tenant, "id": sent["task"]["id"] });
        let got = call(server.address, binding, V1, "GetTask", &get).await.unwrap();
        assert_eq!(got["id"], sent["task"]["id"], "{binding:?}");
    }
}
