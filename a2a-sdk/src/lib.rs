//! Write an A2A (Agent2Agent) agent by annotating async functions.

#[cfg(feature = "server")]
mod clock;
pub mod protocol;
pub mod skill;
#[cfg(feature = "server")]
pub mod store;
#[cfg(feature = "server")]
mod tasks;

#[cfg(feature = "server")]
pub use clock::Clock;

pub use skill::{
    Answer, ArtifactWriter, Cancel, Context, Conversation, FromRequest, IntoReply, Location, Modes, Needs,
    Principal, Reply, Request, Run, SkillEntry, SkillError, State,
};
