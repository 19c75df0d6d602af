//! Calls of an agent through its router, as bytes, without a port.

use super::json;
use crate::Binding;
use crate::protocol::{ErrorKind, SendMessageRequest, StreamResponse, Task, TaskState};
use crate::server::gate::VERSION;
use axum::Router;
use axum::body::{Body, to_bytes};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, Response, Uri, header};
use std::fmt;
use std::time::Duration;
use tower_service::Service;

/// How much of an answer is read, in bytes.
const LONGEST: usize = 64 * 1024 * 1024;

/// An operation, and what it is called with.
#[derive(Clone, Copy)]
pub(super) enum Operation<'a> {
    SendMessage(&'a SendMessageRequest),
    SendStreamingMessage(&'a SendMessageRequest),
    GetTask(&'a str),
    CancelTask(&'a str),
    SubscribeToTask(&'a str),
    /// For a task that there is not.
    CreateTaskPushNotificationConfig,
    GetExtendedAgentCard,
}

/// Under which terms a call is made.
#[derive(Clone, Copy)]
pub(super) struct Terms<'a> {
    /// Empty for none.
    pub(super) version: &'a str,
    pub(super) extensions: &'a [String],
    /// Whether the headers that the user gave go along.
    pub(super) credentials: bool,
}

/// What came back.
pub(super) enum Told {
    Task(Box<Task>),
    Message,
    Card,
    /// An answer whose content does not matter.
    Done,
    Events(Vec<StreamResponse>),
    /// An error in the code of the binding, with the reason of its details.
    Refused {
        code: i64,
        reason: Option<String>,
        text: String,
    },
    /// Refused for who is calling.
    Denied(String),
    /// Nothing that the binding knows.
    Unreadable(String),
    /// Nothing in time.
    Late,
}

/// An agent, called through its router.
pub(super) struct Wire {
    pub(super) router: Router,
    headers: HeaderMap,
    limit: Duration,
    /// The extensions that every call must name.
    pub(super) required: Vec<String>,
}

impl Wire {
    pub(super) fn new(router: Router, headers: HeaderMap, limit: Duration) -> Self {
        Self { router, headers, limit, required: Vec::new() }
    }

    /// The terms of an ordinary call.
    pub(super) fn terms(&self) -> Terms<'_> {
        Terms { version: "1.0", extensions: &self.required, credentials: true }
    }

    /// The headers of a call.
    pub(super) fn headers(&self, terms: Terms<'_>) -> HeaderMap {
        let mut headers = if terms.credentials { self.headers.clone() } else { HeaderMap::new() };
        for (name, value) in
            [(VERSION, terms.version.to_owned()), ("a2a-extensions", terms.extensions.join(", "))]
        {
            if let (false, Ok(value)) = (value.is_empty(), HeaderValue::from_str(&value)) {
                headers.insert(name, value);
            }
        }
        headers
    }

    pub(super) async fn call(&self, binding: Binding, terms: Terms<'_>, operation: Operation<'_>) -> Told {
        self.within(async {
            match binding {
                Binding::JsonRpc => json::rpc(self, terms, operation).await,
                Binding::HttpJson => json::rest(self, terms, operation).await,
                #[cfg(feature = "grpc")]
                Binding::Grpc => super::grpc::call(self, terms, operation).await,
                #[cfg(not(feature = "grpc"))]
                Binding::Grpc => Told::Unreadable("gRPC is not compiled in".to_owned()),
            }
        })
        .await
    }

    /// What comes in time.
    pub(super) async fn within(&self, calling: impl Future<Output = Told>) -> Told {
        tokio::time::timeout(self.limit, calling).await.unwrap_or(Told::Late)
    }

    /// Sends bytes, and gives the answer with its body unread.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &'static str,
        headers: HeaderMap,
        body: impl Into<Bytes>,
    ) -> Response<Body> {
        self.send_to(method, Uri::from_static(path), headers, body).await
    }

    pub(super) async fn send_to(
        &self,
        method: Method,
        uri: Uri,
        headers: HeaderMap,
        body: impl Into<Bytes>,
    ) -> Response<Body> {
        let body: Bytes = body.into();
        let mut request = Request::new(if body.is_empty() { Body::empty() } else { Body::from(body) });
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        *request.headers_mut() = headers;
        request.headers_mut().insert(header::HOST, HeaderValue::from_static("localhost"));
        // A router cannot fail.
        let Ok(response) = self.router.clone().call(request).await;
        response
    }
}

/// The whole body of an answer; nothing where it breaks off.
pub(super) async fn whole(body: Body) -> Bytes {
    to_bytes(body, LONGEST).await.unwrap_or_default()
}

/// Whether nothing more is to be waited for: a stream may stay open while its task waits to be authorized (spec 7.6.1).
pub(super) fn is_last(event: &StreamResponse) -> bool {
    let state = match event {
        StreamResponse::Task(task) => task.status.state,
        StreamResponse::StatusUpdate(update) => update.status.state,
        StreamResponse::ArtifactUpdate(_) | StreamResponse::Message(_) => return false,
    };
    state == TaskState::AuthRequired
}

/// The code by which a binding tells of an error.
pub(super) fn code_of(binding: Binding, kind: ErrorKind) -> i64 {
    match binding {
        Binding::JsonRpc => kind.json_rpc_code().into(),
        Binding::HttpJson => kind.http_status().into(),
        Binding::Grpc => kind.grpc_code().into(),
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Task(task) => write!(f, "a task in {}", task.status.state),
            Self::Message => f.write_str("a message"),
            Self::Card => f.write_str("a card"),
            Self::Done => f.write_str("an answer"),
            Self::Events(events) => write!(f, "a stream of {}", events.len()),
            Self::Refused { code, reason: Some(reason), text } => write!(f, "error {code}, {reason}: {text}"),
            Self::Refused { code, reason: None, text } => write!(f, "error {code} without a reason: {text}"),
            Self::Denied(what) | Self::Unreadable(what) => f.write_str(what),
            Self::Late => f.write_str("nothing in time"),
        }
    }
}
