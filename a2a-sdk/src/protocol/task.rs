//! Tasks and artifacts.

use super::{Message, Metadata, Part, Timestamp};

/// Where a task stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TaskState {
    /// Not said.
    #[default]
    Unspecified,
    /// Accepted, not begun.
    Submitted,
    /// Being worked on.
    Working,
    /// Done.
    Completed,
    /// Ended by a failure.
    Failed,
    /// Ended by the caller.
    Canceled,
    /// Waiting for a message of the caller.
    InputRequired,
    /// Declined by the agent.
    Rejected,
    /// Waiting for the caller's authorization.
    AuthRequired,
}

/// The state of a task, when it was entered, and what the agent said about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskStatus {
    /// The state.
    pub state: TaskState,
    /// What the agent said about it. Boxed, since most have none.
    pub message: Option<Box<Message>>,
    /// When it was entered.
    pub timestamp: Option<Timestamp>,
}

/// A piece of work that an agent does for a caller.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The server's id of the task.
    pub id: String,
    /// The conversation it belongs to.
    pub context_id: String,
    /// Where it stands.
    pub status: TaskStatus,
    /// What it made.
    pub artifacts: Vec<Artifact>,
    /// The messages so far, oldest first.
    pub history: Vec<Message>,
    /// Free-form additions.
    pub metadata: Metadata,
}

/// Something that a task made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Artifact {
    /// Unique within the task.
    pub artifact_id: String,
    /// A name for people.
    pub name: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// The content.
    pub parts: Vec<Part>,
    /// Free-form additions.
    pub metadata: Metadata,
    /// URIs of the extensions that shaped it.
    pub extensions: Vec<String>,
}
