//! How an agent runs, as its builder sets it.

use super::Agent;
use crate::clock::Clock;
use crate::server::Layers;
use crate::store::{Retention, Store};
use axum::Router;
use axum::extract::Request;
use axum::response::IntoResponse;
use axum::routing::Route;
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tower_layer::Layer;
use tower_service::Service;

/// How an agent runs.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) clock: Clock,
    pub(crate) retention: Retention,
    pub(crate) store: Option<Arc<dyn Store>>,
    pub(crate) grace: Duration,
    pub(crate) drain: Duration,
    pub(crate) heartbeat: Duration,
    pub(crate) body_limit: usize,
    pub(crate) lenient_version: bool,
    #[cfg(feature = "compat-0-3")]
    pub(crate) legacy_bytes: crate::compat::Bytes,
    pub(crate) layers: Vec<Layers>,
    pub(crate) check_input_modes: bool,
    pub(crate) max_streams: usize,
    /// The files of the certificate and of its key.
    #[cfg(feature = "tls")]
    pub(crate) tls: Option<(std::path::PathBuf, std::path::PathBuf)>,
    #[cfg(feature = "push")]
    pub(crate) webhooks: Option<crate::webhook::WebhookPolicy>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            clock: Clock::system(),
            retention: Retention::default(),
            store: None,
            grace: Duration::from_secs(10),
            drain: Duration::from_secs(10),
            heartbeat: Duration::from_secs(15),
            body_limit: 16 * 1024 * 1024,
            lenient_version: false,
            #[cfg(feature = "compat-0-3")]
            legacy_bytes: crate::compat::Bytes::default(),
            layers: Vec::new(),
            check_input_modes: true,
            max_streams: 1_000,
            #[cfg(feature = "tls")]
            tls: None,
            #[cfg(feature = "push")]
            webhooks: None,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("retention", &self.retention).finish_non_exhaustive()
    }
}

impl Agent {
    /// Sets where it reads the time. Meant for tests; see [`Clock::virtual_from`].
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.settings.clock = clock;
        self
    }

    /// Sets how many tasks are kept in memory, and for how long.
    #[must_use]
    pub fn retention(mut self, retention: Retention) -> Self {
        self.settings.retention = retention;
        self
    }

    /// Sets where tasks are kept. Without one they are kept in memory.
    ///
    /// The store brings its own clock and retention; those of the agent no longer count.
    #[must_use]
    pub fn store(mut self, store: impl Store) -> Self {
        self.settings.store = Some(Arc::new(store));
        self
    }

    /// Sets how long a skill that takes [`Cancel`](crate::Cancel) may go on after a cancellation: 10 seconds
    /// unless set.
    #[must_use]
    pub fn cancel_grace(mut self, grace: Duration) -> Self {
        self.settings.grace = grace;
        self
    }

    /// Sets how long a server that stops waits for requests and tasks that run: 10 seconds unless set.
    #[must_use]
    pub fn drain(mut self, drain: Duration) -> Self {
        self.settings.drain = drain;
        self
    }

    /// Sets how long a stream may be silent before a comment is sent, so that proxies keep it: 15 seconds unless set.
    #[must_use]
    pub fn heartbeat(mut self, heartbeat: Duration) -> Self {
        self.settings.heartbeat = heartbeat;
        self
    }

    /// Sets how large the body of a request may be, in bytes: 16 MiB unless set. A larger one is answered with 413.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.settings.body_limit = bytes;
        self
    }

    /// Serves calls that name no version as 1.0. By the protocol they are 0.3 (spec 3.6.2), and refused.
    #[must_use]
    pub fn lenient_version(mut self, lenient: bool) -> Self {
        self.settings.lenient_version = lenient;
        self
    }

    /// Sets whether the bytes of files travel as they are to and from callers of protocol 0.3 over HTTP+JSON and gRPC.
    ///
    /// They do not, unless set: the reference implementation of 0.3 puts their base64 where the package `a2a.v1` has
    /// bytes, most peers follow it, and so does the agent. What comes and is not base64 is taken as it is. Set this
    /// for peers that send bytes that look like base64, or read what is sent as it is.
    #[cfg(feature = "compat-0-3")]
    #[must_use]
    pub fn legacy_plain_bytes(mut self, plain: bool) -> Self {
        use crate::compat::Bytes;

        self.settings.legacy_bytes = if plain { Bytes::Plain } else { Bytes::Encoded };
        self
    }

    /// Puts a tower layer around every operation, of every binding; the card stays public. A later layer is around
    /// the earlier ones.
    ///
    /// A layer that knows who is calling inserts a [`Principal`](crate::Principal) into the request's extensions: tasks then belong to
    /// their principals. [`BearerTokens`](crate::BearerTokens) is such a layer.
    #[must_use]
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<Route> + Clone + Send + Sync + 'static,
        L::Service: Service<Request> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request>>::Response: IntoResponse + 'static,
        <L::Service as Service<Request>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<Request>>::Future: Send + 'static,
    {
        self.settings.layers.push(Arc::new(move |routes: Router| routes.layer(layer.clone())));
        self
    }

    /// Sets how many streams a caller may have open at once: 1,000 unless set. One more is refused
    /// ([`ErrorKind::ResourceExhausted`](crate::protocol::ErrorKind::ResourceExhausted), HTTP 429).
    ///
    /// Callers are told apart by their [`Principal`](crate::Principal); all anonymous ones together count as one.
    #[must_use]
    pub fn max_streams(mut self, streams: usize) -> Self {
        self.settings.max_streams = streams;
        self
    }

    /// Sets whether a part whose media type its skill does not read is refused (-32005, spec 3.1.1): it is, unless
    /// set. A part that names no media type is never refused for that, nor is text or JSON in a later
    /// message to a task whose skill takes [`Context`](crate::Context): it can ask for them whatever its arguments read.
    #[must_use]
    pub fn check_input_modes(mut self, check: bool) -> Self {
        self.settings.check_input_modes = check;
        self
    }

    /// Posts updates of tasks to the webhooks that callers give, as far as the policy allows. The card declares it.
    ///
    /// ```
    /// # /// Says it back.
    /// # #[a2a_sdk::agent]
    /// # async fn echo(text: String) -> String { text }
    /// use a2a_sdk::WebhookPolicy;
    ///
    /// let agent = echo::agent().push_notifications(WebhookPolicy::new());
    /// ```
    #[cfg(feature = "push")]
    #[must_use]
    pub fn push_notifications(mut self, policy: crate::webhook::WebhookPolicy) -> Self {
        self.settings.webhooks = Some(policy);
        self
    }

    /// Serves TLS, with the certificate chain and the private key in these PEM files.
    ///
    /// The files are read when serving begins. HTTP/2 and HTTP/1.1 are offered (ALPN).
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn tls(
        mut self,
        certificate: impl Into<std::path::PathBuf>,
        key: impl Into<std::path::PathBuf>,
    ) -> Self {
        self.settings.tls = Some((certificate.into(), key.into()));
        self
    }
}
