//! Calls whose input and output the compiler knows.

mod items;
mod wire;

pub use items::{Item, Items};
pub use wire::{Decode, Read, Write};

use super::{Client, ClientError};
use crate::protocol::{SendMessageRequest, Task};
use crate::skill::{SKILLS_EXTENSION, Skill};
use serde_json::json;
use std::error::Error;
use std::fmt::{self, Write as _};
use std::pin::Pin;

impl Client {
    /// Calls a skill by its types: what it takes goes in, what it gives comes out.
    ///
    /// The skill is named by the fn that carries `#[skill]` or `#[agent]`, or by a type that implements [`Skill`] by
    /// hand, which tells also what goes in and out for each kind of argument and reply. The agent may be anywhere. It is
    /// told the id of the skill in the message's metadata, so it must know that extension: agents of this SDK do.
    ///
    /// ```
    /// use a2a_sdk::Json;
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Deserialize, Serialize, JsonSchema)]
    /// struct Trip {
    ///     nights: u32,
    /// }
    ///
    /// #[derive(Deserialize, Serialize, JsonSchema)]
    /// struct Quote {
    ///     euros: u32,
    /// }
    ///
    /// /// Prices a trip.
    /// #[a2a_sdk::skill]
    /// async fn price(Json(trip): Json<Trip>) -> Json<Quote> {
    ///     Json(Quote { euros: trip.nights * 90 })
    /// }
    ///
    /// /// Plans trips.
    /// #[a2a_sdk::agent(skills = [price])]
    /// async fn travel(text: String) -> String {
    ///     text
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let client = travel::agent().client()?;
    /// assert_eq!(client.call::<price>(Trip { nights: 2 }).await?.euros, 180);
    /// assert_eq!(client.call::<travel>("north").await?, "north");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// A skill that streams gives [`Items`], as soon as the agent has begun.
    ///
    /// # Errors
    /// When the call fails; when the task failed, was declined or canceled, or waits for something, with the task in
    /// [`CallError::Unfinished`]; when the answer is not of the type.
    pub fn call<S: Skill>(&self, input: impl Into<S::Input>) -> Calling<'_, S::Output>
    where
        S::Argument: Write<Input = S::Input>,
        S::Reply: Read<Output = S::Output> + 'static,
    {
        let message = S::Argument::write(input.into());
        // In a box: of an opaque future each use would tell once more what a type lacks.
        Box::pin(async move {
            let mut message = message.map_err(CallError::Input)?;
            message.metadata.insert(SKILLS_EXTENSION.to_owned(), json!({ "skill": S::ID }));
            S::Reply::read(self, SendMessageRequest::new(message)).await
        })
    }
}

/// A typed call that is under way.
pub type Calling<'a, T> = Pin<Box<dyn Future<Output = Result<T, CallError>> + Send + 'a>>;

/// Why a typed call gave nothing.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The input cannot be written as JSON; nothing was sent.
    Input(serde_json::Error),
    /// The call failed: the agent refused it, or there was no answer.
    Client(ClientError),
    /// The task did not complete: it failed, was declined or canceled, or waits for an answer or an authorization.
    ///
    /// One that waits goes on with a message that carries its id.
    Unfinished(Box<Task>),
    /// What came is not what the skill is said to give.
    Unexpected(String),
}

impl CallError {
    /// The task that did not complete.
    pub fn task(&self) -> Option<&Task> {
        match self {
            Self::Unfinished(task) => Some(task),
            _ => None,
        }
    }

    /// The error of the call.
    pub fn client(&self) -> Option<&ClientError> {
        match self {
            Self::Client(error) => Some(error),
            _ => None,
        }
    }

    fn unexpected(wanted: &str) -> Self {
        Self::Unexpected(format!("the answer holds no {wanted}"))
    }
}

impl From<ClientError> for CallError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => write!(f, "the input cannot be written as JSON: {error}"),
            Self::Client(error) => error.fmt(f),
            Self::Unfinished(task) => {
                write!(f, "the task is {}", task.status.state.as_str())?;
                let text = task.status.message.as_ref().map(|message| message.text()).unwrap_or_default();
                if !text.is_empty() {
                    f.write_str(": ")?;
                }
                // It is the agent's text, and may end up on a terminal.
                text.chars().filter(|letter| !letter.is_control()).try_for_each(|letter| f.write_char(letter))
            }
            Self::Unexpected(text) => f.write_str(text),
        }
    }
}

impl Error for CallError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Input(error) => Some(error),
            Self::Client(error) => error.source(),
            Self::Unfinished(_) | Self::Unexpected(_) => None,
        }
    }
}
