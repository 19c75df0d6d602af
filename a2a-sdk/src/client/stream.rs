//! What a streaming call gives.

use crate::agent::Engine;
use crate::protocol::{A2aError, StreamResponse};
use crate::tasks::Events;
use futures_core::Stream;
use futures_util::StreamExt;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The events of a task, or one direct answer.
///
/// It ends when the task has ended; that of a sent message also when the task waits for the caller. Dropping it stops
/// nothing but the stream.
pub struct EventStream {
    events: Pin<Box<dyn Stream<Item = Result<StreamResponse, A2aError>> + Send>>,
    /// Without it a stream whose client was dropped would wait for a task that was dropped with it.
    _engine: Arc<Engine>,
}

impl EventStream {
    pub(crate) fn of(events: Events, engine: Arc<Engine>) -> Self {
        Self { events: Box::pin(events.into_stream().map(Ok)), _engine: engine }
    }

    /// The next event, or `None` at the end.
    ///
    /// # Errors
    /// When the stream was cut.
    pub async fn next(&mut self) -> Option<Result<StreamResponse, A2aError>> {
        poll_fn(|cx| self.events.as_mut().poll_next(cx)).await
    }

    /// All events that are left, in order.
    ///
    /// # Errors
    /// When the stream was cut.
    pub async fn all(mut self) -> Result<Vec<StreamResponse>, A2aError> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event?);
        }
        Ok(events)
    }
}

impl Stream for EventStream {
    type Item = Result<StreamResponse, A2aError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.events.as_mut().poll_next(cx)
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventStream")
    }
}
