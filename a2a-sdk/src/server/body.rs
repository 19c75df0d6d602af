//! Reading a request's body, up to the one limit of all bindings.

use crate::protocol::A2aError;
use axum::body::{Body, HttpBody};
use bytes::{Buf, BufMut, Bytes};
use http::{HeaderMap, header};
use std::future::poll_fn;
use std::pin::Pin;

/// How deep JSON may be nested: as deep as the decoder goes, also where it would not look.
const DEPTH: usize = 128;

/// Refuses JSON that is nested too deep, whatever member it is in.
pub(super) fn check_depth(json: &[u8]) -> Result<(), A2aError> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => {
                depth += 1;
                if depth > DEPTH {
                    return Err(A2aError::parse(format!("nested deeper than {DEPTH} levels")));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

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
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
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

    #[test]
    fn depth_is_counted_outside_of_texts() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(check_depth(nested(128).as_bytes()).is_ok());
        assert!(check_depth(nested(129).as_bytes()).is_err());
        let text = format!(r#"{{"a":"{}\"{}"}}"#, "[".repeat(200), "{".repeat(200));
        assert!(check_depth(text.as_bytes()).is_ok());
        assert!(check_depth("[]".repeat(500).as_bytes()).is_ok());
    }
}
