//! gRPC, as the package `a2a.v1`.

use super::*;
use a2a_sdk::grpc::v03::a2a_service_client::A2aServiceClient;
use a2a_sdk::grpc::v03::{self, file_part, part, send_message_response, stream_response};
use a2a_sdk::protocol::AgentExtension;
use prost_types::value::Kind;
use prost_types::{Struct, Value};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};

async fn client(server: &Server) -> A2aServiceClient<Channel> {
    let channel = Endpoint::from_shared(server.url()).unwrap().connect().await.unwrap();
    A2aServiceClient::new(channel)
}

fn request(skill: &str, parts: Vec<v03::Part>) -> v03::SendMessageRequest {
    // A hint: the id of the skill, under a name that agents look for.
    let named = Value { kind: Some(Kind::StringValue(skill.into())) };
    let metadata = Struct { fields: [("skill".to_owned(), named)].into() };
    v03::SendMessageRequest {
        request: Some(v03::Message {
            message_id: "m".into(),
            role: v03::Role::User.into(),
            content: parts,
            metadata: Some(metadata),
            ..v03::Message::default()
        }),
        configuration: Some(v03::SendMessageConfiguration { blocking: true, ..Default::default() }),
        metadata: None,
    }
}

fn text(text: &str) -> v03::Part {
    v03::Part { part: Some(part::Part::Text(text.into())), metadata: None }
}

async fn sent(client: &mut A2aServiceClient<Channel>, request: v03::SendMessageRequest) -> v03::Task {
    match client.send_message(request).await.unwrap().into_inner().payload {
        Some(send_message_response::Payload::Task(task)) => task,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_message_makes_a_task_that_is_read_and_canceled() {
    let server = server().await;
    let mut client = client(&server).await;
    let task = sent(&mut client, request("echo", vec![text("hi")])).await;
    assert_eq!(task.status.as_ref().unwrap().state(), v03::TaskState::Completed);
    assert_eq!(task.artifacts[0].parts, [text("hi")]);
    let name = format!("tasks/{}", task.id);
    let read = v03::GetTaskRequest { name: name.clone(), history_length: 0 };
    assert_eq!(client.get_task(read).await.unwrap().into_inner(), task, "zero is nothing said");
    let status = client.cancel_task(v03::CancelTaskRequest { name }).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
    assert!(status.message().starts_with("TaskNotCancelableError: "), "{status}");
    let answer = client.send_message(request("direct", vec![text("hi")])).await.unwrap().into_inner();
    assert!(
        matches!(answer.payload, Some(send_message_response::Payload::Msg(message)) if message.content == [text("hi")])
    );
}

#[tokio::test]
async fn a_stream_ends_with_its_final_status() {
    let gate = Gate::default();
    gate.open();
    let server = serve(agent(&gate)).await;
    let mut client = client(&server).await;
    let mut stream =
        client.send_streaming_message(request("chunks", vec![text("")])).await.unwrap().into_inner();
    let mut lines = Vec::new();
    while let Some(event) = stream.message().await.unwrap() {
        lines.push(match event.payload.unwrap() {
            stream_response::Payload::Task(task) => format!("task {:?}", task.status.unwrap().state()),
            stream_response::Payload::Msg(_) => "message".to_owned(),
            stream_response::Payload::StatusUpdate(update) => {
                format!("{:?} {}", update.status.unwrap().state(), update.r#final)
            }
            stream_response::Payload::ArtifactUpdate(update) => {
                format!("chunk {} {}", update.append, update.last_chunk)
            }
        });
    }
    assert_eq!(
        lines,
        ["task Submitted", "Working false", "chunk false false", "chunk true true", "Completed true"]
    );
}

#[tokio::test]
async fn bytes_are_their_base64() {
    let server = server().await;
    let mut client = client(&server).await;
    let file = |bytes: &'static [u8]| v03::Part {
        part: Some(part::Part::File(v03::FilePart {
            file: Some(file_part::File::FileWithBytes(bytes.into())),
            mime_type: "text/plain".into(),
            name: "f".into(),
        })),
        metadata: None,
    };
    let task = sent(&mut client, request("mirror", vec![file(b"dGNr")])).await;
    assert_eq!(task.artifacts[0].parts, [file(b"dGNr")]);
    let kept = server.call("GetTask", json!({ "id": task.id })).await;
    assert_eq!(
        kept["result"]["artifacts"][0]["parts"][0]["raw"], "dGNr",
        "three bytes, in the base64 of JSON"
    );
}

#[tokio::test]
async fn what_is_wrong_has_a_code_a_name_and_a_field() {
    let server = server().await;
    let mut client = client(&server).await;
    let told = |status: &Status, code: Code, name: &str| {
        assert_eq!(status.code(), code, "{status}");
        assert!(status.message().starts_with(name), "{status}");
    };
    let missing = client.get_task(v03::GetTaskRequest { name: "tasks/none".into(), history_length: 0 }).await;
    told(&missing.unwrap_err(), Code::NotFound, "TaskNotFoundError");
    let misnamed = client.get_task(v03::GetTaskRequest { name: "none".into(), history_length: 0 }).await;
    told(
        &misnamed.unwrap_err(),
        Code::InvalidArgument,
        "InvalidParamsError: `name`: expected `tasks/{task}`",
    );
    let empty = client.send_message(v03::SendMessageRequest::default()).await;
    told(&empty.unwrap_err(), Code::InvalidArgument, "InvalidParamsError: `message`: is required");
    let partless = client.send_message(request("echo", Vec::new())).await;
    told(&partless.unwrap_err(), Code::InvalidArgument, "InvalidParamsError: `message.content`");
    let empty_part = client.send_message(request("echo", vec![v03::Part::default()])).await;
    told(
        &empty_part.unwrap_err(),
        Code::InvalidArgument,
        "InvalidParamsError: `message.content[0]`: holds none of",
    );
    let card = client.get_agent_card(v03::GetAgentCardRequest {}).await;
    told(&card.unwrap_err(), Code::FailedPrecondition, "AuthenticatedExtendedCardNotConfiguredError");
    let mut versioned = Request::new(request("echo", vec![text("hi")]));
    versioned.metadata_mut().insert("a2a-version", "1.0".parse().unwrap());
    told(
        &client.send_message(versioned).await.unwrap_err(),
        Code::FailedPrecondition,
        "this is a call of protocol 0.3",
    );
    assert_eq!(sent(&mut client, request("echo", vec![text("hi")])).await.artifacts.len(), 1);
}

#[tokio::test]
async fn configurations_are_named_after_their_task() {
    let server = server().await;
    let mut client = client(&server).await;
    let task = sent(&mut client, request("ask", vec![text("hi")])).await;
    let parent = format!("tasks/{}", task.id);
    let config = v03::PushNotificationConfig { url: "http://127.0.0.1:9/".into(), ..Default::default() };
    let create = v03::CreateTaskPushNotificationConfigRequest {
        parent: parent.clone(),
        config_id: "c".into(),
        config: Some(v03::TaskPushNotificationConfig {
            name: String::new(),
            push_notification_config: Some(config),
        }),
    };
    let created = client.create_task_push_notification_config(create).await.unwrap().into_inner();
    let name = format!("{parent}/pushNotificationConfigs/c");
    assert_eq!(created.name, name);
    let get = v03::GetTaskPushNotificationConfigRequest { name: name.clone() };
    assert_eq!(client.get_task_push_notification_config(get.clone()).await.unwrap().into_inner(), created);
    let list = v03::ListTaskPushNotificationConfigRequest { parent, ..Default::default() };
    assert_eq!(
        client.list_task_push_notification_config(list).await.unwrap().into_inner().configs,
        [created]
    );
    let delete = v03::DeleteTaskPushNotificationConfigRequest { name };
    client.delete_task_push_notification_config(delete.clone()).await.unwrap();
    client.delete_task_push_notification_config(delete).await.unwrap();
    assert_eq!(client.get_task_push_notification_config(get).await.unwrap_err().code(), Code::NotFound);
}

fn with<T>(headers: &[(&'static str, &str)], message: T) -> Request<T> {
    let mut request = Request::new(message);
    for (name, value) in headers {
        request.metadata_mut().insert(*name, value.parse().unwrap());
    }
    request
}

#[tokio::test]
async fn callers_are_known_and_extensions_negotiated_in_metadata() {
    let extension = AgentExtension { uri: "urn:x".to_owned(), ..AgentExtension::default() };
    let server = serve(agent(&Gate::default()).extension(extension).layer(tokens())).await;
    let mut client = client(&server).await;
    let status = client.send_message(request("echo", vec![text("hi")])).await.unwrap_err();
    assert_eq!(status.code(), Code::Unauthenticated);
    let (a, b) = (("authorization", "Bearer a"), ("authorization", "Bearer b"));
    for name in ["x-a2a-extensions", "a2a-extensions"] {
        let named = with(&[a, (name, "urn:other, urn:x")], request("ask", vec![text("hi")]));
        let answer = client.send_message(named).await.unwrap();
        assert_eq!(answer.metadata().get("x-a2a-extensions").unwrap(), "urn:x", "{name}");
    }
    let asked = client.send_message(with(&[a], request("ask", vec![text("hi")]))).await;
    let task = match asked.unwrap().into_inner().payload {
        Some(send_message_response::Payload::Task(task)) => task,
        other => panic!("{other:?}"),
    };
    let get = |id: &str| v03::GetTaskRequest { name: format!("tasks/{id}"), history_length: 0 };
    let foreign = client.get_task(with(&[b], get(&task.id))).await.unwrap_err();
    let missing = client.get_task(with(&[b], get("none"))).await.unwrap_err();
    assert_eq!(foreign.code(), Code::NotFound);
    assert_eq!(foreign.message().replace(&task.id, "none"), missing.message());
    assert_eq!(client.get_task(with(&[a], get(&task.id))).await.unwrap().into_inner(), task);
}
