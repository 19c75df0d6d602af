//! A skill as the agent holds it.

use super::{Answer, FromRequest, IntoReply, Modes, Reply, Request, SkillError};
use schemars::{Schema, SchemaGenerator};
use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

/// A call of a skill: a future that ends with its reply.
pub struct Run(Pin<Box<dyn Future<Output = Reply> + Send>>);

impl Run {
    /// The call that this future is.
    pub fn new<F, M>(future: F) -> Self
    where
        F: Future + Send + 'static,
        F::Output: IntoReply<M>,
    {
        Self(Box::pin(async move { future.await.into_reply() }))
    }
}

impl Future for Run {
    type Output = Reply;

    fn poll(mut self: Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> std::task::Poll<Reply> {
        self.0.as_mut().poll(cx)
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Run")
    }
}

/// Where in the source a skill or an agent stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// What the arguments of a skill need from the agent.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    pub(crate) states: Vec<(TypeId, &'static str)>,
    pub(crate) extensions: Vec<&'static str>,
    pub(crate) context: bool,
    pub(crate) cancel: bool,
}

type Handler = Arc<dyn Fn(&Request) -> Result<Run, SkillError> + Send + Sync>;
type SchemaFn = fn(&mut SchemaGenerator) -> Option<Schema>;

/// A skill: what the card says of it, and how it is called.
///
/// `#[skill]` makes one; code can make one as well.
#[derive(Clone)]
pub struct SkillEntry {
    pub(crate) id: Cow<'static, str>,
    pub(crate) name: Option<String>,
    pub(crate) description: String,
    pub(crate) tags: Vec<String>,
    pub(crate) examples: Vec<String>,
    pub(crate) input_modes: Vec<String>,
    pub(crate) output_modes: Vec<String>,
    /// Whether an attribute set the modes, so that the types' no longer count.
    pub(crate) modes_given: (bool, bool),
    pub(crate) input_schemas: Vec<SchemaFn>,
    pub(crate) output_schema: Option<SchemaFn>,
    pub(crate) answer: Answer,
    pub(crate) needs: Needs,
    pub(crate) location: Option<Location>,
    pub(crate) handler: Handler,
}

impl fmt::Debug for SkillEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkillEntry")
            .field("id", &self.id)
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

impl SkillEntry {
    /// A skill of that id, called with each message that is for it.
    ///
    /// The handler takes its arguments out of the request and gives the call, not yet begun: an error here is
    /// the caller's mistake (-32602), and no task is made.
    pub fn new(
        id: impl Into<Cow<'static, str>>,
        handler: impl Fn(&Request) -> Result<Run, SkillError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            id: id.into(),
            name: None,
            description: String::new(),
            tags: Vec::new(),
            examples: Vec::new(),
            input_modes: Vec::new(),
            output_modes: Vec::new(),
            modes_given: (false, false),
            input_schemas: Vec::new(),
            output_schema: None,
            answer: Answer::Either,
            needs: Needs::default(),
            location: None,
            handler: Arc::new(handler),
        }
    }

    /// Says that the handler takes an argument of that type: its media types, its schema, its needs.
    #[must_use]
    pub fn argument<T: FromRequest>(mut self) -> Self {
        T::needs(&mut self.needs);
        if !self.modes_given.0 {
            add_modes(&mut self.input_modes, T::INPUT_MODES);
        }
        self.input_schemas.push(T::schema);
        self
    }

    /// Says that the handler replies with that type: its media types, its schema, whether it makes a task.
    #[must_use]
    pub fn reply<R: IntoReply<M>, M>(mut self) -> Self {
        self.answer = R::ANSWER;
        if !self.modes_given.1 {
            add_modes(&mut self.output_modes, R::OUTPUT_MODES);
        }
        self.output_schema = Some(R::schema);
        self
    }
}

fn add_modes(list: &mut Vec<String>, modes: Modes) {
    match modes {
        Modes::None => {}
        Modes::One(mode) => {
            if !list.iter().any(|known| known == mode) {
                list.push(mode.to_owned());
            }
        }
        Modes::Both(one, other) => {
            add_modes(list, *one);
            add_modes(list, *other);
        }
    }
}
