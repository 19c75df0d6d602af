//! The HTTP+JSON binding (spec 11): decodes, calls the operation, encodes. Nothing else.

use super::App;
use super::body::{self, BodyError};
use super::dialect::Dialect;
use super::errors::Failure;
use super::gate::{self, Echo, Generation, Passed};
use super::operations::Call;
use super::path::{self, Miss, Target};
use super::payload::{Outcome, Payload};
use super::sse::{self, Frame, Writing};
use crate::protocol::{
    A2aError, CancelTaskRequest, ErrorKind, GetExtendedAgentCardRequest,
    ListTaskPushNotificationConfigsResponse, Metadata, SendMessageRequest, TaskPushNotificationConfig,
    check_depth, from_json,
};
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const JSON: &str = "application/json";
const A2A_JSON: &str = "application/a2a+json";

/// Why a request is refused: an error of the protocol, or one of HTTP.
pub(super) enum Refusal {
    Error(A2aError),
    Http(StatusCode, A2aError),
    NotAllowed(&'static str),
}

impl From<A2aError> for Refusal {
    fn from(error: A2aError) -> Self {
        Self::Error(error)
    }
}

/// Answers a request for any path but the root.
pub(super) async fn handle(app: Arc<App>, request: Request) -> Response {
    let media_type = answer_type(request.headers());
    let mut activated = None;
    let answered = answer(&app, request, &mut activated).await;
    let mut response = match answered {
        Ok(Outcome::Body(body)) => json(StatusCode::OK, body, media_type),
        Ok(Outcome::Stream(events)) => {
            let writing = Writing { dialect: Dialect::V1, frame: Frame::Bare };
            sse::response(events, writing, app.stream_settings())
        }
        Err(refusal) => refused(refusal, media_type),
    };
    gate::echo(response.headers_mut(), activated);
    response
}

/// The answer where there is nothing at all.
pub(super) fn not_found(request: &Request) -> Response {
    refused(no_path(request.uri().path()), answer_type(request.headers()))
}

pub(super) fn no_path(path: &str) -> Refusal {
    Refusal::Http(
        StatusCode::NOT_FOUND,
        A2aError::new(ErrorKind::MethodNotFound, format!("no path `{path}`")),
    )
}

async fn answer(app: &App, request: Request, activated: &mut Option<Echo>) -> Result<Outcome, Refusal> {
    let (parts, content) = request.into_parts();
    let route = path::route(&parts.method, parts.uri.path()).map_err(|miss| match miss {
        Miss::NotAllowed(methods) => Refusal::NotAllowed(methods),
        Miss::NotFound => no_path(parts.uri.path()),
    })?;
    let query = parts.uri.query().map(str::to_owned);
    let (mut call, content) = receive(app, Generation::V1, parts, content, activated).await?;
    if route.tenant.is_some() {
        call.caller.tenant = route.tenant.as_deref().map(Arc::from);
    }
    dispatch(app, call, route.target, query.as_deref(), &content).await
}

/// Takes a request in: its type, the gate, its content.
pub(super) async fn receive(
    app: &App,
    generation: Generation,
    parts: Parts,
    content: Body,
    activated: &mut Option<Echo>,
) -> Result<(Call, Bytes), Refusal> {
    let content_type = parts.headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or("?"));
    // Without a body its type says nothing, and some clients name one all the same.
    if !content.is_end_stream() && !gate::is_json(content_type) {
        let error = A2aError::content_type(content_type.unwrap_or_default());
        return Err(Refusal::Http(StatusCode::UNSUPPORTED_MEDIA_TYPE, error));
    }
    let query = parts.uri.query();
    let Passed { call, echo } = app.gate.admit(generation, &parts.headers, query, parts.extensions)?;
    *activated = echo;
    let content =
        body::read(&parts.headers, content, app.settings.body_limit).await.map_err(|error| match error {
            BodyError::TooLarge(error) => Refusal::Http(StatusCode::PAYLOAD_TOO_LARGE, error),
            BodyError::Cut(error) => Refusal::Error(error),
        })?;
    check_depth(&content)?;
    Ok((call, content))
}

async fn dispatch(
    app: &App,
    call: Call,
    target: Target,
    query: Option<&str>,
    content: &[u8],
) -> Result<Outcome, Refusal> {
    let operations = &app.engine.operations;
    tracing::debug!(?target, "called");
    match target {
        Target::SendMessage => {
            let answered = operations.send_message(call, decode::<SendMessageRequest>(content)?).await?;
            encode(&Payload::from(&answered))
        }
        Target::SendStreamingMessage => {
            Ok(Outcome::Stream(operations.send_streaming_message(call, decode(content)?).await?))
        }
        Target::ListTasks => {
            let request =
                from_json(&path::query_json(query, &["includeArtifacts", "include_artifacts"], &[]))?;
            encode(&operations.list_tasks(&call, request).await?)
        }
        Target::GetTask(id) => {
            let request = from_json(&path::query_json(query, &[], &[("id", &id)]))?;
            encode(&*operations.get_task(&call, request).await?)
        }
        Target::CancelTask(id) => {
            let Cancel { tenant, metadata } = decode(content)?;
            let tenant = tenant.filter(|tenant| !tenant.is_empty());
            let request = CancelTaskRequest { tenant, id, metadata };
            encode(&*operations.cancel_task(&call, request).await?)
        }
        Target::SubscribeToTask(id) => {
            let request = from_json(&path::query_json(query, &[], &[("id", &id)]))?;
            Ok(Outcome::Stream(operations.subscribe_to_task(&call, request).await?))
        }
        Target::CreatePushConfig(task_id) => {
            let mut config: TaskPushNotificationConfig = decode(content)?;
            // The path says which task it is, whatever the body does.
            config.task_id = Some(task_id);
            encode(&operations.create_push_config(&call, config).await?.config)
        }
        Target::ListPushConfigs(task_id) => {
            let request = from_json(&path::query_json(query, &[], &[("taskId", &task_id)]))?;
            let page = operations.list_push_configs(&call, request).await?;
            encode(&ListTaskPushNotificationConfigsResponse::from(page))
        }
        Target::GetPushConfig(task_id, id) => {
            let request = from_json(&path::query_json(query, &[], &[("taskId", &task_id), ("id", &id)]))?;
            encode(&operations.get_push_config(&call, request).await?.config)
        }
        Target::DeletePushConfig(task_id, id) => {
            let request = from_json(&path::query_json(query, &[], &[("taskId", &task_id), ("id", &id)]))?;
            operations.delete_push_config(&call, request).await?;
            // A body, though it says nothing: some clients cannot read an answer without one.
            encode(&Empty {})
        }
        Target::ExtendedCard => {
            let request = GetExtendedAgentCardRequest::default();
            encode(&operations.get_extended_agent_card(&call, request, &app.card.card).await?)
        }
    }
}

/// The body of a cancellation; the path says which task.
#[derive(Default, Deserialize)]
pub(super) struct Cancel {
    #[serde(default)]
    tenant: Option<String>,
    #[serde(default, deserialize_with = "null_as_empty")]
    pub(super) metadata: Metadata,
}

#[derive(Serialize)]
struct Empty {}

fn null_as_empty<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Metadata, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A body that is absent, or null, is an empty object.
pub(super) fn decode<'a, T: Deserialize<'a>>(content: &'a [u8]) -> Result<T, A2aError> {
    let content = content.trim_ascii();
    if content.starts_with(b"[") {
        // By itself serde would take the values of an array for the members in their order.
        from_json::<Metadata>(content)?;
    }
    from_json(if content.is_empty() || content == b"null" { b"{}" } else { content })
}

pub(super) fn encode(value: &impl Serialize) -> Result<Outcome, Refusal> {
    let body = serde_json::to_vec(value)
        .map_err(|error| A2aError::invalid_agent_response(format!("the answer is no JSON: {error}")))?;
    Ok(Outcome::Body(body.into()))
}

/// The media type that the caller names, of the two that mean the same.
fn answer_type(headers: &HeaderMap) -> &'static str {
    let names = |value: &HeaderValue| value.to_str().is_ok_and(|value| value.contains(A2A_JSON));
    if headers.get_all(header::ACCEPT).iter().any(names) { A2A_JSON } else { JSON }
}

pub(super) fn refused(refusal: Refusal, media_type: &'static str) -> Response {
    let (status, error, allow) = match refusal {
        Refusal::Error(error) => {
            let status = StatusCode::from_u16(error.kind.http_status());
            (status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), error, None)
        }
        Refusal::Http(status, error) => (status, error, None),
        Refusal::NotAllowed(methods) => {
            let error = A2aError::new(ErrorKind::MethodNotFound, format!("this path takes {methods}"));
            (StatusCode::METHOD_NOT_ALLOWED, error, Some(methods))
        }
    };
    // What an error is made of is always JSON.
    let body = serde_json::to_vec(&Failure::new(&error, status.as_u16())).unwrap_or_default();
    let mut response = json(status, body.into(), media_type);
    if let Some(methods) = allow {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(methods));
    }
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

pub(super) fn json(status: StatusCode, body: Bytes, media_type: &'static str) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}
