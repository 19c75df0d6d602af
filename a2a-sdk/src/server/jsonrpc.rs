//! The JSON-RPC binding (spec 9): decodes, calls the operation, encodes. Nothing else.

use super::App;
use super::body::{self, BodyError};
use super::envelope::{self, Envelope, Id};
use super::gate::{self, VERSION};
use super::operations::{Answered, Call};
use super::sse;
use crate::protocol::{A2aError, ListTaskPushNotificationConfigsResponse, Message, Task, from_json};
use crate::tasks::Events;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

/// What an operation gave, ready to be sent.
enum Outcome {
    Body(Bytes),
    Stream(Events),
}

/// Answers a request. Whatever is wrong with it, the answer is an envelope.
pub(super) async fn handle(app: Arc<App>, request: Request) -> Response {
    let (parts, content) = request.into_parts();
    let content_type = header_of(&parts.headers, header::CONTENT_TYPE.as_str());
    if !gate::is_json(content_type) {
        return refused(&Id::null(), &A2aError::content_type(content_type.unwrap_or_default()));
    }
    let content = match body::read(&parts.headers, content, app.settings.body_limit).await {
        Ok(content) => content,
        Err(BodyError::TooLarge(error)) => {
            return json(StatusCode::PAYLOAD_TOO_LARGE, envelope::error(&Id::null(), &error));
        }
        Err(BodyError::Cut(error)) => return refused(&Id::null(), &error),
    };
    let envelope = match envelope::read(&content) {
        Ok(envelope) => envelope,
        Err((id, error)) => return refused(&id, &error),
    };
    let version =
        header_of(&parts.headers, VERSION).or_else(|| gate::query_parameter(parts.uri.query(), VERSION));
    let call = Call {
        last_event_id: header_of(&parts.headers, "last-event-id").map(str::to_owned),
        extensions: Arc::new(parts.extensions),
        ..Call::default()
    };
    match dispatch(&app, &envelope, version, call).await {
        Ok(Outcome::Body(body)) => json(StatusCode::OK, body),
        Ok(Outcome::Stream(events)) => {
            sse::response(events, envelope::head(&envelope.id), envelope::TAIL, app.stream_settings())
        }
        Err(error) => refused(&envelope.id, &error),
    }
}

async fn dispatch(
    app: &App,
    envelope: &Envelope<'_>,
    version: Option<&str>,
    call: Call,
) -> Result<Outcome, A2aError> {
    let Envelope { id, method, params } = envelope;
    let method = Method::named(method).ok_or_else(|| A2aError::method_not_found(method))?;
    gate::check_version(version, app.settings.lenient_version)?;
    tracing::debug!(?method, "called");
    let operations = &app.engine.operations;
    let body = match method {
        Method::SendMessage => {
            let answered = operations.send_message(call, read(*params)?).await?;
            envelope::result(
                id,
                &match &answered {
                    Answered::Task(task) => Answer::Task(task),
                    Answered::Message(message) => Answer::Message(message),
                },
            )
        }
        Method::SendStreamingMessage => {
            return operations.send_streaming_message(call, read(*params)?).await.map(Outcome::Stream);
        }
        Method::GetTask => envelope::result(id, &*operations.get_task(&call, read(*params)?).await?),
        Method::ListTasks => envelope::result(id, &operations.list_tasks(&call, read(*params)?).await?),
        Method::CancelTask => envelope::result(id, &*operations.cancel_task(&call, read(*params)?).await?),
        Method::SubscribeToTask => {
            return operations.subscribe_to_task(&call, read(*params)?).await.map(Outcome::Stream);
        }
        Method::CreateTaskPushNotificationConfig => {
            envelope::result(id, &operations.create_push_config(&call, read(*params)?).await?)
        }
        Method::GetTaskPushNotificationConfig => {
            envelope::result(id, &operations.get_push_config(&call, read(*params)?).await?)
        }
        Method::ListTaskPushNotificationConfigs => {
            let configs = operations.list_push_configs(&call, read(*params)?).await?;
            let list = ListTaskPushNotificationConfigsResponse { configs, next_page_token: String::new() };
            envelope::result(id, &list)
        }
        Method::DeleteTaskPushNotificationConfig => {
            operations.delete_push_config(&call, read(*params)?).await?;
            envelope::result(id, &Empty {})
        }
        Method::GetExtendedAgentCard => {
            envelope::result(id, &operations.get_extended_agent_card(&call, read(*params)?).await?)
        }
    };
    body.map(Outcome::Body)
}

/// The methods of the binding, which are those of the service.
#[derive(Clone, Copy, Debug)]
enum Method {
    SendMessage,
    SendStreamingMessage,
    GetTask,
    ListTasks,
    CancelTask,
    SubscribeToTask,
    CreateTaskPushNotificationConfig,
    GetTaskPushNotificationConfig,
    ListTaskPushNotificationConfigs,
    DeleteTaskPushNotificationConfig,
    GetExtendedAgentCard,
}

impl Method {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "SendMessage" => Self::SendMessage,
            "SendStreamingMessage" => Self::SendStreamingMessage,
            "GetTask" => Self::GetTask,
            "ListTasks" => Self::ListTasks,
            "CancelTask" => Self::CancelTask,
            "SubscribeToTask" => Self::SubscribeToTask,
            "CreateTaskPushNotificationConfig" => Self::CreateTaskPushNotificationConfig,
            "GetTaskPushNotificationConfig" => Self::GetTaskPushNotificationConfig,
            "ListTaskPushNotificationConfigs" => Self::ListTaskPushNotificationConfigs,
            "DeleteTaskPushNotificationConfig" => Self::DeleteTaskPushNotificationConfig,
            "GetExtendedAgentCard" => Self::GetExtendedAgentCard,
            _ => return None,
        })
    }
}

/// A `SendMessageResponse` whose content is borrowed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Answer<'a> {
    Task(&'a Task),
    Message(&'a Message),
}

#[derive(Serialize)]
struct Empty {}

/// Parameters that are absent or null are an empty object.
fn read<'a, T: Deserialize<'a>>(params: Option<&'a RawValue>) -> Result<T, A2aError> {
    from_json(params.map_or("{}", RawValue::get).as_bytes())
}

fn header_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn refused(id: &Id, error: &A2aError) -> Response {
    json(StatusCode::OK, envelope::error(id, error))
}

fn json(status: StatusCode, body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
