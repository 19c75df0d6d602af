//! The bindings of the protocol, and which of them an agent is served over.

use super::Agent;
use std::fmt;

/// A binding of the protocol to a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Binding {
    /// JSON-RPC 2.0 over HTTP (spec 9).
    JsonRpc,
    /// HTTP+JSON (spec 11).
    HttpJson,
    /// gRPC (spec 10).
    Grpc,
}

impl Binding {
    /// All of them, in the order in which a card names them.
    pub const ALL: &'static [Self] = &[Self::JsonRpc, Self::HttpJson, Self::Grpc];

    /// Its name in a card.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::JsonRpc => "JSONRPC",
            Self::HttpJson => "HTTP+JSON",
            Self::Grpc => "GRPC",
        }
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Agent {
    /// Sets over which bindings it is served; the first is the one that it prefers. All of them, unless set.
    ///
    /// The card says so whatever the features of the SDK are, since it may be made by a build script that has none. An
    /// agent is not built where it declares a binding that is not compiled in.
    #[must_use]
    pub fn bindings(mut self, bindings: impl IntoIterator<Item = Binding>) -> Self {
        self.bindings = bindings.into_iter().collect();
        self
    }

    /// Sets whether callers of protocol 0.3, and of 0.2 before it, are served as well: they are, unless set.
    ///
    /// They are served over the same bindings at the same addresses: JSON-RPC by the names of their methods, HTTP+JSON
    /// under `/v1`, gRPC as the package `a2a.v1`. The card says so, and in the form that they read too, unless a request
    /// for it names version 1.0. Their calls pass the same layers and the same checks, and their tasks are the same.
    ///
    /// As with [`bindings`](Self::bindings), the card says so whatever the features are, and an agent that serves them is
    /// not built without the feature `compat-0-3`.
    #[must_use]
    pub fn legacy(mut self, legacy: bool) -> Self {
        self.legacy = legacy;
        self
    }

    /// Says where one binding is reached, where that is not where the others are: on a listener of its own, for
    /// instance. gRPC is reached at a `host:port`, the others at a URL.
    ///
    /// See [`BuiltAgent::only`](crate::BuiltAgent::only) for the listener.
    #[must_use]
    pub fn binding_url(mut self, binding: Binding, url: impl Into<String>) -> Self {
        self.binding_urls.retain(|(known, _)| *known != binding);
        self.binding_urls.push((binding, url.into()));
        self
    }
}
