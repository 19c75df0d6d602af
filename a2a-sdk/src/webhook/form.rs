//! What is posted: the events of a task, in the form of the generation that asked for them.

use crate::protocol::{Artifact, Metadata, StreamResponse, Task, TaskArtifactUpdateEvent, TaskStatus, Wire};
use crate::store::{Entry, EntryBody, Seq};
use bytes::Bytes;
use serde::Serialize;
use std::sync::Arc;

/// One notification, ready to be posted.
#[derive(Debug)]
pub(super) struct Notification {
    /// The newest entry of the log that it tells of.
    pub(super) seq: Seq,
    pub(super) content_type: &'static str,
    pub(super) version: &'static str,
    pub(super) body: Bytes,
}

impl Notification {
    /// One of protocol 1.0 (spec 4.3.3).
    fn v1(seq: Seq, event: &StreamResponse) -> Self {
        Self { seq, content_type: "application/a2a+json", version: "1.0", body: json(event) }
    }

    /// One of protocol 0.3: the whole task.
    #[cfg(feature = "compat-0-3")]
    fn v03(seq: Seq, task: &Task) -> Self {
        use crate::compat::{As03, Form};

        let body = json(&As03(Form::Kind, task));
        Self { seq, content_type: "application/json", version: "0.3", body }
    }
}

/// What a notification is made of is always JSON.
fn json(value: &impl Serialize) -> Bytes {
    serde_json::to_vec(value).unwrap_or_default().into()
}

/// What to post for these entries of the task's log. `status` is the last one that was told, where one was.
#[cfg_attr(not(feature = "compat-0-3"), expect(unused_variables, reason = "what is posted holds its own"))]
pub(super) fn notifications(
    wire: &Wire,
    entries: &[Arc<Entry>],
    task: &Task,
    status: &mut Option<TaskStatus>,
) -> Vec<Notification> {
    match wire {
        Wire::V1 => events(entries, task).iter().map(|(seq, event)| Notification::v1(*seq, event)).collect(),
        #[cfg(feature = "compat-0-3")]
        Wire::V03 { .. } => entries
            .iter()
            .filter_map(|entry| Some(Notification::v03(entry.seq, &task_at(entry, task, status)?)))
            .collect(),
    }
}

/// The task as it stands.
pub(super) fn snapshot(wire: &Wire, seq: Seq, task: &Task) -> Notification {
    match wire {
        Wire::V1 => Notification::v1(seq, &StreamResponse::Task(task.clone())),
        #[cfg(feature = "compat-0-3")]
        Wire::V03 { .. } => Notification::v03(seq, task),
    }
}

/// The events of these entries. Chunks of one artifact that wait together go together.
fn events(entries: &[Arc<Entry>], task: &Task) -> Vec<(Seq, StreamResponse)> {
    let mut all: Vec<(Seq, StreamResponse)> = Vec::new();
    for entry in entries {
        if let EntryBody::Artifact { artifact, append: true, last_chunk } = &entry.body
            && let Some((seq, StreamResponse::ArtifactUpdate(before))) = all.last_mut()
            && before.artifact.artifact_id == artifact.artifact_id
            && !before.last_chunk
        {
            merge(before, artifact, *last_chunk);
            *seq = entry.seq;
            continue;
        }
        all.extend(entry.event(&task.id, &task.context_id).map(|event| (entry.seq, event)));
    }
    all
}

fn merge(before: &mut TaskArtifactUpdateEvent, chunk: &Artifact, last: bool) {
    before.artifact.parts.extend(chunk.parts.iter().cloned());
    let Metadata(metadata) = chunk.metadata.clone();
    before.artifact.metadata.extend(metadata);
    before.last_chunk = last;
}

/// The task for an entry that protocol 0.3 tells of: a state that was entered, or an artifact that is whole.
///
/// Each state is told, in order; the rest of the task is as it stands by now.
#[cfg(feature = "compat-0-3")]
fn task_at(entry: &Entry, task: &Task, status: &mut Option<TaskStatus>) -> Option<Task> {
    match &entry.body {
        EntryBody::Status(entered) => *status = Some(entered.clone()),
        EntryBody::Artifact { last_chunk: true, .. } => {}
        EntryBody::Artifact { .. }
        | EntryBody::Message(_)
        | EntryBody::CancelRequested(_)
        | EntryBody::Taken => return None,
    }
    Some(Task { status: status.as_ref().unwrap_or(&task.status).clone(), ..task.clone() })
}
