//! What a skill gives back.

use super::definition::Outcome;
use super::json::data_part;
use super::{Modes, SkillError};
use crate::protocol::{Artifact, Message, Part};
use futures_core::Stream;
use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
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

impl Reply {
    fn of(body: Body) -> Self {
        Self { body }
    }

    /// An artifact with that text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Body::Parts(vec![Part::text(text)]))
    }

    /// An artifact with that data. What cannot be written as JSON fails the task.
    pub fn json(value: &impl Serialize) -> Self {
        Self::of(data_part(value).map_or_else(Body::Failed, |part| Body::Parts(vec![part])))
    }

    /// An artifact of those parts; none if there are none.
    pub fn parts(parts: impl IntoIterator<Item = Part>) -> Self {
        Self::of(Body::Parts(parts.into_iter().collect()))
    }

    /// That artifact.
    pub fn artifact(artifact: Artifact) -> Self {
        Self::artifacts([artifact])
    }

    /// Those artifacts. One without an id gets one.
    pub fn artifacts(artifacts: impl IntoIterator<Item = Artifact>) -> Self {
        Self::of(Body::Artifacts(artifacts.into_iter().collect()))
    }

    /// A direct answer. If the skill has talked to its task before, it is the task's last word instead.
    pub fn message(message: impl Into<Message>) -> Self {
        Self::of(Body::Message(message.into()))
    }

    /// A question: the task waits in `INPUT_REQUIRED`, and the next message calls the skill again.
    ///
    /// The skill finds what was said before in [`Context::history`](super::Context::history). To wait for the answer
    /// in the middle of the work, use [`Context::ask`](super::Context::ask).
    pub fn ask(question: impl Into<Message>) -> Self {
        Self::of(Body::Ask(question.into()))
    }

    /// An artifact that comes chunk by chunk, one an item.
    pub fn stream<S, M>(stream: S) -> Self
    where
        S: IntoReply<Streamed<M>>,
    {
        stream.into_reply()
    }
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

/// Marks replies that are more than parts: [`Message`] and [`Reply`]. Inferred; nobody writes it.
#[derive(Debug)]
pub struct Whole(());

/// Marks replies that are streams. Inferred; nobody writes it.
#[derive(Debug)]
pub struct Streamed<M>(std::marker::PhantomData<M>);

/// Marks replies that are `Result`s. Inferred; nobody writes it.
#[derive(Debug)]
pub struct Fallible<M>(std::marker::PhantomData<M>);

/// A type that a skill can return. The marker `M` is inferred.
///
/// | reply | what becomes of it |
/// |---|---|
/// | `String`, `&'static str` | an artifact with a text part |
/// | [`Json<T>`](super::Json) | an artifact with a data part |
/// | [`File`](super::File) | an artifact with the file |
/// | [`Part`], `Vec<Part>`, tuples | an artifact of several parts |
/// | `()` | no artifact |
/// | a `Stream` of these | an artifact, sent chunk by chunk |
/// | [`Message`] | a direct answer, without a task |
/// | [`Reply`] | decided while the skill runs |
/// | `Result<T, E>` of any of these | the reply, or how it failed: see [`SkillError`] |
///
/// A type of your own becomes a reply by implementing [`IntoParts`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reply of a skill",
    label = "not a reply of a skill",
    note = "replies are `String`, `&'static str`, `Json<T>`, `File`, `Part`, `Vec<Part>`, `Message`, `Reply`, `()`, \
            tuples of parts, a `Stream` of these that is `Send`, and `Result<_, E>` of these with `SkillError` or \
            any other error as `E`",
    note = "for data return `Json<T>`, where `T` derives `serde::Serialize` and `schemars::JsonSchema`"
)]
pub trait IntoReply<M>: Sized {
    /// The media types that the card says it gives.
    const OUTPUT_MODES: Modes = Modes::None;
    /// The media types that it can give; at least [`OUTPUT_MODES`](Self::OUTPUT_MODES), `*/*` for any.
    const GIVES: Modes = Self::OUTPUT_MODES;
    /// Whether it makes a task.
    const ANSWER: Answer = Answer::Task;

    /// All of that, for the macros.
    #[doc(hidden)]
    const __OUTCOME: Outcome = Outcome::of::<Self, M>();

    /// The JSON Schema of the data it gives, for the card.
    fn schema(_generator: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    /// The reply that it stands for.
    fn into_reply(self) -> Reply;
}

/// A type that becomes parts of an artifact; every such type is a reply, alone and in a tuple.
///
/// ```
/// use a2a_sdk::{IntoParts, Modes, SkillError, protocol::Part};
///
/// struct Euros(u32);
///
/// impl IntoParts for Euros {
///     const OUTPUT_MODES: Modes = Modes::One("text/plain");
///
///     fn into_parts(self) -> Result<Vec<Part>, SkillError> {
///         Ok(vec![Part::text(format!("{} euros", self.0))])
///     }
/// }
///
/// /// Prices a night.
/// #[a2a_sdk::skill]
/// async fn price() -> Euros {
///     Euros(90)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reply of a skill",
    label = "not a reply of a skill",
    note = "replies are `String`, `&'static str`, `Json<T>`, `File`, `Part`, `Vec<Part>`, `Message`, `Reply`, `()`, \
            tuples of parts, a `Stream` of these that is `Send`, and `Result<_, E>` of these with `SkillError` or \
            any other error as `E`",
    note = "for data return `Json<T>`, where `T` derives `serde::Serialize` and `schemars::JsonSchema`"
)]
pub trait IntoParts: Sized {
    /// The media types that the card says it gives.
    const OUTPUT_MODES: Modes = Modes::None;
    /// The media types that it can give; at least [`OUTPUT_MODES`](Self::OUTPUT_MODES), `*/*` for any.
    const GIVES: Modes = Self::OUTPUT_MODES;

    /// The JSON Schema of the data it gives, for the card.
    fn schema(_generator: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    /// The parts that it stands for.
    ///
    /// # Errors
    /// When it cannot be written as parts; the task fails.
    fn into_parts(self) -> Result<Vec<Part>, SkillError>;
}

impl<T: IntoParts> IntoReply<Value> for T {
    const OUTPUT_MODES: Modes = T::OUTPUT_MODES;
    const GIVES: Modes = T::GIVES;

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        T::schema(generator)
    }

    fn into_reply(self) -> Reply {
        Reply { body: self.into_parts().map_or_else(Body::Failed, Body::Parts) }
    }
}

#[diagnostic::do_not_recommend]
impl IntoReply<Whole> for Reply {
    const OUTPUT_MODES: Modes = TEXT;
    const GIVES: Modes = ANY;
    const ANSWER: Answer = Answer::Either;

    fn into_reply(self) -> Reply {
        self
    }
}

#[diagnostic::do_not_recommend]
impl IntoReply<Whole> for Message {
    const OUTPUT_MODES: Modes = TEXT;
    const GIVES: Modes = ANY;
    const ANSWER: Answer = Answer::Message;

    fn into_reply(self) -> Reply {
        Reply { body: Body::Message(self) }
    }
}

/// Errors that a skill can return: [`SkillError`], and all that `?` makes one of. Implemented for all of them; it makes for
/// better messages.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an error of a skill",
    label = "`{Self}` is not an error of a skill",
    note = "return `SkillError`, or implement `std::error::Error` for `{Self}`, with `Send` and `Sync`"
)]
pub trait Failure: Into<SkillError> {}

#[diagnostic::do_not_recommend]
impl<E: Into<SkillError>> Failure for E {}

/// An `Err` decides how the task ends: see [`SkillError`].
impl<T, E, M> IntoReply<Fallible<M>> for Result<T, E>
where
    T: IntoReply<M>,
    E: Failure,
{
    const OUTPUT_MODES: Modes = T::OUTPUT_MODES;
    const GIVES: Modes = T::GIVES;
    const ANSWER: Answer = T::ANSWER;

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        T::schema(generator)
    }

    fn into_reply(self) -> Reply {
        match self {
            Ok(value) => value.into_reply(),
            Err(error) => Reply { body: Body::Failed(error.into()) },
        }
    }
}

const TEXT: Modes = Modes::One("text/plain");
const ANY: Modes = Modes::One("*/*");

impl IntoParts for String {
    const OUTPUT_MODES: Modes = TEXT;

    fn into_parts(self) -> Result<Vec<Part>, SkillError> {
        Ok(vec![Part::text(self)])
    }
}

impl IntoParts for &'static str {
    const OUTPUT_MODES: Modes = TEXT;

    fn into_parts(self) -> Result<Vec<Part>, SkillError> {
        Ok(vec![Part::text(self)])
    }
}

impl IntoParts for Part {
    const OUTPUT_MODES: Modes = TEXT;
    const GIVES: Modes = ANY;

    fn into_parts(self) -> Result<Vec<Part>, SkillError> {
        Ok(vec![self])
    }
}

impl IntoParts for Vec<Part> {
    const OUTPUT_MODES: Modes = TEXT;
    const GIVES: Modes = ANY;

    fn into_parts(self) -> Result<Vec<Part>, SkillError> {
        Ok(self)
    }
}

/// Nothing: the task completes without an artifact.
impl IntoParts for () {
    fn into_parts(self) -> Result<Vec<Part>, SkillError> {
        Ok(Vec::new())
    }
}

macro_rules! tuple {
    ($first:ident $($rest:ident)+) => {
        /// Several parts of one artifact.
        impl<$first: IntoParts, $($rest: IntoParts),+> IntoParts for ($first, $($rest),+) {
            const OUTPUT_MODES: Modes = tuple!(@modes OUTPUT_MODES $first $($rest)+);
            const GIVES: Modes = tuple!(@modes GIVES $first $($rest)+);

            fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
                let mut schema = $first::schema(generator);
                $(schema = schema.or_else(|| $rest::schema(generator));)+
                schema
            }

            fn into_parts(self) -> Result<Vec<Part>, SkillError> {
                #[allow(non_snake_case, reason = "the types' names serve as the values'")]
                let ($first, $($rest),+) = self;
                let mut parts = $first.into_parts()?;
                $(parts.append(&mut $rest.into_parts()?);)+
                Ok(parts)
            }
        }
    };
    (@modes $what:ident $only:ident) => { $only::$what };
    (@modes $what:ident $first:ident $($rest:ident)+) => {
        Modes::Both(&$first::$what, &tuple!(@modes $what $($rest)+))
    };
}

tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);
tuple!(A B C D E F);
