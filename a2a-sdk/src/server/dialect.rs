//! The forms that the events of a stream are written in.

use super::envelope::{self, Id};
use super::errors::Failure;
use super::payload::Payload;
#[cfg(feature = "compat-0-3")]
use super::v03;
#[cfg(feature = "compat-0-3")]
use crate::compat::{As03, ErrorOf03, Event as Event03, Form};
use crate::protocol::A2aError;
#[cfg(feature = "compat-0-3")]
use crate::protocol::{StreamResponse, TaskState};
use crate::tasks::{Event, Events};
use bytes::Bytes;
use serde::Serialize;

/// The form of a generation of the protocol.
#[derive(Clone, Copy, Debug)]
pub(super) enum Dialect {
    V1,
    #[cfg(feature = "compat-0-3")]
    V03(Form),
}

impl Dialect {
    /// The JSON of an event of this stream: one text, and a second where the form needs it.
    pub(super) fn write(self, events: &Events, event: &Event) -> impl Iterator<Item = Bytes> {
        let (json, more) = match self {
            Self::V1 => (Some(v1(events, event)), None),
            #[cfg(feature = "compat-0-3")]
            Self::V03(form) => older(form, events, event),
        };
        json.into_iter().chain(more)
    }

    /// An error as an answer of JSON-RPC.
    pub(super) fn json_rpc_error(self, id: &Id, error: &A2aError) -> Bytes {
        match self {
            Self::V1 => envelope::error(id, error),
            #[cfg(feature = "compat-0-3")]
            Self::V03(_) => envelope::failure(id, &ErrorOf03(error)),
        }
    }

    /// An error as HTTP+JSON has it.
    pub(super) fn http_error(self, error: &A2aError) -> Bytes {
        match self {
            Self::V1 => encode(&Failure::new(error, error.kind.http_status())),
            #[cfg(feature = "compat-0-3")]
            Self::V03(_) => encode(&ErrorOf03(error)),
        }
    }
}

fn v1(events: &Events, event: &Event) -> Bytes {
    match event {
        Event::Snapshot(task, _) => encode(&Payload::Task(task)),
        Event::Message(message) => encode(&Payload::Message(message)),
        Event::Entry(entry) => {
            entry.frame(0, |entry| encode(&entry.event(&events.task_id, &events.context_id)))
        }
    }
}

/// Whether an event is the last of its stream is part of it before 1.0, and told by the update of a status. So a task
/// with which a stream ends is followed by its status.
#[cfg(feature = "compat-0-3")]
fn older(form: Form, events: &Events, event: &Event) -> (Option<Bytes>, Option<Bytes>) {
    let last = events.ends_with(event);
    match event {
        Event::Message(message) => (Some(encode(&As03(form, &Event03::Message(message)))), None),
        Event::Snapshot(task, _) => {
            let status =
                last.then(|| encode(&As03(form, &Event03::StatusUpdate(&v03::last_status(task), true))));
            (Some(encode(&As03(form, &Event03::Task(task)))), status)
        }
        Event::Entry(entry) => {
            let slot = match (entry.body.entered(), form) {
                // What ends one stream does not end another.
                (Some(TaskState::InputRequired), _) => usize::MAX,
                (_, Form::Kind) => 1,
                (_, Form::Proto(_)) => 2,
            };
            let json = entry.frame(slot, |entry| match entry.event(&events.task_id, &events.context_id) {
                Some(StreamResponse::StatusUpdate(update)) => {
                    encode(&As03(form, &Event03::StatusUpdate(&update, last)))
                }
                Some(StreamResponse::ArtifactUpdate(update)) => {
                    encode(&As03(form, &Event03::ArtifactUpdate(&update)))
                }
                Some(StreamResponse::Task(_) | StreamResponse::Message(_)) | None => Bytes::new(),
            });
            ((!json.is_empty()).then_some(json), None)
        }
    }
}

/// What the protocol's types are made of is always JSON.
fn encode(value: &impl Serialize) -> Bytes {
    serde_json::to_vec(value).unwrap_or_default().into()
}

#[cfg(all(test, feature = "compat-0-3"))]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::compat::Bytes as Encoding;
    use crate::protocol::{Task, TaskStatus};
    use crate::store::{MemoryStore, Owner, Retention};
    use crate::tasks::Until;
    use serde_json::{Value, json};
    use std::sync::Arc;

    /// What a stream writes of a task in that state, with which it goes on after it fell behind.
    fn written(form: Form, state: TaskState, until: Until) -> Vec<Value> {
        let store = Arc::new(MemoryStore::new(crate::Clock::system(), Retention::default()));
        let status = TaskStatus { state, ..TaskStatus::default() };
        let task =
            Arc::new(Task { id: "t".to_owned(), context_id: "c".to_owned(), status, ..Task::default() });
        let events = Events::task(store, Owner::default(), Arc::clone(&task), 7, until);
        let snapshot = Event::Snapshot(task, 7);
        let texts = Dialect::V03(form).write(&events, &snapshot);
        texts.map(|text| serde_json::from_slice(&text).unwrap()).collect()
    }

    #[test]
    fn a_task_with_which_a_stream_ends_is_followed_by_its_final_status() {
        let proto = Form::Proto(Encoding::Encoded);
        for (state, until) in [
            (TaskState::Completed, Until::Ended),
            (TaskState::Canceled, Until::Settled),
            (TaskState::InputRequired, Until::Settled),
        ] {
            let [task, update] = written(Form::Kind, state, until).try_into().unwrap();
            assert_eq!((&task["kind"], task.get("final")), (&json!("task"), None));
            assert_eq!((&update["kind"], &update["final"]), (&json!("status-update"), &json!(true)));
            assert_eq!(update["status"], task["status"]);
            let [task, update] = written(proto, state, until).try_into().unwrap();
            assert_eq!(update["statusUpdate"]["final"], true);
            assert_eq!(update["statusUpdate"]["status"], task["task"]["status"]);
        }
        for (state, until) in [
            (TaskState::InputRequired, Until::Ended),
            (TaskState::AuthRequired, Until::Settled),
            (TaskState::Working, Until::Settled),
        ] {
            for form in [Form::Kind, proto] {
                assert_eq!(written(form, state, until).len(), 1, "{state:?} {until:?}");
            }
        }
    }
}
