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

/// One notification, not yet written: many may wait for a slow receiver, and each may hold a whole task.
#[derive(Debug)]
pub(super) struct Waiting {
    seq: Seq,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// As protocol 1.0 has it (spec 4.3.3).
    Event(StreamResponse),
    /// As protocol 0.3 has it: the whole task, in a state that it was in.
    #[cfg(feature = "compat-0-3")]
    Task(Arc<Task>, TaskStatus),
}

impl Waiting {
    pub(super) fn written(self) -> Notification {
        let seq = self.seq;
        match self.content {
            Content::Event(event) => {
                Notification { seq, content_type: "application/a2a+json", version: "1.0", body: json(&event) }
            }
            #[cfg(feature = "compat-0-3")]
            Content::Task(task, status) => {
                use crate::compat::{As03, Form};

                let body = if task.status == status {
                    json(&As03(Form::Kind, &*task))
                } else {
                    json(&As03(Form::Kind, &Task { status, ..(*task).clone() }))
                };
                Notification { seq, content_type: "application/json", version: "0.3", body }
            }
        }
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
    task: &Arc<Task>,
    status: &mut Option<TaskStatus>,
) -> Vec<Waiting> {
    match wire {
        Wire::V1 => {
            let events = events(entries, task).into_iter();
            events.map(|(seq, event)| Waiting { seq, content: Content::Event(event) }).collect()
        }
        #[cfg(feature = "compat-0-3")]
        Wire::V03 { .. } => tasks(entries, task, status),
    }
}

/// The task as it stands.
pub(super) fn snapshot(wire: &Wire, seq: Seq, task: &Arc<Task>) -> Waiting {
    let content = match wire {
        Wire::V1 => Content::Event(StreamResponse::Task((**task).clone())),
        #[cfg(feature = "compat-0-3")]
        Wire::V03 { .. } => Content::Task(Arc::clone(task), task.status.clone()),
    };
    Waiting { seq, content }
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

/// The task for the entries that protocol 0.3 tells of: states that were entered, and artifacts that are whole.
///
/// Each state is told, in order; the rest of the task is as it stands by now. So artifacts in a row are told once, and
/// those of which it is not known in which state they came are told with the next state.
#[cfg(feature = "compat-0-3")]
fn tasks(entries: &[Arc<Entry>], task: &Arc<Task>, status: &mut Option<TaskStatus>) -> Vec<Waiting> {
    let told = |entry: &&Arc<Entry>| {
        matches!(entry.body, EntryBody::Status(_) | EntryBody::Artifact { last_chunk: true, .. })
    };
    let mut entries = entries.iter().filter(told).peekable();
    let mut all = Vec::new();
    while let Some(entry) = entries.next() {
        match (&entry.body, entries.peek().map(|next| &next.body)) {
            (EntryBody::Status(entered), _) => *status = Some(entered.clone()),
            (_, Some(EntryBody::Artifact { .. })) => continue,
            (_, Some(_)) if status.is_none() => continue,
            _ => {}
        }
        let status = status.as_ref().unwrap_or(&task.status).clone();
        all.push(Waiting { seq: entry.seq, content: Content::Task(Arc::clone(task), status) });
    }
    all
}

#[cfg(all(test, feature = "compat-0-3"))]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::protocol::{Part, TaskState, Timestamp};
    use crate::store::Draft;
    use serde_json::Value;

    fn entries(bodies: impl IntoIterator<Item = EntryBody>) -> Vec<Arc<Entry>> {
        let at = Timestamp::from_unix_millis(0);
        let drafts = bodies.into_iter().map(|body| Draft { call: None, body });
        (1..).zip(drafts).map(|(seq, draft)| Arc::new(Entry::new(seq, 1, at, draft))).collect()
    }

    fn artifact(id: &str, append: bool, last_chunk: bool) -> EntryBody {
        let artifact =
            Artifact { artifact_id: id.to_owned(), parts: vec![Part::text(id)], ..Artifact::default() };
        EntryBody::Artifact { artifact, append, last_chunk }
    }

    /// What 0.3 is told of these entries: numbers and states.
    fn told(bodies: Vec<EntryBody>, status: &mut Option<TaskStatus>) -> Vec<(Seq, String)> {
        let mut task = Task { id: "t".to_owned(), ..Task::default() };
        task.status.state = TaskState::InputRequired;
        let wire = Wire::V03 { schemes: Vec::new() };
        let waiting = notifications(&wire, &entries(bodies), &Arc::new(task), status);
        let written = waiting.into_iter().map(|waiting| {
            let Notification { seq, body, .. } = waiting.written();
            let body: Value = serde_json::from_slice(&body).unwrap();
            (seq, body["status"]["state"].as_str().unwrap().to_owned())
        });
        written.collect()
    }

    #[test]
    fn each_state_is_told_in_order_and_artifacts_in_a_row_once() {
        let (working, asks) =
            (|| EntryBody::state(TaskState::Working), || EntryBody::state(TaskState::InputRequired));
        let is = |all: &[(Seq, &str)]| {
            all.iter().map(|(seq, state)| (*seq, (*state).to_owned())).collect::<Vec<_>>()
        };
        let mut status = None;
        let bodies = vec![
            working(),
            artifact("a", false, false),
            artifact("a", true, true),
            artifact("b", false, true),
            EntryBody::Taken,
            artifact("c", false, true),
            working(),
            asks(),
        ];
        assert_eq!(
            told(bodies, &mut status),
            is(&[(1, "working"), (6, "working"), (7, "working"), (8, "input-required")])
        );
        assert_eq!(told(vec![artifact("d", false, true)], &mut status), is(&[(1, "input-required")]));
        // In which state it came is not known, and the task is further by now.
        let bodies = vec![artifact("a", false, true), working(), asks()];
        assert_eq!(told(bodies, &mut None), is(&[(2, "working"), (3, "input-required")]));
        assert_eq!(told(vec![artifact("a", false, true)], &mut None), is(&[(1, "input-required")]));
        assert_eq!(told(vec![artifact("a", false, false), EntryBody::Taken], &mut None), is(&[]));
    }
}
