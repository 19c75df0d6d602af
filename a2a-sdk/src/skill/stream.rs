//! Replies that come piece by piece.

use super::{Answer, Body, IntoReply, Modes, Reply, Streamed};
use futures_core::Stream;
use schemars::{Schema, SchemaGenerator};
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Each item is a chunk of one artifact, sent at once. An `Err` ends the task; what was sent stays.
impl<S, T, M> IntoReply<Streamed<M>> for S
where
    S: Stream<Item = T> + Send + 'static,
    T: IntoReply<M>,
    M: 'static,
{
    const OUTPUT_MODES: Modes = T::OUTPUT_MODES;
    const GIVES: Modes = T::GIVES;
    const ANSWER: Answer = Answer::Task;

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        T::schema(generator)
    }

    fn into_reply(self) -> Reply {
        Reply { body: Body::Stream(Box::pin(Replies { items: Box::pin(self), marker: PhantomData })) }
    }
}

/// The items of a stream as replies.
struct Replies<S, M> {
    items: Pin<Box<S>>,
    marker: PhantomData<fn() -> M>,
}

impl<S, M> Stream for Replies<S, M>
where
    S: Stream,
    S::Item: IntoReply<M>,
{
    type Item = Reply;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Reply>> {
        self.items.as_mut().poll_next(cx).map(|item| item.map(IntoReply::into_reply))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}
