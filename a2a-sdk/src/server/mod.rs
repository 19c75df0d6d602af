//! The server: HTTP in, operations out.
//!
//! Bytes come in through a binding, which decodes and nothing else, pass the gate, and end in one of the eleven
//! operations.

mod body;
mod envelope;
mod gate;
#[cfg(feature = "grpc")]
mod grpc;
mod host;
mod jsonrpc;
pub(crate) mod operations;
mod page;
mod serve;
mod sse;
mod well_known;

pub(crate) use serve::serve;

use crate::agent::Engine;
use crate::protocol::AgentCard;
use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::StatusCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use well_known::CardFile;

/// How the server behaves.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// How large a request's body may be, in bytes.
    pub(crate) body_limit: usize,
    /// How long a stream may be silent.
    pub(crate) heartbeat: Duration,
    /// Whether a call without a version is one of 1.0.
    pub(crate) lenient_version: bool,
    /// How long a server that stops waits for what runs.
    pub(crate) drain: Duration,
}

/// An agent that is served.
pub(crate) struct App {
    engine: Arc<Engine>,
    card: CardFile,
    settings: Settings,
    closing: watch::Sender<bool>,
}

impl App {
    pub(crate) fn new(engine: Arc<Engine>, card: &AgentCard, settings: Settings) -> Arc<Self> {
        Arc::new(Self { engine, card: CardFile::new(card), settings, closing: watch::Sender::new(false) })
    }

    fn stream_settings(&self) -> sse::Settings {
        sse::Settings { heartbeat: self.settings.heartbeat, closing: self.closing.subscribe() }
    }

    /// Ends every stream; their clients come back when the server does.
    fn close_streams(&self) {
        self.closing.send_replace(true);
    }
}

/// The routes of an agent. They can be nested under a prefix of a host's own router.
pub(crate) fn router(app: Arc<App>) -> Router {
    let routes =
        Router::new().route("/", post(json_rpc)).route("/.well-known/agent-card.json", get(well_known::card));
    #[cfg(feature = "grpc")]
    let routes = routes.merge(grpc::routes(&app));
    routes.fallback(fallback).with_state(app)
}

async fn json_rpc(State(app): State<Arc<App>>, request: Request) -> Response {
    jsonrpc::handle(app, request).await
}

/// Under a prefix, the root with its trailing slash is no route of its own.
async fn fallback(State(app): State<Arc<App>>, request: Request) -> Response {
    if request.uri().path() == "/" && request.method() == http::Method::POST {
        return jsonrpc::handle(app, request).await;
    }
    #[cfg(feature = "grpc")]
    if grpc::is_grpc(request.headers()) {
        return grpc::unknown(request.uri().path());
    }
    (StatusCode::NOT_FOUND, "not found\n").into_response()
}
