//! What a skill is: its arguments, its reply, and how it talks to its task while it runs.

mod argument;
mod artifact;
mod ask;
mod cancel;
mod context;
pub(crate) mod definition;
mod doc;
mod entry;
mod error;
mod extension;
mod file;
mod json;
mod mark;
mod misfit;
mod modes;
mod principal;
mod progress;
mod reply;
mod request;
mod state;
mod stream;
mod typed;

/// The extension by which a message names its skill, and a card publishes the schemas of skills.
///
/// A message names one with `metadata[SKILLS_EXTENSION] = {"skill": ID}`; the task's metadata tells it the same way.
/// In messages of the agent, `{"progress": 0.4}` tells how far the work is ([`Progress`]), and `{"answerSchema": {..}}`
/// what an answer is to look like ([`Context::ask_json`]).
pub const SKILLS_EXTENSION: &str = "urn:x-a2a-rust:skills:v1";

pub use argument::FromRequest;
pub use artifact::ArtifactWriter;
pub use cancel::Cancel;
pub use context::{Context, Conversation};
pub use entry::{Location, Needs, Run, SkillEntry};
pub use error::SkillError;
pub use extension::Extension;
pub use file::{File, FileContent};
pub use json::{Described, Deserializable, Json, Serializable};
pub use modes::Modes;
pub use principal::Principal;
pub use progress::Progress;
pub use reply::{Answer, Failure, Fallible, IntoParts, IntoReply, Reply, Streamed, Value, Whole};
pub use request::Request;
pub use state::State;
pub use typed::{
    Arguments, Beside, Given, Nothing, Opaque, Optional, Role, Sent, Signature, Skill, StreamOf,
};

pub(crate) use context::{Chunk, Command, Granted, Shared, Wish};
pub(crate) use doc::description;
pub(crate) use entry::words;
pub(crate) use error::Fault;
pub(crate) use reply::Body;
pub(crate) use request::Caller;
pub(crate) use state::States;
