//! What a macro knows of a skill, as a constant: checked while compiling, one constant a skill.

use super::{Answer, FromRequest, IntoReply, Modes, Needs, Request, Run, SkillError};
use schemars::{Schema, SchemaGenerator};
use std::fmt;

pub(crate) type SchemaFn = fn(&mut SchemaGenerator) -> Option<Schema>;

/// An argument, as its type describes it.
#[derive(Clone, Copy)]
pub struct Argument {
    pub(crate) input: Modes,
    pub(crate) reads: Modes,
    pub(crate) needs_task: bool,
    pub(crate) schema: SchemaFn,
    pub(crate) needs: fn(&mut Needs),
}

impl Argument {
    /// The argument of that type.
    pub const fn of<T: FromRequest>() -> Self {
        Self {
            input: T::INPUT_MODES,
            reads: T::READS,
            needs_task: T::NEEDS_TASK,
            schema: T::schema,
            needs: T::needs,
        }
    }
}

/// A reply, as its type describes it.
#[derive(Clone, Copy)]
pub struct Outcome {
    pub(crate) output: Modes,
    pub(crate) gives: Modes,
    pub(crate) answer: Answer,
    pub(crate) schema: SchemaFn,
}

impl Outcome {
    /// The reply of that type.
    pub const fn of<R: IntoReply<M>, M>() -> Self {
        Self { output: R::OUTPUT_MODES, gives: R::GIVES, answer: R::ANSWER, schema: R::schema }
    }

    /// The reply of that fn: an opaque type cannot be named, but inferred.
    pub const fn from<A, F, R, M>(_: fn(A) -> F) -> Self
    where
        F: Future<Output = R>,
        R: IntoReply<M>,
    {
        Self::of::<R, M>()
    }
}

/// A skill, as its signature describes it.
#[derive(Clone, Copy)]
pub struct Definition {
    /// Takes the arguments and makes the call.
    pub call: fn(&Request) -> Result<Run, SkillError>,
    /// What the types of the arguments say.
    pub arguments: &'static [Argument],
    /// What the type of the reply says.
    pub outcome: Outcome,
}

impl Definition {
    /// Refuses arguments that need a task where the reply says that there is none.
    #[track_caller]
    #[must_use]
    pub const fn checked(self) -> Self {
        let mut at = 0;
        while at < self.arguments.len() {
            assert!(
                !(self.arguments[at].needs_task && matches!(self.outcome.answer, Answer::Message)),
                "a skill that returns `Message` has no task\nhelp: return `Reply`, or drop the `Context`"
            );
            at += 1;
        }
        self
    }

    /// Whether an argument reads that media type.
    pub const fn reads(&self, mode: &str) -> bool {
        let mut at = 0;
        while at < self.arguments.len() {
            if self.arguments[at].reads.reads(mode) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Whether the reply can have that media type.
    pub const fn gives(&self, mode: &str) -> bool {
        self.outcome.gives.reads(mode)
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Definition")
    }
}
