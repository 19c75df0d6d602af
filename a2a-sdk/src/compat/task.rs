//! Tasks, their states and artifacts.

use super::message::Message;
use super::part::Part;
use super::{As03, Form, Read};
use crate::protocol::json::Member;
use crate::protocol::object::json_read;
use crate::protocol::{
    A2aError, Artifact as CoreArtifact, Metadata, Task as Core, TaskState, TaskStatus, Timestamp,
};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::fmt;

/// A task, as it is read.
#[derive(Debug)]
pub(crate) struct Task {
    id: String,
    context_id: String,
    status: Status,
    artifacts: Vec<Artifact>,
    history: Vec<Message>,
    metadata: Metadata,
}

json_read!(Task {
    id: Required = "id",
    context_id: Implicit = "contextId",
    status: Required = "status",
    artifacts: Always = "artifacts",
    history: Always = "history",
    metadata: Implicit = "metadata"
});

/// A status, as it is read.
#[derive(Debug)]
pub(super) struct Status {
    state: State,
    update: Option<Message>,
    timestamp: Option<Moment>,
}

// `update` is the name in the package `a2a.v1`.
json_read!(Status {
    state: Required = "state",
    update: Optional = "message",
    timestamp: Optional = "timestamp"
});

/// An artifact, as it is read.
#[derive(Debug)]
pub(super) struct Artifact {
    artifact_id: String,
    name: Option<String>,
    description: Option<String>,
    parts: Vec<Part>,
    metadata: Metadata,
    extensions: Vec<String>,
}

json_read!(Artifact {
    artifact_id: Required = "artifactId",
    name: Optional = "name",
    description: Optional = "description",
    parts: Always = "parts",
    metadata: Implicit = "metadata",
    extensions: Implicit = "extensions"
});

impl Member for Status {}
impl Member for State {}
impl Member for Artifact {}
impl Member for Moment {}

/// The names of the states over JSON-RPC, in the order of their numbers.
const STATES: [&str; 9] = [
    "unknown",
    "submitted",
    "working",
    "completed",
    "failed",
    "canceled",
    "input-required",
    "rejected",
    "auth-required",
];

/// A state, spelled in either form.
#[derive(Debug)]
struct State(TaskState);

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = State;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the state of a task, such as `working`")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<State, E> {
                let name = match name {
                    "cancelled" => "canceled",
                    "TASK_STATE_CANCELLED" => "TASK_STATE_CANCELED",
                    name => name,
                };
                let mut known = STATES.iter().zip(TaskState::ALL);
                let found = known.find(|(kind, state)| **kind == name || state.as_str() == name);
                let (_, state) = found.ok_or_else(|| E::invalid_value(de::Unexpected::Str(name), &self))?;
                Ok(State(*state))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<State, E> {
                let found = usize::try_from(number).ok().and_then(|number| TaskState::ALL.get(number));
                let state = found.ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(number), &self))?;
                Ok(State(*state))
            }
        }

        deserializer.deserialize_any(Name)
    }
}

/// The name of a state.
fn state_name(form: Form, state: TaskState) -> &'static str {
    match (form, state) {
        (Form::Kind, state) => STATES[state as usize],
        (Form::Proto(_), TaskState::Canceled) => "TASK_STATE_CANCELLED",
        (Form::Proto(_), state) => state.as_str(),
    }
}

/// A moment; without an offset it is one of UTC.
#[derive(Debug)]
struct Moment(Timestamp);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let moment = text.parse().or_else(|_| format!("{text}Z").parse());
        moment
            .map(Self)
            .map_err(|_| de::Error::invalid_value(de::Unexpected::Str(&text), &"a timestamp of ISO 8601"))
    }
}

impl Read for Task {
    type Core = Core;

    fn core(self, form: Form) -> Result<Core, A2aError> {
        Ok(Core {
            id: self.id,
            context_id: self.context_id,
            status: self.status.core(form),
            artifacts: self.artifacts.into_iter().map(|artifact| artifact.core(form)).collect(),
            history: self.history.into_iter().map(|message| message.core(form)).collect(),
            metadata: self.metadata,
        })
    }
}

impl Status {
    pub(super) fn core(self, form: Form) -> TaskStatus {
        TaskStatus {
            state: self.state.0,
            message: self.update.map(|message| Box::new(message.core(form))),
            timestamp: self.timestamp.map(|moment| moment.0),
        }
    }
}

impl Artifact {
    pub(super) fn core(self, form: Form) -> CoreArtifact {
        CoreArtifact {
            artifact_id: self.artifact_id,
            name: self.name,
            description: self.description,
            parts: self.parts.into_iter().map(|part| part.core(form)).collect(),
            metadata: self.metadata,
            extensions: self.extensions,
        }
    }
}

impl Serialize for As03<'_, Core> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, task) = *self;
        let mut map = serializer.serialize_map(None)?;
        if form == Form::Kind {
            map.serialize_entry("kind", "task")?;
        }
        map.serialize_entry("id", &task.id)?;
        map.serialize_entry("contextId", &task.context_id)?;
        map.serialize_entry("status", &As03(form, &task.status))?;
        if !task.artifacts.is_empty() {
            map.serialize_entry("artifacts", &As03(form, &task.artifacts))?;
        }
        if !task.history.is_empty() {
            map.serialize_entry("history", &As03(form, &task.history))?;
        }
        if !task.metadata.is_empty() {
            map.serialize_entry("metadata", &task.metadata)?;
        }
        map.end()
    }
}

impl Serialize for As03<'_, TaskStatus> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, status) = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("state", state_name(form, status.state))?;
        if let Some(message) = &status.message {
            map.serialize_entry("message", &As03(form, &**message))?;
        }
        if let Some(timestamp) = &status.timestamp {
            map.serialize_entry("timestamp", timestamp)?;
        }
        map.end()
    }
}

impl Serialize for As03<'_, CoreArtifact> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, artifact) = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("artifactId", &artifact.artifact_id)?;
        for (name, text) in [("name", &artifact.name), ("description", &artifact.description)] {
            if let Some(text) = text.as_deref().filter(|text| !text.is_empty()) {
                map.serialize_entry(name, text)?;
            }
        }
        map.serialize_entry("parts", &As03(form, &artifact.parts))?;
        if !artifact.metadata.is_empty() {
            map.serialize_entry("metadata", &artifact.metadata)?;
        }
        if !artifact.extensions.is_empty() {
            map.serialize_entry("extensions", &artifact.extensions)?;
        }
        map.end()
    }
}
