//! Write an [A2A](https://a2a-protocol.org) (Agent2Agent) agent by annotating async functions.
//!
//! ```no_run
//! /// Says it back.
//! #[a2a_sdk::agent]
//! async fn echo(text: String) -> String {
//!     text
//! }
//!
//! #[tokio::main]
//! async fn main() -> a2a_sdk::Result<()> {
//!     echo::agent().run().await
//! }
//! ```
//!
//! [`agent`] and [`skill`] say what can be annotated, which arguments and replies there are, and what the card gets
//! from them. [`Agent`] is what they make: it is run, served, mounted in a host's own app, or called in process by a
//! [`Client`]. [`Context`] is how a skill reports progress, writes artifacts and asks back while it runs.
//!
//! # Names that axum has too
//!
//! [`Json`], [`State`] and [`Extension`] are named as axum's extractors are, since they do the same for skills. A file
//! that needs both imports one of them under its crate: `use a2a_sdk as a2a;` and then `a2a::Json`.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `client` | calling agents that run elsewhere, as [`Client`] |
//! | `compat-0-3` (default) | serving callers, and calling agents, that speak protocol 0.3 or 0.2 |
//! | `server` (default) | running agents: tasks, the store in memory, JSON-RPC over HTTP, the in-process client |
//! | `tls` | serving TLS with a certificate of one's own |
//! | `push` | push notifications to the webhooks of callers |
//! | `inventory` (default) | skills that join their agent by themselves, across files and crates |
//!
//! With none of them, agents and their cards can be described, and nothing runs: that is for build scripts.

// Private, as `skill` is: `use a2a_sdk::agent` is to import the attribute alone.
mod agent;
pub mod card;
#[cfg(any(feature = "server", feature = "client"))]
pub mod client;
#[cfg(feature = "server")]
mod clock;
#[cfg(all(feature = "compat-0-3", any(feature = "server", feature = "client")))]
#[cfg_attr(
    not(all(feature = "server", feature = "client")),
    allow(
        dead_code,
        unused_imports,
        reason = "a server writes what a client reads, and the other way round"
    )
)]
mod compat;
mod error;
#[cfg(feature = "grpc")]
#[doc(hidden)]
pub mod grpc;
mod lock;
pub mod protocol;
#[cfg(feature = "server")]
mod server;
#[cfg_attr(
    not(feature = "server"),
    allow(dead_code, unused_imports, reason = "the other end of what a running skill says is the server")
)]
mod skill;
#[cfg(feature = "server")]
pub mod store;
#[cfg(feature = "server")]
mod tasks;
#[cfg(feature = "push")]
mod webhook;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

#[doc = include_str!("docs/agent.md")]
pub use a2a_macros::agent;
#[doc = include_str!("docs/skill.md")]
pub use a2a_macros::skill;
#[cfg(feature = "server")]
pub use agent::BuiltAgent;
pub use agent::{Agent, Binding};
#[cfg(any(feature = "server", feature = "client"))]
pub use client::{CallError, Client, ClientError};
#[cfg(feature = "server")]
pub use clock::Clock;
pub use error::{Error, Result};
pub use protocol::{Message, Metadata, Part};
#[cfg(feature = "server")]
pub use server::BearerTokens;
pub use skill::{
    Answer, ArtifactWriter, Cancel, Context, Conversation, Extension, File, FileContent, FromRequest,
    IntoParts, IntoReply, Json, Location, Modes, Needs, Principal, Progress, Reply, Request, Run,
    SKILLS_EXTENSION, Skill, SkillEntry, SkillError, State,
};

#[cfg(feature = "push")]
pub use webhook::WebhookPolicy;

/// What the types of skills are told apart by. The compiler infers them, nobody writes them.
///
/// [`Value`](marker::Value), [`Whole`](marker::Whole), [`Streamed`](marker::Streamed) and [`Fallible`](marker::Fallible)
/// are the kinds of replies, see [`IntoReply`]. [`Deserializable`](marker::Deserializable),
/// [`Serializable`](marker::Serializable), [`Described`](marker::Described) and [`Failure`](marker::Failure) are what
/// their supertraits are. The rest belongs to [typed calls](Skill).
pub mod marker {
    #[doc(hidden)]
    pub use crate::skill::{Arguments, Beside, Nothing, Opaque, Optional, Role, Signature, StreamOf};
    pub use crate::skill::{
        Described, Deserializable, Failure, Fallible, Given, Sent, Serializable, Streamed, Value, Whole,
    };
}

#[cfg(all(doctest, feature = "server", feature = "inventory"))]
#[doc = include_str!("../../README.md")]
struct Readme;
