//! The two bindings that speak JSON, as a caller speaks them.

use super::wire::{Operation, Terms, Told, Wire, is_last, whole};
use crate::protocol::{AgentCard, SendMessageResponse, StreamResponse, Task, from_json};
use axum::body::{Body, HttpBody as _};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::future::poll_fn;
use std::pin::pin;

/// A call as JSON-RPC has it (spec 9).
pub(super) async fn rpc(wire: &Wire, terms: Terms<'_>, operation: Operation<'_>) -> Told {
    let (method, params) = match operation {
        Operation::SendMessage(request) => ("SendMessage", value(request)),
        Operation::SendStreamingMessage(request) => ("SendStreamingMessage", value(request)),
        Operation::GetTask(id) => ("GetTask", json!({ "id": id })),
        Operation::CancelTask(id) => ("CancelTask", json!({ "id": id })),
        Operation::SubscribeToTask(id) => ("SubscribeToTask", json!({ "id": id })),
        Operation::CreateTaskPushNotificationConfig => (
            "CreateTaskPushNotificationConfig",
            json!({ "taskId": "no-such-task", "url": "https://example.com" }),
        ),
        Operation::GetExtendedAgentCard => ("GetExtendedAgentCard", json!({})),
    };
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    rpc_body(wire, terms, body.to_string(), Some(operation)).await
}

/// Whatever body as JSON-RPC; without an operation no answer but an error is looked at.
pub(super) async fn rpc_body(
    wire: &Wire,
    terms: Terms<'_>,
    body: impl Into<Bytes>,
    operation: Option<Operation<'_>>,
) -> Told {
    let answer = wire.send(Method::POST, "/", headers(wire, terms), body).await;
    read(answer, operation, |answer, status| match (answer.get("error"), answer.get("result")) {
        (Some(error), _) => Err(refused(error["code"].as_i64().unwrap_or_default(), error, &error["data"])),
        (None, Some(result)) => Ok(result.clone()),
        (None, None) => Err(Told::Unreadable(format!("HTTP {} without an envelope", status.as_u16()))),
    })
    .await
}

/// A call as HTTP+JSON has it (spec 11).
pub(super) async fn rest(wire: &Wire, terms: Terms<'_>, operation: Operation<'_>) -> Told {
    let (method, path, body) = match operation {
        Operation::SendMessage(request) => {
            (Method::POST, "/message:send".to_owned(), value(request).to_string())
        }
        Operation::SendStreamingMessage(request) => {
            (Method::POST, "/message:stream".to_owned(), value(request).to_string())
        }
        Operation::GetTask(id) => (Method::GET, format!("/tasks/{id}"), String::new()),
        Operation::CancelTask(id) => (Method::POST, format!("/tasks/{id}:cancel"), "{}".to_owned()),
        Operation::SubscribeToTask(id) => (Method::POST, format!("/tasks/{id}:subscribe"), String::new()),
        Operation::CreateTaskPushNotificationConfig => (
            Method::POST,
            "/tasks/no-such-task/pushNotificationConfigs".to_owned(),
            json!({ "url": "https://example.com" }).to_string(),
        ),
        Operation::GetExtendedAgentCard => (Method::GET, "/extendedAgentCard".to_owned(), String::new()),
    };
    rest_body(wire, terms, method, &path, body, Some(operation)).await
}

/// Whatever body at whatever path.
pub(super) async fn rest_body(
    wire: &Wire,
    terms: Terms<'_>,
    method: Method,
    path: &str,
    body: impl Into<Bytes>,
    operation: Option<Operation<'_>>,
) -> Told {
    let Ok(uri) = path.parse() else {
        return Told::Unreadable(format!("the id of a task, which is in no path: {path}"));
    };
    let answer = wire.send_to(method, uri, headers(wire, terms), body).await;
    read(answer, operation, |answer, status| {
        let error = &answer["error"];
        if status.is_success() && error.is_null() {
            return Ok(answer);
        }
        Err(refused(status.as_u16().into(), error, &error["details"]))
    })
    .await
}

fn headers(wire: &Wire, terms: Terms<'_>) -> HeaderMap {
    let mut headers = wire.headers(terms);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers
}

/// What is sent is always JSON.
fn value(request: &impl Serialize) -> Value {
    serde_json::to_value(request).unwrap_or_default()
}

fn refused(code: i64, error: &Value, details: &Value) -> Told {
    let details = details.as_array().map(Vec::as_slice).unwrap_or_default();
    let reason = details.iter().find_map(|detail| detail["reason"].as_str());
    let text = error["message"].as_str().unwrap_or("no message").to_owned();
    Told::Refused { code, reason: reason.map(str::to_owned), text }
}

/// Reads an answer; `result` takes the result, or the error, out of each JSON value of it.
async fn read(
    answer: Response<Body>,
    operation: Option<Operation<'_>>,
    result: impl Fn(Value, StatusCode) -> Result<Value, Told>,
) -> Told {
    let (parts, body) = answer.into_parts();
    let (status, headers) = (parts.status, parts.headers);
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
        return Told::Denied(format!("HTTP {}", status.as_u16()));
    }
    let content_type =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if content_type.starts_with("text/event-stream") {
        let read = events(body, |event| result(event, status)).await;
        return read.map_or_else(|told| told, Told::Events);
    }
    let Ok(json) = serde_json::from_slice(&whole(body).await) else {
        return Told::Unreadable(format!("HTTP {} with `{content_type}`, which is no JSON", status.as_u16()));
    };
    let result = match result(json, status) {
        Ok(result) => result,
        Err(told) => return told,
    };
    let read = match operation {
        Some(Operation::SendMessage(_)) => typed(&result).map(|answer| match answer {
            SendMessageResponse::Task(task) => Told::Task(Box::new(task)),
            SendMessageResponse::Message(_) => Told::Message,
        }),
        Some(Operation::GetTask(_) | Operation::CancelTask(_)) => {
            typed::<Task>(&result).map(|task| Told::Task(Box::new(task)))
        }
        Some(Operation::GetExtendedAgentCard) => typed::<AgentCard>(&result).map(|_| Told::Card),
        Some(Operation::SendStreamingMessage(_) | Operation::SubscribeToTask(_)) => {
            Err(Told::Unreadable(format!("`{content_type}` where a stream was asked for")))
        }
        Some(Operation::CreateTaskPushNotificationConfig) | None => Ok(Told::Done),
    };
    read.unwrap_or_else(|told| told)
}

/// The events of a stream, until its end or the last that is to be waited for.
async fn events(
    body: Body,
    result: impl Fn(Value) -> Result<Value, Told>,
) -> Result<Vec<StreamResponse>, Told> {
    let mut body = pin!(body);
    let (mut events, mut pending) = (Vec::new(), Vec::new());
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let Ok(data) =
            frame.map_err(|_| Told::Unreadable("a stream that breaks off".to_owned()))?.into_data()
        else {
            continue;
        };
        pending.extend_from_slice(&data);
        while let Some(end) = pending.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = pending.drain(..=end).collect();
            let Some(data) = line.strip_prefix(b"data:") else { continue };
            let json = serde_json::from_slice(data);
            let json = json.map_err(|_| Told::Unreadable("an event that is no JSON".to_owned()))?;
            events.push(typed(&result(json)?)?);
            if events.last().is_some_and(is_last) {
                return Ok(events);
            }
        }
    }
    Ok(events)
}

fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, Told> {
    from_json(value.to_string().as_bytes())
        .map_err(|error| Told::Unreadable(format!("what is not of the protocol: {}", error.message)))
}
