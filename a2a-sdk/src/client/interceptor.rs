//! What sees a call before it is sent.

use http::HeaderMap;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use url::Url;

/// Why an interceptor refuses a call.
pub type InterceptorError = Box<dyn std::error::Error + Send + Sync>;

type Intercepted = Pin<Box<dyn Future<Output = Result<Outgoing, InterceptorError>> + Send>>;

pub(super) type Interceptor = Arc<dyn Fn(Outgoing) -> Intercepted + Send + Sync>;

/// A call that is about to be sent, as a [`ClientBuilder::interceptor`](super::ClientBuilder::interceptor) sees it.
///
/// The headers are the metadata of a gRPC call too. `Debug` shows their names alone.
#[non_exhaustive]
pub struct Outgoing {
    /// The operation, such as `SendMessage`; `AgentCard` where the card is read.
    pub operation: &'static str,
    /// Where it goes. Changing it changes nothing.
    pub url: Url,
    /// What goes with it.
    pub headers: HeaderMap,
}

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outgoing")
            .field("operation", &self.operation)
            .field("url", &self.url.as_str())
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .finish()
    }
}
