//! What a macro knows of a skill, as a constant: checked while compiling, one constant a skill.

use super::{Answer, FromRequest, IntoReply, Modes, Needs, Reply, Request, Run, SkillError};
use schemars::{Schema, SchemaGenerator};

pub(crate) type SchemaFn = fn(&mut SchemaGenerator) -> Option<Schema>;

/// An argument, as its type describes it.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    pub(crate) input: Modes,
    pub(crate) reads: Modes,
    pub(crate) needs_task: bool,
    pub(crate) data: bool,
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
            data: T::__DATA,
            schema: T::schema,
            needs: T::needs,
        }
    }
}

/// A reply, as its type describes it.
#[derive(Clone, Copy, Debug)]
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

/// The fn that makes a reply of that type, which is inferred.
pub const fn into_reply<R: IntoReply<M>, M>() -> fn(R) -> Reply {
    R::into_reply
}

/// A skill, as its signature describes it.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Takes the arguments and makes the call.
    pub call: fn(&Request) -> Result<Run, SkillError>,
    /// What the types of the arguments say.
    pub arguments: &'static [Argument],
    /// What the type of the reply says.
    pub outcome: Outcome,
}

impl Definition {
    /// Whether an argument needs a task where the reply says that there is none.
    pub const fn lacks_task(&self) -> bool {
        let mut at = 0;
        while at < self.arguments.len() {
            if self.arguments[at].needs_task && matches!(self.outcome.answer, Answer::Message) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Whether that argument takes the data of the message, and one before it does.
    pub const fn shares_data(&self, index: usize) -> bool {
        let mut at = 0;
        while at < index {
            if self.arguments[at].data && self.arguments[index].data {
                return true;
            }
            at += 1;
        }
        false
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
