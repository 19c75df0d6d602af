//! Write an A2A (Agent2Agent) agent by annotating async functions.

// Private, as `skill` is: `use a2a_sdk::agent` is to import the attribute alone.
mod agent;
#[cfg(feature = "server")]
pub mod client;
#[cfg(feature = "server")]
mod clock;
mod error;
#[cfg(feature = "grpc")]
#[doc(hidden)]
pub mod grpc;
pub mod protocol;
#[cfg(feature = "server")]
mod server;
mod skill;
#[cfg(feature = "server")]
pub mod store;
#[cfg(feature = "server")]
mod tasks;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

#[doc = include_str!("docs/agent.md")]
pub use a2a_macros::agent;
#[doc = include_str!("docs/skill.md")]
pub use a2a_macros::skill;
pub use agent::Agent;
#[cfg(feature = "server")]
pub use agent::BuiltAgent;
#[cfg(feature = "server")]
pub use client::Client;
#[cfg(feature = "server")]
pub use clock::Clock;
pub use error::{Error, Result};
pub use skill::{
    Answer, ArtifactWriter, Cancel, Context, Conversation, Extension, File, FileContent, FromRequest,
    IntoParts, IntoReply, Json, Location, Modes, Needs, Principal, Reply, Request, Run, SKILLS_EXTENSION,
    SkillEntry, SkillError, State,
};

/// The markers of [`IntoReply`], which tell the kinds of replies apart. Inferred; nobody writes them.
pub mod marker {
    pub use crate::skill::{Fallible, Streamed, Value};
}
