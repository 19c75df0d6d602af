//! The states of a task: how it ends, and that an end is an end.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{ErrorKind, Message, Task, TaskState};
use a2a_sdk::{Client, Context, Json, Reply, SkillError, State};
use a2a_tests::{Gate, answer, at_once, lines, to};
use futures_util::{Stream, StreamExt, stream};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

const SECRET: &str = "secret-4711";

/// Ends in every way there is.
#[a2a_sdk::agent]
struct Ends;

/// Completes.
#[a2a_sdk::skill]
async fn completes() -> &'static str {
    "done"
}

/// Fails by `?`.
#[a2a_sdk::skill]
async fn errs() -> Result<String, SkillError> {
    Err(std::io::Error::other(SECRET))?
}

/// Fails by `?` after it has waited.
#[a2a_sdk::skill]
async fn errs_later(State(gate): State<Gate>) -> Result<String, SkillError> {
    gate.pass().await;
    Err(std::io::Error::other(SECRET))?
}

/// Panics at once.
#[a2a_sdk::skill]
async fn panics(_text: String) -> String {
    panic!("{SECRET}")
}

/// Panics after it has waited.
#[a2a_sdk::skill]
async fn panics_later(State(gate): State<Gate>) -> String {
    gate.pass().await;
    panic!("{SECRET}")
}

/// A reply that cannot be written.
struct Unwritable;

impl serde::Serialize for Unwritable {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(SECRET))
    }
}

impl schemars::JsonSchema for Unwritable {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Unwritable".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::Schema::default()
    }
}

/// Gives what cannot be written as JSON.
#[a2a_sdk::skill]
async fn unwritable() -> Json<Unwritable> {
    Json(Unwritable)
}

/// Streams two words and then an error.
#[a2a_sdk::skill]
async fn stream_errs() -> impl Stream<Item = Result<String, SkillError>> {
    let words = [Ok("one".to_owned()), Ok("two".to_owned()), Err(std::io::Error::other(SECRET).into())];
    stream::iter(words)
}

/// Streams two words and then panics.
#[a2a_sdk::skill]
async fn stream_panics() -> impl Stream<Item = String> {
    stream::iter(0..3).map(|n| if n < 2 { format!("word {n}") } else { panic!("{SECRET}") })
}

/// Cannot be streamed at all.
#[a2a_sdk::skill]
async fn no_stream() -> Result<stream::Empty<String>, SkillError> {
    Err(std::io::Error::other(SECRET))?
}

/// Fails with a text for the caller.
#[a2a_sdk::skill]
async fn fails_openly() -> Result<String, SkillError> {
    Err(SkillError::failed("the kitchen is on fire"))
}

/// Declines.
#[a2a_sdk::skill]
async fn declines() -> Result<String, SkillError> {
    Err(SkillError::rejected("we do not fly there"))
}

/// Finds the message wanting.
#[a2a_sdk::skill]
async fn wants_more() -> Result<String, SkillError> {
    Err(SkillError::invalid_field("message.parts[0].text", "name a city"))
}

/// Wants the caller to log in.
#[a2a_sdk::skill]
async fn vault(ctx: Context) -> Result<String, SkillError> {
    let said: Vec<String> = ctx.history().iter().map(Message::text).collect();
    if said.iter().any(|text| text == "password") {
        Ok(said.join("|"))
    } else {
        Err(SkillError::auth_required("log in first"))
    }
}

/// Where `talks_on` leaves its context.
#[derive(Clone, Default)]
struct Left(Arc<Mutex<Option<Context>>>);

/// Leaves its context behind.
#[a2a_sdk::skill]
async fn talks_on(ctx: Context, State(left): State<Left>) -> &'static str {
    *left.0.lock().unwrap() = Some(ctx);
    "done"
}

/// Gives a message that would fail, without ever having a task.
#[a2a_sdk::skill]
async fn infallible() -> Result<Reply, Infallible> {
    Ok(Reply::text("fine"))
}

fn agent() -> (Client, Gate, Left) {
    let (gate, left) = (Gate::default(), Left::default());
    (Ends::agent().state(gate.clone()).state(left.clone()).client().unwrap(), gate, left)
}

async fn send(client: &Client, skill: &str) -> Task {
    client.send_message(to(skill, "go")).await.unwrap().into_task().unwrap()
}

/// A task that failed with a neutral text and an incident id, and nothing of what went wrong.
fn assert_failed_neutrally(task: &Task) {
    assert_eq!(task.status.state, TaskState::Failed);
    let message = task.status.message.as_ref().unwrap();
    let incident = message.metadata["incidentId"].as_str().unwrap();
    assert!(message.text().contains(incident), "{}", message.text());
    let everything = format!("{task:?} {}", serde_json::to_string(task).unwrap());
    assert!(!everything.contains(SECRET), "{everything}");
}

#[tokio::test]
async fn an_unforeseen_end_of_a_skill_fails_the_task_and_tells_no_secret() {
    let (client, ..) = agent();
    for skill in ["errs", "panics", "unwritable", "stream_errs", "stream_panics", "no_stream"] {
        let task = send(&client, skill).await;
        assert_failed_neutrally(&task);
        assert_failed_neutrally(&client.get_task(&task.id).await.unwrap());
    }
}

#[tokio::test]
async fn a_failure_in_the_background_fails_the_task_as_well() {
    for skill in ["errs_later", "panics_later"] {
        let (client, gate, _) = agent();
        let task = client.send_message(at_once(to(skill, "go"))).await.unwrap().into_task().unwrap();
        gate.reached().await;
        let stream = client.subscribe_to_task(&task.id).await.unwrap();
        gate.open();
        assert!(!lines(stream).await.join(" ").contains(SECRET));
        assert_failed_neutrally(&client.get_task(&task.id).await.unwrap());
    }
}

#[tokio::test]
async fn a_stream_that_fails_midway_keeps_what_it_gave() {
    let (client, ..) = agent();
    let task = send(&client, "stream_errs").await;
    assert_eq!(task.artifacts[0].text(), "onetwo");
    let task = send(&client, "stream_panics").await;
    assert_eq!(task.artifacts[0].text(), "word 0word 1");
}

#[tokio::test]
async fn a_stream_that_fails_midway_is_not_marked_as_whole() {
    let (client, ..) = agent();
    let lines = lines(client.send_streaming_message(to("stream_errs", "go")).await.unwrap()).await;
    assert_eq!(lines[..4], ["task SUBMITTED", "WORKING", "artifact-1= one", "artifact-1+ two"]);
    assert!(lines[4].starts_with("FAILED") && lines.len() == 5, "{lines:?}");
}

#[tokio::test]
async fn each_failure_has_an_incident_of_its_own() {
    let (client, ..) = agent();
    let incident = |task: Task| task.status.message.unwrap().metadata["incidentId"].clone();
    assert_ne!(incident(send(&client, "errs").await), incident(send(&client, "errs").await));
}

#[tokio::test]
async fn a_failure_that_is_meant_for_the_caller_says_its_text() {
    let (client, ..) = agent();
    for (skill, state, text) in [
        ("fails_openly", TaskState::Failed, "the kitchen is on fire"),
        ("declines", TaskState::Rejected, "we do not fly there"),
        ("wants_more", TaskState::Rejected, "message.parts[0].text: name a city"),
    ] {
        let task = send(&client, skill).await;
        assert_eq!((task.status.state, &*task.status.message.unwrap().text()), (state, text));
    }
}

#[tokio::test]
async fn an_agent_goes_on_after_a_panic() {
    let (client, ..) = agent();
    send(&client, "panics").await;
    assert_eq!(send(&client, "completes").await.status.state, TaskState::Completed);
    assert_eq!(send(&client, "infallible").await.text(), "fine");
}

#[tokio::test]
async fn a_finished_task_takes_no_message_and_stays_as_it_is() {
    let (client, ..) = agent();
    for skill in ["completes", "errs", "declines"] {
        let task = send(&client, skill).await;
        let error = client.send_message(answer(&task, "more")).await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::UnsupportedOperation), "{skill}");
        let error = client.send_streaming_message(answer(&task, "more")).await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::UnsupportedOperation), "{skill}");
        assert_eq!(client.get_task(&task.id).await.unwrap(), task);
    }
}

#[tokio::test]
async fn a_finished_task_is_not_followed() {
    let (client, ..) = agent();
    let task = send(&client, "completes").await;
    let error = client.subscribe_to_task(&task.id).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::UnsupportedOperation));
}

#[tokio::test]
async fn nothing_is_added_to_a_finished_task_by_a_context_that_was_left() {
    let (client, _, left) = agent();
    let task = send(&client, "talks_on").await;
    let ctx = left.0.lock().unwrap().take().unwrap();
    assert!(ctx.progress("still here").await.is_err());
    assert!(ctx.artifact("late").write("x").await.is_err());
    assert!(ctx.ask("hello?").await.is_err());
    assert!(ctx.next_message().await.is_err());
    assert_eq!(client.get_task(&task.id).await.unwrap(), task);
}

#[tokio::test]
async fn authorization_pauses_the_task_and_the_next_message_calls_the_skill_again() {
    let (client, ..) = agent();
    let task = send(&client, "vault").await;
    assert_eq!(task.status.state, TaskState::AuthRequired);
    assert_eq!(task.status.message.as_ref().unwrap().text(), "log in first");
    let done = client.send_message(answer(&task, "password")).await.unwrap().into_task().unwrap();
    assert_eq!((done.status.state, done.id.as_str()), (TaskState::Completed, task.id.as_str()));
    assert_eq!(done.text(), "go|log in first|password");
    assert_eq!(done.history.len(), 3, "each message once");
}

#[tokio::test]
async fn a_stream_stays_open_while_authorization_is_missing() {
    let (client, ..) = agent();
    let mut stream = client.send_streaming_message(to("vault", "go")).await.unwrap();
    let mut seen = vec![a2a_tests::next_line(&mut stream).await, a2a_tests::next_line(&mut stream).await];
    let [task] = &*client.list_tasks(a2a_sdk::protocol::ListTasksRequest::default()).await.unwrap().tasks
    else {
        panic!("one task")
    };
    client.send_message(answer(task, "password")).await.unwrap();
    seen.extend(lines(stream).await);
    assert_eq!(
        seen,
        [
            "task SUBMITTED",
            "AUTH_REQUIRED log in first",
            "WORKING",
            "artifact-1= go|log in first|password",
            "COMPLETED"
        ]
    );
}
