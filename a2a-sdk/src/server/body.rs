//! Reading a request's body, up to the one limit of all bindings.

use crate::protocol::A2aError;
use axum::body::{Body, HttpBody};
use bytes::{Buf, BufMut, Bytes};
use http::{HeaderMap, header};
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

/// How long a client may take between two pieces of a body.
const IDLE: Duration = Duration::from_secs(30);

/// Why a body was not read.
#[derive(Debug)]
pub(super) enum BodyError {
    /// It is larger than the limit.
    TooLarge(A2aError),
    /// It ended early.
    Cut(A2aError),
}

/// The whole body. One over the limit is refused before it is read, where it says its size.
pub(super) async fn read(headers: &HeaderMap, mut body: Body, limit: usize) -> Result<Bytes, BodyError> {
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large(limit));
    }
    let mut first: Option<Bytes> = None;
    let mut rest = Vec::new();
    let mut length = 0;
    loop {
        let next = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx));
        let Ok(next) = tokio::time::timeout(IDLE, next).await else {
            return Err(BodyError::Cut(A2aError::invalid_request("the body did not come in time")));
        };
        let Some(frame) = next else { break };
        let frame = frame.map_err(|_| BodyError::Cut(A2aError::invalid_request("the body ended early")))?;
        let Ok(data) = frame.into_data() else { continue };
        length += data.remaining();
        if length > limit {
            return Err(too_large(limit));
        }
        // Most bodies come in one frame, which is then not copied.
        match &first {
            None => first = Some(data),
            Some(start) => {
                if rest.is_empty() {
                    rest.reserve(announced.unwrap_or(length).min(limit));
                    rest.put_slice(start);
                }
                rest.put_slice(&data);
            }
        }
    }
    Ok(if rest.is_empty() { first.unwrap_or_default() } else { rest.into() })
}

fn too_large(limit: usize) -> BodyError {
    BodyError::TooLarge(A2aError::invalid_request(format!(
        "the body is larger than the limit of {limit} bytes"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stops_coming_is_given_up() {
        let pending = futures_util::stream::pending::<Result<Bytes, std::convert::Infallible>>();
        let begun = tokio::time::Instant::now();
        let read = read(&HeaderMap::new(), Body::from_stream(pending), 100).await;
        assert!(matches!(read, Err(BodyError::Cut(_))), "{read:?}");
        assert_eq!(begun.elapsed().as_secs(), IDLE.as_secs());
    }
}
