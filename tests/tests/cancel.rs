//! Callers that cancel.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{CancelTaskRequest, ErrorKind, Metadata, Task, TaskState};
use a2a_sdk::{Cancel, Client, Context, Reply, SkillError, State};
use a2a_tests::{Gate, answer, at_once, line, lines, next_line, to};
use std::time::Duration;

/// Can be canceled in every way there is.
#[a2a_sdk::agent]
struct Cancels;

/// Works for ever, and is not told.
#[a2a_sdk::skill]
async fn dropped(State(gate): State<Gate>) -> String {
    let _living = gate.live();
    gate.reach();
    std::future::pending().await
}

/// Stops early when it is told to, and says why it was.
#[a2a_sdk::skill]
async fn told(cancel: Cancel, State(gate): State<Gate>) -> String {
    gate.reach();
    cancel.requested().await;
    assert!(cancel.is_requested());
    format!("stopped early: {}", cancel.metadata().unwrap()["why"])
}

/// Is told and goes on for ever.
#[a2a_sdk::skill]
async fn stubborn(cancel: Cancel, State(gate): State<Gate>) -> String {
    let _living = gate.live();
    gate.reach();
    cancel.requested().await;
    std::future::pending().await
}

/// Is told and fails then.
#[a2a_sdk::skill]
async fn fails(cancel: Cancel, State(gate): State<Gate>) -> Result<String, SkillError> {
    gate.reach();
    cancel.requested().await;
    Err(SkillError::failed("no"))
}

/// Is told and asks then.
#[a2a_sdk::skill]
async fn asks_then(cancel: Cancel, ctx: Context, State(gate): State<Gate>) -> Result<String, SkillError> {
    gate.reach();
    cancel.requested().await;
    assert!(ctx.ask("really?").await.is_err());
    Ok("asked in vain".to_owned())
}

/// Asks, and keeps what came of it.
#[a2a_sdk::skill]
async fn asks(ctx: Context, State(gate): State<Gate>) -> Result<String, SkillError> {
    let _living = gate.live();
    Ok(ctx.ask("for how many?").await?.text())
}

/// Asks by ending.
#[a2a_sdk::skill]
async fn parks() -> Reply {
    Reply::ask("for how many?")
}

/// Completes when the gate opens.
#[a2a_sdk::skill]
async fn gated(State(gate): State<Gate>) -> &'static str {
    gate.pass().await;
    "done"
}

/// Writes and waits.
#[a2a_sdk::skill]
async fn writes(ctx: Context, State(gate): State<Gate>) -> Result<String, SkillError> {
    ctx.artifact("draft").write("half a page").await?;
    gate.reach();
    std::future::pending().await
}

fn client() -> (Client, Gate) {
    let gate = Gate::default();
    let agent = Cancels::agent().state(gate.clone());
    (agent.client().unwrap(), gate)
}

async fn running(client: &Client, gate: &Gate, skill: &str) -> Task {
    let task = client.send_message(at_once(to(skill, "go"))).await.unwrap().into_task().unwrap();
    gate.reached().await;
    task
}

fn why(task: &Task) -> CancelTaskRequest {
    CancelTaskRequest { metadata: Metadata::from([("why", 42)]), ..CancelTaskRequest::from(&*task.id) }
}

#[tokio::test]
async fn a_canceled_skill_is_dropped_where_it_waits() {
    let (client, gate) = client();
    let task = running(&client, &gate, "dropped").await;
    assert_eq!(gate.living(), 1);
    let task = client.cancel_task(&task.id).await.unwrap();
    assert_eq!(task.status.state, TaskState::Canceled);
    assert_eq!(gate.living(), 0);
    assert_eq!(client.get_task(&task.id).await.unwrap(), task);
}

#[tokio::test(start_paused = true)]
async fn a_skill_that_is_told_may_reply_in_the_grace_period_and_knows_why() {
    let (client, gate) = client();
    let task = running(&client, &gate, "told").await;
    let task = client.cancel_task(why(&task)).await.unwrap();
    assert_eq!((task.status.state, &*task.text()), (TaskState::Canceled, "stopped early: 42"));
}

#[tokio::test(start_paused = true)]
async fn a_skill_that_goes_on_is_dropped_when_the_grace_period_is_over() {
    let gate = Gate::default();
    let agent = Cancels::agent().state(gate.clone()).cancel_grace(Duration::from_secs(3));
    let client = agent.client().unwrap();
    let task = running(&client, &gate, "stubborn").await;
    let began = tokio::time::Instant::now();
    let task = client.cancel_task(&task.id).await.unwrap();
    assert_eq!(task.status.state, TaskState::Canceled);
    assert_eq!(began.elapsed().as_secs(), 3);
    assert_eq!(gate.living(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_grace_period_is_ten_seconds_where_nothing_is_said_and_a_second_cancel_does_not_lengthen_it() {
    let (client, gate) = client();
    let task = running(&client, &gate, "stubborn").await;
    let began = tokio::time::Instant::now();
    let first = {
        let (client, id) = (client.clone(), task.id.clone());
        tokio::spawn(async move { client.cancel_task(&id).await })
    };
    // So that the first one is on its way before the clock is turned.
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    tokio::time::advance(Duration::from_secs(5)).await;
    let second = client.cancel_task(&task.id).await.unwrap();
    assert_eq!(second.status.state, TaskState::Canceled);
    assert_eq!(first.await.unwrap().unwrap(), second);
    assert_eq!(began.elapsed().as_secs(), 10);
}

#[tokio::test(start_paused = true)]
async fn whatever_a_told_skill_does_the_task_ends_canceled() {
    for skill in ["fails", "asks_then"] {
        let (client, gate) = client();
        let task = running(&client, &gate, skill).await;
        let stream = client.subscribe_to_task(&task.id).await.unwrap();
        let task = client.cancel_task(&task.id).await.unwrap();
        assert_eq!(task.status.state, TaskState::Canceled, "{skill}");
        let seen = lines(stream).await;
        assert_eq!(seen.last().unwrap(), "CANCELED", "{seen:?}");
        assert!(!seen.iter().any(|line| line.starts_with("FAILED") || line.starts_with("INPUT")), "{seen:?}");
    }
}

#[tokio::test]
async fn what_was_written_before_the_cancellation_is_kept() {
    let (client, gate) = client();
    let task = running(&client, &gate, "writes").await;
    assert_eq!(client.cancel_task(&task.id).await.unwrap().text(), "half a page");
}

#[tokio::test]
async fn a_task_that_waits_for_its_caller_is_canceled_at_once() {
    for skill in ["asks", "parks"] {
        let (client, gate) = client();
        let task = client.send_message(to(skill, "go")).await.unwrap().into_task().unwrap();
        assert_eq!(task.status.state, TaskState::InputRequired);
        let task = client.cancel_task(&task.id).await.unwrap();
        assert_eq!(task.status.state, TaskState::Canceled, "{skill}");
        assert_eq!(gate.living(), 0);
        let error = client.send_message(answer(&task, "four")).await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::UnsupportedOperation));
    }
}

#[tokio::test]
async fn a_blocking_send_and_a_stream_end_with_the_cancellation() {
    let (client, gate) = client();
    let mut stream = client.send_streaming_message(to("dropped", "go")).await.unwrap();
    let Some(Ok(a2a_sdk::protocol::StreamResponse::Task(task))) = stream.next().await else { panic!() };
    gate.reached().await;
    client.cancel_task(&task.id).await.unwrap();
    assert_eq!(lines(stream).await.last().unwrap(), "CANCELED");

    let sending = {
        let client = client.clone();
        tokio::spawn(async move { client.send_message(to("dropped", "go").with_context_id("c")).await })
    };
    gate.reached().await;
    let list = a2a_sdk::protocol::ListTasksRequest { context_id: Some("c".to_owned()), ..Default::default() };
    let id = client.list_tasks(list).await.unwrap().tasks[0].id.clone();
    client.cancel_task(&id).await.unwrap();
    let task = sending.await.unwrap().unwrap().into_task().unwrap();
    assert_eq!((task.status.state, task.id), (TaskState::Canceled, id));
}

#[tokio::test]
async fn a_finished_task_is_not_canceled_and_a_canceled_one_not_again() {
    let (client, gate) = client();
    gate.open();
    let done = client.send_message(to("gated", "go")).await.unwrap().into_task().unwrap();
    assert_eq!(client.cancel_task(&done.id).await.unwrap_err().kind(), Some(ErrorKind::TaskNotCancelable));
    assert_eq!(client.get_task(&done.id).await.unwrap(), done);

    let task = client.send_message(to("parks", "go")).await.unwrap().into_task().unwrap();
    client.cancel_task(&task.id).await.unwrap();
    assert_eq!(client.cancel_task(&task.id).await.unwrap_err().kind(), Some(ErrorKind::TaskNotCancelable));
}

#[tokio::test]
async fn a_task_that_nobody_knows_is_not_found() {
    let (client, _) = client();
    assert_eq!(client.cancel_task("no-such").await.unwrap_err().kind(), Some(ErrorKind::TaskNotFound));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_an_end_and_a_cancellation_exactly_one_wins_and_all_see_the_same() {
    for skill in ["gated", "asks"] {
        for round in 0..300 {
            let (client, gate) = client();
            let mut stream = client.send_streaming_message(to(skill, "go")).await.unwrap();
            let Some(Ok(a2a_sdk::protocol::StreamResponse::Task(task))) = stream.next().await else {
                panic!()
            };
            let mut subscribed = client.subscribe_to_task(&task.id).await.unwrap();
            if skill == "asks" {
                while !next_line(&mut stream).await.starts_with("INPUT_REQUIRED") {}
            } else {
                gate.reached().await;
            }
            let cancel = {
                let (client, id) = (client.clone(), task.id.clone());
                tokio::spawn(async move { client.cancel_task(&id).await })
            };
            let answered = if skill == "asks" {
                let (client, message) = (client.clone(), answer(&task, "four"));
                Some(tokio::spawn(async move { client.send_message(message).await }))
            } else {
                for _ in 0..round % 4 {
                    tokio::task::yield_now().await;
                }
                gate.open();
                None
            };
            let canceled = cancel.await.unwrap();
            let mut last = String::new();
            while let Some(event) = subscribed.next().await {
                last = line(&event.unwrap());
            }
            let task = client.get_task(&task.id).await.unwrap();
            match &canceled {
                Ok(seen) => {
                    assert_eq!((task.status.state, seen), (TaskState::Canceled, &task));
                    assert_eq!(last, "CANCELED");
                }
                Err(error) => {
                    assert_eq!(error.kind(), Some(ErrorKind::TaskNotCancelable), "{error:?}");
                    assert_eq!(task.status.state, TaskState::Completed);
                    assert_eq!(last, "COMPLETED");
                }
            }
            if let Some(answered) = answered {
                match answered.await.unwrap() {
                    Ok(seen) => assert_eq!(seen.task().unwrap().status.state, task.status.state),
                    Err(error) => {
                        assert_eq!(error.kind(), Some(ErrorKind::UnsupportedOperation), "{error:?}")
                    }
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_canceled_also_in_the_moment_it_begins_to_wait() {
    for _ in 0..300 {
        let (client, _) = client();
        let task = client.send_message(to("parks", "go")).await.unwrap().into_task().unwrap();
        let going = {
            let (client, message) = (client.clone(), answer(&task, "four"));
            tokio::spawn(async move { client.send_message(message).await })
        };
        let canceled = client.cancel_task(&task.id).await.unwrap();
        assert_eq!(canceled.status.state, TaskState::Canceled);
        match going.await.unwrap() {
            Ok(seen) => assert!(seen.task().is_some()),
            Err(error) => assert_eq!(error.kind(), Some(ErrorKind::UnsupportedOperation), "{error:?}"),
        }
    }
}
