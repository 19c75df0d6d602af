//! JSON-RPC, whose methods are named `message/send` and the like.

use super::super::dialect::Dialect;
use super::super::envelope::{self, Envelope, Id};
use super::super::gate::{self, Generation, Passed};
use super::super::operations::{Answered, Call};
use super::super::payload::Outcome;
use super::super::sse::{self, Frame, Writing};
use super::super::{App, rest};
use super::{extended_card, get_config, list_configs};
use crate::compat::{self, As03, ConfigId, ConfigSet, ErrorOf03, Event, Form, TaskId, TaskQuery};
use crate::protocol::{
    A2aError, CancelTaskRequest, DeleteTaskPushNotificationConfigRequest, ErrorKind, GetTaskRequest,
    SubscribeToTaskRequest, from_json,
};
use axum::response::Response;
use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::value::RawValue;

const FORM: Form = Form::Kind;

/// The methods of the binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Send,
    Stream,
    GetTask,
    CancelTask,
    Resubscribe,
    SetConfig,
    GetConfig,
    ListConfigs,
    DeleteConfig,
    GetExtendedCard,
}

impl Method {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "message/send" => Self::Send,
            "message/stream" => Self::Stream,
            "tasks/get" => Self::GetTask,
            "tasks/cancel" => Self::CancelTask,
            "tasks/resubscribe" => Self::Resubscribe,
            "tasks/pushNotificationConfig/set" => Self::SetConfig,
            "tasks/pushNotificationConfig/get" => Self::GetConfig,
            "tasks/pushNotificationConfig/list" => Self::ListConfigs,
            "tasks/pushNotificationConfig/delete" => Self::DeleteConfig,
            // The second is the name in two places of the text.
            "agent/getAuthenticatedExtendedCard" | "agent/authenticatedExtendedCard" => Self::GetExtendedCard,
            _ => return None,
        })
    }

    /// Whether its answer is a stream, also where it is an error: clients look at nothing else.
    fn streams(self) -> bool {
        matches!(self, Self::Stream | Self::Resubscribe)
    }
}

/// Whether a method is named as those of 0.3 are.
pub(in super::super) fn is_method(name: &str) -> bool {
    name.contains('/')
}

/// Answers a request.
pub(in super::super) async fn answer(app: &App, envelope: &Envelope<'_>, parts: &mut Parts) -> Response {
    let Some(method) = Method::named(&envelope.method) else {
        return refused(&envelope.id, &A2aError::method_not_found(&envelope.method));
    };
    let extensions = std::mem::take(&mut parts.extensions);
    let passed = app.gate.admit(Generation::V03, &parts.headers, parts.uri.query(), extensions);
    let (result, echo) = match passed {
        Ok(Passed { call, echo }) => (dispatch(app, method, envelope, call).await, echo),
        Err(error) => (Err(error), None),
    };
    let mut response = match result {
        Ok(Outcome::Body(body)) => rest::json(StatusCode::OK, body, "application/json"),
        Ok(Outcome::Stream(events)) => sse::response(
            events,
            Writing { dialect: Dialect::V03(FORM), frame: Frame::json_rpc(envelope.id.clone()) },
            app.stream_settings(),
        ),
        Err(error) if method.streams() && !is_of_http(error.kind) && !compat::is_of_v1(&error) => {
            sse::once(&envelope::failure(&envelope.id, &ErrorOf03(&error)))
        }
        Err(error) => refused(&envelope.id, &error),
    };
    gate::echo(response.headers_mut(), echo);
    response
}

async fn dispatch(
    app: &App,
    method: Method,
    envelope: &Envelope<'_>,
    mut call: Call,
) -> Result<Outcome, A2aError> {
    let Envelope { id, params, .. } = envelope;
    tracing::debug!(?method, "called");
    let operations = &app.engine.operations;
    let body = match method {
        Method::Send | Method::Stream => {
            let (request, wire) = compat::read::<compat::Send>(json(*params), FORM)?;
            call.wire = wire;
            if method == Method::Stream {
                return operations.send_streaming_message(call, request).await.map(Outcome::Stream);
            }
            match operations.send_message(call, request).await? {
                Answered::Task(task) => envelope::result(id, &As03(FORM, &Event::Task(&task))),
                Answered::Message(message) => envelope::result(id, &As03(FORM, &Event::Message(&message))),
            }
        }
        Method::GetTask => {
            let TaskQuery { id: task, history_length } = read(*params)?;
            let request = GetTaskRequest { tenant: None, id: task, history_length };
            envelope::result(id, &As03(FORM, &*operations.get_task(&call, request).await?))
        }
        Method::CancelTask => {
            let TaskId { id: task, metadata } = read(*params)?;
            let request = CancelTaskRequest { tenant: None, id: task, metadata };
            envelope::result(id, &As03(FORM, &*operations.cancel_task(&call, request).await?))
        }
        Method::Resubscribe => {
            let TaskId { id, .. } = read(*params)?;
            let request = SubscribeToTaskRequest { tenant: None, id };
            return operations.subscribe_to_task(&call, request).await.map(Outcome::Stream);
        }
        Method::SetConfig => {
            let config = compat::read::<ConfigSet>(json(*params), FORM)?;
            envelope::result(id, &As03(FORM, &operations.create_push_config(&call, config).await?))
        }
        Method::GetConfig => {
            let ConfigId { id: task, push_notification_config_id: config } = read(*params)?;
            envelope::result(id, &As03(FORM, &get_config(operations, &call, task, config).await?))
        }
        Method::ListConfigs => {
            let TaskId { id: task, .. } = read(*params)?;
            // There are no pages; a task has not more than fit in one.
            let page = list_configs(operations, &call, task, None, 0).await?;
            envelope::result(id, &As03(FORM, &page.configs))
        }
        Method::DeleteConfig => {
            let ConfigId { id: task_id, push_notification_config_id: config } = read(*params)?;
            let config =
                config.ok_or_else(|| A2aError::invalid_field("pushNotificationConfigId", "is required"))?;
            let request = DeleteTaskPushNotificationConfigRequest { tenant: None, task_id, id: config };
            operations.delete_push_config(&call, request).await?;
            envelope::result(id, &())
        }
        Method::GetExtendedCard => envelope::result(id, &extended_card(app, &call).await?),
    };
    body.map(Outcome::Body)
}

/// Parameters that are absent or null are an empty object.
fn json(params: Option<&RawValue>) -> &[u8] {
    params.map_or("{}", RawValue::get).as_bytes()
}

fn read<'a, T: Deserialize<'a>>(params: Option<&'a RawValue>) -> Result<T, A2aError> {
    from_json(json(params))
}

/// Errors about who is calling are HTTP's as well.
fn is_of_http(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Unauthenticated | ErrorKind::PermissionDenied)
}

/// An error is an answer like another, but one about who is calling is HTTP's as well.
pub(in super::super) fn refused(id: &Id, error: &A2aError) -> Response {
    if compat::is_of_v1(error) {
        return rest::json(StatusCode::OK, envelope::error(id, error), "application/json");
    }
    let status = match error.kind {
        kind if is_of_http(kind) => StatusCode::from_u16(kind.http_status()).unwrap_or_default(),
        _ => StatusCode::OK,
    };
    let body = envelope::failure(id, &ErrorOf03(error));
    let mut response = rest::json(status, body, "application/json");
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}
