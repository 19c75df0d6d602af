//! Streams: which event is the last, and what ends them otherwise.

use super::*;
use a2a_sdk::grpc::v03::a2a_service_client::A2aServiceClient;
use a2a_sdk::grpc::v03::{Message as Message03, Part as Part03, SendMessageRequest, part};
use a2a_tests::store::{Op, SECRET, Tested};
use tonic::Code;
use tonic::transport::Endpoint;

/// Needs to be authorized, until somebody says `done`.
#[a2a_sdk::agent]
async fn guarded(message: Message) -> Result<Reply, SkillError> {
    if message.text() == "done" {
        Ok(Reply::text("thanks"))
    } else {
        Err(SkillError::auth_required("log in"))
    }
}

fn said(text: &str, task: &Value) -> Value {
    json!({ "message": { "messageId": "m", "role": "user", "parts": [{ "kind": "text", "text": text }], "taskId": task } })
}

#[tokio::test]
async fn a_task_that_needs_authorization_does_not_end_its_streams() {
    let server = serve(guarded::agent()).await;
    let mut sent = post(&server, "", "message/stream", &said("hi", &Value::Null)).await;
    let task = sent.event().await.unwrap().data["result"].clone();
    let mut event = sent.event().await.unwrap();
    while event.data["result"]["status"]["state"] != "auth-required" {
        event = sent.event().await.unwrap();
    }
    assert_eq!(line(&event.data["result"]), "auth-required", "not the last one");
    let mut followed = post(&server, "", "tasks/resubscribe", &json!({ "id": task["id"] })).await;
    assert_eq!(line(&followed.event().await.unwrap().data["result"]), "task auth-required");
    let done = result(&server, "message/send", &said("done", &task["id"])).await;
    assert_eq!(done["status"]["state"], "completed");
    for stream in [sent, followed] {
        let lines: Vec<String> =
            stream.events().await.iter().map(|event| line(&event.data["result"])).collect();
        assert_eq!(lines.iter().filter(|line| line.ends_with("final")).count(), 1, "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("completed final"));
    }
}

#[tokio::test]
async fn one_event_ends_one_stream_and_not_another() {
    let server = server().await;
    let asked = result(&server, "message/send", &params("ask", "hi")).await;
    let (id, path) =
        (json!({ "id": asked["id"] }), format!("/v1/tasks/{}:subscribe", asked["id"].as_str().unwrap()));
    let mut followed = post(&server, "", "tasks/resubscribe", &id).await;
    let mut proto = http::request(server.address, "POST", &path, "", b"").await;
    for stream in [&mut followed, &mut proto] {
        stream.event().await.unwrap();
    }
    let mut more = params("ask", "again");
    more["message"]["taskId"] = asked["id"].clone();
    let sent = stream(&server, "message/stream", &more).await;
    assert_eq!(line(sent.last().unwrap()), "input-required final", "the send is over");
    let more = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "content": [{ "text": "again" }], "taskId": asked["id"] } });
    let sent =
        http::request(server.address, "POST", "/v1/message:stream", "", more.to_string().as_bytes()).await;
    assert_eq!(sent.events().await.last().unwrap().data["statusUpdate"]["final"], true);
    for (name, mut stream) in [("kind", followed), ("proto", proto)] {
        let mut asked_again = 0;
        while asked_again < 2 {
            let event = stream.event().await.unwrap().data;
            let update = if name == "kind" { &event["result"] } else { &event["statusUpdate"] };
            assert_ne!(update["final"], true, "{name}: the task can still be followed: {event}");
            let state = update["status"]["state"].as_str().unwrap_or_default();
            asked_again += usize::from(["input-required", "TASK_STATE_INPUT_REQUIRED"].contains(&state));
        }
    }
}

#[tokio::test]
async fn an_id_is_echoed_in_every_event_as_it_was_written() {
    let server = server().await;
    for id in [json!("a-1"), json!("1"), json!(7), Value::Null] {
        let body =
            json!({ "jsonrpc": "2.0", "id": id, "method": "message/stream", "params": params("echo", "hi") });
        let body = body.to_string();
        let response = http::request(server.address, "POST", "/", "", body.as_bytes()).await;
        let events = response.events().await;
        assert!(events.len() > 1 && events.iter().all(|event| event.data["id"] == id), "{id}");
    }
}

#[tokio::test]
async fn a_stream_that_cannot_go_on_ends_with_an_error_of_0_3() {
    let (gate, (store, faults)) = (Gate::default(), Tested::new());
    let server = serve(agent(&gate).store(store)).await;
    let proto = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "content": [{ "text": "hi" }],
        "metadata": { SKILLS_EXTENSION: { "skill": "chunks" } } } })
    .to_string();
    for rest in [false, true] {
        let mut stream = if rest {
            http::request(server.address, "POST", "/v1/message:stream", "", proto.as_bytes()).await
        } else {
            post(&server, "", "message/stream", &params("chunks", "")).await
        };
        // The task, and that it works.
        stream.record().await.unwrap();
        stream.record().await.unwrap();
        gate.reached().await;
        faults.set(|op| op == Op::Read);
        gate.open();
        let record = stream.record().await.unwrap();
        // Clients of HTTP+JSON know an error by the name of its event.
        assert_eq!(record.contains("event: error"), rest, "{record}");
        let data = record.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        let (code, text) = refused(if rest { &data } else { &data["error"] });
        assert_eq!(code, -32603);
        assert!(text.starts_with("internal error, incident ") && !text.contains(SECRET), "{text}");
        assert_eq!(stream.record().await, None);
        faults.heal();
        gate.passed().await;
    }
    let channel = Endpoint::from_shared(server.url()).unwrap().connect().await.unwrap();
    let named = prost_types::Value { kind: Some(prost_types::value::Kind::StringValue("chunks".into())) };
    let request = SendMessageRequest {
        request: Some(Message03 {
            message_id: "m".into(),
            role: 1,
            content: vec![Part03 { part: Some(part::Part::Text("hi".into())), metadata: None }],
            metadata: Some(prost_types::Struct { fields: [("skill".to_owned(), named)].into() }),
            ..Message03::default()
        }),
        ..SendMessageRequest::default()
    };
    let mut stream =
        A2aServiceClient::new(channel).send_streaming_message(request).await.unwrap().into_inner();
    gate.reached().await;
    faults.set(|op| op == Op::Read);
    gate.open();
    let status = loop {
        match stream.message().await {
            Ok(event) => assert!(event.is_some(), "it ended well"),
            Err(status) => break status,
        }
    };
    assert_eq!(status.code(), Code::Internal);
    assert!(status.message().starts_with("InternalError: internal error, incident "), "{status}");
}
