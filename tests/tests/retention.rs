//! How long tasks are kept, by a clock that the test turns.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{ErrorKind, ListTasksRequest, Task, Timestamp};
use a2a_sdk::store::Retention;
use a2a_sdk::{BuiltAgent, Client, Clock, Reply};
use a2a_tests::http::serve_built;
use a2a_tests::{answer, to};
use serde_json::json;
use std::time::Duration;

/// Makes tasks that last.
#[a2a_sdk::agent]
struct Lasting;

/// Completes.
#[a2a_sdk::skill]
async fn done(text: String) -> String {
    text
}

/// Waits.
#[a2a_sdk::skill]
async fn waits() -> Reply {
    Reply::ask("?")
}

fn built(retention: Retention) -> BuiltAgent {
    let clock = Clock::virtual_from(Timestamp::from_unix_millis(1_700_000_000_000));
    Lasting::agent().clock(clock).retention(retention).build().unwrap()
}

async fn make(client: &Client, skill: &str) -> Task {
    client.send_message(to(skill, "x")).await.unwrap().into_task().unwrap()
}

async fn is_kept(client: &Client, task: &Task) -> bool {
    match client.get_task(&task.id).await {
        Ok(kept) => {
            assert_eq!(kept, *task, "what is kept is whole");
            true
        }
        Err(error) => {
            assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));
            false
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_finished_task_is_kept_for_a_day_and_then_gone_everywhere() {
    let client = built(Retention::default()).client();
    let task = make(&client, "done").await;
    tokio::time::advance(Duration::from_secs(24 * 60 * 60 - 1)).await;
    assert!(is_kept(&client, &task).await);
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(!is_kept(&client, &task).await);
    assert_eq!(client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size, 0);
    let error = client.send_message(answer(&task, "more")).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));
}

#[tokio::test(start_paused = true)]
async fn of_too_many_finished_tasks_the_oldest_go_first() {
    let client = built(Retention::default().max_finished(2)).client();
    let mut tasks = Vec::new();
    for _ in 0..4 {
        tasks.push(make(&client, "done").await);
        tokio::time::advance(Duration::from_secs(1)).await;
    }
    let mut kept = Vec::new();
    for task in &tasks {
        kept.push(is_kept(&client, task).await);
    }
    assert_eq!(kept, [false, false, true, true]);
    assert_eq!(client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size, 2);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_not_finished_is_never_let_go() {
    let retention = Retention::default().max_finished(1).max_age(Duration::from_secs(1));
    let client = built(retention).client();
    let task = make(&client, "waits").await;
    for _ in 0..5 {
        make(&client, "done").await;
        tokio::time::advance(Duration::from_secs(1000 * 60 * 60)).await;
    }
    assert!(is_kept(&client, &task).await);
    let again = client.send_message(answer(&task, "still there?")).await.unwrap().into_task().unwrap();
    assert_eq!(again.id, task.id);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_has_lost_its_log_reads_as_before() {
    let client = built(Retention::default().log_for(Duration::ZERO)).client();
    let task = make(&client, "done").await;
    assert!(is_kept(&client, &task).await);
    let list = ListTasksRequest { include_artifacts: Some(true), ..ListTasksRequest::default() };
    assert_eq!(client.list_tasks(list).await.unwrap().tasks, [task]);
}

/// Resumes a finished task after so many seconds; gives the code of the error, 0 for a stream.
async fn resumed_after(seconds: u64, retention: Retention) -> i64 {
    let built = built(retention);
    let task = make(&built.client(), "done").await;
    let server = serve_built(built).await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(seconds)).await;
    tokio::time::resume();
    let header = format!("Last-Event-ID: {}:1\r\n", task.id);
    let response = server.stream("SubscribeToTask", json!({ "id": task.id }), &header).await;
    if response.header("content-type") == "text/event-stream" {
        assert_eq!(response.events().await.len(), 2, "the artifact and the end");
        return 0;
    }
    response.json().await["error"]["code"].as_i64().unwrap()
}

#[tokio::test]
async fn a_finished_task_can_be_resumed_for_a_minute() {
    assert_eq!(resumed_after(55, Retention::default()).await, 0);
    assert_eq!(resumed_after(60, Retention::default()).await, -32004);
}

#[tokio::test]
async fn how_long_a_finished_task_can_be_resumed_is_set_by_time_and_by_count() {
    assert_eq!(resumed_after(7, Retention::default().log_for(Duration::from_secs(5))).await, -32004);
    assert_eq!(resumed_after(0, Retention::default().max_finished_logs(0)).await, -32004);
}
