//! Holds an agent of one's own to the rules of the protocol, in its own tests.
//!
//! The plain fn tells what a skill does, and [`Agent::client`](crate::Agent::client) how it looks to a caller.
//! [`check`] asks what neither shows: whether the agent as it is configured, with its layers, its store and its card,
//! still speaks the protocol over each of its bindings. It needs no port.
//!
//! ```
//! /// Says it back.
//! #[a2a_sdk::agent(url = "https://agents.example")]
//! async fn echo(text: String) -> String {
//!     text
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! a2a_sdk::testing::check(echo::agent()).calling("echo", "hello").await.assert_ok();
//! # }
//! ```
//!
//! Time is the agent's as well: give it [`Clock::virtual_from`](crate::Clock::virtual_from) and pause tokio's clock, and
//! retention, timeouts and timestamps go where the test turns them.
//!
//! ```
//! # /// Says it back.
//! # #[a2a_sdk::agent(url = "https://agents.example")]
//! # async fn echo(text: String) -> String { text }
//! use a2a_sdk::{Clock, protocol::Timestamp};
//! use std::time::Duration;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let client = echo::agent().clock(Clock::virtual_from(Timestamp::from_unix_millis(0))).client()?;
//! let task = client.send_message("hi").await?.into_task().ok_or("no task")?;
//! tokio::time::advance(Duration::from_secs(25 * 60 * 60)).await;
//! assert!(client.get_task(&*task.id).await.is_err(), "finished tasks are kept for 24 hours");
//! # Ok(())
//! # }
//! ```

mod calling;
mod card;
mod json;
mod report;
mod rules;
mod wire;

#[cfg(feature = "grpc")]
mod grpc;

pub use report::{Finding, Report};

use crate::Agent;
use crate::protocol::Message;
use http::{HeaderMap, HeaderName, HeaderValue};
use std::future::IntoFuture;
use std::pin::Pin;
use std::time::Duration;

/// How long an answer may take, unless set.
const LIMIT: Duration = Duration::from_secs(10);

/// Checks an agent against the rules of the protocol, over each binding that it declares; `.await` gives the
/// [`Report`].
///
/// What is looked at: the card (where it is, whether it is whole, and what [`lint`](crate::card::lint) finds); what
/// tasks, methods, paths and bodies that there are not are answered with; versions; the negotiation of extensions;
/// operations that the card does not declare; and, where the card declares security, that a call without credentials is
/// refused. None of that calls a skill; [`calling`](Check::calling) does.
///
/// What the SDK does is tested with the SDK. So a sound agent of it breaks these rules by what stands around it or is
/// given to it: a layer that changes headers or answers, a store, an extended card, a skill that never ends.
#[must_use = "a check does nothing until it is awaited"]
pub fn check(agent: Agent) -> Check {
    Check { agent, headers: HeaderMap::new(), calls: Vec::new(), limit: LIMIT }
}

/// A check of an agent, to be awaited. Made by [`check`].
#[derive(Debug)]
pub struct Check {
    agent: Agent,
    headers: HeaderMap,
    calls: Vec<(String, Message)>,
    limit: Duration,
}

impl Check {
    /// Sends that header with every call: the credentials of a guarded agent. Over gRPC it is metadata.
    ///
    /// ```
    /// # /// Tells who calls.
    /// # #[a2a_sdk::agent(url = "https://agents.example")]
    /// # async fn whoami(who: a2a_sdk::Principal) -> String { who.id().unwrap_or("nobody").to_owned() }
    /// use a2a_sdk::{BearerTokens, Principal, testing};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let agent = whoami::agent().layer(BearerTokens::new([("secret", Principal::new("ada"))]));
    /// testing::check(agent).header("authorization", "Bearer secret").await.assert_ok();
    /// # }
    /// ```
    ///
    /// # Panics
    /// When it is no header of HTTP.
    #[track_caller]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let (name, value) = match (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            (Ok(name), Ok(value)) => (name, value),
            _ => panic!("no header of HTTP: `{name}: {value}`"),
        };
        self.headers.append(name, value);
        self
    }

    /// Also calls that skill with that message, over each binding. Data is a text that is JSON, or
    /// [`Part::data`](crate::protocol::Part::data).
    ///
    /// Its stream must begin with a task or be one message, keep its events in order, and end by itself; the task must
    /// be readable afterwards as the stream told it, and once it is finished neither be canceled nor take a message. A
    /// task that waits for its caller is canceled. How the skill ends, and what it says, is not looked at.
    pub fn calling(mut self, skill: impl Into<String>, message: impl Into<Message>) -> Self {
        self.calls.push((skill.into(), Message::user(message)));
        self
    }

    /// Sets how long an answer may take, and a stream until its end: 10 seconds unless set.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }
}

impl IntoFuture for Check {
    type Output = Report;
    type IntoFuture = Pin<Box<dyn Future<Output = Report> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(rules::run(self))
    }
}
