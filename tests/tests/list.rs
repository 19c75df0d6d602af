//! Lists of tasks: filters, pages and their order.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{ErrorKind, ListTasksRequest, Task, TaskState, Timestamp};
use a2a_sdk::{Client, ClientError, Clock, Context, SkillError};
use a2a_tests::http::serve;
use a2a_tests::{answer, to};
use serde_json::json;
use std::collections::HashSet;
use std::time::Duration;

const START: i64 = 1_700_000_000_000;

/// Fills lists.
#[a2a_sdk::agent]
struct Fills;

/// Completes.
#[a2a_sdk::skill]
async fn done(text: String) -> String {
    text
}

/// Waits for an answer.
#[a2a_sdk::skill]
async fn waits(ctx: Context) -> Result<String, SkillError> {
    Ok(ctx.ask("?").await?.text())
}

/// Fails.
#[a2a_sdk::skill]
async fn fails() -> Result<String, SkillError> {
    Err(SkillError::failed("no"))
}

fn client() -> Client {
    Fills::agent().clock(Clock::virtual_from(Timestamp::from_unix_millis(START))).client().unwrap()
}

async fn make(client: &Client, skill: &str, context: &str) -> Task {
    let message = to(skill, "x").with_context_id(context);
    client.send_message(message).await.unwrap().into_task().unwrap()
}

async fn tick() {
    tokio::time::advance(Duration::from_secs(1)).await;
}

async fn ids(client: &Client, request: ListTasksRequest) -> Vec<String> {
    let list = client.list_tasks(request).await.unwrap();
    assert_eq!(list.total_size as usize, list.tasks.len(), "one page holds them all");
    list.tasks.into_iter().map(|task| task.id).collect()
}

fn page(size: i32) -> ListTasksRequest {
    ListTasksRequest { page_size: Some(size), ..ListTasksRequest::default() }
}

fn refused(result: Result<a2a_sdk::protocol::ListTasksResponse, ClientError>, field: &str) {
    let error = result.unwrap_err();
    assert_eq!((error.kind(), &*error.violations()[0].field), (Some(ErrorKind::InvalidParams), field));
}

#[tokio::test(start_paused = true)]
async fn the_newest_status_comes_first() {
    let client = client();
    let first = make(&client, "waits", "c").await;
    tick().await;
    let second = make(&client, "done", "c").await;
    tick().await;
    assert_eq!(ids(&client, ListTasksRequest::default()).await, [&*second.id, &*first.id]);
    client.send_message(answer(&first, "go")).await.unwrap();
    assert_eq!(ids(&client, ListTasksRequest::default()).await, [&*first.id, &*second.id]);
}

#[tokio::test(start_paused = true)]
async fn filters_are_by_context_state_and_time_and_all_count_together() {
    let client = client();
    let a = make(&client, "done", "c").await;
    tick().await;
    let b = make(&client, "fails", "c").await;
    tick().await;
    let c = make(&client, "done", "d").await;
    let all = ListTasksRequest::default;
    let at = |seconds: i64| Some(Timestamp::from_unix_millis(START + seconds * 1000));
    let context = |id: &str| Some(id.to_owned());
    for (request, expected) in [
        (ListTasksRequest { context_id: context("c"), ..all() }, vec![&b, &a]),
        (ListTasksRequest { context_id: context("none"), ..all() }, vec![]),
        (ListTasksRequest { status: TaskState::Completed, ..all() }, vec![&c, &a]),
        (ListTasksRequest { status: TaskState::Failed, ..all() }, vec![&b]),
        (ListTasksRequest { status: TaskState::Working, ..all() }, vec![]),
        (ListTasksRequest { status_timestamp_after: at(1), ..all() }, vec![&c, &b]),
        (ListTasksRequest { status_timestamp_after: at(3), ..all() }, vec![]),
        (
            ListTasksRequest {
                context_id: context("c"),
                status: TaskState::Completed,
                status_timestamp_after: at(0),
                ..all()
            },
            vec![&a],
        ),
    ] {
        let expected: Vec<_> = expected.iter().map(|task| task.id.clone()).collect();
        assert_eq!(ids(&client, request.clone()).await, expected, "{request:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn pages_give_each_task_once_also_where_all_have_the_same_time() {
    let client = client();
    for n in 0..25 {
        make(&client, "done", "c").await;
        if n == 12 {
            tick().await;
        }
    }
    for size in [1, 7, 25, 100] {
        let mut seen = Vec::new();
        let mut request = page(size);
        loop {
            let list = client.list_tasks(request.clone()).await.unwrap();
            assert_eq!((list.total_size, list.page_size), (25, size));
            seen.extend(list.tasks.into_iter().map(|task| task.id));
            if list.next_page_token.is_empty() {
                break;
            }
            request.page_token = Some(list.next_page_token);
        }
        assert_eq!(seen.len(), 25, "{size}");
        assert_eq!(seen.iter().collect::<HashSet<_>>().len(), 25, "{size}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_goes_on_where_the_last_one_ended_although_new_tasks_have_come() {
    let client = client();
    let old = [make(&client, "done", "c").await.id, make(&client, "done", "c").await.id];
    let mut request = page(1);
    let first = client.list_tasks(request.clone()).await.unwrap();
    tick().await;
    make(&client, "done", "c").await;
    request.page_token = Some(first.next_page_token);
    let second = client.list_tasks(request).await.unwrap();
    let seen: HashSet<_> = first.tasks.iter().chain(&second.tasks).map(|task| task.id.clone()).collect();
    assert_eq!(seen, HashSet::from(old));
}

#[tokio::test(start_paused = true)]
async fn a_token_of_other_filters_and_what_is_no_token_are_refused() {
    let client = client();
    make(&client, "done", "c").await;
    make(&client, "done", "c").await;
    let token = client.list_tasks(page(1)).await.unwrap().next_page_token;
    let other = ListTasksRequest {
        page_token: Some(token),
        context_id: Some("c".to_owned()),
        ..ListTasksRequest::default()
    };
    refused(client.list_tasks(other).await, "pageToken");
    for token in ["garbage", "%%%", "AAAA", "null"] {
        let request = ListTasksRequest { page_token: Some(token.to_owned()), ..ListTasksRequest::default() };
        refused(client.list_tasks(request).await, "pageToken");
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_holds_1_to_100_tasks_and_50_where_nothing_is_said() {
    let client = client();
    for _ in 0..101 {
        make(&client, "done", "c").await;
    }
    for size in [0, -1, 101, i32::MAX, i32::MIN] {
        refused(client.list_tasks(page(size)).await, "pageSize");
    }
    for (size, expected) in [(Some(1), 1), (Some(100), 100), (None, 50)] {
        let request = ListTasksRequest { page_size: size, ..ListTasksRequest::default() };
        let list = client.list_tasks(request).await.unwrap();
        assert_eq!((list.tasks.len(), list.page_size, list.total_size), (expected, expected as i32, 101));
        assert!(!list.next_page_token.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn artifacts_come_only_when_asked_for_and_history_up_to_its_length() {
    let client = client();
    make(&client, "done", "c").await;
    let list = async |artifacts, history| {
        let request = ListTasksRequest {
            include_artifacts: artifacts,
            history_length: history,
            ..ListTasksRequest::default()
        };
        client.list_tasks(request).await.unwrap().tasks.remove(0)
    };
    assert!(list(None, None).await.artifacts.is_empty());
    assert!(list(Some(false), None).await.artifacts.is_empty());
    assert_eq!(list(Some(true), None).await.text(), "x");
    assert_eq!(list(None, None).await.history.len(), 1);
    assert!(list(None, Some(0)).await.history.is_empty());
    let request = ListTasksRequest { history_length: Some(-1), ..ListTasksRequest::default() };
    refused(client.list_tasks(request).await, "historyLength");
}

#[tokio::test]
async fn the_answer_always_has_its_required_members() {
    let server = serve(Fills::agent()).await;
    let expected = json!({ "tasks": [], "nextPageToken": "", "pageSize": 50, "totalSize": 0 });
    assert_eq!(server.call("ListTasks", json!({})).await["result"], expected);
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"method":"ListTasks"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{"contextId":null,"pageToken":null}}"#,
    ] {
        assert_eq!(server.post(body).await.json().await["result"], expected, "{body}");
    }
}
