//! Helpers that the behaviour tests share.
#![allow(clippy::unwrap_used, reason = "tests")]

pub mod http;
pub mod store;

use a2a_sdk::SKILLS_EXTENSION;
use a2a_sdk::client::EventStream;
use a2a_sdk::protocol::{
    Message, SendMessageConfiguration, SendMessageRequest, StreamResponse, Task, TaskState,
};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

/// A message for the skill of that id.
pub fn to(skill: &str, content: impl Into<Message>) -> Message {
    let mut message = Message::user(content);
    message.metadata.insert(SKILLS_EXTENSION.to_owned(), json!({ "skill": skill }));
    message
}

/// The same message, sent without waiting for what comes of it.
pub fn at_once(message: impl Into<Message>) -> SendMessageRequest {
    SendMessageRequest {
        configuration: SendMessageConfiguration {
            return_immediately: true,
            ..SendMessageConfiguration::default()
        },
        ..SendMessageRequest::new(message.into())
    }
}

/// An answer to a task.
pub fn answer(task: &Task, text: &str) -> Message {
    Message::user(text).with_task_id(&task.id)
}

/// The name of a state, without what all have in common.
pub fn state(state: TaskState) -> &'static str {
    state.as_str().trim_start_matches("TASK_STATE_")
}

/// What an event says, in a line: `task STATE`, `STATE text`, `id= text` for a new artifact, `id+ text` for an added
/// chunk, with `!` for the last one.
pub fn line(event: &StreamResponse) -> String {
    let line = match event {
        StreamResponse::Task(task) => format!("task {}", state(task.status.state)),
        StreamResponse::Message(message) => format!("message {}", message.text()),
        StreamResponse::StatusUpdate(update) => {
            let text = update.status.message.as_ref().map(|message| message.text()).unwrap_or_default();
            format!("{} {text}", state(update.status.state))
        }
        StreamResponse::ArtifactUpdate(update) => format!(
            "{}{}{} {}",
            update.artifact.artifact_id,
            if update.append { "+" } else { "=" },
            if update.last_chunk { "!" } else { "" },
            update.artifact.text()
        ),
        other => format!("{other:?}"),
    };
    line.trim_end().to_owned()
}

/// All events of a stream, each in a line.
pub async fn lines(stream: EventStream) -> Vec<String> {
    stream.all().await.unwrap().iter().map(line).collect()
}

/// The next event of a stream, in a line; `end` where there is none.
pub async fn next_line(stream: &mut EventStream) -> String {
    stream.next().await.map_or_else(|| "end".to_owned(), |event| line(&event.unwrap()))
}

/// A place where skills wait until the test lets them go on, and a count of those that live.
///
/// The agent holds it as a state.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    reached: Arc<Notify>,
    opened: Arc<Notify>,
    passed: Arc<Notify>,
    living: Arc<AtomicUsize>,
}

/// Counts as living while it is held.
#[derive(Debug)]
pub struct Living(Arc<AtomicUsize>);

impl Drop for Living {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Gate {
    /// Says that it is here, and waits until the test opens.
    pub async fn pass(&self) {
        self.reached.notify_one();
        self.opened.notified().await;
        self.passed.notify_one();
    }

    /// Waits until a skill has passed.
    pub async fn passed(&self) {
        self.passed.notified().await;
    }

    /// Says that it is here.
    pub fn reach(&self) {
        self.reached.notify_one();
    }

    /// Waits until a skill is at the gate.
    pub async fn reached(&self) {
        self.reached.notified().await;
    }

    /// Lets one skill pass, also one that comes later.
    pub fn open(&self) {
        self.opened.notify_one();
    }

    /// Counts the holder as living.
    pub fn live(&self) -> Living {
        self.living.fetch_add(1, Ordering::SeqCst);
        Living(Arc::clone(&self.living))
    }

    /// How many live.
    pub fn living(&self) -> usize {
        self.living.load(Ordering::SeqCst)
    }
}
