//! Entries of a task's log.

use crate::protocol::{
    Artifact, Message, Metadata, StreamResponse, TaskArtifactUpdateEvent, TaskState, TaskStatus,
    TaskStatusUpdateEvent, Timestamp,
};
use bytes::Bytes;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The number of an entry in its task's log: 1, 2, 3, without gaps.
pub type Seq = u64;

/// In how many forms of JSON an event is kept.
const FORMS: usize = if cfg!(feature = "compat-0-3") { 3 } else { 1 };

/// What to add to a log.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The number of the skill's call that it comes from.
    pub call: Option<u32>,
    /// What happened.
    pub body: EntryBody,
}

impl From<EntryBody> for Draft {
    fn from(body: EntryBody) -> Self {
        Self { call: None, body }
    }
}

/// Something that happened to a task, with its place in the log.
pub struct Entry {
    /// Its number.
    pub seq: Seq,
    /// The claim it was written under.
    pub epoch: u64,
    /// When it was written.
    pub at: Timestamp,
    /// The number of the skill's call that it comes from: what a replay goes by.
    pub call: Option<u32>,
    /// What happened.
    pub body: EntryBody,
    frames: [OnceLock<Bytes>; FORMS],
}

/// What happened to a task.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum EntryBody {
    /// A caller's message was accepted.
    Message(Arc<Message>),
    /// The task entered a state.
    Status(TaskStatus),
    /// The task made an artifact, or a chunk of one.
    Artifact {
        /// The artifact, or the chunk.
        artifact: Artifact,
        /// Whether it adds to the artifact of the same id.
        append: bool,
        /// Whether it is the last chunk.
        last_chunk: bool,
    },
    /// The caller canceled.
    CancelRequested(Metadata),
    /// The skill took a message that had come before; nothing changes for callers.
    Taken,
}

impl EntryBody {
    /// A state without a message; the store sets the time.
    pub fn state(state: TaskState) -> Self {
        Self::Status(TaskStatus { state, ..TaskStatus::default() })
    }

    /// The state that the task enters, if it enters one.
    pub fn entered(&self) -> Option<TaskState> {
        match self {
            Self::Status(status) => Some(status.state),
            Self::Message(_) | Self::Artifact { .. } | Self::CancelRequested(_) | Self::Taken => None,
        }
    }
}

impl Entry {
    pub(crate) fn new(seq: Seq, epoch: u64, at: Timestamp, draft: Draft) -> Self {
        Self { seq, epoch, at, call: draft.call, body: draft.body, frames: Default::default() }
    }

    /// Whether callers see it.
    pub fn is_event(&self) -> bool {
        matches!(self.body, EntryBody::Status(_) | EntryBody::Artifact { .. })
    }

    /// The event that callers see, or `None` for an entry that they do not.
    pub fn event(&self, task_id: &str, context_id: &str) -> Option<StreamResponse> {
        match &self.body {
            EntryBody::Status(status) => Some(StreamResponse::StatusUpdate(TaskStatusUpdateEvent {
                task_id: task_id.to_owned(),
                context_id: context_id.to_owned(),
                status: status.clone(),
                metadata: Metadata::default(),
            })),
            EntryBody::Artifact { artifact, append, last_chunk } => {
                Some(StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent {
                    task_id: task_id.to_owned(),
                    context_id: context_id.to_owned(),
                    artifact: artifact.clone(),
                    append: *append,
                    last_chunk: *last_chunk,
                    metadata: Metadata::default(),
                }))
            }
            EntryBody::Message(_) | EntryBody::CancelRequested(_) | EntryBody::Taken => None,
        }
    }

    /// The event's JSON in one of its forms, made once for all readers.
    pub(crate) fn frame(&self, form: usize, make: impl FnOnce(&Self) -> Bytes) -> Bytes {
        match self.frames.get(form) {
            Some(frame) => frame.get_or_init(|| make(self)).clone(),
            None => make(self),
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("seq", &self.seq)
            .field("epoch", &self.epoch)
            .field("call", &self.call)
            .field("body", &self.body)
            .finish_non_exhaustive()
    }
}
