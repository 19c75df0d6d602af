//! Server-sent events: a stream of a task's events as bytes.

use super::dialect::Dialect;
use super::envelope::{self, Id};
use crate::protocol::A2aError;
use crate::tasks::{Event, Events};
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream::unfold;
use http::{HeaderValue, header};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};

/// A frame without content, which clients ignore and proxies count as life.
const HEARTBEAT: &[u8] = b":\n\n";

/// From how many bytes on a chunk is sent before more is put into it.
const CHUNK: usize = 256 * 1024;

/// What a stream is made with.
pub(super) struct Settings {
    /// How long a stream may be silent.
    pub(super) heartbeat: Duration,
    /// Turns true when the server stops.
    pub(super) closing: watch::Receiver<bool>,
}

/// How the events of a stream are written.
pub(super) struct Writing {
    pub(super) dialect: Dialect,
    pub(super) frame: Frame,
}

/// What is around each event.
pub(super) enum Frame {
    /// An answer of JSON-RPC: its id, and what comes before the result.
    JsonRpc(Id, String),
    /// Nothing: HTTP+JSON.
    Bare,
}

impl Frame {
    pub(super) fn json_rpc(id: Id) -> Self {
        let head = envelope::head(&id);
        Self::JsonRpc(id, head)
    }

    fn around(&self) -> (&str, &str) {
        match self {
            Self::JsonRpc(_, head) => (head, envelope::TAIL),
            Self::Bare => ("", ""),
        }
    }
}

struct State {
    events: Events,
    writing: Writing,
    settings: Settings,
    /// One timer for the life of the stream, made when it first has to wait.
    silence: Option<Pin<Box<Sleep>>>,
    spoken: Instant,
    /// Events that were read and are not sent yet.
    waiting: VecDeque<Event>,
}

enum Next {
    Events(Vec<Event>),
    /// The stream ends with an error (spec 9.4.2, 11.7): the client learns that the task did not.
    Failed(A2aError),
    Silence,
    End,
}

/// The response that streams these events.
pub(super) fn response(events: Events, writing: Writing, settings: Settings) -> Response {
    let state =
        State { events, writing, settings, silence: None, spoken: Instant::now(), waiting: VecDeque::new() };
    let chunks = unfold(state, |mut state| async move {
        let next = if state.waiting.is_empty() { state.next().await } else { Next::Events(Vec::new()) };
        let chunk = match next {
            Next::Events(events) => {
                state.waiting.extend(events);
                state.frames()
            }
            Next::Failed(error) => {
                let body = state.writing.error(&error);
                [state.writing.error_event(), b"data: ", &body, b"\n\n"].concat().into()
            }
            Next::Silence => Bytes::from_static(HEARTBEAT),
            Next::End => return None,
        };
        state.spoken = Instant::now();
        Some((Ok::<_, Infallible>(chunk), state))
    });
    of(Body::from_stream(chunks))
}

/// A response of that body.
fn of(body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    // nginx holds a stream back otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

impl State {
    async fn next(&mut self) -> Next {
        let Self { events, settings, silence, spoken, .. } = self;
        let mut next = pin!(events.next());
        let mut closed = pin!(settings.closing.wait_for(|closing| *closing));
        poll_fn(|cx| {
            if let Poll::Ready(events) = next.as_mut().poll(cx) {
                return Poll::Ready(match events {
                    Some(Ok(events)) => Next::Events(events),
                    Some(Err(error)) => Next::Failed(error),
                    None => Next::End,
                });
            }
            if closed.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Next::End);
            }
            // The timer runs on while events pass; when it rings, it is set to what is left.
            let timer = silence
                .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(*spoken + settings.heartbeat)));
            while timer.as_mut().poll(cx).is_ready() {
                let due = *spoken + settings.heartbeat;
                let now = Instant::now();
                if now >= due {
                    timer.as_mut().reset(now + settings.heartbeat);
                    return Poll::Ready(Next::Silence);
                }
                timer.as_mut().reset(due);
            }
            Poll::Pending
        })
        .await
    }

    /// One chunk of bytes for as many of the events that wait as fit in one.
    fn frames(&mut self) -> Bytes {
        let mut frames = Vec::with_capacity(self.waiting.len() * 512);
        while frames.len() < CHUNK
            && let Some(event) = self.waiting.pop_front()
        {
            let seq = match &event {
                Event::Snapshot(_, seq) => Some(*seq),
                Event::Entry(entry) => Some(entry.seq),
                Event::Message(_) => None,
            };
            for json in self.writing.dialect.write(&self.events, &event) {
                if let Some(seq) = seq {
                    self.id(&mut frames, seq);
                }
                self.writing.put(&mut frames, &json);
            }
        }
        frames.into()
    }

    fn id(&self, frames: &mut Vec<u8>, seq: u64) {
        frames.extend_from_slice(format!("id: {}:{seq}\n", self.events.task_id).as_bytes());
    }
}

impl Writing {
    fn put(&self, frames: &mut Vec<u8>, json: &[u8]) {
        let (head, tail) = self.frame.around();
        frames.extend_from_slice(b"data: ");
        frames.extend_from_slice(head.as_bytes());
        frames.extend_from_slice(json);
        frames.extend_from_slice(tail.as_bytes());
        frames.extend_from_slice(b"\n\n");
    }

    /// What tells that an event is an error, where it does not tell it itself.
    fn error_event(&self) -> &'static [u8] {
        match (self.dialect, &self.frame) {
            #[cfg(feature = "compat-0-3")]
            (Dialect::V03(_), Frame::Bare) => b"event: error\n",
            _ => b"",
        }
    }

    /// An error, as an event has it.
    fn error(&self, error: &A2aError) -> Bytes {
        match &self.frame {
            Frame::JsonRpc(id, _) => self.dialect.json_rpc_error(id, error),
            Frame::Bare => self.dialect.http_error(error),
        }
    }
}

/// A stream of one frame of that JSON.
#[cfg(feature = "compat-0-3")]
pub(super) fn once(json: &[u8]) -> Response {
    of(Body::from([b"data: ", json, b"\n\n"].concat()))
}
