//! Write an A2A (Agent2Agent) agent by annotating async functions.

pub mod agent;
#[cfg(feature = "server")]
pub mod client;
#[cfg(feature = "server")]
mod clock;
mod error;
pub mod protocol;
#[cfg(feature = "server")]
mod server;
pub mod skill;
#[cfg(feature = "server")]
pub mod store;
#[cfg(feature = "server")]
mod tasks;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use a2a_macros::{agent, skill};
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
    IntoParts, IntoReply, Json, Location, Modes, Needs, Principal, Reply, Request, Run, SkillEntry,
    SkillError, State,
};
