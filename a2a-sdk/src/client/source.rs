//! One connection of a stream: bytes in, events out.

use super::error::ClientError;
use super::http::broken;
use super::sse::{Frame, Parser};
use super::{jsonrpc, rest};
use crate::protocol::{SendMessageRequest, StreamResponse, SubscribeToTaskRequest};
use reqwest::Response;
use std::collections::VecDeque;

#[cfg(feature = "grpc")]
use crate::grpc::v1;

/// What a stream begins with.
#[derive(Clone, Debug)]
pub(super) enum Opening {
    Send(Box<SendMessageRequest>),
    /// With the id of the last event that was seen.
    Subscribe {
        request: SubscribeToTaskRequest,
        after: Option<String>,
    },
}

impl Opening {
    /// The name of the operation.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Send(_) => "SendStreamingMessage",
            Self::Subscribe { .. } => "SubscribeToTask",
        }
    }

    pub(super) fn tenant(&mut self) -> &mut Option<String> {
        match self {
            Self::Send(request) => &mut request.tenant,
            Self::Subscribe { request, .. } => &mut request.tenant,
        }
    }
}

/// An event, and the id that it came with.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) id: Option<String>,
    pub(super) event: StreamResponse,
}

/// The events of one connection. Dropping it closes the connection.
pub(super) enum Source {
    Sse(Box<Sse>),
    /// An agent that streams nothing gave its answer at once.
    Single(Option<Box<StreamResponse>>),
    /// With how large an event may be.
    #[cfg(feature = "grpc")]
    Grpc(Box<tonic::Streaming<v1::StreamResponse>>, usize),
}

pub(super) struct Sse {
    response: Response,
    parser: Parser,
    frames: VecDeque<Frame>,
    limit: usize,
    /// The id of the request, where the events are envelopes of JSON-RPC.
    request: Option<u64>,
}

impl Source {
    pub(super) fn sse(response: Response, limit: usize, request: Option<u64>) -> Self {
        let (parser, frames) = (Parser::new(limit), VecDeque::new());
        Self::Sse(Box::new(Sse { response, parser, frames, limit, request }))
    }

    pub(super) fn single(event: StreamResponse) -> Self {
        Self::Single(Some(Box::new(event)))
    }

    /// The next event; `None` when the server closed the stream.
    pub(super) async fn next(&mut self) -> Option<Result<Item, ClientError>> {
        match self {
            Self::Sse(sse) => sse.next().await,
            Self::Single(event) => event.take().map(|event| Ok(Item { id: None, event: *event })),
            #[cfg(feature = "grpc")]
            Self::Grpc(stream, limit) => super::grpc::next(stream, *limit).await,
        }
    }

    /// How long the server wants clients to wait before they come back, in milliseconds.
    pub(super) fn retry(&self) -> Option<u64> {
        match self {
            Self::Sse(sse) => sse.parser.retry(),
            _ => None,
        }
    }
}

impl Sse {
    async fn next(&mut self) -> Option<Result<Item, ClientError>> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                // Some servers send events without content to keep a connection alive.
                if frame.data.is_empty() {
                    continue;
                }
                return Some(self.read(frame));
            }
            let chunk = match self.response.chunk().await {
                Ok(chunk) => chunk?,
                Err(error) => return Some(Err(broken(self.response.url(), error))),
            };
            if self.parser.push(&chunk, &mut self.frames).is_err() {
                return Some(Err(ClientError::too_large("an event", self.limit)));
            }
        }
    }

    fn read(&self, frame: Frame) -> Result<Item, ClientError> {
        let event = match self.request {
            Some(id) => jsonrpc::event(&frame.data, id)?,
            None => rest::event(&frame.data)?,
        };
        Ok(Item { id: frame.id, event })
    }
}
