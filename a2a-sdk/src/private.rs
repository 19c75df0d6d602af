//! What the macros' code calls. No part of the public API: it may change in any release.

pub use crate::agent::Agent;
pub use crate::skill::definition::{Argument, Definition, Outcome, into_reply};
pub use crate::skill::{Location, Opaque, Request, Run, Signature, SkillEntry, SkillError, StreamOf};

#[doc(inline)]
pub use crate::__submit as submit;

#[cfg(feature = "inventory")]
pub use inventory;

/// `&'static str`, by a name that nothing in the user's scope can hide.
pub type Str = &'static str;
/// The result of taking the arguments.
pub type Call = Result<Run, SkillError>;

/// What a macro registered.
#[derive(Debug)]
pub struct Registered {
    /// The module it stands in.
    pub module: Str,
    /// Where it stands in the source.
    pub location: Location,
    /// What it is.
    pub what: What,
}

/// What can be registered.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// A skill.
    Skill {
        /// The key of the agent it names.
        agent: Option<Str>,
        /// Makes its entry.
        entry: fn() -> SkillEntry,
    },
    /// An agent.
    Agent {
        /// Its key.
        key: Str,
    },
}

impl Registered {
    /// A skill without a word about its agent.
    pub const fn skill(module: Str, file: Str, line: u32, entry: fn() -> SkillEntry) -> Self {
        Self { module, location: location(file, line), what: What::Skill { agent: None, entry } }
    }

    /// A skill of that agent.
    pub const fn skill_of<A: AgentKey>(module: Str, file: Str, line: u32, entry: fn() -> SkillEntry) -> Self {
        Self { module, location: location(file, line), what: What::Skill { agent: Some(A::KEY), entry } }
    }

    /// An agent.
    pub const fn agent<A: AgentKey>(module: Str, file: Str, line: u32) -> Self {
        Self { module, location: location(file, line), what: What::Agent { key: A::KEY } }
    }
}

impl Registered {
    /// The entry of a skill.
    pub(crate) fn entry(&self) -> Option<SkillEntry> {
        match self.what {
            What::Skill { entry, .. } => Some(entry()),
            What::Agent { .. } => None,
        }
    }

    /// The id of a skill, the key of an agent.
    pub(crate) fn id(&self) -> String {
        match self.what {
            What::Skill { entry, .. } => entry().id().to_owned(),
            What::Agent { key } => key.to_owned(),
        }
    }
}

#[cfg(feature = "inventory")]
inventory::collect!(Registered);

/// An annotated agent; its key is its path.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an agent",
    label = "not an agent",
    note = "name the fn or the struct that carries `#[agent]`"
)]
pub trait AgentKey {
    /// The path it was written at.
    const KEY: Str;
}

/// An agent of the same name: of a skill there is none.
#[diagnostic::on_unimplemented(
    message = "`{S}` is a skill, not an agent",
    label = "there is no agent of this name",
    note = "write `#[agent]` in place of `#[skill]`, if messages that name no skill are for it",
    note = "or build the agent that it joins: the fn or the struct that carries `#[agent]`"
)]
pub trait AgentOf<S> {
    /// The agent.
    fn agent() -> Agent;
}

/// A place in the source.
pub const fn location(file: Str, line: u32) -> Location {
    Location { file, line }
}

/// The entry of an annotated skill.
pub fn entry(id: Str, definition: &Definition) -> SkillEntry {
    SkillEntry::defined(id, definition)
}

/// Refuses arguments that need a task where the reply says that there is none.
#[track_caller]
pub const fn task(definition: &Definition) {
    assert!(
        !definition.lacks_task(),
        "a skill that returns `Message` has no task\nhelp: return `Reply`, or drop the `Context`"
    );
}

/// Refuses a skill whose id another has that is listed before it.
#[track_caller]
pub const fn unique(before: &[Str], id: Str) {
    let mut at = 0;
    while at < before.len() {
        assert!(
            !same(before[at].as_bytes(), id.as_bytes()),
            "another skill of this agent has the same id\nhelp: give one of them another, `#[skill(id = \"..\")]`"
        );
        at += 1;
    }
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Refuses two arguments that take the data of one message.
#[track_caller]
pub const fn data(definition: &Definition, index: usize) {
    assert!(
        !definition.shares_data(index),
        "a message has one data, and another argument takes it\nhelp: take one `Json<T>`, with both as fields of `T`"
    );
}

/// Refuses a declared input mode that no argument reads.
#[track_caller]
pub const fn reads(definition: &Definition, mode: Str, message: Str) {
    assert!(definition.reads(mode), "{}", message);
}

/// Refuses a declared output mode that the reply does not have.
#[track_caller]
pub const fn gives(definition: &Definition, mode: Str, message: Str) {
    assert!(definition.gives(mode), "{}", message);
}

/// The description that doc comments are, where a macro cannot read them itself.
pub fn description(lines: &[Str]) -> String {
    crate::skill::description(lines)
}

/// Puts a record into the registry.
#[cfg(feature = "inventory")]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($($record:tt)*) => {
        $crate::__private::inventory::submit! { $($record)* }
    };
}

/// Without the feature `inventory` there is no registry: an agent lists its skills.
#[cfg(not(feature = "inventory"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($($record:tt)*) => {};
}
