//! The server: HTTP in, operations out.
//!
//! Bytes come in through a binding, which decodes and nothing else, pass the gate, and end in one of the eleven
//! operations.

mod auth;
mod body;
mod dialect;
mod envelope;
mod errors;
mod first;
pub(crate) mod gate;
#[cfg(feature = "grpc")]
mod grpc;
mod host;
mod jsonrpc;
pub(crate) mod operations;
mod page;
pub(crate) mod path;
mod payload;
mod push;
mod rest;
mod serve;
mod sse;
#[cfg(feature = "tls")]
mod tls;
#[cfg(feature = "compat-0-3")]
mod v03;
mod well_known;

pub use auth::BearerTokens;
pub(crate) use serve::{Listener, Until, serve};
#[cfg(feature = "tls")]
pub(crate) use tls::acceptor;

use crate::agent::{Binding, Engine};
use crate::protocol::AgentCard;
use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{get, post};
use gate::Gate;
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
    /// How long a server that stops waits for what runs.
    pub(crate) drain: Duration,
    /// What is mounted.
    pub(crate) bindings: Vec<Binding>,
    /// Whether protocol 0.3 is served as well.
    #[cfg(feature = "compat-0-3")]
    pub(crate) legacy: bool,
    /// How its bytes travel.
    #[cfg(feature = "compat-0-3")]
    pub(crate) legacy_bytes: crate::compat::Bytes,
}

/// An agent that is served.
pub(crate) struct App {
    engine: Arc<Engine>,
    gate: Gate,
    card: CardFile,
    settings: Settings,
    closing: watch::Sender<bool>,
}

impl App {
    pub(crate) fn new(engine: Arc<Engine>, card: &AgentCard, gate: Gate, settings: Settings) -> Arc<Self> {
        Arc::new(Self {
            engine,
            gate,
            card: CardFile::new(card),
            settings,
            closing: watch::Sender::new(false),
        })
    }

    fn serves(&self, binding: Binding) -> bool {
        self.settings.bindings.contains(&binding)
    }

    fn stream_settings(&self) -> sse::Settings {
        sse::Settings { heartbeat: self.settings.heartbeat, closing: self.closing.subscribe() }
    }

    /// Ends every stream; their clients come back when the server does.
    fn close_streams(&self) {
        self.closing.send_replace(true);
    }
}

/// A tower layer of the user's, in a form that can be kept.
pub(crate) type Layers = Arc<dyn Fn(Router) -> Router + Send + Sync>;

/// The routes of an agent. They can be nested under a prefix of a host's own router.
///
/// The layers are around every operation, of every binding, and not around the card, which is public, nor around health
/// checks, whose callers have no credentials.
pub(crate) fn router(app: Arc<App>, layers: &[Layers]) -> Router {
    let card = Router::new().route("/.well-known/agent-card.json", get(well_known::card));
    #[cfg(feature = "compat-0-3")]
    let card =
        if app.settings.legacy { card.route("/.well-known/agent.json", get(well_known::card)) } else { card };
    let card = card.with_state(Arc::clone(&app));
    #[cfg(feature = "grpc-health")]
    let card = card.merge(grpc::health());
    let operations = Router::new().fallback(others);
    let operations =
        if app.serves(Binding::JsonRpc) { operations.route("/", post(json_rpc)) } else { operations };
    #[cfg(feature = "grpc")]
    let operations =
        if app.serves(Binding::Grpc) { operations.merge(grpc::routes(&app)) } else { operations };
    let operations = operations.with_state(app);
    let operations = layers.iter().fold(operations, |routes, layer| layer(routes));
    operations.merge(card)
}

async fn json_rpc(State(app): State<Arc<App>>, request: Request) -> Response {
    jsonrpc::handle(app, request).await
}

/// Everything but the root. Mounted with `nest_service`, the root may come with its slash.
async fn others(State(app): State<Arc<App>>, request: Request) -> Response {
    let is_call = request.uri().path() == "/" && request.method() == http::Method::POST;
    if is_call && app.serves(Binding::JsonRpc) {
        return jsonrpc::handle(app, request).await;
    }
    #[cfg(feature = "grpc")]
    if grpc::is_grpc(request.headers()) {
        return grpc::unknown(request.uri().path());
    }
    #[cfg(feature = "compat-0-3")]
    if app.settings.legacy && v03::rest::is_path(request.uri().path(), app.serves(Binding::HttpJson)) {
        return v03::rest::handle(app, request).await;
    }
    if app.serves(Binding::HttpJson) { rest::handle(app, request).await } else { rest::not_found(&request) }
}
