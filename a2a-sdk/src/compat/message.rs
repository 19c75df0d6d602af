//! Messages, and who said them.

use super::part::Part;
use super::{As03, Form};
use crate::protocol::json::Member;
use crate::protocol::object::json_read;
use crate::protocol::{A2aError, Message as Core, Metadata, Role as CoreRole};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::fmt;

/// A message, as it is read.
#[derive(Debug)]
pub(crate) struct Message {
    message_id: String,
    context_id: Option<String>,
    task_id: Option<String>,
    role: Role,
    content: Vec<Part>,
    metadata: Metadata,
    extensions: Vec<String>,
    reference_task_ids: Vec<String>,
    #[allow(dead_code, reason = "reading it checks it")]
    kind: Option<MessageKind>,
}

// `content` is the name of the parts in the other form; a member is read under either.
json_read!(Message {
    message_id: Required = "messageId",
    context_id: Optional = "contextId",
    task_id: Optional = "taskId",
    role: Required = "role",
    content: Required = "parts",
    metadata: Implicit = "metadata",
    extensions: Implicit = "extensions",
    reference_task_ids: Implicit = "referenceTaskIds",
    kind: Explicit = "kind"
});

impl Member for Message {}
impl Member for Role {}
impl Member for MessageKind {}

/// The word `message`.
#[derive(Debug)]
struct MessageKind;

impl<'de> Deserialize<'de> for MessageKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let kind = String::deserialize(deserializer)?;
        if kind == "message" {
            return Ok(Self);
        }
        Err(de::Error::custom(format_args!("expected `message`, found `{kind}`")))
    }
}

/// A role, and whether it was spelled as the package `a2a.v1` has it.
#[derive(Debug)]
struct Role {
    role: CoreRole,
    proto: bool,
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Role;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`user` or `agent`")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Role, E> {
                let (role, proto) = match name {
                    "user" => (CoreRole::User, false),
                    "agent" => (CoreRole::Agent, false),
                    "ROLE_USER" => (CoreRole::User, true),
                    "ROLE_AGENT" => (CoreRole::Agent, true),
                    _ => return Err(E::invalid_value(de::Unexpected::Str(name), &self)),
                };
                Ok(Role { role, proto })
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Role, E> {
                match number {
                    1 => Ok(Role { role: CoreRole::User, proto: true }),
                    2 => Ok(Role { role: CoreRole::Agent, proto: true }),
                    _ => Err(E::invalid_value(de::Unexpected::Unsigned(number), &self)),
                }
            }
        }

        deserializer.deserialize_any(Name)
    }
}

impl Message {
    /// The form that its spelling tells, for bodies that come in either.
    pub(super) fn form(&self, proto: Form) -> Form {
        let kinded = !self.role.proto || self.content.iter().any(|part| part.kinded);
        if kinded { Form::Kind } else { proto }
    }

    /// Refuses what only the other form says, and 1.0.
    pub(super) fn check(&self, form: Form, path: &str) -> Result<(), A2aError> {
        if form == Form::Kind && self.role.proto {
            return Err(A2aError::invalid_field(format!("{path}.role"), "expected `user` or `agent`"));
        }
        Ok(())
    }

    pub(super) fn core(self, form: Form) -> Core {
        Core {
            message_id: self.message_id,
            context_id: self.context_id,
            task_id: self.task_id,
            role: self.role.role,
            parts: self.content.into_iter().map(|part| part.core(form)).collect(),
            metadata: self.metadata,
            extensions: self.extensions,
            reference_task_ids: self.reference_task_ids,
        }
    }
}

impl Serialize for As03<'_, Core> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, message) = *self;
        let mut map = serializer.serialize_map(None)?;
        let (role, parts) = match (form, message.role) {
            (Form::Kind, CoreRole::User) => ("user", "parts"),
            (Form::Kind, CoreRole::Agent | CoreRole::Unspecified) => ("agent", "parts"),
            (Form::Proto(_), role) => (role.as_str(), "content"),
        };
        if form == Form::Kind {
            map.serialize_entry("kind", "message")?;
        }
        map.serialize_entry("messageId", &message.message_id)?;
        for (name, id) in [("contextId", &message.context_id), ("taskId", &message.task_id)] {
            if let Some(id) = id.as_deref().filter(|id| !id.is_empty()) {
                map.serialize_entry(name, id)?;
            }
        }
        map.serialize_entry("role", role)?;
        map.serialize_entry(parts, &As03(form, &message.parts))?;
        if !message.metadata.is_empty() {
            map.serialize_entry("metadata", &message.metadata)?;
        }
        if !message.extensions.is_empty() {
            map.serialize_entry("extensions", &message.extensions)?;
        }
        if form == Form::Kind && !message.reference_task_ids.is_empty() {
            map.serialize_entry("referenceTaskIds", &message.reference_task_ids)?;
        }
        map.end()
    }
}
