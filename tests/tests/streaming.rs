//! What a stream carries, in which order, and how it is taken up again.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{ErrorKind, Part};
use a2a_sdk::{Agent, Context, File, Reply, SkillError, State};
use a2a_tests::http::{Server, serve};
use a2a_tests::{Gate, lines, next_line, to};
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt, stream};
use serde_json::{Value, json};

/// Streams in every way there is.
#[a2a_sdk::agent]
struct Streams;

/// Three words.
#[a2a_sdk::skill]
async fn words() -> impl Stream<Item = &'static str> {
    stream::iter(["one ", "two ", "three"])
}

/// A word, and after the gate another one.
#[a2a_sdk::skill]
async fn slow(State(gate): State<Gate>) -> impl Stream<Item = String> {
    stream::unfold((0, gate), |(n, gate)| async move {
        if n == 2 {
            return None;
        }
        gate.pass().await;
        Some((format!("w{n}"), (n + 1, gate)))
    })
}

/// No words.
#[a2a_sdk::skill]
async fn silence() -> impl Stream<Item = String> {
    stream::empty()
}

/// Files.
#[a2a_sdk::skill]
async fn files() -> BoxStream<'static, File> {
    stream::iter([File::new("a", "text/plain", "A"), File::new("b", "text/plain", "B")]).boxed()
}

/// Progress, an artifact in chunks, and an answer.
#[a2a_sdk::skill]
async fn report(ctx: Context) -> Result<String, SkillError> {
    ctx.progress("thinking").await?;
    let mut page = ctx.artifact("page").description("A page.");
    page.write("a").await?;
    page.write("b").await?;
    page.finish_with("c").await?;
    ctx.artifact("note").finish().await?;
    Ok("answer".to_owned())
}

/// One instant answer.
#[a2a_sdk::skill]
async fn instant() -> &'static str {
    "now"
}

/// A stream that was decided on while it ran.
#[a2a_sdk::skill]
async fn decided() -> Reply {
    Reply::stream(stream::iter(["x", "y"]))
}

/// Waits at the gate.
#[a2a_sdk::skill]
async fn gated(text: String, State(gate): State<Gate>) -> String {
    gate.pass().await;
    text
}

fn agent() -> (Agent, Gate) {
    let gate = Gate::default();
    (Streams::agent().state(gate.clone()), gate)
}

async fn streamed(skill: &str) -> Vec<String> {
    lines(agent().0.client().unwrap().send_streaming_message(to(skill, "go")).await.unwrap()).await
}

#[tokio::test]
async fn a_text_stream_begins_with_the_task_and_ends_its_artifact_with_an_empty_last_chunk() {
    let expected = [
        "task SUBMITTED",
        "WORKING",
        "artifact-1= one",
        "artifact-1+ two",
        "artifact-1+ three",
        "artifact-1+!",
        "COMPLETED",
    ];
    assert_eq!(streamed("words").await, expected);
}

#[tokio::test]
async fn the_projection_holds_each_chunk_as_it_was_sent_and_not_the_empty_one() {
    let client = agent().0.client().unwrap();
    let task = client.send_message(to("words", "go")).await.unwrap().into_task().unwrap();
    assert_eq!(task.artifacts[0].parts, [Part::text("one "), Part::text("two "), Part::text("three")]);
    assert_eq!(task.artifacts[0].text(), "one two three");
    assert!(task.status.message.is_none(), "no text is told twice");
}

#[tokio::test]
async fn a_stream_without_items_completes_without_an_artifact() {
    assert_eq!(streamed("silence").await, ["task SUBMITTED", "WORKING", "COMPLETED"]);
}

#[tokio::test]
async fn a_stream_that_is_not_text_sets_no_last_chunk() {
    let lines = streamed("files").await;
    assert_eq!(lines, ["task SUBMITTED", "WORKING", "artifact-1=", "artifact-1+", "COMPLETED"]);
}

#[tokio::test]
async fn a_stream_decided_on_while_running_is_a_stream() {
    assert_eq!(streamed("decided").await[2..5], ["artifact-1= x", "artifact-1+ y", "artifact-1+!"]);
}

#[tokio::test]
async fn an_instant_answer_loses_no_event() {
    assert_eq!(streamed("instant").await, ["task SUBMITTED", "artifact-1= now", "COMPLETED"]);
}

#[tokio::test]
async fn progress_and_artifacts_go_out_in_the_order_they_were_made() {
    let expected = [
        "task SUBMITTED",
        "WORKING thinking",
        "artifact-1= a",
        "artifact-1+ b",
        "artifact-1+! c",
        "artifact-2=!",
        "artifact-3= answer",
        "COMPLETED",
    ];
    assert_eq!(streamed("report").await, expected);
}

#[tokio::test]
async fn an_artifact_says_its_name_and_description_with_the_first_chunk() {
    let client = agent().0.client().unwrap();
    let task = client.send_message(to("report", "go")).await.unwrap().into_task().unwrap();
    let page = &task.artifacts[0];
    assert_eq!((page.name.as_deref(), page.description.as_deref()), (Some("page"), Some("A page.")));
    assert_eq!(page.text(), "abc");
}

#[tokio::test]
async fn an_item_goes_out_before_the_next_one_is_there() {
    let (agent, gate) = agent();
    let mut stream = agent.client().unwrap().send_streaming_message(to("slow", "go")).await.unwrap();
    assert_eq!(next_line(&mut stream).await, "task SUBMITTED");
    gate.open();
    assert_eq!(next_line(&mut stream).await, "WORKING");
    assert_eq!(next_line(&mut stream).await, "artifact-1= w0");
    gate.open();
    assert_eq!(next_line(&mut stream).await, "artifact-1+ w1");
    assert_eq!(lines(stream).await, ["artifact-1+!", "COMPLETED"]);
}

#[tokio::test]
async fn a_subscription_begins_with_the_task_as_it_stands_and_two_see_the_same() {
    let (agent, gate) = agent();
    let client = agent.client().unwrap();
    let mut first = client.send_streaming_message(to("slow", "go")).await.unwrap();
    let id = first.next().await.unwrap().unwrap();
    let a2a_sdk::protocol::StreamResponse::Task(task) = id else { panic!("{id:?}") };
    gate.open();
    assert_eq!(next_line(&mut first).await, "WORKING");
    assert_eq!(next_line(&mut first).await, "artifact-1= w0");
    let mut second = client.subscribe_to_task(&task.id).await.unwrap();
    let snapshot = second.next().await.unwrap().unwrap();
    let a2a_sdk::protocol::StreamResponse::Task(snapshot) = snapshot else { panic!("{snapshot:?}") };
    assert_eq!(snapshot.text(), "w0");
    gate.open();
    let rest = lines(first).await;
    assert_eq!(rest, ["artifact-1+ w1", "artifact-1+!", "COMPLETED"]);
    assert_eq!(lines(second).await, rest);
    assert_eq!(snapshot.text(), "w0", "a snapshot is of its moment");
}

// On the wire.

fn message(skill: &str) -> Value {
    serde_json::to_value(a2a_sdk::protocol::SendMessageRequest::new(to(skill, "go"))).unwrap()
}

async fn error(response: a2a_tests::http::Response) -> Value {
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), "application/json");
    response.json().await["error"].clone()
}

#[tokio::test]
async fn a_stream_on_the_wire_is_server_sent_events_that_no_proxy_holds_back() {
    let server = serve(agent().0).await;
    let response = server.stream("SendStreamingMessage", message("words"), "").await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), "text/event-stream");
    assert!(response.header("cache-control").contains("no-cache"));
    assert_eq!(response.header("x-accel-buffering"), "no");
    let events = response.events().await;
    assert_eq!(events.len(), 7);
    let task = events[0].data["result"]["task"]["id"].as_str().unwrap();
    let mut last = 0;
    for event in &events {
        assert_eq!((&event.data["jsonrpc"], &event.data["id"]), (&json!("2.0"), &json!(1)));
        let (of, seq) = event.id.rsplit_once(':').unwrap();
        let seq: u64 = seq.parse().unwrap();
        assert_eq!(of, task);
        assert!(seq > last, "{} after {last}", event.id);
        last = seq;
        assert!(!event.data.to_string().contains("\"final\""), "0.3 has it, 1.0 has not");
        assert!(!event.data.to_string().contains("\"kind\""), "0.3 has it, 1.0 has not");
    }
    let update = &events[6].data["result"]["statusUpdate"];
    assert_eq!(update["status"]["state"], "TASK_STATE_COMPLETED");
    assert!(update["status"]["timestamp"].as_str().unwrap().ends_with('Z'));
    assert!(!update["contextId"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn an_error_before_the_stream_opens_is_json_and_no_stream() {
    let server = serve(agent().0).await;
    let mut unknown = message("words");
    unknown["message"]["taskId"] = json!("no-such");
    let mut negative = message("words");
    negative["configuration"] = json!({ "historyLength": -1 });
    for (method, params, code) in [
        ("SendStreamingMessage", unknown, -32001),
        ("SendStreamingMessage", negative, -32602),
        ("SendStreamingMessage", json!({}), -32602),
        ("SubscribeToTask", json!({ "id": "no-such" }), -32001),
        ("SubscribeToTask", json!({}), -32602),
    ] {
        let error = error(server.stream(method, params, "").await).await;
        assert_eq!(error["code"], code, "{method} {error}");
    }
}

async fn finished(server: &Server) -> (String, Vec<a2a_tests::http::Event>) {
    let events = server.stream("SendStreamingMessage", message("words"), "").await.events().await;
    (events[0].data["result"]["task"]["id"].as_str().unwrap().to_owned(), events)
}

#[tokio::test]
async fn whoever_saw_a_part_of_a_finished_task_gets_the_rest() {
    let server = serve(agent().0).await;
    let (id, events) = finished(&server).await;
    for seen in [0, 1, 4] {
        let header = format!("Last-Event-ID: {}\r\n", events[seen].id);
        let rest = server.stream("SubscribeToTask", json!({ "id": id }), &header).await.events().await;
        assert_eq!(rest, events[seen + 1..], "after {seen}");
    }
}

#[tokio::test]
async fn whoever_saw_all_of_a_finished_task_gets_an_empty_stream() {
    let server = serve(agent().0).await;
    let (id, events) = finished(&server).await;
    let header = format!("Last-Event-ID: {}\r\n", events[6].id);
    let response = server.stream("SubscribeToTask", json!({ "id": id }), &header).await;
    assert_eq!(response.header("content-type"), "text/event-stream");
    assert!(response.events().await.is_empty());
}

#[tokio::test]
async fn a_last_event_of_nothing_known_does_not_open_a_finished_task() {
    let server = serve(agent().0).await;
    let (id, _) = finished(&server).await;
    for last in ["other:3", &format!("{id}:99"), &format!("{id}:x"), &format!("{id}:-1"), "3", ":"] {
        let header = format!("Last-Event-ID: {last}\r\n");
        let error = error(server.stream("SubscribeToTask", json!({ "id": id }), &header).await).await;
        assert_eq!(error["code"], -32004, "{last}");
    }
}

#[tokio::test]
async fn a_running_task_is_taken_up_where_it_was_left_and_begins_anew_where_that_is_not_known() {
    let (agent, gate) = agent();
    let server = serve(agent).await;
    let mut left = server.stream("SendStreamingMessage", message("slow"), "").await;
    let task = left.event().await.unwrap();
    let id = task.data["result"]["task"]["id"].as_str().unwrap();
    gate.open();
    let working = left.event().await.unwrap();
    let chunk = left.event().await.unwrap();
    drop(left);
    let header = format!("Last-Event-ID: {}\r\n", working.id);
    let mut back = server.stream("SubscribeToTask", json!({ "id": id }), &header).await;
    assert_eq!(back.event().await.unwrap(), chunk);
    let mut anew = server.stream("SubscribeToTask", json!({ "id": id }), "Last-Event-ID: other:1\r\n").await;
    let snapshot = anew.event().await.unwrap();
    assert_eq!(snapshot.data["result"]["task"]["artifacts"][0]["parts"][0]["text"], "w0");
    gate.open();
    let rest = back.events().await;
    assert_eq!(rest.len(), 3);
    assert_eq!(anew.events().await, rest);
}

#[tokio::test]
async fn a_silent_stream_is_kept_alive_by_comments() {
    let (agent, gate) = agent();
    let server = serve(agent.heartbeat(std::time::Duration::from_millis(5))).await;
    let mut stream = server.stream("SendStreamingMessage", message("gated"), "").await;
    let mut comments = 0;
    while comments < 3 {
        comments += usize::from(stream.record().await.unwrap().starts_with(':'));
    }
    gate.open();
    let events = stream.events().await;
    assert_eq!(
        events.last().unwrap().data["result"]["statusUpdate"]["status"]["state"],
        "TASK_STATE_COMPLETED"
    );
}

#[tokio::test]
async fn the_events_of_a_direct_refusal_have_the_kind_of_the_unary_call() {
    let client = agent().0.client().unwrap();
    let error = client.subscribe_to_task("no-such").await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));
}

#[tokio::test]
async fn text_of_any_language_is_the_same_in_a_stream_and_in_an_answer() {
    let (agent, gate) = agent();
    let server = serve(agent).await;
    let mut request = message("gated");
    let text = "漢字 <b>&\u{2028} é \u{1f600}";
    request["message"]["parts"][0]["text"] = json!(text);
    gate.open();
    let streamed = server.stream("SendStreamingMessage", request.clone(), "").await.text().await;
    assert!(streamed.contains("漢字 <b>&"), "{streamed}");
    gate.open();
    let answered = server.call("SendMessage", request).await;
    assert_eq!(answered["result"]["task"]["artifacts"][0]["parts"][0]["text"], text);
}
