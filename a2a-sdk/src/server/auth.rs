//! Who is calling, in its simplest form.

use crate::skill::Principal;
use axum::body::Body;
use futures_util::future::Either;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, header};
use std::fmt;
use std::future::{Ready, ready};
use std::hint::black_box;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_layer::Layer;
use tower_service::Service;

/// A tower layer that knows its callers by fixed bearer tokens.
///
/// A call with a known token goes on as its [`Principal`]; any other is answered with 401, over gRPC with
/// `UNAUTHENTICATED`. Give it to [`Agent::layer`](crate::Agent::layer), which keeps the card public.
///
/// ```
/// # /// Says it back.
/// # #[a2a_sdk::agent]
/// # async fn echo(text: String) -> String { text }
/// use a2a_sdk::{BearerTokens, Principal};
///
/// let agent = echo::agent().layer(BearerTokens::new([("a-long-secret", Principal::new("alice"))]));
/// ```
#[derive(Clone)]
pub struct BearerTokens {
    tokens: Arc<[(String, Principal)]>,
}

impl BearerTokens {
    /// Knows these tokens.
    pub fn new<T: Into<String>>(tokens: impl IntoIterator<Item = (T, Principal)>) -> Self {
        Self { tokens: tokens.into_iter().map(|(token, principal)| (token.into(), principal)).collect() }
    }

    fn principal(&self, headers: &HeaderMap) -> Option<&Principal> {
        let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let token = token.trim();
        // All of them are looked at, so that the time tells nothing about them.
        let mut found = None;
        for (known, principal) in &*self.tokens {
            if same(known.as_bytes(), token.as_bytes()) {
                found = Some(principal);
            }
        }
        found
    }
}

/// Whether two texts are the same, in a time that depends on their lengths alone.
fn same(one: &[u8], other: &[u8]) -> bool {
    let differing =
        one.iter().zip(other).fold(0, |differing, (one, other)| black_box(differing | (one ^ other)));
    one.len() == other.len() && differing == 0
}

impl fmt::Debug for BearerTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tokens.iter().map(|(_, principal)| principal)).finish()
    }
}

impl<S> Layer<S> for BearerTokens {
    type Service = Authenticated<S>;

    fn layer(&self, inner: S) -> Authenticated<S> {
        Authenticated { inner, tokens: self.clone() }
    }
}

/// A service whose callers are known. Made by [`BearerTokens`].
#[derive(Clone, Debug)]
pub struct Authenticated<S> {
    inner: S,
    tokens: BearerTokens,
}

impl<S, B> Service<Request<B>> for Authenticated<S>
where
    S: Service<Request<B>, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Ready<Result<Response<Body>, S::Error>>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        match self.tokens.principal(request.headers()).cloned() {
            Some(principal) => {
                request.extensions_mut().insert(principal);
                Either::Left(self.inner.call(request))
            }
            None => Either::Right(ready(Ok(unauthenticated(request.headers())))),
        }
    }
}

/// The answer to a caller whom nobody knows, in the words of HTTP or of gRPC.
fn unauthenticated(headers: &HeaderMap) -> Response<Body> {
    let content_type =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_grpc = content_type.starts_with("application/grpc");
    let text = if is_grpc { "" } else { "a bearer token is needed\n" };
    let mut response = Response::new(Body::from(text));
    let answer = response.headers_mut();
    if is_grpc {
        answer.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
        answer.insert("grpc-status", HeaderValue::from_static("16"));
        answer.insert("grpc-message", HeaderValue::from_static("a bearer token is needed"));
    } else {
        answer.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        answer.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        *response.status_mut() = StatusCode::UNAUTHORIZED;
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_whole_or_not_at_all() {
        let tokens =
            BearerTokens::new([("secret-1", Principal::new("a")), ("secret-2", Principal::new("b"))]);
        let id = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, HeaderValue::from_static(value));
            tokens.principal(&headers).and_then(|principal| principal.id().map(str::to_owned))
        };
        assert_eq!(id("Bearer secret-2").as_deref(), Some("b"));
        assert_eq!(id("bearer secret-1").as_deref(), Some("a"));
        for unknown in ["Bearer secret", "Bearer secret-11", "Bearer ", "Basic secret-1", "secret-1", ""] {
            assert_eq!(id(unknown), None, "{unknown}");
        }
        assert!(!format!("{tokens:?}").contains("secret"));
    }
}
