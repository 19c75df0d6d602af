//! The rules that hold for a call of a skill, whatever it does.

use super::rules::{Checking, LAYERS};
use super::wire::{Operation, Told};
use crate::protocol::{ErrorKind, Message, SendMessageRequest, StreamResponse, Task, TaskState};
use crate::{Binding, SKILLS_EXTENSION};
use std::collections::HashMap;

/// Calls a skill over each of the bindings; what does not end over one is not tried over the next.
pub(super) async fn call(checking: &mut Checking, bindings: &[Binding], skill: &str, message: &Message) {
    let mut message = message.clone();
    message.metadata.insert(SKILLS_EXTENSION.to_owned(), serde_json::json!({ "skill": skill }));
    let request = SendMessageRequest::new(message);
    let streams = checking.card.capabilities.streaming.unwrap_or_default();
    for binding in bindings {
        let operation = if streams {
            Operation::SendStreamingMessage(&request)
        } else {
            Operation::SendMessage(&request)
        };
        let told = checking.wire.call(*binding, checking.wire.terms(), operation).await;
        let mut calling = Calling { checking, binding: *binding, skill };
        let seen = match told {
            Told::Task(task) => Some(*task),
            Told::Events(events) => calling.stream(events),
            Told::Message => None,
            Told::Late => {
                let help = "let the skill end or ask, or give it longer: `.time_limit(..)`";
                let section = if streams { "3.1.2" } else { "3.1.1" };
                calling.add(section, "its call has not ended in time", help);
                return;
            }
            told => {
                let help = "call a skill that is there, with a message that it reads";
                calling.add("3.1.1", format!("the message gets {told}"), help);
                return;
            }
        };
        if let Some(task) = seen {
            calling.afterwards(&task).await;
        }
    }
}

struct Calling<'a> {
    checking: &'a mut Checking,
    binding: Binding,
    skill: &'a str,
}

impl Calling<'_> {
    fn add(&mut self, section: &'static str, text: impl std::fmt::Display, help: &str) {
        let text = format!("skill `{}`: {text}", self.skill);
        self.checking.report.add(Some(self.binding), section, text, help);
    }

    /// The order of a stream (spec 3.1.2); gives the task as the stream tells it.
    fn stream(&mut self, events: Vec<StreamResponse>) -> Option<Task> {
        let count = events.len();
        let mut events = events.into_iter();
        let mut task = match events.next() {
            Some(StreamResponse::Task(task)) => task,
            Some(StreamResponse::Message(_)) if count == 1 => return None,
            Some(StreamResponse::Message(_)) => {
                self.add("3.1.2", "its stream goes on after a message", LAYERS);
                return None;
            }
            _ => {
                self.add("3.1.2", "its stream begins with neither a task nor a message", LAYERS);
                return None;
            }
        };
        // Of each artifact, whether its last chunk has come.
        let mut artifacts: HashMap<String, bool> =
            task.artifacts.iter().map(|artifact| (artifact.artifact_id.clone(), false)).collect();
        for event in events {
            if task.status.state.is_terminal() {
                self.add("3.1.2", "its stream goes on after the end of the task", LAYERS);
                return None;
            }
            let (task_id, context_id) = match event {
                StreamResponse::StatusUpdate(update) => {
                    task.status = update.status;
                    (update.task_id, update.context_id)
                }
                StreamResponse::ArtifactUpdate(update) => {
                    let id = update.artifact.artifact_id;
                    match artifacts.insert(id.clone(), update.last_chunk) {
                        None if update.append => {
                            self.add(
                                "4.2.2",
                                format!("its stream adds to `{id}`, which it has not begun"),
                                LAYERS,
                            );
                        }
                        Some(true) if update.append => {
                            self.add(
                                "4.2.2",
                                format!("its stream adds to `{id}` after its last chunk"),
                                LAYERS,
                            );
                        }
                        _ => {}
                    }
                    (update.task_id, update.context_id)
                }
                StreamResponse::Task(again) => (again.id.clone(), again.context_id.clone()),
                StreamResponse::Message(_) => {
                    self.add("3.1.2", "its stream has a message after a task", LAYERS);
                    continue;
                }
            };
            if (task_id.as_str(), context_id.as_str()) != (task.id.as_str(), task.context_id.as_str()) {
                self.add("4.2", "its stream tells of another task", LAYERS);
            }
        }
        let state = task.status.state;
        if !state.is_terminal() && !state.is_interrupted() {
            self.add("3.1.2", format!("its stream ends while the task is {state}"), LAYERS);
        }
        Some(task)
    }

    /// What holds for the task after its call.
    async fn afterwards(&mut self, seen: &Task) {
        let told = self.tell(Operation::GetTask(&seen.id)).await;
        match &told {
            Told::Task(task) if task.id == seen.id && task.status.state == seen.status.state => {}
            told => {
                let text = format!("its task ended as {}, and GetTask gives {told}", seen.status.state);
                self.add("3.1.3", text, "look at the agent's store, and at its layers");
            }
        }
        let told = self.tell(Operation::CancelTask(&seen.id)).await;
        if seen.status.state.is_terminal() {
            let what = format!("skill `{}`: CancelTask for its finished task", self.skill);
            self.checking.expect(self.binding, ("3.1.5", &what), &told, ErrorKind::TaskNotCancelable);
            let message = Message::user("hello").with_task_id(&seen.id).with_context_id(&seen.context_id);
            let request = SendMessageRequest::new(message);
            let told = self.tell(Operation::SendMessage(&request)).await;
            let what = format!("skill `{}`: a message to its finished task", self.skill);
            self.checking.expect(self.binding, ("3.1.1", &what), &told, ErrorKind::UnsupportedOperation);
        } else if !matches!(&told, Told::Task(task) if task.status.state == TaskState::Canceled) {
            self.add("3.1.5", format!("CancelTask for its task, which waits, gives {told}"), LAYERS);
        }
    }

    async fn tell(&self, operation: Operation<'_>) -> Told {
        self.checking.wire.call(self.binding, self.checking.wire.terms(), operation).await
    }
}
