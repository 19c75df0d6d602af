//! Messages: what callers and agents say to each other.

use super::json::{Member, read_enum};
use super::object::json_object;
use super::part::joined;
use super::{Metadata, Part};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use uuid::Uuid;

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

impl Role {
    /// Every role, in the order of their numbers.
    pub const ALL: &'static [Self] = &[Self::Unspecified, Self::User, Self::Agent];

    /// The name on the wire, such as `ROLE_USER`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unspecified => "ROLE_UNSPECIFIED",
            Self::User => "ROLE_USER",
            Self::Agent => "ROLE_AGENT",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_enum(deserializer, Self::ALL, Self::as_str)
    }
}

impl Member for Role {
    const UNSET: &'static str = "must not be `ROLE_UNSPECIFIED`";

    fn is_unset(&self) -> bool {
        *self == Self::Unspecified
    }
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

json_object!(Message {
    message_id: Required = "messageId",
    context_id: Optional = "contextId",
    task_id: Optional = "taskId",
    role: Required = "role",
    parts: Required = "parts",
    metadata: Implicit = "metadata",
    extensions: Implicit = "extensions",
    reference_task_ids: Implicit = "referenceTaskIds",
});

impl Message {
    /// A message of the caller, under a new id.
    ///
    /// Text, a [`Part`], a list of parts and a message can all be given; whoever said a given message, the caller says it now.
    ///
    /// ```
    /// use a2a_sdk::protocol::{Message, Part, Role};
    ///
    /// let message = Message::user("What is this?").with_part(Part::url("https://example.com/cat.png"));
    /// assert_eq!(message.role, Role::User);
    /// assert_eq!(message.parts.len(), 2);
    /// ```
    pub fn user(content: impl Into<Self>) -> Self {
        Self { role: Role::User, ..content.into() }
    }

    /// A message of the agent, under a new id.
    ///
    /// ```
    /// use a2a_sdk::protocol::{Message, Part, Role};
    ///
    /// let message = Message::agent(vec![Part::text("Here it is."), Part::data([1, 2])]);
    /// assert_eq!(message.role, Role::Agent);
    /// ```
    pub fn agent(content: impl Into<Self>) -> Self {
        Self { role: Role::Agent, ..content.into() }
    }

    /// The texts of the parts that are text, each on a line of its own.
    ///
    /// ```
    /// use a2a_sdk::protocol::{Message, Part};
    ///
    /// let message = Message::from(vec![Part::text("one"), Part::data(2), Part::text("three")]);
    /// assert_eq!(message.text(), "one\nthree");
    /// ```
    pub fn text(&self) -> String {
        joined(&self.parts, "\n")
    }

    /// The value of the first part that is data.
    pub fn data(&self) -> Option<&serde_json::Value> {
        self.parts.iter().find_map(Part::as_data)
    }

    /// The same message, with one more part.
    #[must_use]
    pub fn with_part(mut self, part: impl Into<Part>) -> Self {
        self.parts.push(part.into());
        self
    }

    /// The same message, with those parts after the ones it has.
    #[must_use]
    pub fn with_parts(mut self, parts: impl IntoIterator<Item = Part>) -> Self {
        self.parts.extend(parts);
        self
    }

    /// The same message, under that id.
    #[must_use]
    pub fn with_message_id(mut self, id: impl Into<String>) -> Self {
        self.message_id = id.into();
        self
    }

    /// The same message, to that task.
    #[must_use]
    pub fn with_task_id(mut self, id: impl Into<String>) -> Self {
        self.task_id = Some(id.into());
        self
    }

    /// The same message, in that conversation.
    #[must_use]
    pub fn with_context_id(mut self, id: impl Into<String>) -> Self {
        self.context_id = Some(id.into());
        self
    }

    /// The same message, with that metadata in place of what it had.
    #[must_use]
    pub fn with_metadata(mut self, metadata: impl Into<Metadata>) -> Self {
        self.metadata = metadata.into();
        self
    }
}

/// Those parts, said by the agent under a new id.
impl From<Vec<Part>> for Message {
    fn from(parts: Vec<Part>) -> Self {
        Self {
            message_id: Uuid::now_v7().to_string(),
            context_id: None,
            task_id: None,
            role: Role::Agent,
            parts,
            metadata: Metadata::default(),
            extensions: Vec::new(),
            reference_task_ids: Vec::new(),
        }
    }
}

impl From<Part> for Message {
    fn from(part: Part) -> Self {
        vec![part].into()
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Part::text(text).into()
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Part::text(text).into()
    }
}
