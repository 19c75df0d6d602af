//! What comes of a message: a task or an answer, at once or when it has settled.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::SKILLS_EXTENSION;
use a2a_sdk::protocol::{
    ErrorKind, GetTaskRequest, ListTasksRequest, Message, Part, Role, SendMessageRequest, StreamResponse,
    TaskPushNotificationConfig, TaskState,
};
use a2a_sdk::{Client, Context, Reply, SkillError, State};
use a2a_tests::{Gate, answer, at_once, lines, to};

/// Answers in every way there is.
#[a2a_sdk::agent]
struct Answers;

/// Makes a task.
#[a2a_sdk::skill]
async fn shout(text: String) -> String {
    text.to_uppercase()
}

/// Answers without a task.
#[a2a_sdk::skill]
async fn direct(text: String) -> Message {
    text.as_str().into()
}

/// Fails without a task.
#[a2a_sdk::skill]
async fn direct_failure(_text: String) -> Result<Message, SkillError> {
    Err(std::io::Error::other("secret-4711"))?
}

/// Decides while it runs: talks to its task first where the text is `talk`.
#[a2a_sdk::skill]
async fn either(text: String, ctx: Context) -> Result<Reply, SkillError> {
    if text == "talk" {
        ctx.progress("talking").await?;
    }
    Ok(Reply::message("said"))
}

/// Decides when the gate opens.
#[a2a_sdk::skill]
async fn later(State(gate): State<Gate>) -> Reply {
    gate.pass().await;
    Reply::message("said")
}

/// Waits at the gate.
#[a2a_sdk::skill]
async fn gated(text: String, State(gate): State<Gate>) -> String {
    gate.pass().await;
    text
}

/// Asks three times.
#[a2a_sdk::skill]
async fn interview(ctx: Context) -> Result<String, SkillError> {
    for question in ["one?", "two?", "three?"] {
        ctx.ask(question).await?;
    }
    Ok("done".to_owned())
}

/// Gives nothing.
#[a2a_sdk::skill]
async fn nothing() {}

fn client() -> (Client, Gate) {
    let gate = Gate::default();
    (Answers::agent().state(gate.clone()).client().unwrap(), gate)
}

async fn tasks(client: &Client) -> i32 {
    client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size
}

#[tokio::test]
async fn a_plain_reply_becomes_the_artifact_of_a_completed_task() {
    let (client, _) = client();
    let message = to("shout", "hi").with_message_id("m-1");
    let task = client.send_message(message).await.unwrap().into_task().unwrap();
    assert_eq!(task.status.state, TaskState::Completed);
    assert!(task.status.timestamp.is_some());
    assert!(task.status.message.is_none());
    assert_eq!(task.artifacts.len(), 1);
    assert!(!task.artifacts[0].artifact_id.is_empty());
    assert_eq!(task.artifacts[0].parts, [Part::text("HI")]);
    assert_eq!(task.metadata[SKILLS_EXTENSION]["skill"], "shout");
    assert_eq!(task.history.len(), 1);
    assert_eq!((task.history[0].role, &*task.history[0].message_id), (Role::User, "m-1"));
}

#[tokio::test]
async fn the_server_names_task_and_context_once_and_says_them_everywhere() {
    let (client, _) = client();
    let events = client.send_streaming_message(to("shout", "hi")).await.unwrap().all().await.unwrap();
    let StreamResponse::Task(first) = &events[0] else { panic!("{events:?}") };
    assert!(!first.id.is_empty() && !first.context_id.is_empty());
    assert_eq!(first.history[0].task_id.as_ref(), Some(&first.id));
    assert_eq!(first.history[0].context_id.as_ref(), Some(&first.context_id));
    for event in &events[1..] {
        let ids = match event {
            StreamResponse::StatusUpdate(update) => (&update.task_id, &update.context_id),
            StreamResponse::ArtifactUpdate(update) => (&update.task_id, &update.context_id),
            other => panic!("{other:?}"),
        };
        assert_eq!(ids, (&first.id, &first.context_id));
    }
}

#[tokio::test]
async fn a_context_of_the_caller_is_kept_and_its_tasks_have_their_own_artifacts() {
    let (client, _) = client();
    let mut made = Vec::new();
    for text in ["a", "b"] {
        let message = to("shout", text).with_context_id("trip");
        made.push(client.send_message(message).await.unwrap().into_task().unwrap());
    }
    assert_ne!(made[0].id, made[1].id);
    assert_eq!((&*made[0].context_id, &*made[1].context_id), ("trip", "trip"));
    assert_eq!((made[0].text().as_str(), made[1].text().as_str()), ("A", "B"));
    assert_eq!((made[1].artifacts.len(), made[1].history.len()), (1, 1));
}

#[tokio::test]
async fn a_task_id_that_nobody_knows_makes_no_task() {
    let (client, _) = client();
    let error = client.send_message(to("shout", "hi").with_task_id("no-such")).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));
    assert_eq!(tasks(&client).await, 0);
}

#[tokio::test]
async fn a_repeated_message_id_is_a_message_of_its_own() {
    let (client, _) = client();
    for _ in 0..2 {
        client.send_message(to("shout", "hi").with_message_id("same")).await.unwrap();
    }
    assert_eq!(tasks(&client).await, 2);
}

#[tokio::test]
async fn a_skill_that_gives_nothing_completes_without_an_artifact() {
    let (client, _) = client();
    let task = client.send_message(to("nothing", "hi")).await.unwrap().into_task().unwrap();
    assert_eq!((task.status.state, task.artifacts.len()), (TaskState::Completed, 0));
}

#[tokio::test]
async fn a_direct_answer_makes_no_task() {
    let (client, _) = client();
    let message = client.send_message(to("direct", "hi")).await.unwrap().into_message().unwrap();
    assert_eq!((message.role, message.text().as_str()), (Role::Agent, "hi"));
    assert!(message.task_id.is_none() && !message.message_id.is_empty());
    assert_eq!(tasks(&client).await, 0);
}

#[tokio::test]
async fn a_direct_answer_is_the_only_event_of_its_stream() {
    let (client, _) = client();
    let stream = client.send_streaming_message(to("direct", "hi")).await.unwrap();
    assert_eq!(lines(stream).await, ["message hi"]);
}

#[tokio::test]
async fn returning_immediately_makes_no_difference_to_a_skill_that_answers_directly() {
    let (client, _) = client();
    let answer = client.send_message(at_once(to("direct", "hi"))).await.unwrap();
    assert_eq!(answer.message().unwrap().text(), "hi");
    assert_eq!(tasks(&client).await, 0);
}

#[tokio::test]
async fn a_failure_without_a_task_is_an_internal_error_that_tells_an_incident_and_no_secret() {
    let (client, _) = client();
    let error = client.send_message(to("direct_failure", "hi")).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::Internal));
    assert!(!format!("{error:?}").contains("secret-4711"));
    assert!(!error.a2a().unwrap().metadata().is_empty(), "an incident id");
    assert_eq!(tasks(&client).await, 0);
}

#[tokio::test]
async fn a_message_that_the_skill_decides_on_is_a_direct_answer_if_it_has_not_talked() {
    let (client, _) = client();
    let answer = client.send_message(to("either", "hush")).await.unwrap();
    assert_eq!(answer.message().unwrap().text(), "said");
    assert_eq!(tasks(&client).await, 0);
}

#[tokio::test]
async fn a_message_after_talking_is_the_last_word_of_the_task() {
    let (client, _) = client();
    let task = client.send_message(to("either", "talk")).await.unwrap().into_task().unwrap();
    assert_eq!(task.status.state, TaskState::Completed);
    assert_eq!(task.status.message.unwrap().text(), "said");
    assert!(task.artifacts.is_empty());
}

#[tokio::test]
async fn returning_immediately_gives_a_task_where_the_skill_has_not_decided_yet() {
    let (client, gate) = client();
    let task = client.send_message(at_once(to("later", "hush"))).await.unwrap().into_task().unwrap();
    gate.reached().await;
    let stream = client.subscribe_to_task(&task.id).await.unwrap();
    gate.open();
    assert_eq!(lines(stream).await.last().unwrap(), "COMPLETED said");
}

#[tokio::test]
async fn returning_immediately_gives_the_answer_where_the_skill_has_it_at_once() {
    let (client, _) = client();
    let answer = client.send_message(at_once(to("either", "hush"))).await.unwrap();
    assert_eq!(answer.message().unwrap().text(), "said");
    assert_eq!(tasks(&client).await, 0);
}

#[tokio::test]
async fn returning_immediately_gives_a_task_that_still_runs() {
    let (client, gate) = client();
    let task = client.send_message(at_once(to("gated", "hi"))).await.unwrap().into_task().unwrap();
    assert!(!task.status.state.is_terminal());
    gate.reached().await;
    let mut stream = client.subscribe_to_task(&task.id).await.unwrap();
    stream.next().await.unwrap().unwrap();
    gate.open();
    stream.all().await.unwrap();
    assert_eq!(client.get_task(&task.id).await.unwrap().text(), "hi");
}

#[tokio::test]
async fn a_send_waits_for_the_end_where_nothing_else_is_said() {
    let (client, gate) = client();
    let sending = {
        let client = client.clone();
        tokio::spawn(async move { client.send_message(to("gated", "hi")).await })
    };
    gate.reached().await;
    assert!(!sending.is_finished());
    gate.open();
    let task = sending.await.unwrap().unwrap().into_task().unwrap();
    assert_eq!(task.status.state, TaskState::Completed);
}

#[tokio::test]
async fn history_length_gives_the_newest_messages_and_none_for_zero_and_all_if_unset() {
    let (client, _) = client();
    let mut task = client.send_message(to("interview", "hello")).await.unwrap().into_task().unwrap();
    for text in ["1", "2", "3"] {
        task = client.send_message(answer(&task, text)).await.unwrap().into_task().unwrap();
    }
    let said: Vec<_> = task.history.iter().map(Message::text).collect();
    assert_eq!(said, ["hello", "one?", "1", "two?", "2", "three?", "3"]);
    for (length, expected) in [(0, &said[7..]), (1, &said[6..]), (2, &said[5..]), (100, &said[..])] {
        let request =
            GetTaskRequest { id: task.id.clone(), history_length: Some(length), ..GetTaskRequest::default() };
        let got: Vec<_> = client.get_task(request).await.unwrap().history.iter().map(Message::text).collect();
        assert_eq!(got, expected, "{length}");
    }
    assert_eq!(client.get_task(&task.id).await.unwrap().history.len(), 7);
}

#[tokio::test]
async fn a_send_with_history_length_zero_gives_no_history_and_keeps_it_all_the_same() {
    let (client, _) = client();
    let mut request = SendMessageRequest::new(to("shout", "hi"));
    request.configuration.history_length = Some(0);
    let task = client.send_message(request).await.unwrap().into_task().unwrap();
    assert!(task.history.is_empty());
    assert_eq!(client.get_task(&task.id).await.unwrap().history.len(), 1);
}

#[tokio::test]
async fn a_negative_history_length_is_refused_and_changes_nothing() {
    let (client, _) = client();
    let mut request = SendMessageRequest::new(to("shout", "hi"));
    request.configuration.history_length = Some(-1);
    let error = client.send_message(request.clone()).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::InvalidParams));
    assert_eq!(error.violations()[0].field, "configuration.historyLength");
    assert!(client.send_streaming_message(request).await.is_err());
    assert_eq!(tasks(&client).await, 0);
}

#[tokio::test]
async fn a_push_config_with_the_message_is_refused_where_push_is_not_supported() {
    let (client, _) = client();
    let mut request = SendMessageRequest::new(to("shout", "hi"));
    request.configuration.task_push_notification_config = Some(TaskPushNotificationConfig::default());
    let error = client.send_message(request).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::PushNotificationNotSupported));
    assert_eq!(tasks(&client).await, 0);
}
