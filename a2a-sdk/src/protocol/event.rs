//! What a stream carries, and the answer to a message.

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
