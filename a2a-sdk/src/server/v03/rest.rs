//! HTTP+JSON, under `/v1`, and the extended card where 0.2 has it.

use super::super::App;
use super::super::dialect::Dialect;
use super::super::gate::{self, Generation};
use super::super::operations::{Answered, Call};
use super::super::path::{self, Miss, Target};
use super::super::payload::Outcome;
use super::super::rest::{self, Refusal, encode};
use super::super::sse::{self, Frame, Writing};
use super::{extended_card, get_config, list_configs};
use crate::compat::{self, As03, ConfigBody, ErrorOf03, Form, Read};
use crate::protocol::{
    A2aError, CancelTaskRequest, DeleteTaskPushNotificationConfigRequest, ErrorKind, GetTaskRequest,
    ListTaskPushNotificationConfigsRequest, SubscribeToTaskRequest, from_json,
};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header};
use serde::Serialize;
use std::sync::Arc;

/// Where 0.2 has the extended card, beside the place of JSON-RPC.
const CARD_OF_02: &str = "/agent/authenticatedExtendedCard";

/// Whether a path is one of 0.3, where the binding is served, or the one beside JSON-RPC.
pub(in super::super) fn is_path(path: &str, served: bool) -> bool {
    served && (path == "/v1" || path.starts_with("/v1/")) || path == CARD_OF_02
}

/// Answers a request for a path of 0.3.
pub(in super::super) async fn handle(app: Arc<App>, request: Request) -> Response {
    let mut activated = None;
    let form = Form::Proto(app.settings.legacy_bytes);
    let mut response = match answer(&app, form, request, &mut activated).await {
        Ok(Outcome::Body(body)) => rest::json(StatusCode::OK, body, "application/json"),
        Ok(Outcome::Stream(events)) => {
            let writing = Writing { dialect: Dialect::V03(form), frame: Frame::Bare };
            sse::response(events, writing, app.stream_settings())
        }
        Err(refusal) => refused(refusal),
    };
    gate::echo(response.headers_mut(), activated);
    response
}

async fn answer(
    app: &App,
    form: Form,
    request: Request,
    activated: &mut Option<gate::Echo>,
) -> Result<Outcome, Refusal> {
    let (parts, content) = request.into_parts();
    let target = route(&parts.method, parts.uri.path())?;
    let query = parts.uri.query().map(str::to_owned);
    let (call, content) = rest::receive(app, Generation::V03, parts, content, activated).await?;
    dispatch(app, form, call, target, query.as_deref(), &content).await
}

fn route(method: &Method, path: &str) -> Result<Target, Refusal> {
    let path_of_03 = if path == CARD_OF_02 { "/card" } else { path.strip_prefix("/v1").unwrap_or_default() };
    path::older_target(method, path_of_03).map_err(|miss| match miss {
        Miss::NotAllowed(methods) => Refusal::NotAllowed(methods),
        Miss::NotFound => rest::no_path(path),
    })
}

async fn dispatch(
    app: &App,
    form: Form,
    mut call: Call,
    target: Target,
    query: Option<&str>,
    content: &[u8],
) -> Result<Outcome, Refusal> {
    let operations = &app.engine.operations;
    tracing::debug!(?target, "called");
    match target {
        Target::SendMessage | Target::SendStreamingMessage => {
            let request: compat::Send = rest::decode(content)?;
            // Some clients send what JSON-RPC would carry; they are answered in the form of this binding all the same,
            // but for the objects within.
            let form = request.form(form);
            let (request, wire) = request.core(form)?;
            call.wire = wire;
            if target == Target::SendStreamingMessage {
                return Ok(Outcome::Stream(operations.send_streaming_message(call, request).await?));
            }
            match operations.send_message(call, request).await? {
                Answered::Task(task) => encode(&Wrapped { name: "task", value: As03(form, &*task) }),
                Answered::Message(message) => {
                    encode(&Wrapped { name: "message", value: As03(form, &message) })
                }
            }
        }
        Target::GetTask(id) => {
            let mut request: GetTaskRequest = from_json(&path::query_json(query, &[], &[("id", &id)]))?;
            // Zero cannot be told from nothing there.
            request.history_length = request.history_length.filter(|length| *length != 0);
            request.tenant = None;
            encode(&As03(form, &*operations.get_task(&call, request).await?))
        }
        Target::CancelTask(id) => {
            let metadata = rest::decode::<rest::Cancel>(content)?.metadata;
            let request = CancelTaskRequest { tenant: None, id, metadata };
            encode(&As03(form, &*operations.cancel_task(&call, request).await?))
        }
        Target::SubscribeToTask(id) => {
            let request = SubscribeToTaskRequest { tenant: None, id };
            Ok(Outcome::Stream(operations.subscribe_to_task(&call, request).await?))
        }
        Target::CreatePushConfig(task_id) => {
            let mut config = rest::decode::<ConfigBody>(content)?.core(form)?;
            // The path says which task it is, whatever the body does.
            config.config.task_id = Some(task_id);
            encode(&As03(form, &operations.create_push_config(&call, config).await?))
        }
        Target::ListPushConfigs(task_id) => {
            let json = path::query_json(query, &[], &[("taskId", &task_id)]);
            let ListTaskPushNotificationConfigsRequest { page_size, page_token, .. } = from_json(&json)?;
            let page = list_configs(operations, &call, task_id, page_token, page_size).await?;
            encode(&Page { configs: As03(form, &page.configs), next_page_token: page.next_page_token })
        }
        Target::GetPushConfig(task_id, id) => {
            encode(&As03(form, &get_config(operations, &call, task_id, Some(id)).await?))
        }
        Target::DeletePushConfig(task_id, id) => {
            let request = DeleteTaskPushNotificationConfigRequest { tenant: None, task_id, id };
            operations.delete_push_config(&call, request).await?;
            Ok(Outcome::Body(Bytes::from_static(b"{}")))
        }
        Target::ExtendedCard => encode(&extended_card(app, &call).await?),
        // `route` gives it to nobody.
        Target::ListTasks => Err(rest::no_path("/v1/tasks")),
    }
}

/// A value under the one member that tells what it is.
struct Wrapped<T> {
    name: &'static str,
    value: T,
}

impl<T: Serialize> Serialize for Wrapped<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.name, &self.value)])
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Page<T: Serialize> {
    configs: T,
    #[serde(skip_serializing_if = "String::is_empty")]
    next_page_token: String,
}

fn refused(refusal: Refusal) -> Response {
    if matches!(&refusal, Refusal::Error(error) if compat::is_of_v1(error)) {
        return rest::refused(refusal, "application/json");
    }
    let (status, error, allow) = match refusal {
        Refusal::Error(error) => (StatusCode::from_u16(ErrorOf03(&error).http_status()), error, None),
        Refusal::Http(status, error) => (Ok(status), error, None),
        Refusal::NotAllowed(methods) => {
            let error = A2aError::new(ErrorKind::MethodNotFound, format!("this path takes {methods}"));
            (Ok(StatusCode::METHOD_NOT_ALLOWED), error, Some(methods))
        }
    };
    let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    // What an error is made of is always JSON.
    let body = serde_json::to_vec(&ErrorOf03(&error)).unwrap_or_default();
    let mut response = rest::json(status, body.into(), "application/json");
    let headers = response.headers_mut();
    if let Some(methods) = allow {
        headers.insert(header::ALLOW, HeaderValue::from_static(methods));
    }
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}
