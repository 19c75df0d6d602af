//! What a streaming call gives.

use super::error::ClientError;
use crate::protocol::StreamResponse;
use futures_core::Stream;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The events of a task, or one direct answer.
///
/// It ends when the task has ended; that of a sent message also when the task waits for the caller. Dropping it stops
/// nothing but the stream.
///
/// The stream of an agent that runs elsewhere resumes by itself when its connection breaks: no event is lost, and none
/// comes twice where the agent numbers them. An agent that cannot continue where the stream broke gives the task as it
/// stands instead, as an event, and then what happens to it.
pub struct EventStream(Pin<Box<dyn Stream<Item = Result<StreamResponse, ClientError>> + Send>>);

impl EventStream {
    pub(super) fn new(
        events: impl Stream<Item = Result<StreamResponse, ClientError>> + Send + 'static,
    ) -> Self {
        Self(Box::pin(events))
    }

    /// The next event, or `None` at the end. Dropping the future loses nothing.
    ///
    /// # Errors
    /// When the stream was cut.
    pub async fn next(&mut self) -> Option<Result<StreamResponse, ClientError>> {
        poll_fn(|cx| self.0.as_mut().poll_next(cx)).await
    }

    /// All events that are left, in order.
    ///
    /// # Errors
    /// When the stream was cut.
    pub async fn all(mut self) -> Result<Vec<StreamResponse>, ClientError> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event?);
        }
        Ok(events)
    }
}

impl Stream for EventStream {
    type Item = Result<StreamResponse, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx)
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventStream")
    }
}
