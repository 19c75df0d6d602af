//! The tenant of a client goes with every call.

use crate::script::{Script, is_card, json};
use crate::{BINDINGS, at_once, builder, client, desk, serve, to};
use a2a_sdk::Client;
use a2a_sdk::client::ClientBuilder;
use a2a_sdk::protocol::*;

/// Everything that can be asked about a task; gives which calls found it.
async fn found(client: &Client, task: &str) -> Vec<(&'static str, bool)> {
    let config = TaskPushNotificationConfig {
        task_id: Some(task.to_owned()),
        id: Some("c".to_owned()),
        url: "http://127.0.0.1:9/".to_owned(),
        ..TaskPushNotificationConfig::default()
    };
    let get = GetTaskPushNotificationConfigRequest {
        task_id: task.to_owned(),
        id: "c".to_owned(),
        ..Default::default()
    };
    let list = ListTaskPushNotificationConfigsRequest { task_id: task.to_owned(), ..Default::default() };
    let delete = DeleteTaskPushNotificationConfigRequest {
        task_id: task.to_owned(),
        id: "c".to_owned(),
        ..Default::default()
    };
    let more = || SendMessageRequest::new(Message::user("more").with_task_id(task));
    let tasks = client.list_tasks(ListTasksRequest::default()).await.unwrap();
    vec![
        ("ListTasks", !tasks.tasks.is_empty()),
        ("GetTask", client.get_task(task).await.is_ok()),
        ("SubscribeToTask", client.subscribe_to_task(task).await.is_ok()),
        ("Create", client.create_task_push_notification_config(config).await.is_ok()),
        ("Get", client.get_task_push_notification_config(get).await.is_ok()),
        ("List", client.list_task_push_notification_configs(list).await.is_ok()),
        ("Delete", client.delete_task_push_notification_config(delete).await.is_ok()),
        // A skill that reads no further message says so, where there is the task at all.
        ("SendMessage", is_known(client.send_message(more()).await.err())),
        ("SendStreamingMessage", is_known(client.send_streaming_message(more()).await.err())),
        ("CancelTask", client.cancel_task(task).await.is_ok()),
    ]
}

fn is_known(error: Option<a2a_sdk::ClientError>) -> bool {
    error.is_none_or(|error| error.kind() != Some(ErrorKind::TaskNotFound))
}

#[tokio::test]
async fn every_call_over_every_binding_is_for_the_tenant() {
    for binding in BINDINGS {
        let server = serve(desk()).await;
        let of = async |tenant: &str| {
            builder().bindings([binding]).tenant(tenant).connect(&server.url()).await.unwrap()
        };
        let (north, south, none) = (of("north").await, of("south").await, client(&server, binding).await);
        let task = north.send_message(at_once(to("wait", ""))).await.unwrap().into_task().unwrap();
        for stranger in [&south, &none] {
            for (method, found) in found(stranger, &task.id).await {
                assert!(!found, "{binding:?} {method}");
            }
        }
        for (method, found) in found(&north, &task.id).await {
            assert!(found, "{binding:?} {method}");
        }
        // One that a request names itself counts more.
        let own = GetTaskRequest { tenant: Some("north".to_owned()), ..GetTaskRequest::from(&task.id) };
        assert_eq!(south.get_task(own).await.unwrap().id, task.id, "{binding:?}");
    }
}

/// What a call looks like on the wire: the line, and the body.
async fn written<T>(
    binding: &'static str,
    build: fn(ClientBuilder) -> ClientBuilder,
    call: impl AsyncFnOnce(Client) -> T,
) -> (String, String) {
    let script =
        Script::run(
            move |_, seen, url| {
                if is_card(seen) { json(&crate::script::card(&[(binding, url)])) } else { json("{}") }
            },
        )
        .await;
    call(build(builder()).connect(&script.url).await.unwrap()).await;
    let seen = script.seen().pop().unwrap();
    (seen.line, seen.body)
}

#[tokio::test]
async fn the_extended_card_is_asked_for_with_the_tenant() {
    let ask = async |client: Client| drop(client.get_extended_agent_card().await);
    let (line, _) = written("HTTP+JSON", |builder| builder.tenant("north"), ask).await;
    assert_eq!(line, "GET /north/extendedAgentCard");
    let (_, body) = written("JSONRPC", |builder| builder.tenant("north"), ask).await;
    assert!(body.contains(r#""tenant":"north""#), "{body}");
}

#[tokio::test]
async fn what_is_not_said_is_left_out_and_never_null() {
    let cancel = async |client: Client| drop(client.cancel_task("t").await);
    let (line, body) = written("HTTP+JSON", |builder| builder, cancel).await;
    assert_eq!((line.as_str(), body.as_str()), ("POST /tasks/t:cancel", "{}"));
    let (_, body) = written("JSONRPC", |builder| builder, cancel).await;
    assert!(body.contains(r#""params":{"id":"t"}"#), "{body}");
    for binding in ["HTTP+JSON", "JSONRPC"] {
        let (_, body) = written(
            binding,
            |builder| builder,
            async |client: Client| {
                drop(client.send_message("Hi").await);
            },
        )
        .await;
        assert!(body.contains("Hi") && !body.contains("null"), "{body}");
    }
}
