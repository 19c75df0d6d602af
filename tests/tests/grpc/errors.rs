//! Errors and their details.

use crate::{Client, channel, client, desk, sent, serve, to};
use a2a_sdk::grpc::v1;
use a2a_sdk::grpc::v1::a2a_service_client::A2aServiceClient;
use std::collections::HashMap;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;

const ID: &str = "no-such-task";

/// What the details of a status say: the reason, the facts, and the fields at fault.
fn details(status: &Status) -> (String, HashMap<String, String>, Vec<(String, String)>) {
    let details = status.get_error_details();
    let info = details.error_info().unwrap();
    assert_eq!(info.domain, "a2a-protocol.org");
    let violations = details.bad_request().map(|bad| bad.field_violations.clone()).unwrap_or_default();
    let violations = violations.into_iter().map(|violation| (violation.field, violation.description));
    (info.reason.clone(), info.metadata.clone(), violations.collect())
}

#[tokio::test]
async fn an_error_has_a_code_a_reason_and_facts() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let status =
        client.get_task(v1::GetTaskRequest { id: ID.into(), ..Default::default() }).await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "task `no-such-task` not found"));
    let facts = HashMap::from([("taskId".to_owned(), ID.to_owned())]);
    assert_eq!(details(&status), ("TASK_NOT_FOUND".to_owned(), facts, vec![]));
}

#[tokio::test]
async fn bad_parameters_are_named() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let missing = "is required".to_owned();
    let with = |change: fn(&mut v1::Message)| {
        let mut request = to("echo", "Hi");
        change(request.message.as_mut().unwrap());
        request
    };
    for (request, field, description) in [
        (v1::SendMessageRequest::default(), "message", missing.clone()),
        (with(|message| message.message_id.clear()), "message.messageId", missing.clone()),
        (with(|message| message.role = 0), "message.role", missing.clone()),
        (with(|message| message.parts.clear()), "message.parts", missing),
        (
            with(|message| message.parts[0].content = None),
            "message.parts[0]",
            "holds none of `text`, `raw`, `url`, `data`".to_owned(),
        ),
    ] {
        let status = client.send_message(request.clone()).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        let (reason, _, violations) = details(&status);
        assert_eq!((reason.as_str(), violations), ("INVALID_PARAMS", vec![(field.to_owned(), description)]));
        let status = client.send_streaming_message(request).await.unwrap_err();
        assert_eq!(details(&status).2[0].0, field);
    }
    let status = client.get_task(v1::GetTaskRequest::default()).await.unwrap_err();
    assert_eq!(details(&status).2[0].0, "id");
}

#[tokio::test]
async fn every_error_of_a_task_has_its_reason() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let id = sent(&mut client, to("echo", "Hi")).await.id;

    let cancel = v1::CancelTaskRequest { id: id.clone(), ..Default::default() };
    let status = client.cancel_task(cancel).await.unwrap_err();
    assert_eq!((status.code(), &*details(&status).0), (Code::FailedPrecondition, "TASK_NOT_CANCELABLE"));

    let mut more = to("echo", "more");
    more.message.as_mut().unwrap().task_id = id.clone();
    for status in [
        client.send_message(more.clone()).await.unwrap_err(),
        client.send_streaming_message(more).await.unwrap_err(),
        client.subscribe_to_task(v1::SubscribeToTaskRequest { id, ..Default::default() }).await.unwrap_err(),
    ] {
        assert_eq!(
            (status.code(), &*details(&status).0),
            (Code::FailedPrecondition, "UNSUPPORTED_OPERATION")
        );
    }

    let status =
        client.get_extended_agent_card(v1::GetExtendedAgentCardRequest::default()).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
}

#[tokio::test]
async fn a_long_id_comes_back_short_enough_for_a_header() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let status = client
        .get_task(v1::GetTaskRequest { id: "é".repeat(100_000), ..Default::default() })
        .await
        .unwrap_err();
    assert_eq!((status.code(), &*details(&status).0), (Code::NotFound, "TASK_NOT_FOUND"));
}

#[tokio::test]
async fn a_message_over_the_limit_is_refused_and_the_server_lives() {
    let server = serve(desk().body_limit(10_000)).await;
    let mut client = client(&server).await;
    let status = client.send_message(to("echo", &"x".repeat(10_001))).await.unwrap_err();
    assert!(matches!(status.code(), Code::OutOfRange | Code::ResourceExhausted), "{status:?}");
    sent(&mut client, to("echo", &"x".repeat(9_000))).await;
}

/// The code and the reason of each of the eleven calls, sent with that version.
async fn outcomes(client: &mut A2aServiceClient<Channel>, version: Option<&str>) -> Vec<(Code, String)> {
    fn with<T>(message: T, version: Option<&str>) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(version) = version {
            request.metadata_mut().insert("a2a-version", version.parse().unwrap());
        }
        request
    }
    macro_rules! outcome {
        ($call:ident, $request:expr) => {{
            let status = client.$call(with($request, version)).await.err();
            status.map_or((Code::Ok, String::new()), |status| (status.code(), details(&status).0))
        }};
    }
    let (id, task_id) = (ID.to_owned(), ID.to_owned());
    vec![
        outcome!(send_message, to("echo", "Hi")),
        outcome!(send_streaming_message, to("echo", "Hi")),
        outcome!(get_task, v1::GetTaskRequest { id: id.clone(), ..Default::default() }),
        outcome!(list_tasks, v1::ListTasksRequest::default()),
        outcome!(cancel_task, v1::CancelTaskRequest { id: id.clone(), ..Default::default() }),
        outcome!(subscribe_to_task, v1::SubscribeToTaskRequest { id: id.clone(), ..Default::default() }),
        outcome!(
            create_task_push_notification_config,
            v1::TaskPushNotificationConfig {
                task_id: task_id.clone(),
                url: "https://example.com".into(),
                ..Default::default()
            }
        ),
        outcome!(
            get_task_push_notification_config,
            v1::GetTaskPushNotificationConfigRequest {
                task_id: task_id.clone(),
                id: id.clone(),
                ..Default::default()
            }
        ),
        outcome!(
            list_task_push_notification_configs,
            v1::ListTaskPushNotificationConfigsRequest { task_id: task_id.clone(), ..Default::default() }
        ),
        outcome!(get_extended_agent_card, v1::GetExtendedAgentCardRequest::default()),
        outcome!(
            delete_task_push_notification_config,
            v1::DeleteTaskPushNotificationConfigRequest { task_id, id, ..Default::default() }
        ),
    ]
}

#[tokio::test]
async fn every_call_tells_its_version() {
    let server = serve(desk()).await;
    let mut client = A2aServiceClient::new(channel(&server).await);
    let refused = (Code::FailedPrecondition, "VERSION_NOT_SUPPORTED".to_owned());
    for version in [None, Some(""), Some("99.0"), Some("0.3"), Some("x")] {
        assert_eq!(outcomes(&mut client, version).await, vec![refused.clone(); 11], "{version:?}");
    }
    let expected = [
        (Code::Ok, ""),
        (Code::Ok, ""),
        (Code::NotFound, "TASK_NOT_FOUND"),
        (Code::Ok, ""),
        (Code::NotFound, "TASK_NOT_FOUND"),
        (Code::NotFound, "TASK_NOT_FOUND"),
        (Code::FailedPrecondition, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        (Code::FailedPrecondition, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        (Code::FailedPrecondition, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        (Code::FailedPrecondition, "UNSUPPORTED_OPERATION"),
        (Code::FailedPrecondition, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
    ];
    for version in ["1.0", "1.0.1"] {
        let outcomes = outcomes(&mut client, Some(version)).await;
        let outcomes: Vec<(Code, &str)> = outcomes.iter().map(|(code, reason)| (*code, &**reason)).collect();
        assert_eq!(outcomes, expected, "{version}");
    }
}

#[tokio::test]
async fn a_lenient_agent_takes_a_missing_version_for_1_0() {
    let server = serve(desk().lenient_version(true)).await;
    let mut client = A2aServiceClient::new(channel(&server).await);
    client.send_message(to("echo", "Hi")).await.unwrap();
}

#[tokio::test]
async fn our_own_reading_of_a_status_gives_the_error_back() {
    let server = serve(desk()).await;
    let mut client: Client = client(&server).await;
    let status = client.send_message(v1::SendMessageRequest::default()).await.unwrap_err();
    let error = a2a_sdk::grpc::error_of(&status);
    assert_eq!(error, a2a_sdk::protocol::A2aError::invalid_field("message", "is required"));
}
