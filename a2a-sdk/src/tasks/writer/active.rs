//! What a skill is at, and what comes of polling it.

use super::super::live::Signal;
use crate::skill::{Command, Reply, Run};
use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};

/// How many items of a ready stream go into one append.
const ITEMS: usize = 64;

type Items = Pin<Box<dyn Stream<Item = Reply> + Send>>;

/// What the skill is at.
pub(super) enum Active {
    Run(Run),
    Chunks(Chunks),
    /// It has replied.
    Over,
}

/// A reply that comes in chunks of one artifact.
pub(super) struct Chunks {
    pub(super) items: Items,
    /// What one poll has given so far. Kept here, so that a panic in that poll does not take it along.
    ready: Vec<Reply>,
    pub(super) artifact_id: Option<String>,
    /// Whether the newest chunk was text.
    pub(super) text: bool,
}

/// What happened in one turn, in this order.
#[derive(Default)]
pub(super) struct Turn {
    pub(super) commands: Vec<Command>,
    pub(super) signals: Vec<Signal>,
    pub(super) step: Option<Step>,
}

pub(super) enum Step {
    Reply(Reply),
    Items(Vec<Reply>, bool),
    Panicked(String),
    /// The skill waits, and the task is still `SUBMITTED`.
    Begun,
    GraceOver,
}

impl Chunks {
    pub(super) fn new(items: Items) -> Self {
        Self { items, ready: Vec::new(), artifact_id: None, text: false }
    }
}

impl Active {
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Step> {
        match self {
            Self::Run(run) => Pin::new(run).poll(cx).map(Step::Reply),
            Self::Chunks(chunks) => {
                let mut over = false;
                while !over && chunks.ready.len() < ITEMS {
                    match chunks.items.as_mut().poll_next(cx) {
                        Poll::Ready(Some(item)) => chunks.ready.push(item),
                        Poll::Ready(None) => over = true,
                        Poll::Pending if chunks.ready.is_empty() => return Poll::Pending,
                        Poll::Pending => break,
                    }
                }
                Poll::Ready(Step::Items(std::mem::take(&mut chunks.ready), over))
            }
            Self::Over => Poll::Pending,
        }
    }

    /// The items that a poll gave before it panicked.
    pub(super) fn ready(&mut self) -> Vec<Reply> {
        match self {
            Self::Chunks(chunks) => std::mem::take(&mut chunks.ready),
            Self::Run(_) | Self::Over => Vec::new(),
        }
    }
}
