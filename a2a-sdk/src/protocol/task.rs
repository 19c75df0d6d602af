//! Tasks and artifacts.

use super::json::{Member, read_enum};
use super::object::json_object;
use super::part::joined;
use super::{Message, Metadata, Part, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

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

impl TaskState {
    /// Every state, in the order of their numbers.
    pub const ALL: &'static [Self] = &[
        Self::Unspecified,
        Self::Submitted,
        Self::Working,
        Self::Completed,
        Self::Failed,
        Self::Canceled,
        Self::InputRequired,
        Self::Rejected,
        Self::AuthRequired,
    ];

    /// The name on the wire, such as `TASK_STATE_WORKING`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unspecified => "TASK_STATE_UNSPECIFIED",
            Self::Submitted => "TASK_STATE_SUBMITTED",
            Self::Working => "TASK_STATE_WORKING",
            Self::Completed => "TASK_STATE_COMPLETED",
            Self::Failed => "TASK_STATE_FAILED",
            Self::Canceled => "TASK_STATE_CANCELED",
            Self::InputRequired => "TASK_STATE_INPUT_REQUIRED",
            Self::Rejected => "TASK_STATE_REJECTED",
            Self::AuthRequired => "TASK_STATE_AUTH_REQUIRED",
        }
    }

    /// Whether a task in this state is over: completed, failed, canceled or rejected (spec 4.1.3).
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Canceled | Self::Rejected)
    }

    /// Whether a task in this state waits for the caller: for input or for authorization (spec 4.1.3).
    pub fn is_interrupted(self) -> bool {
        matches!(self, Self::InputRequired | Self::AuthRequired)
    }
}

impl fmt::Display for TaskState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for TaskState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for TaskState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_enum(deserializer, Self::ALL, Self::as_str)
    }
}

impl Member for TaskState {
    const UNSET: &'static str = "must not be `TASK_STATE_UNSPECIFIED`";

    fn is_unset(&self) -> bool {
        *self == Self::Unspecified
    }
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

json_object!(TaskStatus {
    state: Required = "state",
    message: Optional = "message",
    timestamp: Optional = "timestamp",
});

/// A piece of work that an agent does for a caller.
#[derive(Clone, Debug, Default, PartialEq)]
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

json_object!(Task {
    id: Required = "id",
    context_id: Implicit = "contextId",
    status: Required = "status",
    artifacts: Implicit = "artifacts",
    history: Implicit = "history",
    metadata: Implicit = "metadata",
});

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

json_object!(Artifact {
    artifact_id: Required = "artifactId",
    name: Optional = "name",
    description: Optional = "description",
    parts: Always = "parts",
    metadata: Implicit = "metadata",
    extensions: Implicit = "extensions",
});

impl Artifact {
    /// The texts of the parts that are text, joined without anything between: the chunks of a stream are one text.
    pub fn text(&self) -> String {
        joined(&self.parts, "")
    }

    /// The value of the first part that is data.
    pub fn data(&self) -> Option<&serde_json::Value> {
        self.parts.iter().find_map(Part::as_data)
    }
}

impl Task {
    /// What the task says: the texts of its artifacts, each on a line of its own, or that of its status if they have none.
    ///
    /// ```
    /// use a2a_sdk::protocol::{Artifact, Part, Task};
    ///
    /// let mut task = Task::default();
    /// task.status.message = Some(Box::new("For how many?".into()));
    /// assert_eq!(task.text(), "For how many?");
    ///
    /// task.artifacts.push(Artifact { parts: vec![Part::text("Bo"), Part::text("oked.")], ..Artifact::default() });
    /// assert_eq!(task.text(), "Booked.");
    /// ```
    pub fn text(&self) -> String {
        let texts: Vec<String> =
            self.artifacts.iter().map(Artifact::text).filter(|text| !text.is_empty()).collect();
        match (&self.status.message, texts.is_empty()) {
            (Some(message), true) => message.text(),
            _ => texts.join("\n"),
        }
    }
}
