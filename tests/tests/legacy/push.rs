//! Push notifications: what was asked for in 0.3 is posted as 0.3 has it.

use super::*;
use axum::body::Bytes;
use axum::http::HeaderMap;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::sync::mpsc;

/// Takes what is posted.
struct Receiver {
    address: SocketAddr,
    posts: mpsc::UnboundedReceiver<(HeaderMap, Value)>,
}

impl Receiver {
    async fn new() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, posts) = mpsc::unbounded_channel();
        let take = async move |headers: HeaderMap, body: Bytes| {
            drop(sender.send((headers, serde_json::from_slice(&body).unwrap())));
        };
        let routes = axum::Router::new().fallback(take);
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { address, posts }
    }

    fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    async fn next(&mut self) -> (HeaderMap, Value) {
        tokio::time::timeout(Duration::from_secs(20), self.posts.recv()).await.unwrap().unwrap()
    }
}

const SET: &str = "tasks/pushNotificationConfig/set";
const GET: &str = "tasks/pushNotificationConfig/get";
const LIST: &str = "tasks/pushNotificationConfig/list";
const DELETE: &str = "tasks/pushNotificationConfig/delete";

#[tokio::test]
async fn the_whole_task_is_posted_for_each_state_and_each_whole_artifact() {
    let gate = Gate::default();
    gate.open();
    let server = serve(agent(&gate)).await;
    let mut receiver = Receiver::new().await;
    let mut request = params("chunks", "");
    request["configuration"] = json!({ "blocking": false, "pushNotificationConfig": { "id": "c", "url": receiver.url(),
        "token": "to-ken", "authentication": { "schemes": ["Digest", "Bearer"], "credentials": "cre-dentials" } } });
    let task = result(&server, "message/send", &request).await;
    let mut states = Vec::new();
    loop {
        let (headers, body) = receiver.next().await;
        assert_eq!((&body["kind"], &body["id"]), (&json!("task"), &task["id"]));
        for (name, value) in [
            ("content-type", "application/json"),
            ("authorization", "Bearer cre-dentials"),
            ("x-a2a-notification-token", "to-ken"),
        ] {
            assert_eq!(headers[name], value, "{name}");
        }
        states.push(body["status"]["state"].as_str().unwrap().to_owned());
        if states.last().unwrap() == "completed" {
            assert_eq!(body["artifacts"][0]["parts"].as_array().unwrap().len(), 2);
            break;
        }
    }
    // The last chunk of an artifact tells once more how the task stands.
    assert_eq!(states.first().map(String::as_str), Some("working"));
    assert_eq!(states.len(), 3, "{states:?}");
}

#[tokio::test]
async fn each_webhook_is_told_in_the_generation_that_asked_for_it() {
    let server = server().await;
    let (mut older, mut modern) = (Receiver::new().await, Receiver::new().await);
    let asked = result(&server, "message/send", &params("ask", "hi")).await;
    let id = &asked["id"];
    result(
        &server,
        SET,
        &json!({ "taskId": id, "pushNotificationConfig": { "id": "o", "url": older.url() } }),
    )
    .await;
    let create = json!({ "taskId": id, "id": "m", "url": modern.url() });
    server.call("CreateTaskPushNotificationConfig", create).await;
    // The message comes in 1.0, which says nothing about what is posted where.
    let more = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "done" }], "taskId": id } });
    server.call("SendMessage", more).await;
    loop {
        let (headers, body) = older.next().await;
        assert_eq!(
            (&headers["content-type"], &body["kind"]),
            (&"application/json".parse().unwrap(), &json!("task"))
        );
        if body["status"]["state"] == "completed" {
            break;
        }
    }
    loop {
        let (headers, body) = modern.next().await;
        assert_eq!(headers["content-type"], "application/a2a+json");
        assert_eq!(body.get("kind"), None);
        if body["statusUpdate"]["status"]["state"] == "TASK_STATE_COMPLETED" {
            break;
        }
    }
}

#[tokio::test]
async fn configurations_are_set_read_listed_and_deleted() {
    let server = server().await;
    let asked = result(&server, "message/send", &params("ask", "hi")).await;
    let id = asked["id"].clone();
    let config = |name: Option<&str>| {
        let mut config = json!({ "url": "http://127.0.0.1:9/", "token": "t",
            "authentication": { "schemes": ["Basic", "Bearer"], "credentials": "c" } });
        if let Some(name) = name {
            config["id"] = json!(name);
        }
        json!({ "taskId": id, "pushNotificationConfig": config })
    };
    assert_eq!(error(&server, GET, &json!({ "id": id })).await.0, -32001, "there is none yet");
    assert_eq!(result(&server, SET, &config(Some("first"))).await, config(Some("first")), "as it was set");
    // Without a word about which: the oldest, until there is one of the task's own id.
    assert_eq!(result(&server, GET, &json!({ "id": id })).await, config(Some("first")));
    let unnamed = result(&server, SET, &config(None)).await;
    assert_eq!(unnamed["pushNotificationConfig"]["id"], id);
    assert_eq!(result(&server, GET, &json!({ "id": id })).await, unnamed);
    let named = json!({ "id": id, "pushNotificationConfigId": "first" });
    assert_eq!(result(&server, GET, &named).await, config(Some("first")));
    assert_eq!(result(&server, LIST, &json!({ "id": id })).await, json!([config(Some("first")), unnamed]));
    let modern = server.call("GetTaskPushNotificationConfig", json!({ "taskId": id, "id": "first" })).await;
    assert_eq!(modern["result"]["authentication"], json!({ "scheme": "Bearer", "credentials": "c" }));
    for _ in 0..2 {
        let answer = call(&server, DELETE, &named).await;
        assert_eq!(answer.get("result"), Some(&Value::Null), "present, and null: {answer}");
    }
    assert_eq!(error(&server, GET, &named).await.0, -32001);
    assert_eq!(error(&server, LIST, &json!({ "id": "no-such" })).await.0, -32001);
}

#[tokio::test]
async fn an_address_that_must_not_be_called_is_refused() {
    let server = serve(echo::agent().state(Gate::default()).push_notifications(WebhookPolicy::new())).await;
    let asked = result(&server, "message/send", &params("ask", "hi")).await;
    let config = json!({ "taskId": asked["id"], "pushNotificationConfig": { "url": "https://127.0.0.1/" } });
    assert_eq!(error(&server, SET, &config).await.0, -32602);
    let mut inline = params("echo", "hi");
    inline["configuration"]["pushNotificationConfig"] = json!({ "url": "https://127.0.0.1/" });
    assert_eq!(error(&server, "message/send", &inline).await.0, -32602);
}

#[tokio::test]
async fn what_is_posted_is_of_0_3_whatever_binding_asked_for_it() {
    use a2a_sdk::grpc::v03::{self, a2a_service_client::A2aServiceClient};

    let server = server().await;
    let asked = result(&server, "message/send", &params("ask", "hi")).await;
    let id = asked["id"].as_str().unwrap();
    let (mut set, mut inline, mut grpc) =
        (Receiver::new().await, Receiver::new().await, Receiver::new().await);
    let body = json!({ "pushNotificationConfig": { "id": "set", "url": set.url() } }).to_string();
    let path = format!("/v1/tasks/{id}/pushNotificationConfigs");
    let response = http::request(server.address, "POST", &path, "", body.as_bytes()).await;
    assert_eq!(response.status, 200);
    let channel = tonic::transport::Endpoint::from_shared(server.url()).unwrap().connect().await.unwrap();
    let config = v03::PushNotificationConfig { url: grpc.url(), ..Default::default() };
    let create = v03::CreateTaskPushNotificationConfigRequest {
        parent: format!("tasks/{id}"),
        config_id: "grpc".into(),
        config: Some(v03::TaskPushNotificationConfig {
            name: String::new(),
            push_notification_config: Some(config),
        }),
    };
    A2aServiceClient::new(channel).create_task_push_notification_config(create).await.unwrap();
    // The third comes with the message that sets the task going.
    let more = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "content": [{ "text": "done" }], "taskId": id },
        "configuration": { "blocking": true, "pushNotification": { "id": "inline", "url": inline.url() } } });
    let response =
        http::request(server.address, "POST", "/v1/message:send", "", more.to_string().as_bytes()).await;
    assert_eq!(response.json().await["task"]["status"]["state"], "TASK_STATE_COMPLETED");
    for receiver in [&mut set, &mut inline, &mut grpc] {
        loop {
            let (headers, body) = receiver.next().await;
            assert_eq!(headers["content-type"], "application/json");
            assert_eq!((&body["kind"], &body["id"]), (&json!("task"), &json!(id)), "{body}");
            if body["status"]["state"] == "completed" {
                break;
            }
        }
    }
}

#[tokio::test]
async fn a_configuration_that_comes_with_each_message_takes_the_place_of_the_last() {
    let server = server().await;
    let asked = result(&server, "message/send", &params("ask", "hi")).await;
    let mut more = params("ask", "more");
    more["message"]["taskId"] = asked["id"].clone();
    more["configuration"] = json!({ "pushNotificationConfig": { "url": "http://127.0.0.1:9/" } });
    for _ in 0..3 {
        result(&server, "message/send", &more).await;
    }
    let kept = result(&server, LIST, &json!({ "id": asked["id"] })).await;
    assert_eq!(kept.as_array().unwrap().len(), 1);
    assert_eq!(kept[0]["pushNotificationConfig"]["id"], asked["id"]);
    more["configuration"]["pushNotificationConfig"]["authentication"] =
        json!({ "schemes": ["Basic", "x".repeat(9_000)], "credentials": "c" });
    let (code, text) = error(&server, "message/send", &more).await;
    assert_eq!(code, -32602);
    assert!(text.contains("authentication.schemes"), "{text}");
}
