//! Write an A2A (Agent2Agent) agent by annotating async functions.

pub mod protocol;
pub mod skill;

pub use skill::{
    Answer, ArtifactWriter, Cancel, Context, Conversation, FromRequest, IntoReply, Location, Modes, Needs,
    Principal, Reply, Request, Run, SkillEntry, SkillError, State,
};
