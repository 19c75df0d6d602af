//! How a skill fails.

use std::error::Error;
use std::fmt;

/// Why a skill did not do what it was asked.
///
/// The texts given to [`failed`](Self::failed), [`rejected`](Self::rejected), [`invalid`](Self::invalid) and
/// [`auth_required`](Self::auth_required) reach the caller. Any other error, taken in by `?`, does not: the caller
/// gets a neutral text with an incident id, the log gets the error with all its causes under the same id.
pub struct SkillError {
    pub(crate) fault: Fault,
}

/// What kind of failure, and what belongs to it.
#[derive(Debug)]
pub(crate) enum Fault {
    Failed(String),
    Rejected(String),
    Invalid {
        field: Option<String>,
        text: String,
    },
    AuthRequired(String),
    Internal(Box<dyn Error + Send + Sync>),
    /// The task ended while the skill was waiting.
    Ended,
}

impl SkillError {
    /// The work could not be done: the task ends `FAILED` with this text.
    pub fn failed(text: impl Into<String>) -> Self {
        Self { fault: Fault::Failed(text.into()) }
    }

    /// The agent declines: the task ends `REJECTED` with this text.
    pub fn rejected(text: impl Into<String>) -> Self {
        Self { fault: Fault::Rejected(text.into()) }
    }

    /// The message is not what the skill can read.
    ///
    /// From an argument: error -32602, and no task is made. From the skill itself: the task ends `REJECTED`.
    pub fn invalid(text: impl Into<String>) -> Self {
        Self { fault: Fault::Invalid { field: None, text: text.into() } }
    }

    /// Like [`invalid`](Self::invalid), for the field at that path, such as `message.parts[0].data.nights`.
    pub fn invalid_field(field: impl Into<String>, text: impl Into<String>) -> Self {
        Self { fault: Fault::Invalid { field: Some(field.into()), text: text.into() } }
    }

    /// The caller must authorize something first: the task waits in `AUTH_REQUIRED` with this text.
    ///
    /// The next message to the task calls the skill again.
    pub fn auth_required(text: impl Into<String>) -> Self {
        Self { fault: Fault::AuthRequired(text.into()) }
    }

    pub(crate) fn ended() -> Self {
        Self { fault: Fault::Ended }
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for SkillError {
    fn from(error: E) -> Self {
        Self { fault: Fault::Internal(error.into()) }
    }
}

impl fmt::Debug for SkillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(f)
    }
}

impl fmt::Display for SkillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Fault::Failed(text) | Fault::Rejected(text) | Fault::AuthRequired(text) => f.write_str(text),
            Fault::Invalid { field: Some(field), text } => write!(f, "{field}: {text}"),
            Fault::Invalid { field: None, text } => f.write_str(text),
            Fault::Internal(error) => error.fmt(f),
            Fault::Ended => f.write_str("the task has ended"),
        }
    }
}
