//! Write an A2A (Agent2Agent) agent by annotating async functions.

// Private, as `skill` is: `use a2a_sdk::agent` is to import the attribute alone.
mod agent;
pub mod protocol;
mod skill;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

#[doc = include_str!("docs/agent.md")]
pub use a2a_macros::agent;
#[doc = include_str!("docs/skill.md")]
pub use a2a_macros::skill;
pub use agent::Agent;
pub use skill::{
    Answer, ArtifactWriter, Cancel, Context, Conversation, Extension, File, FileContent, FromRequest,
    IntoParts, IntoReply, Json, Location, Modes, Needs, Principal, Reply, Request, Run, SkillEntry,
    SkillError, State, Streamed, Value,
};
