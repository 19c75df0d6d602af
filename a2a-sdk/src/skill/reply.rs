//! What a skill gives back.

use super::{Modes, SkillError};
use crate::protocol::{Artifact, Message, Part};
use futures_core::Stream;
use schemars::{Schema, SchemaGenerator};
use std::fmt;
use std::pin::Pin;

/// Whether a skill's reply makes a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// A task, always.
    Task,
    /// A message without a task, always.
    Message,
    /// Decided by each reply.
    Either,
}

/// What a skill gives back, decided while it runs.
///
/// Most skills return plain values; return a `Reply` to ask back, to answer without a task, or to give several
/// artifacts.
pub struct Reply {
    pub(crate) body: Body,
}

/// The kinds of replies.
pub(crate) enum Body {
    /// One artifact of these parts; none if there are no parts.
    Parts(Vec<Part>),
    /// These artifacts.
    Artifacts(Vec<Artifact>),
    /// A direct answer, or the last word of the task if there is one.
    Message(Message),
    /// A question: the task waits, and the next message calls the skill again.
    Ask(Message),
    /// Chunks of one artifact.
    Stream(Pin<Box<dyn Stream<Item = Reply> + Send>>),
    /// It went wrong.
    Failed(SkillError),
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.body {
            Body::Parts(parts) => f.debug_tuple("Parts").field(parts).finish(),
            Body::Artifacts(artifacts) => f.debug_tuple("Artifacts").field(artifacts).finish(),
            Body::Message(message) => f.debug_tuple("Message").field(message).finish(),
            Body::Ask(message) => f.debug_tuple("Ask").field(message).finish(),
            Body::Stream(_) => f.write_str("Stream"),
            Body::Failed(error) => f.debug_tuple("Failed").field(error).finish(),
        }
    }
}

/// Marks replies that are plain values. Inferred; nobody writes it.
#[derive(Debug)]
pub struct Value(());

/// Marks replies that are streams. Inferred; nobody writes it.
#[derive(Debug)]
pub struct Streamed<M>(std::marker::PhantomData<M>);

/// Marks replies that are `Result`s. Inferred; nobody writes it.
#[derive(Debug)]
pub struct Fallible<M>(std::marker::PhantomData<M>);

/// A type that a skill can return. The marker `M` is inferred.
pub trait IntoReply<M>: Sized {
    /// The media types it gives.
    const OUTPUT_MODES: Modes = Modes::None;
    /// Whether it makes a task.
    const ANSWER: Answer = Answer::Task;

    /// The JSON Schema of the data it gives, for the card.
    fn schema(_generator: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    /// The reply that it stands for.
    fn into_reply(self) -> Reply;
}
