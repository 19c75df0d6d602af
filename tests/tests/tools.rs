//! The agents for trying and measuring others, `workbench` and `conformance`, do what they say.
#![allow(clippy::unwrap_used, dead_code, reason = "tests, and each example's `main`")]

#[path = "../../examples/conformance.rs"]
mod conformance;
mod three;
#[path = "../../examples/workbench.rs"]
mod workbench;

use a2a_sdk::Client;
use a2a_sdk::protocol::{Message, Part, SendMessageRequest, Task, TaskState};
use a2a_tests::http::serve;
use a2a_tests::{answer, at_once, lines, next_line};
use serde_json::json;
use three::{BINDINGS, Binding, V1, call, message};

fn bench() -> Client {
    workbench::app("", true).client().unwrap()
}

fn suite() -> Client {
    conformance::app("full", "").unwrap().client().unwrap()
}

async fn send(client: &Client, message: impl Into<Message>) -> Task {
    client.send_message(message.into()).await.unwrap().into_task().unwrap()
}

async fn stream(client: &Client, message: impl Into<Message>) -> Vec<String> {
    lines(client.send_streaming_message(message.into()).await.unwrap()).await
}

/// A message of that id, which is what the suites choose a behaviour by.
fn triggered(id: &str) -> Message {
    let mut message = Message::user("x");
    message.message_id = format!("{id}-1234abcd");
    message
}

#[tokio::test]
async fn echo_gives_the_other_parts_back_unchanged() {
    let parts =
        [Part::text("é"), Part::data(json!({ "a": [1, null] })), Part::raw("\u{0}x").with_filename("f")];
    let mut message = Message::user("echo");
    message.parts.extend(parts.clone());
    let task = send(&bench(), message).await;
    assert_eq!((task.status.state, &task.artifacts[0].parts[..]), (TaskState::Completed, &parts[..]));
}

#[tokio::test]
async fn say_answers_without_a_task() {
    let client = bench();
    let said = client.send_message(Message::user("say hello there")).await.unwrap();
    assert_eq!(said.text(), "hello there");
    assert!(said.into_task().is_none());
    assert_eq!(stream(&client, "say hello").await, ["message hello"]);
}

#[tokio::test]
async fn slow_and_idle_complete_and_slow_can_be_canceled() {
    let client = bench();
    let slow = send(&client, "slow 5").await;
    assert_eq!((slow.status.state, slow.text()), (TaskState::Completed, "done".to_owned()));
    let idle = send(&client, "idle 5").await;
    assert_eq!((idle.status.state, idle.artifacts.len()), (TaskState::Completed, 0));
    let slow = client.send_message(at_once(Message::user("slow 600000"))).await.unwrap().into_task().unwrap();
    let canceled = client.cancel_task(slow.id.as_str()).await.unwrap();
    assert_eq!(canceled.status.state, TaskState::Canceled);
}

#[tokio::test]
async fn stream_writes_one_artifact_in_pieces() {
    assert_eq!(
        stream(&bench(), "stream 3 1").await,
        [
            "task SUBMITTED",
            "WORKING working",
            "artifact-1= c1",
            "artifact-1+ c2",
            "artifact-1+! c3",
            "COMPLETED"
        ]
    );
    let task = send(&bench(), "stream 3 1").await;
    assert_eq!(task.artifacts[0].text(), "c1c2c3");
}

#[tokio::test]
async fn ask_gives_the_answer_back() {
    let client = bench();
    let asked = send(&client, "ask").await;
    assert_eq!(asked.status.state, TaskState::InputRequired);
    assert!(asked.status.message.is_some());
    let done = send(&client, answer(&asked, "forty-two")).await;
    assert_eq!((done.status.state, done.text()), (TaskState::Completed, "forty-two".to_owned()));
}

#[tokio::test]
async fn boom_fails_and_no_binding_tells_why() {
    let server = serve(workbench::app("", false)).await;
    for binding in BINDINGS {
        for method in ["SendMessage", "SendStreamingMessage"] {
            let params = json!({ "message": message("boom") });
            let told = call(server.address, binding, V1, method, &params).await.unwrap().to_string();
            assert!(told.contains("TASK_STATE_FAILED"), "{told}");
            assert!(!told.contains("SECRET") && !told.contains("7731"), "{told}");
        }
    }
}

#[tokio::test]
async fn the_workbench_rejects_what_it_does_not_know_and_reads_three_media_types() {
    let client = bench();
    assert_eq!(send(&client, "nonsense").await.status.state, TaskState::Rejected);
    for (media_type, read) in [
        ("text/plain", true),
        ("application/json", true),
        ("application/octet-stream", true),
        ("image/png", false),
    ] {
        let mut message = Message::user("echo");
        message.parts.push(Part::raw("x").with_media_type(media_type));
        let answered = client.send_message(SendMessageRequest::new(message)).await;
        assert_eq!(answered.is_ok(), read, "{media_type}");
    }
    let card = workbench::app("", false).card().unwrap();
    assert_eq!(card.default_input_modes, ["text/plain", "application/json", "application/octet-stream"]);
}

#[tokio::test]
async fn the_principals_of_the_workbench_have_their_own_tasks() {
    let server = serve(workbench::app("alice=token-a,bob=token-b", false)).await;
    let of = |token: &str| format!("{V1}Authorization: Bearer {token}\r\n");
    let params = json!({ "message": message("ask") });
    for binding in BINDINGS {
        assert!(call(server.address, binding, V1, "SendMessage", &params).await.is_err());
        let task = call(server.address, binding, &of("token-a"), "SendMessage", &params).await.unwrap();
        let get = json!({ "id": task["task"]["id"] });
        assert!(call(server.address, binding, &of("token-a"), "GetTask", &get).await.is_ok());
        let foreign = call(server.address, binding, &of("token-b"), "GetTask", &get).await.unwrap_err();
        assert_eq!(foreign.reason, "TASK_NOT_FOUND");
    }
    let card = server.get("/.well-known/agent-card.json", "").await.json().await;
    assert_eq!(card["securitySchemes"]["bearer"]["httpAuthSecurityScheme"]["scheme"], "Bearer");
}

#[tokio::test]
async fn the_workbench_calls_this_machine_only_where_it_is_allowed_to() {
    for allowed in [true, false] {
        let server = serve(workbench::app("", allowed)).await;
        let mut params = json!({ "message": message("ask") });
        params["configuration"]["taskPushNotificationConfig"]["url"] = json!("http://127.0.0.1:9/");
        let answer = call(server.address, Binding::JsonRpc, V1, "SendMessage", &params).await;
        assert_eq!(answer.is_ok(), allowed);
    }
}

#[tokio::test]
async fn a_trigger_is_the_beginning_of_an_id_or_the_first_word() {
    let client = suite();
    for message in [triggered("tck-artifact-text"), Message::user("tck-artifact-text and more")] {
        let task = send(&client, message).await;
        assert_eq!(
            (task.status.state, task.text()),
            (TaskState::Completed, "Generated text content".to_owned())
        );
    }
    for other in [triggered("tck-terminal"), triggered("anything"), triggered("tck-complete-task")] {
        let task = send(&client, other).await;
        let said = task.status.message.unwrap();
        assert_eq!((task.status.state, said.text()), (TaskState::Completed, "Hello from TCK".to_owned()));
    }
}

#[tokio::test]
async fn artifacts_are_what_the_suite_expects() {
    let client = suite();
    let file = |part: Part| part.with_filename("output.txt").with_media_type("text/plain");
    for (id, part) in [
        ("tck-artifact-text", Part::text("Generated text content")),
        ("tck-artifact-file", file(Part::raw("tck"))),
        ("tck-artifact-file-url", file(Part::url("https://example.com/output.txt"))),
        ("tck-artifact-data", Part::data(json!({ "key": "value", "count": 42 }))),
    ] {
        let task = send(&client, triggered(id)).await;
        assert_eq!(task.artifacts.len(), 1, "{id}");
        assert_eq!(
            (task.status.state, &task.artifacts[0].parts[..]),
            (TaskState::Completed, &[part][..]),
            "{id}"
        );
    }
}

#[tokio::test]
async fn streams_are_what_the_suite_expects() {
    let client = suite();
    for (id, text) in [
        ("tck-stream-001", "Stream hello from TCK"),
        ("tck-stream-003", "Stream task lifecycle"),
        ("tck-stream-ordering-001", "Ordered output"),
        ("tck-stream-artifact-text", "Streamed text content"),
    ] {
        let told = stream(&client, triggered(id)).await;
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(told[0].starts_with("task ") && told[1].starts_with("WORKING"), "{told:?}");
        assert!(told[2].ends_with(text) && told[3] == "COMPLETED", "{told:?}");
    }
    assert_eq!(stream(&client, triggered("tck-stream-002")).await, ["task SUBMITTED", "COMPLETED"]);
    let told = stream(&client, triggered("tck-stream-artifact-chunked")).await;
    assert_eq!(told[2..], ["artifact-1= chunk-1", "artifact-1+! chunk-2", "COMPLETED"]);
    assert_eq!(stream(&client, triggered("tck-message-response")).await, ["message Direct message response"]);
}

#[tokio::test]
async fn a_task_that_needs_input_stays_open_until_it_is_completed() {
    let client = suite();
    let task = send(&client, triggered("tck-input-required")).await;
    assert_eq!(task.status.state, TaskState::InputRequired);
    let mut subscribed = client.subscribe_to_task(task.id.as_str()).await.unwrap();
    assert_eq!(next_line(&mut subscribed).await, "task INPUT_REQUIRED");
    for _ in 0..2 {
        let again = send(&client, triggered("tck-input-required").with_task_id(&task.id)).await;
        assert_eq!((again.status.state, &again.id), (TaskState::InputRequired, &task.id));
    }
    let done = send(&client, triggered("tck-complete-task").with_task_id(&task.id)).await;
    assert_eq!(done.status.state, TaskState::Completed);
    assert_eq!(lines(subscribed).await.last().unwrap(), "COMPLETED Hello from TCK");

    let mut task = send(&client, "tck-multi-turn").await;
    for text in ["more", "still more"] {
        task = send(&client, answer(&task, text)).await;
        assert_eq!(task.status.state, TaskState::InputRequired);
    }
    assert_eq!(send(&client, answer(&task, "done now")).await.status.state, TaskState::Completed);
}

#[tokio::test]
async fn endings_that_are_not_good_are_what_the_suite_expects() {
    let client = suite();
    for (word, state) in [
        ("tck-reject-task", TaskState::Rejected),
        ("tck-task-failure", TaskState::Failed),
        ("tck-auth-required", TaskState::AuthRequired),
    ] {
        let task = send(&client, word).await;
        assert_eq!(task.status.state, state, "{word}");
        assert!(task.status.message.is_some_and(|message| !message.text().is_empty()), "{word}");
    }
    let task = client.send_message(at_once(triggered("tck-cancel"))).await.unwrap().into_task().unwrap();
    assert_eq!(client.cancel_task(task.id.as_str()).await.unwrap().status.state, TaskState::Canceled);
}

#[tokio::test]
async fn the_profiles_declare_what_they_do() {
    for (profile, streaming, push, extended) in [
        ("full", true, true, true),
        ("min", false, false, false),
        ("ext", true, true, false),
        ("strict", true, true, true),
        ("guarded", true, true, true),
    ] {
        let told = conformance::app(profile, "").unwrap().card().unwrap().capabilities;
        let told = (told.streaming, told.push_notifications, told.extended_agent_card);
        assert_eq!(told, (Some(streaming), Some(push), Some(extended)), "{profile}");
    }
    assert!(conformance::app("no-such", "").is_none());

    let strict = serve(conformance::app("strict", "").unwrap()).await;
    for (headers, status) in
        [("", 401), ("Authorization: Bearer low\r\n", 403), ("Authorization: Bearer good\r\n", 200)]
    {
        let headers = format!("{V1}{headers}");
        assert_eq!(strict.get("/extendedAgentCard", &headers).await.status, status, "{headers}");
    }
    let guarded = serve(conformance::app("guarded", "").unwrap()).await;
    assert_eq!(guarded.get("/tasks", V1).await.status, 401);
    assert_eq!(guarded.get("/tasks", &format!("{V1}Authorization: Bearer second\r\n")).await.status, 200);
    let ext = serve(conformance::app("ext", "").unwrap()).await;
    let params = json!({ "message": message("x") });
    for binding in BINDINGS {
        let refused = call(ext.address, binding, V1, "SendMessage", &params).await.unwrap_err();
        assert_eq!(refused.reason, "EXTENSION_SUPPORT_REQUIRED");
    }
}
