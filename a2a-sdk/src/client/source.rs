//! One connection of a stream: bytes in, events out.

use super::error::ClientError;
use super::http::broken;
use super::sse::{Frame, Parser};
use super::{jsonrpc, rest};
use crate::protocol::{SendMessageRequest, StreamResponse, SubscribeToTaskRequest, from_json};
use reqwest::Response;
use std::collections::VecDeque;

#[cfg(feature = "grpc")]
use crate::grpc::v1;
#[cfg(all(feature = "grpc", feature = "compat-0-3"))]
use crate::grpc::v03;

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
    /// The same, of protocol 0.3.
    #[cfg(all(feature = "grpc", feature = "compat-0-3"))]
    GrpcOf03(Box<tonic::Streaming<v03::StreamResponse>>, usize),
}

pub(super) struct Sse {
    response: Response,
    parser: Parser,
    frames: VecDeque<Frame>,
    limit: usize,
    reading: Reading,
}

/// How the events of a connection are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading {
    /// As envelopes of JSON-RPC, of that request.
    JsonRpc(u64),
    HttpJson,
    /// As protocol 0.3 has them; with the request, where they are envelopes.
    #[cfg(feature = "compat-0-3")]
    Older(Option<u64>),
}

impl Reading {
    pub(super) fn event(self, data: &[u8]) -> Result<StreamResponse, ClientError> {
        match self {
            Self::JsonRpc(id) => jsonrpc::event(data, id, jsonrpc::decode),
            Self::HttpJson => rest::event(data, |data| from_json(data)),
            #[cfg(feature = "compat-0-3")]
            Self::Older(request) => super::older::event(data, request),
        }
    }
}

impl Source {
    pub(super) fn sse(response: Response, limit: usize, reading: Reading) -> Self {
        let (parser, frames) = (Parser::new(limit), VecDeque::new());
        Self::Sse(Box::new(Sse { response, parser, frames, limit, reading }))
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
            #[cfg(all(feature = "grpc", feature = "compat-0-3"))]
            Self::GrpcOf03(stream, limit) => super::grpc::next(stream, *limit).await,
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
        let event = self.reading.event(&frame.data)?;
        Ok(Item { id: frame.id, event })
    }
}
