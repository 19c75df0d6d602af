//! What a stream carries, and the answer to a message.

use super::object::{json_object, json_oneof};
use super::{Artifact, Message, Metadata, Task, TaskStatus};

/// A task entered a state.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskStatusUpdateEvent {
    /// The task.
    pub task_id: String,
    /// Its conversation.
    pub context_id: String,
    /// The new status.
    pub status: TaskStatus,
    /// Free-form additions.
    pub metadata: Metadata,
}

json_object!(TaskStatusUpdateEvent {
    task_id: Required = "taskId",
    context_id: Required = "contextId",
    status: Required = "status",
    metadata: Implicit = "metadata",
});

/// A task made an artifact, or a chunk of one.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskArtifactUpdateEvent {
    /// The task.
    pub task_id: String,
    /// Its conversation.
    pub context_id: String,
    /// The artifact, or the chunk.
    pub artifact: Artifact,
    /// Whether the parts are added to the artifact of the same id; otherwise they replace it.
    pub append: bool,
    /// Whether this is the last chunk of the artifact.
    pub last_chunk: bool,
    /// Free-form additions.
    pub metadata: Metadata,
}

json_object!(TaskArtifactUpdateEvent {
    task_id: Required = "taskId",
    context_id: Required = "contextId",
    artifact: Required = "artifact",
    append: Implicit = "append",
    last_chunk: Implicit = "lastChunk",
    metadata: Implicit = "metadata",
});

/// One event of a stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StreamResponse {
    /// A snapshot of the task.
    Task(Task),
    /// A direct answer; nothing follows it.
    Message(Message),
    /// The task entered a state.
    StatusUpdate(TaskStatusUpdateEvent),
    /// The task made an artifact, or a chunk of one.
    ArtifactUpdate(TaskArtifactUpdateEvent),
}

/// The answer to a message: a task, or a message without one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SendMessageResponse {
    /// The task that the message made or continued.
    Task(Task),
    /// A direct answer.
    Message(Message),
}

json_oneof!(StreamResponse {
    Task: task = "task",
    Message: message = "message",
    StatusUpdate: status_update = "statusUpdate",
    ArtifactUpdate: artifact_update = "artifactUpdate",
});

json_oneof!(SendMessageResponse { Task: task = "task", Message: message = "message" });

impl TaskStatusUpdateEvent {
    /// Whether the task is over with this event: its state is terminal.
    ///
    /// A task that waits for the caller is not over, though a stream may end there too.
    pub fn is_final(&self) -> bool {
        self.status.state.is_terminal()
    }
}

impl StreamResponse {
    /// `task`, `message`, `status-update` or `artifact-update`: the words of protocol 0.3.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Task(_) => "task",
            Self::Message(_) => "message",
            Self::StatusUpdate(_) => "status-update",
            Self::ArtifactUpdate(_) => "artifact-update",
        }
    }

    /// Whether nothing can follow: a direct answer, or a task or a status in a terminal state (spec 3.1.2).
    ///
    /// A chunk of an artifact is never final, not even the last one.
    pub fn is_final(&self) -> bool {
        match self {
            Self::Task(task) => task.status.state.is_terminal(),
            Self::Message(_) => true,
            Self::StatusUpdate(update) => update.is_final(),
            Self::ArtifactUpdate(_) => false,
        }
    }
}

impl SendMessageResponse {
    /// `task` or `message`: the words of protocol 0.3.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Task(_) => "task",
            Self::Message(_) => "message",
        }
    }

    /// The task, if there is one.
    pub fn task(&self) -> Option<&Task> {
        match self {
            Self::Task(task) => Some(task),
            Self::Message(_) => None,
        }
    }

    /// The direct answer, if it is one.
    pub fn message(&self) -> Option<&Message> {
        match self {
            Self::Task(_) => None,
            Self::Message(message) => Some(message),
        }
    }

    /// The task, if there is one.
    pub fn into_task(self) -> Option<Task> {
        match self {
            Self::Task(task) => Some(task),
            Self::Message(_) => None,
        }
    }

    /// The direct answer, if it is one.
    pub fn into_message(self) -> Option<Message> {
        match self {
            Self::Task(_) => None,
            Self::Message(message) => Some(message),
        }
    }

    /// What the answer says, as [`Task::text`] or [`Message::text`] has it.
    ///
    /// ```
    /// use a2a_sdk::protocol::{Message, SendMessageResponse};
    ///
    /// let answer = SendMessageResponse::from(Message::agent("Hello, Ada!"));
    /// assert_eq!(answer.text(), "Hello, Ada!");
    /// ```
    pub fn text(&self) -> String {
        match self {
            Self::Task(task) => task.text(),
            Self::Message(message) => message.text(),
        }
    }
}

impl From<Task> for SendMessageResponse {
    fn from(task: Task) -> Self {
        Self::Task(task)
    }
}

impl From<Message> for SendMessageResponse {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<Task> for StreamResponse {
    fn from(task: Task) -> Self {
        Self::Task(task)
    }
}

impl From<Message> for StreamResponse {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<TaskStatusUpdateEvent> for StreamResponse {
    fn from(update: TaskStatusUpdateEvent) -> Self {
        Self::StatusUpdate(update)
    }
}

impl From<TaskArtifactUpdateEvent> for StreamResponse {
    fn from(update: TaskArtifactUpdateEvent) -> Self {
        Self::ArtifactUpdate(update)
    }
}
