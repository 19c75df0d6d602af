//! A principal's tasks are its own: to another one they are exactly as if they were not there.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{
    CancelTaskRequest, GetTaskRequest, ListTasksRequest, SendMessageRequest, SubscribeToTaskRequest,
};
use a2a_sdk::{Client, ClientError, Context, Principal, Reply, SkillError};
use a2a_tests::{answer, to};

/// Belongs to whoever asks.
#[a2a_sdk::agent]
struct Belongs;

/// Waits.
#[a2a_sdk::skill]
async fn waits() -> Reply {
    Reply::ask("?")
}

/// Waits and stays.
#[a2a_sdk::skill]
async fn asks(ctx: Context) -> Result<String, SkillError> {
    Ok(ctx.ask("?").await?.text())
}

/// Completes.
#[a2a_sdk::skill]
async fn who(principal: Principal) -> String {
    principal.id().unwrap_or("nobody").to_owned()
}

/// Counts the tasks of the conversation.
#[a2a_sdk::skill]
async fn earlier(ctx: Context) -> Result<String, SkillError> {
    Ok(ctx.context().tasks().await?.len().to_string())
}

fn clients() -> (Client, Client, Client) {
    let client = Belongs::agent().client().unwrap();
    let of = |id: &'static str| client.clone().with_principal(Principal::new(id));
    (of("ada"), of("bob"), client)
}

/// What each operation says to that caller about a task of that id, the id itself left out.
async fn errors(client: &Client, id: &str) -> Vec<String> {
    let said = |error: ClientError| format!("{error:?}").replace(id, "ID");
    let message = || to("waits", "x").with_task_id(id);
    let configured = SendMessageRequest::new(message().with_context_id("other"));
    vec![
        said(client.get_task(id).await.unwrap_err()),
        said(client.cancel_task(id).await.unwrap_err()),
        said(client.subscribe_to_task(id).await.unwrap_err()),
        said(client.send_message(message()).await.unwrap_err()),
        said(client.send_message(configured).await.unwrap_err()),
        said(client.send_streaming_message(message()).await.unwrap_err()),
    ]
}

#[tokio::test]
async fn a_foreign_task_is_answered_exactly_as_one_that_does_not_exist() {
    let (ada, bob, nobody) = clients();
    for skill in ["waits", "asks", "who"] {
        let task = ada.send_message(to(skill, "x")).await.unwrap().into_task().unwrap();
        for other in [&bob, &nobody] {
            let missing = errors(other, "no-such").await;
            assert_eq!(errors(other, &task.id).await, missing, "{skill}");
            assert_eq!(other.list_tasks(ListTasksRequest::default()).await.unwrap().total_size, 0);
        }
        assert_eq!(ada.get_task(&task.id).await.unwrap(), task, "{skill}: nothing has changed");
    }
}

#[tokio::test]
async fn a_task_of_nobody_is_not_everybodys() {
    let (ada, _, nobody) = clients();
    let task = nobody.send_message(to("waits", "x")).await.unwrap().into_task().unwrap();
    assert_eq!(errors(&ada, &task.id).await, errors(&ada, "no-such").await);
    assert!(nobody.send_message(answer(&task, "y")).await.is_ok());
}

#[tokio::test]
async fn a_context_of_another_principal_starts_empty() {
    let (ada, bob, _) = clients();
    ada.send_message(to("who", "x").with_context_id("c")).await.unwrap();
    assert_eq!(ada.send_message(to("earlier", "x").with_context_id("c")).await.unwrap().text(), "1");
    assert_eq!(bob.send_message(to("earlier", "x").with_context_id("c")).await.unwrap().text(), "0");
    let list = ListTasksRequest { context_id: Some("c".to_owned()), ..ListTasksRequest::default() };
    assert_eq!(bob.list_tasks(list).await.unwrap().total_size, 1);
}

#[tokio::test]
async fn a_page_token_of_another_principal_shows_none_of_its_tasks() {
    let (ada, bob, _) = clients();
    for _ in 0..2 {
        ada.send_message(to("who", "x")).await.unwrap();
    }
    let page = ListTasksRequest { page_size: Some(1), ..ListTasksRequest::default() };
    let token = ada.list_tasks(page.clone()).await.unwrap().next_page_token;
    let list = bob.list_tasks(ListTasksRequest { page_token: Some(token), ..page }).await.unwrap();
    assert!(list.tasks.is_empty() && list.total_size == 0);
}

#[tokio::test]
async fn tenants_are_apart_in_the_same_way() {
    let (ada, ..) = clients();
    let tenant = |name: &str| Some(name.to_owned());
    let mut request = SendMessageRequest::new(to("waits", "x"));
    request.tenant = tenant("north");
    let task = ada.send_message(request).await.unwrap().into_task().unwrap();
    let get = |name| GetTaskRequest { tenant: name, ..GetTaskRequest::from(&*task.id) };
    assert!(ada.get_task(get(tenant("north"))).await.is_ok());
    for other in [None, tenant("south")] {
        assert!(ada.get_task(get(other.clone())).await.is_err());
        let cancel = CancelTaskRequest { tenant: other.clone(), ..CancelTaskRequest::from(&*task.id) };
        assert!(ada.cancel_task(cancel).await.is_err());
        let subscribe = SubscribeToTaskRequest { tenant: other, id: task.id.clone() };
        assert!(ada.subscribe_to_task(subscribe).await.is_err());
    }
}

#[tokio::test]
async fn a_skill_is_told_who_calls() {
    let (ada, _, nobody) = clients();
    assert_eq!(ada.send_message(to("who", "x")).await.unwrap().text(), "ada");
    assert_eq!(nobody.send_message(to("who", "x")).await.unwrap().text(), "nobody");
}
