//! The JSON-RPC binding (spec 9), as a caller speaks it.

use super::error::ClientError;
use super::fault::{self, Fault};
use super::http::{Http, Outbound, media_type, read};
use super::operation::Operation;
use super::source::{Opening, Reading, Source};
use crate::protocol::{StreamResponse, from_json};
use http::Method;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::sync::atomic::{AtomicU64, Ordering};
use url::Url;

const JSON: &str = "application/json";
const EITHER: &str = "text/event-stream, application/json";

#[derive(Serialize)]
struct Request<'a, P> {
    jsonrpc: &'static str,
    id: u64,
    method: &'static str,
    params: &'a P,
}

#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    /// `null` is absence.
    #[serde(default)]
    error: Option<Fault>,
    #[serde(default)]
    id: Value,
}

/// What is there, though it be `null`.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// A number that no other request of this process has.
pub(super) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

pub(super) fn outbound(
    method: &'static str,
    url: &Url,
    id: u64,
    params: &impl Serialize,
) -> Result<Outbound, ClientError> {
    let body = serde_json::to_vec(&Request { jsonrpc: "2.0", id, method, params })
        .map_err(|error| ClientError::unusable(format!("the request is no JSON: {error}")))?;
    let mut outbound = Outbound::get(method, url.clone()).json(body.into());
    outbound.method = Method::POST;
    Ok(outbound)
}

/// Calls an operation that has one answer.
pub(super) async fn call<O: Operation>(
    http: &Http,
    url: &Url,
    request: &O,
) -> Result<O::Answer, ClientError> {
    let id = next_id();
    answer::<O>(http, outbound(O::NAME, url, id, request)?, id, decode).await
}

/// Sends a request and reads its answer.
pub(super) async fn answer<O: Operation>(
    http: &Http,
    outbound: Outbound,
    id: u64,
    decode: impl FnOnce(&RawValue) -> Result<O::Answer, ClientError>,
) -> Result<O::Answer, ClientError> {
    // Some peers of 0.3 leave out a result of null.
    let absent_is_null = outbound.older;
    let response = http.send(outbound.accept(JSON)).await?;
    let (status, media_type) = (response.status(), media_type(response.headers()));
    let body = read(response, "the answer", http.settings.max_answer).await?;
    let result = match result(&body, id, absent_is_null) {
        // What stands before the agent answers in its own way.
        Err(error) if error.is_protocol_violation() && !status.is_success() => {
            return Err(fault::http(status, &media_type, &body));
        }
        result => result?,
    };
    match result {
        Some(result) => decode(result),
        None => O::nothing().ok_or_else(|| ClientError::protocol("the answer has a result of null")),
    }
}

/// Opens a stream.
pub(super) async fn open(http: &Http, url: &Url, opening: &Opening) -> Result<Source, ClientError> {
    let id = next_id();
    let outbound = match opening {
        Opening::Send(request) => outbound(opening.name(), url, id, request)?,
        Opening::Subscribe { request, after } => {
            outbound(opening.name(), url, id, request)?.after(after.as_deref())
        }
    };
    stream(http, outbound, Reading::JsonRpc(id)).await
}

/// Sends a request and follows its answer, whose events are envelopes.
pub(super) async fn stream(http: &Http, outbound: Outbound, reading: Reading) -> Result<Source, ClientError> {
    let response = http.send(outbound.accept(EITHER)).await?;
    let (status, media_type) = (response.status(), media_type(response.headers()));
    if status.is_success() && media_type == "text/event-stream" {
        return Ok(Source::sse(response, http.settings.max_event, reading));
    }
    // An error is told before the stream opens, as JSON.
    let body = read(response, "the answer", http.settings.max_answer).await?;
    match reading.event(&body) {
        Err(error) if error.is_protocol_violation() && !status.is_success() => {
            Err(fault::http(status, &media_type, &body))
        }
        event => Ok(Source::single(event?)),
    }
}

/// Reads the data of an event.
pub(super) fn event(
    data: &[u8],
    id: u64,
    decode: impl FnOnce(&RawValue) -> Result<StreamResponse, ClientError>,
) -> Result<StreamResponse, ClientError> {
    match result(data, id, false)? {
        Some(result) => decode(result),
        None => Err(ClientError::protocol("an event has a result of null")),
    }
}

/// The result of an answer to that request; `None` where it is `null`.
fn result(content: &[u8], id: u64, absent_is_null: bool) -> Result<Option<&RawValue>, ClientError> {
    let response: Response<'_> = serde_json::from_slice(content)
        .map_err(|error| ClientError::protocol(format!("expected an answer of JSON-RPC: {error}")))?;
    // An error of a request whose id could not be read has none.
    if response.id.as_u64() != Some(id) && !(response.id.is_null() && response.error.is_some()) {
        let text = format!("expected the answer to request {id}, found that to {}", response.id);
        return Err(ClientError::protocol(text));
    }
    match (response.result, response.error) {
        (_, Some(error)) => Err(fault::json_rpc(error)),
        (Some(result), None) => Ok((result.get() != "null").then_some(result)),
        (None, None) if absent_is_null => Ok(None),
        (None, None) => Err(ClientError::protocol("the answer has neither a result nor an error")),
    }
}

pub(super) fn decode<T: serde::de::DeserializeOwned>(result: &RawValue) -> Result<T, ClientError> {
    from_json(result.get().as_bytes())
        .map_err(|error| ClientError::protocol(format!("the answer cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_the_id_of_its_request_and_a_result_or_an_error() {
        let read = |text: &str| {
            result(text.as_bytes(), 7, false).map(|result| result.map(RawValue::get).map(str::to_owned))
        };
        let ok = |text| read(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ok(r#"{"id":7,"result":{},"error":null}"#).as_deref(), Some("{}"));
        assert_eq!(ok(r#"{"jsonrpc":"2.0","id":7,"result":null}"#), None);
        assert!(matches!(result(br#"{"jsonrpc":"2.0","id":7}"#, 7, true), Ok(None)));
        for (text, violation) in [
            (r#"{"id":8,"result":{}}"#, true),
            (r#"{"id":"7","result":{}}"#, true),
            (r#"{"result":{}}"#, true),
            (r#"{"id":7}"#, true),
            (r#"{"id":7,"error":null}"#, true),
            (r#"{"id":8,"error":{"code":-32001,"message":"no"}}"#, true),
            ("[]", true),
            ("", true),
            (r#"{"id":null,"error":{"code":-32700,"message":"no"}}"#, false),
            (r#"{"id":7,"result":null,"error":{"code":-32001,"message":"no"}}"#, false),
        ] {
            let error = read(text).err().unwrap_or_else(|| panic!("{text}"));
            assert_eq!(error.is_protocol_violation(), violation, "{text}: {error}");
        }
    }
}
