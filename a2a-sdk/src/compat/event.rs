//! What a stream carries, and the answer to a message.

use super::message::Message;
use super::task::{Artifact, Status, Task};
use super::{As03, Form, Read};
use crate::protocol::json::Member;
use crate::protocol::object::json_read;
use crate::protocol::{
    A2aError, Message as CoreMessage, Metadata, SendMessageResponse, StreamResponse, Task as CoreTask,
    TaskArtifactUpdateEvent, TaskStatusUpdateEvent,
};
use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::value::RawValue;

/// An event of a stream, or an answer, to be written: borrowed, since many streams may write the same.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event<'a> {
    Task(&'a CoreTask),
    Message(&'a CoreMessage),
    /// The update, and whether it ends the stream it is written to. 0.3 calls that `final`.
    StatusUpdate(&'a TaskStatusUpdateEvent, bool),
    ArtifactUpdate(&'a TaskArtifactUpdateEvent),
}

impl Serialize for As03<'_, Event<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, event) = *self;
        if form == Form::Kind {
            return match event {
                Event::Task(task) => As03(form, *task).serialize(serializer),
                Event::Message(message) => As03(form, *message).serialize(serializer),
                Event::StatusUpdate(update, last) => AsStatus(form, update, *last).serialize(serializer),
                Event::ArtifactUpdate(update) => As03(form, *update).serialize(serializer),
            };
        }
        let mut map = serializer.serialize_map(Some(1))?;
        match event {
            Event::Task(task) => map.serialize_entry("task", &As03(form, *task))?,
            Event::Message(message) => map.serialize_entry("message", &As03(form, *message))?,
            Event::StatusUpdate(update, last) => {
                map.serialize_entry("statusUpdate", &AsStatus(form, update, *last))?;
            }
            Event::ArtifactUpdate(update) => map.serialize_entry("artifactUpdate", &As03(form, *update))?,
        }
        map.end()
    }
}

struct AsStatus<'a>(Form, &'a TaskStatusUpdateEvent, bool);

impl Serialize for AsStatus<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, update, last) = *self;
        let mut map = serializer.serialize_map(None)?;
        if form == Form::Kind {
            map.serialize_entry("kind", "status-update")?;
        }
        map.serialize_entry("taskId", &update.task_id)?;
        map.serialize_entry("contextId", &update.context_id)?;
        map.serialize_entry("status", &As03(form, &update.status))?;
        // Over JSON-RPC it is required; the other form leaves out what is false.
        if last || form == Form::Kind {
            map.serialize_entry("final", &last)?;
        }
        if !update.metadata.is_empty() {
            map.serialize_entry("metadata", &update.metadata)?;
        }
        map.end()
    }
}

impl Serialize for As03<'_, TaskArtifactUpdateEvent> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, update) = *self;
        let mut map = serializer.serialize_map(None)?;
        if form == Form::Kind {
            map.serialize_entry("kind", "artifact-update")?;
        }
        map.serialize_entry("taskId", &update.task_id)?;
        map.serialize_entry("contextId", &update.context_id)?;
        map.serialize_entry("artifact", &As03(form, &update.artifact))?;
        for (name, set) in [("append", update.append), ("lastChunk", update.last_chunk)] {
            if set {
                map.serialize_entry(name, &true)?;
            }
        }
        if !update.metadata.is_empty() {
            map.serialize_entry("metadata", &update.metadata)?;
        }
        map.end()
    }
}

/// An event of a stream, as it is read.
#[derive(Debug)]
pub(crate) enum StreamEvent {
    Task(Task),
    Message(Message),
    StatusUpdate(StatusUpdate),
    ArtifactUpdate(ArtifactUpdate),
}

/// A task entered a state.
#[derive(Debug)]
pub(crate) struct StatusUpdate {
    task_id: String,
    context_id: String,
    status: Status,
    metadata: Metadata,
}

// Whether it is the last is seen by the stream's end.
json_read!(StatusUpdate {
    task_id: Required = "taskId",
    context_id: Implicit = "contextId",
    status: Required = "status",
    metadata: Implicit = "metadata"
});

/// A task made an artifact, or a chunk of one.
#[derive(Debug)]
pub(crate) struct ArtifactUpdate {
    task_id: String,
    context_id: String,
    artifact: Artifact,
    append: bool,
    last_chunk: bool,
    metadata: Metadata,
}

json_read!(ArtifactUpdate {
    task_id: Required = "taskId",
    context_id: Implicit = "contextId",
    artifact: Required = "artifact",
    append: Implicit = "append",
    last_chunk: Implicit = "lastChunk",
    metadata: Implicit = "metadata"
});

impl Member for Task {}
impl Member for StatusUpdate {}
impl Member for ArtifactUpdate {}

/// What tells which event it is: a kind, or the one member that is there.
struct Probe {
    task: Option<Task>,
    msg: Option<Message>,
    status_update: Option<StatusUpdate>,
    artifact_update: Option<ArtifactUpdate>,
}

json_read!(Probe {
    task: Optional = "task",
    msg: Optional = "message",
    status_update: Optional = "statusUpdate",
    artifact_update: Optional = "artifactUpdate"
});

impl<'de> Deserialize<'de> for StreamEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The kind may stand behind everything else, and a status has a member of the name that the other form gives
        // to a message, so the text is kept until it is known what it is.
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let text = raw.get().as_bytes();
        let kind = decode::<Kind, D::Error>(text)?.kind;
        let Some(kind) = kind else {
            let Probe { task, msg, status_update, artifact_update } = decode(text)?;
            let found = task.map(Self::Task).or(msg.map(Self::Message));
            let found = found.or(status_update.map(Self::StatusUpdate));
            let found = found.or(artifact_update.map(Self::ArtifactUpdate));
            return found.ok_or_else(|| de::Error::custom("is no event"));
        };
        match kind.as_str() {
            "task" => decode(text).map(Self::Task),
            "message" => decode(text).map(Self::Message),
            "status-update" => decode(text).map(Self::StatusUpdate),
            "artifact-update" => decode(text).map(Self::ArtifactUpdate),
            _ => Err(de::Error::custom(format_args!("`{kind}` is no kind of event"))),
        }
    }
}

struct Kind {
    kind: Option<String>,
}

json_read!(Kind { kind: Explicit = "kind" });

fn decode<'a, T: Deserialize<'a>, E: de::Error>(text: &'a [u8]) -> Result<T, E> {
    crate::protocol::decode(text).map_err(E::custom)
}

impl Read for StreamEvent {
    type Core = StreamResponse;

    fn core(self, form: Form) -> Result<StreamResponse, A2aError> {
        Ok(match self {
            Self::Task(task) => StreamResponse::Task(task.core(form)?),
            Self::Message(message) => StreamResponse::Message(message.core(form)),
            Self::StatusUpdate(update) => StreamResponse::StatusUpdate(TaskStatusUpdateEvent {
                task_id: update.task_id,
                context_id: update.context_id,
                status: update.status.core(form),
                metadata: update.metadata,
            }),
            Self::ArtifactUpdate(update) => StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent {
                task_id: update.task_id,
                context_id: update.context_id,
                artifact: update.artifact.core(form),
                append: update.append,
                last_chunk: update.last_chunk,
                metadata: update.metadata,
            }),
        })
    }
}

/// The answer to a message, as it is read.
#[derive(Debug, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Answer(StreamEvent);

impl Read for Answer {
    type Core = SendMessageResponse;

    fn core(self, form: Form) -> Result<SendMessageResponse, A2aError> {
        match self.0.core(form)? {
            StreamResponse::Task(task) => Ok(SendMessageResponse::Task(task)),
            StreamResponse::Message(message) => Ok(SendMessageResponse::Message(message)),
            StreamResponse::StatusUpdate(_) | StreamResponse::ArtifactUpdate(_) => {
                Err(A2aError::invalid_agent_response("the answer to a message is an update"))
            }
        }
    }
}
