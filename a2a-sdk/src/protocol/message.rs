//! Messages: what callers and agents say to each other.

use super::{Metadata, Part};

/// Who said a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Not said.
    #[default]
    Unspecified,
    /// The caller.
    User,
    /// The agent.
    Agent,
}

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The sender's id of this message.
    pub message_id: String,
    /// The conversation it belongs to.
    pub context_id: Option<String>,
    /// The task it belongs to.
    pub task_id: Option<String>,
    /// Who said it.
    pub role: Role,
    /// The content.
    pub parts: Vec<Part>,
    /// Free-form additions.
    pub metadata: Metadata,
    /// URIs of the extensions that shaped it.
    pub extensions: Vec<String>,
    /// Ids of other tasks it refers to.
    pub reference_task_ids: Vec<String>,
}
