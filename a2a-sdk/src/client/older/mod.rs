//! Agents that speak protocol 0.3, and 0.2 before it: the same operations, as these have them.

#[cfg(feature = "grpc")]
pub(super) mod grpc;
mod operation;

pub(super) use operation::Older;

use super::error::ClientError;
use super::http::{Http, Outbound};
use super::operation::Operation;
use super::rest::{EVENTS, Form as Written};
use super::source::{Opening, Reading, Source};
use super::{jsonrpc, rest};
use crate::agent::Binding;
use crate::compat::{self, As03, Bytes, Form, StreamEvent};
use crate::protocol::{A2aError, StreamResponse};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use url::Url;

/// The form over HTTP+JSON.
pub(super) const PROTO: Form = Form::Proto(Bytes::Encoded);

/// Calls an operation that has one answer.
pub(super) async fn call<O: Operation>(
    http: &Http,
    binding: Binding,
    url: &Url,
    request: O,
) -> Result<O::Answer, ClientError> {
    if O::METHOD.is_empty() {
        let text = format!("protocol 0.3 has no {}, and the agent speaks nothing newer", O::NAME);
        return Err(ClientError::agent(A2aError::unsupported(text), None, None));
    }
    match binding {
        Binding::JsonRpc => {
            let id = jsonrpc::next_id();
            let outbound = marked(jsonrpc::outbound(O::METHOD, url, id, &request.params(Form::Kind))?);
            jsonrpc::answer::<O>(http, outbound, id, |result| decode(result, O::read)).await
        }
        Binding::HttpJson => {
            let outbound = request.written().outbound(O::NAME, &base(url), None, &request.params(PROTO))?;
            rest::answer::<O>(http, marked(outbound), |body| O::read(body, PROTO)).await
        }
        #[cfg(feature = "grpc")]
        Binding::Grpc => grpc::call(http, url, request).await,
        #[cfg(not(feature = "grpc"))]
        Binding::Grpc => Err(ClientError::unusable("gRPC is not compiled in")),
    }
}

/// Opens a stream.
pub(super) async fn open(
    http: &Http,
    binding: Binding,
    url: &Url,
    opening: &Opening,
) -> Result<Source, ClientError> {
    match (binding, opening) {
        (Binding::JsonRpc, Opening::Send(request)) => {
            rpc_stream(http, url, "message/stream", &As03(Form::Kind, &**request), None).await
        }
        (Binding::JsonRpc, Opening::Subscribe { request, after }) => {
            rpc_stream(http, url, "tasks/resubscribe", &json!({ "id": request.id }), after.as_deref()).await
        }
        (Binding::HttpJson, Opening::Send(request)) => {
            let written = Written::post(["message:stream"]);
            let outbound = written.outbound(opening.name(), &base(url), None, &As03(PROTO, &**request))?;
            let response = http.send(marked(outbound).accept(EVENTS)).await?;
            rest::stream(http, response, Reading::Older(None)).await
        }
        (Binding::HttpJson, Opening::Subscribe { request, after }) => {
            let written = Written::post(["tasks", &request.id]).verb(":subscribe");
            let outbound = written.outbound(opening.name(), &base(url), None, &json!({}))?;
            rest::subscribe(http, marked(outbound).after(after.as_deref()), Reading::Older(None)).await
        }
        #[cfg(feature = "grpc")]
        (Binding::Grpc, opening) => grpc::open(http, url, opening).await,
        #[cfg(not(feature = "grpc"))]
        (Binding::Grpc, _) => Err(ClientError::unusable("gRPC is not compiled in")),
    }
}

async fn rpc_stream(
    http: &Http,
    url: &Url,
    method: &'static str,
    params: &impl Serialize,
    after: Option<&str>,
) -> Result<Source, ClientError> {
    let id = jsonrpc::next_id();
    let outbound = marked(jsonrpc::outbound(method, url, id, params)?).after(after);
    jsonrpc::stream(http, outbound, Reading::Older(Some(id))).await
}

/// Reads the data of an event; in an envelope, where there was a request of that id.
pub(super) fn event(data: &[u8], request: Option<u64>) -> Result<StreamResponse, ClientError> {
    match request {
        Some(id) => jsonrpc::event(data, id, |result| decode(result, compat::read::<StreamEvent>)),
        None => rest::event(data, |data| compat::read::<StreamEvent>(data, PROTO)),
    }
}

fn decode<T>(
    result: &RawValue,
    read: impl FnOnce(&[u8], Form) -> Result<T, A2aError>,
) -> Result<T, ClientError> {
    read(result.get().as_bytes(), Form::Kind)
        .map_err(|error| ClientError::protocol(format!("the answer cannot be read: {error}")))
}

fn marked(mut outbound: Outbound) -> Outbound {
    outbound.older = true;
    outbound
}

/// HTTP+JSON is under `/v1` of what the card says.
fn base(url: &Url) -> Url {
    let mut base = url.clone();
    let path = base.path().trim_end_matches('/');
    // Some cards say it themselves.
    if !path.ends_with("/v1") {
        base.set_path(&format!("{path}/v1"));
    }
    base
}

/// Nothing but the id of a task.
fn of_task(id: &str, form: Form) -> Value {
    match form {
        Form::Kind => json!({ "id": id }),
        Form::Proto(_) => json!({}),
    }
}
