//! The JSON-RPC binding (spec 9): decodes, calls the operation, encodes. Nothing else.

use super::App;
use super::body::{self, BodyError};
use super::dialect::Dialect;
use super::envelope::{self, Envelope, Id};
use super::gate::{self, Echo, Generation, Passed};
use super::operations::Call;
use super::payload::{Outcome, Payload};
use super::rest;
use super::sse::{self, Frame, Writing};
#[cfg(feature = "compat-0-3")]
use super::v03;
use crate::protocol::{
    A2aError, ErrorKind, ListTaskPushNotificationConfigsResponse, TaskPushNotificationConfig, check_depth,
    from_json,
};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

/// Answers a request. Whatever is wrong with it, the answer is an envelope.
pub(super) async fn handle(app: Arc<App>, request: Request) -> Response {
    let (mut parts, content) = request.into_parts();
    let content_type = parts.headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or("?"));
    if !gate::is_json(content_type) {
        let error = A2aError::content_type(content_type.unwrap_or_default());
        return misread(&app, &parts, &Id::null(), &error);
    }
    let content = match body::read(&parts.headers, content, app.settings.body_limit).await {
        Ok(content) => content,
        Err(BodyError::TooLarge(error)) => {
            let mut response = misread(&app, &parts, &Id::null(), &error);
            *response.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
            return response;
        }
        Err(BodyError::Cut(error)) => return misread(&app, &parts, &Id::null(), &error),
    };
    let envelope = match envelope::read(&content) {
        Ok(envelope) => envelope,
        Err((id, error)) => return misread(&app, &parts, &id, &error),
    };
    if let Err(error) = check_depth(&content) {
        return misread(&app, &parts, &envelope.id, &error);
    }
    #[cfg(feature = "compat-0-3")]
    if app.settings.legacy && v03::jsonrpc::is_method(&envelope.method) {
        return v03::jsonrpc::answer(&app, &envelope, &mut parts).await;
    }
    let Some(method) = Method::named(&envelope.method) else {
        return misread(&app, &parts, &envelope.id, &unknown(&envelope.method));
    };
    let mut activated = None;
    let mut response = match answer(&app, method, &envelope, &mut parts, &mut activated).await {
        Ok(Outcome::Body(body)) => json(StatusCode::OK, body),
        Ok(Outcome::Stream(events)) => {
            let writing = Writing { dialect: Dialect::V1, frame: Frame::json_rpc(envelope.id) };
            sse::response(events, writing, app.stream_settings())
        }
        Err(error) => refused(&envelope.id, &error),
    };
    gate::echo(response.headers_mut(), activated);
    response
}

/// Refuses a request that tells nothing of its generation, as the version of its header has it: none is 0.3.
#[cfg_attr(not(feature = "compat-0-3"), expect(unused_variables, reason = "there is one generation"))]
fn misread(app: &App, parts: &Parts, id: &Id, error: &A2aError) -> Response {
    #[cfg(feature = "compat-0-3")]
    if app.settings.legacy && !gate::names_v1(&parts.headers, parts.uri.query()) {
        return v03::jsonrpc::refused(id, error);
    }
    refused(id, error)
}

async fn answer(
    app: &App,
    method: Method,
    envelope: &Envelope<'_>,
    parts: &mut Parts,
    activated: &mut Option<Echo>,
) -> Result<Outcome, A2aError> {
    let extensions = std::mem::take(&mut parts.extensions);
    let Passed { call, echo } =
        app.gate.admit(Generation::V1, &parts.headers, parts.uri.query(), extensions)?;
    *activated = echo;
    dispatch(app, method, envelope, call).await
}

async fn dispatch(
    app: &App,
    method: Method,
    envelope: &Envelope<'_>,
    call: Call,
) -> Result<Outcome, A2aError> {
    let Envelope { id, params, .. } = envelope;
    tracing::debug!(?method, "called");
    let operations = &app.engine.operations;
    let body = match method {
        Method::SendMessage => {
            let answered = operations.send_message(call, read(*params)?).await?;
            envelope::result(id, &Payload::from(&answered))
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
            let config: TaskPushNotificationConfig = read(*params)?;
            envelope::result(id, &operations.create_push_config(&call, config).await?.config)
        }
        Method::GetTaskPushNotificationConfig => {
            envelope::result(id, &operations.get_push_config(&call, read(*params)?).await?.config)
        }
        Method::ListTaskPushNotificationConfigs => {
            let page = operations.list_push_configs(&call, read(*params)?).await?;
            envelope::result(id, &ListTaskPushNotificationConfigsResponse::from(page))
        }
        Method::DeleteTaskPushNotificationConfig => {
            operations.delete_push_config(&call, read(*params)?).await?;
            envelope::result(id, &Empty {})
        }
        Method::GetExtendedAgentCard => envelope::result(
            id,
            &operations.get_extended_agent_card(&call, read(*params)?, &app.card.card).await?,
        ),
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

/// The error of a method that there is not, or not here.
fn unknown(method: &str) -> A2aError {
    let mut error = A2aError::method_not_found(method);
    if method.contains('/') {
        error.message += ", which looks like one of protocol 0.3; this agent speaks 1.0 alone: call `SendMessage` or the like";
    }
    error
}

#[derive(Serialize)]
struct Empty {}

/// Parameters that are absent or null are an empty object.
fn read<'a, T: Deserialize<'a>>(params: Option<&'a RawValue>) -> Result<T, A2aError> {
    from_json(params.map_or("{}", RawValue::get).as_bytes())
}

/// spec 9.5: an error is an answer like another, but one about who is calling is HTTP's as well.
fn refused(id: &Id, error: &A2aError) -> Response {
    match error.kind {
        ErrorKind::Unauthenticated => {
            let mut response = json(StatusCode::UNAUTHORIZED, envelope::error(id, error));
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            response
        }
        ErrorKind::PermissionDenied => json(StatusCode::FORBIDDEN, envelope::error(id, error)),
        _ => json(StatusCode::OK, envelope::error(id, error)),
    }
}

fn json(status: StatusCode, body: Bytes) -> Response {
    rest::json(status, body, "application/json")
}
