//! The gRPC binding, as a caller speaks it.

use super::wire::{Operation, Terms, Told, Wire, is_last};
use crate::grpc::v1::a2a_service_client::A2aServiceClient;
use crate::grpc::{error_of, v1};
use crate::protocol::{
    A2aError, AgentCard, CancelTaskRequest, GetTaskRequest, SendMessageResponse, StreamResponse,
    SubscribeToTaskRequest, Task, TaskPushNotificationConfig,
};
use http::Uri;
use tonic::metadata::MetadataMap;
use tonic::{Code, Request, Status, Streaming};

/// A call as gRPC has it (spec 10).
pub(super) async fn call(wire: &Wire, terms: Terms<'_>, operation: Operation<'_>) -> Told {
    let mut client = A2aServiceClient::with_origin(wire.router.clone(), Uri::from_static("http://localhost"))
        .max_decoding_message_size(usize::MAX);
    let metadata = || MetadataMap::from_headers(wire.headers(terms));
    let called = match operation {
        Operation::SendMessage(message) => {
            let request = with(metadata(), v1::SendMessageRequest::from(message));
            client.send_message(request).await.map(|answer| {
                read(answer.into_inner().try_into(), |answer| match answer {
                    SendMessageResponse::Task(task) => Told::Task(Box::new(task)),
                    SendMessageResponse::Message(_) => Told::Message,
                })
            })
        }
        Operation::SendStreamingMessage(message) => {
            let request = with(metadata(), v1::SendMessageRequest::from(message));
            match client.send_streaming_message(request).await {
                Ok(stream) => Ok(events(stream.into_inner()).await),
                Err(status) => Err(status),
            }
        }
        Operation::GetTask(id) => {
            let get = GetTaskRequest { id: id.to_owned(), ..GetTaskRequest::default() };
            let request = with(metadata(), v1::GetTaskRequest::from(&get));
            client.get_task(request).await.map(|answer| task(answer.into_inner()))
        }
        Operation::CancelTask(id) => {
            let cancel = CancelTaskRequest { id: id.to_owned(), ..CancelTaskRequest::default() };
            let request = with(metadata(), v1::CancelTaskRequest::from(&cancel));
            client.cancel_task(request).await.map(|answer| task(answer.into_inner()))
        }
        Operation::SubscribeToTask(id) => {
            let subscribe = SubscribeToTaskRequest { id: id.to_owned(), ..SubscribeToTaskRequest::default() };
            let request = with(metadata(), v1::SubscribeToTaskRequest::from(&subscribe));
            match client.subscribe_to_task(request).await {
                Ok(stream) => Ok(events(stream.into_inner()).await),
                Err(status) => Err(status),
            }
        }
        Operation::CreateTaskPushNotificationConfig => {
            let config = TaskPushNotificationConfig {
                task_id: Some("no-such-task".to_owned()),
                url: "https://example.com".to_owned(),
                ..TaskPushNotificationConfig::default()
            };
            let request = with(metadata(), v1::TaskPushNotificationConfig::from(&config));
            client.create_task_push_notification_config(request).await.map(|_| Told::Done)
        }
        Operation::GetExtendedAgentCard => {
            let request = with(metadata(), v1::GetExtendedAgentCardRequest::default());
            let called = client.get_extended_agent_card(request).await;
            called.map(|answer| read(AgentCard::try_from(answer.into_inner()), |_| Told::Card))
        }
    };
    called.unwrap_or_else(|status| refused(&status))
}

fn with<T>(metadata: MetadataMap, message: T) -> Request<T> {
    Request::from_parts(metadata, http::Extensions::new(), message)
}

fn task(task: v1::Task) -> Told {
    read(Task::try_from(task), |task| Told::Task(Box::new(task)))
}

async fn events(mut stream: Streaming<v1::StreamResponse>) -> Told {
    let mut events = Vec::new();
    loop {
        match stream.message().await {
            Ok(None) => return Told::Events(events),
            Ok(Some(event)) => match StreamResponse::try_from(event) {
                Ok(event) if is_last(&event) => {
                    events.push(event);
                    return Told::Events(events);
                }
                Ok(event) => events.push(event),
                Err(error) => return unreadable(&error),
            },
            Err(status) => return refused(&status),
        }
    }
}

fn read<T>(answer: Result<T, A2aError>, told: impl FnOnce(T) -> Told) -> Told {
    answer.map_or_else(|error| unreadable(&error), told)
}

fn unreadable(error: &A2aError) -> Told {
    Told::Unreadable(format!("what is not of the protocol: {}", error.message))
}

fn refused(status: &Status) -> Told {
    if matches!(status.code(), Code::Unauthenticated | Code::PermissionDenied) {
        return Told::Denied(format!("status {:?}", status.code()));
    }
    // Without details the reason is the one that goes with the code.
    let reason = error_of(status).kind.reason().to_owned();
    let code = status.code() as i32;
    Told::Refused { code: code.into(), reason: Some(reason), text: status.message().to_owned() }
}

/// A call of a method that there is not.
pub(super) async fn unknown_method(wire: &Wire) -> Told {
    let mut headers = wire.headers(wire.terms());
    headers.insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static("application/grpc"));
    headers.insert(http::header::TE, http::HeaderValue::from_static("trailers"));
    let path = "/lf.a2a.v1.A2AService/NoSuchMethod";
    // An empty message behind its five bytes of prefix.
    let response = wire.send(http::Method::POST, path, headers, vec![0; 5]).await;
    match Status::from_header_map(response.headers()) {
        Some(status) => refused(&status),
        None => Told::Unreadable(format!("HTTP {} without a status of gRPC", response.status().as_u16())),
    }
}
