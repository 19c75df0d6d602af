//! Our client with an agent that speaks nothing newer than 0.3.

use super::*;
use a2a_sdk::client::{ClientBuilder, ClientError};
use a2a_sdk::protocol::{
    DeleteTaskPushNotificationConfigRequest, ErrorKind, GetTaskPushNotificationConfigRequest, GetTaskRequest,
    ListTaskPushNotificationConfigsRequest, ListTasksRequest, SendMessageRequest, TaskPushNotificationConfig,
    TaskState,
};
use a2a_sdk::{Binding, Client};

const BINDINGS: [Binding; 3] = [Binding::JsonRpc, Binding::HttpJson, Binding::Grpc];

fn builder() -> ClientBuilder {
    Client::builder().http_client(|http| http.no_proxy())
}

/// A client that has seen nothing of 1.0 in the card: what a server of 0.3 would show.
async fn client(server: &Server, binding: Binding) -> Client {
    let card = server.get("/.well-known/agent.json", "").await.json().await;
    builder_for(server, binding).connect(&older(card).await).await.unwrap()
}

fn builder_for(server: &Server, binding: Binding) -> ClientBuilder {
    builder().trust_origin(&server.url()).bindings([binding])
}

/// The address of a card without its members of 1.0.
async fn older(mut card: Value) -> String {
    for member in ["supportedInterfaces", "securityRequirements"] {
        card.as_object_mut().unwrap().remove(member);
    }
    let text = card.to_string();
    let routes = axum::Router::new().route("/.well-known/agent.json", axum::routing::get(async move || text));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, routes).await });
    format!("http://{address}")
}

fn to(skill: &str, content: impl Into<Message>) -> SendMessageRequest {
    SendMessageRequest::new(a2a_tests::to(skill, content))
}

#[tokio::test]
async fn every_operation_goes_over_every_binding() {
    for binding in BINDINGS {
        let server = server().await;
        let client = client(&server, binding).await;
        assert_eq!(client.binding(), Some(binding));
        let answer = client.send_message("Ada").await.unwrap();
        let done = answer.task().unwrap();
        assert_eq!((answer.text().as_str(), done.status.state), ("Ada", TaskState::Completed), "{binding:?}");
        let direct = client.send_message(to("direct", "Hi")).await.unwrap();
        assert_eq!(direct.message().unwrap().text(), "Hi");
        assert_eq!(client.get_task(&done.id).await.unwrap(), *done, "{binding:?}");

        let mut request = to("wait", "");
        request.configuration.return_immediately = true;
        let waiting = client.send_message(request).await.unwrap().into_task().unwrap();
        assert!(!waiting.status.state.is_terminal());
        assert_eq!(client.cancel_task(&waiting.id).await.unwrap().status.state, TaskState::Canceled);
        let again = client.cancel_task(&waiting.id).await.unwrap_err();
        assert_eq!(again.kind(), Some(ErrorKind::TaskNotCancelable), "{binding:?}");
        let missing = client.get_task("none").await.unwrap_err();
        assert_eq!(missing.kind(), Some(ErrorKind::TaskNotFound), "{binding:?}");
        // Over JSON-RPC a server of 0.3 has begun the stream by the time it finds out.
        let finished = match client.subscribe_to_task(&done.id).await {
            Ok(mut stream) => stream.next().await.unwrap().unwrap_err(),
            Err(error) => error,
        };
        assert_eq!(finished.kind(), Some(ErrorKind::UnsupportedOperation), "{binding:?} {finished}");
        let list = client.list_tasks(ListTasksRequest::default()).await.unwrap_err();
        assert_eq!(list.kind(), Some(ErrorKind::UnsupportedOperation));
        assert!(list.to_string().contains("protocol 0.3 has no ListTasks"), "{list}");
        let card = client.get_extended_agent_card().await.unwrap_err();
        assert_eq!(card.kind(), Some(ErrorKind::ExtendedAgentCardNotConfigured), "{binding:?}");
    }
}

#[tokio::test]
async fn parts_come_back_as_they_were_sent() {
    let parts = vec![
        Part::text("hi").with_metadata([("k", 1)]),
        Part::raw(vec![0, 1, 2, 250]).with_media_type("image/png").with_filename("a.png"),
        Part::url("https://x.example/a").with_media_type("text/plain"),
        Part::data(json!({ "a": [1, 2.5, null] })),
        Part::data(json!([1])),
    ];
    for binding in BINDINGS {
        let server = server().await;
        let task = client(&server, binding).await.send_message(to("mirror", parts.clone())).await.unwrap();
        assert_eq!(task.task().unwrap().artifacts[0].parts, parts, "{binding:?}");
    }
}

#[tokio::test]
async fn a_stream_is_followed_to_its_end() {
    for binding in BINDINGS {
        let gate = Gate::default();
        gate.open();
        let server = serve(agent(&gate)).await;
        let mut stream =
            client(&server, binding).await.send_streaming_message(to("chunks", "")).await.unwrap();
        let mut lines = Vec::new();
        while let Some(event) = stream.next().await {
            lines.push(a2a_tests::line(&event.unwrap()));
        }
        // The task's own status comes twice in none of them.
        assert_eq!(lines.first().map(String::as_str), Some("task SUBMITTED"), "{binding:?}");
        assert_eq!(lines.last().map(|line| line.trim()), Some("COMPLETED"), "{binding:?} {lines:?}");
        assert_eq!(lines.len(), 5, "{binding:?} {lines:?}");
    }
}

#[tokio::test]
async fn a_conversation_is_followed_through_a_subscription() {
    for binding in BINDINGS {
        let server = server().await;
        let client = client(&server, binding).await;
        let asked = client.send_message(to("ask", "hi")).await.unwrap().into_task().unwrap();
        let mut stream = client.subscribe_to_task(&asked.id).await.unwrap();
        assert_eq!(a2a_tests::line(&stream.next().await.unwrap().unwrap()), "task INPUT_REQUIRED");
        client.send_message(a2a_tests::answer(&asked, "done")).await.unwrap();
        let mut last = String::new();
        while let Some(event) = stream.next().await {
            last = a2a_tests::line(&event.unwrap());
        }
        assert_eq!(last.trim(), "COMPLETED", "{binding:?}");
    }
}

#[tokio::test]
async fn configurations_are_kept_over_every_binding() {
    for binding in BINDINGS {
        let server = server().await;
        let client = client(&server, binding).await;
        let asked = client.send_message(to("ask", "hi")).await.unwrap().into_task().unwrap();
        let config = TaskPushNotificationConfig {
            id: Some("c".into()),
            task_id: Some(asked.id.clone()),
            url: "http://127.0.0.1:9/".into(),
            token: Some("t".into()),
            ..TaskPushNotificationConfig::default()
        };
        let kept = client.create_task_push_notification_config(config.clone()).await.unwrap();
        assert_eq!(kept, config, "{binding:?}");
        let get = GetTaskPushNotificationConfigRequest {
            task_id: asked.id.clone(),
            id: "c".into(),
            ..Default::default()
        };
        assert_eq!(client.get_task_push_notification_config(get.clone()).await.unwrap(), config);
        let list = ListTaskPushNotificationConfigsRequest { task_id: asked.id.clone(), ..Default::default() };
        assert_eq!(client.list_task_push_notification_configs(list).await.unwrap().configs, [config]);
        let delete = DeleteTaskPushNotificationConfigRequest {
            task_id: asked.id.clone(),
            id: "c".into(),
            ..Default::default()
        };
        client.delete_task_push_notification_config(delete).await.unwrap();
        assert!(client.get_task_push_notification_config(get).await.is_err());
    }
}

#[tokio::test]
async fn the_extended_card_is_read_as_one_of_1_0() {
    for binding in BINDINGS {
        let agent = agent(&Gate::default()).layer(tokens()).extended_card(|who, mut card| {
            card.name = format!("Echo for {}", who.id()?);
            Some(card)
        });
        let server = serve(agent).await;
        let card = server.get("/.well-known/agent.json", "").await.json().await;
        let client = builder_for(&server, binding).bearer("a").connect(&older(card).await).await.unwrap();
        let card = client.get_extended_agent_card().await.unwrap();
        assert_eq!((card.name.as_str(), card.skills.len()), ("Echo for a", 7), "{binding:?}");
    }
}

#[tokio::test]
async fn who_needs_1_0_turns_it_off() {
    let server = server().await;
    let card = server.get("/.well-known/agent.json", "").await.json().await;
    let refused: ClientError = builder().allow_legacy(false).connect(&older(card).await).await.unwrap_err();
    assert!(refused.is_no_interface(), "{refused}");
    assert!(refused.to_string().contains("JSONRPC 0.3"), "{refused}");
    // An agent of both is spoken to in the newer one.
    let client = builder().connect(&server.url()).await.unwrap();
    assert_eq!(client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size, 0);
    let none = GetTaskRequest { history_length: Some(0), ..GetTaskRequest::from("x") };
    assert_eq!(client.get_task(none).await.unwrap_err().kind(), Some(ErrorKind::TaskNotFound));
}
