//! The gRPC binding (spec 10), as a caller speaks it, over the same HTTP client as the others.

use super::error::ClientError;
use super::http::{Http, Outbound};
use super::operation::Operation;
use super::source::{Item, Opening, Source};
use crate::grpc::v1::a2a_service_client::A2aServiceClient;
use crate::grpc::{error_of, v1};
use crate::protocol::{A2aError, StreamResponse};
use bytes::BytesMut;
use std::error::Error;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use tonic::codegen::{Body as _, Service};
use tonic::{Code, Status, Streaming};
use url::Url;

/// What calls operations.
pub(super) type Stub = A2aServiceClient<Wire>;

/// What a call gives.
pub(super) type Called<T> = Result<T, Status>;

/// Sends the requests of one call.
#[derive(Clone)]
pub(super) struct Wire {
    pub(super) http: Http,
    pub(super) base: Url,
    pub(super) operation: &'static str,
    /// Whether the calls are of protocol 0.3.
    pub(super) older: bool,
}

fn stub(http: &Http, base: &Url, operation: &'static str, limit: usize) -> Stub {
    let wire = Wire { http: http.clone(), base: base.clone(), operation, older: false };
    A2aServiceClient::new(wire).max_decoding_message_size(limit)
}

/// Calls an operation that has one answer.
pub(super) async fn call<O: Operation>(
    http: &Http,
    base: &Url,
    request: O,
) -> Result<O::Answer, ClientError> {
    let limit = http.settings.max_answer;
    Operation::call(request, stub(http, base, O::NAME, limit)).await.map_err(|status| failed(&status, limit))
}

/// Opens a stream.
pub(super) async fn open(http: &Http, base: &Url, opening: &Opening) -> Result<Source, ClientError> {
    let limit = http.settings.max_event;
    let mut stub = stub(http, base, opening.name(), limit);
    let opened = match opening {
        Opening::Send(request) => stub.send_streaming_message(v1::SendMessageRequest::from(&**request)).await,
        Opening::Subscribe { request, .. } => {
            stub.subscribe_to_task(v1::SubscribeToTaskRequest::from(request)).await
        }
    };
    let stream = opened.map_err(|status| failed(&status, limit))?.into_inner();
    Ok(Source::Grpc(Box::new(stream), limit))
}

/// A message of a stream.
pub(super) trait Event {
    fn read(self) -> Result<StreamResponse, A2aError>;
}

impl Event for v1::StreamResponse {
    fn read(self) -> Result<StreamResponse, A2aError> {
        self.try_into()
    }
}

/// The next event of a stream. Events have no ids in this binding.
pub(super) async fn next<R: Event>(
    stream: &mut Streaming<R>,
    limit: usize,
) -> Option<Result<Item, ClientError>> {
    let event = match stream.message().await {
        Ok(event) => event?,
        Err(status) => return Some(Err(failed(&status, limit))),
    };
    Some(match event.read() {
        Ok(event) => Ok(Item { id: None, event }),
        Err(error) => Err(ClientError::protocol(format!("an event cannot be read: {error}"))),
    })
}

#[expect(clippy::needless_pass_by_value, reason = "it maps an error")]
pub(super) fn unreadable(error: A2aError) -> Status {
    Status::from_error(Box::new(ClientError::protocol(format!("the answer cannot be read: {error}"))))
}

/// The error that a status tells of: one of this side where it holds one, else that of the agent.
pub(super) fn failed(status: &Status, limit: usize) -> ClientError {
    let mut source = status.source();
    while let Some(error) = source {
        if let Some(error) = error.downcast_ref::<ClientError>() {
            return error.clone();
        }
        if let Some(error) = error.downcast_ref::<reqwest::Error>() {
            return ClientError::transport("the connection broke", error.is_connect(), None);
        }
        source = error.source();
    }
    match status.code() {
        Code::Unavailable => {
            ClientError::transport(format!("unavailable: {}", status.message()), false, None)
        }
        Code::DeadlineExceeded => ClientError::timeout(status.message()),
        // So `tonic` says of a message that is longer than it may be, and has no type for it.
        Code::OutOfRange if status.message().contains("decoded message length too large") => {
            ClientError::too_large("the answer", limit)
        }
        _ => ClientError::agent(error_of(status), None, None),
    }
}

impl Service<http::Request<tonic::body::Body>> for Wire {
    type Response = http::Response<reqwest::Body>;
    type Error = ClientError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, ClientError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ClientError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<tonic::body::Body>) -> Self::Future {
        let Self { http, base, operation, older } = self.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let mut url = base;
            url.set_path(&format!("{}{}", url.path().trim_end_matches('/'), parts.uri.path()));
            let mut outbound = Outbound::get(operation, url);
            outbound.older = older;
            outbound.method = parts.method;
            outbound.headers = parts.headers;
            outbound.body = Some(collect(body).await?);
            let client = (**http.h2).as_ref().map_err(Clone::clone)?;
            let response = http.send_by(client, outbound).await?;
            Ok(response.into())
        })
    }
}

/// The whole of a request, which is one message.
async fn collect(body: tonic::body::Body) -> Result<bytes::Bytes, ClientError> {
    let mut body = pin!(body);
    let mut bytes = BytesMut::new();
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let frame = frame.map_err(|status| ClientError::unusable(status.message()))?;
        if let Ok(data) = frame.into_data() {
            bytes.extend_from_slice(&data);
        }
    }
    Ok(bytes.freeze())
}
