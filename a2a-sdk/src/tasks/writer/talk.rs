//! What a skill and its callers say to each other, by way of the task's writer.

use super::super::settle;
use super::super::tries::Tries;
use super::{Done, Ended, Writer};
use crate::protocol::{Message, Metadata, TaskState};
use crate::skill::{Command, Granted, SkillError, Wish};
use crate::store::{Draft, EntryBody, ListQuery, Seq, StoreError};
use std::sync::Arc;

/// How many other tasks of a conversation a skill sees.
const EARLIER: usize = 100;

/// How many entries of the log are read at once.
const READ: usize = 256;

/// A call of the skill that waits for a message.
pub(super) struct Waiting {
    question: Option<Message>,
    call: u32,
    done: Done,
}

impl Writer {
    /// What a call of the skill adds to the log, and how it is answered.
    pub(super) async fn command(&mut self, Command { call, wish, done }: Command) {
        match wish {
            Wish::Status(state, message) => {
                self.enter(state, Some(message), Some(call));
                self.answers.push((done, Granted::Done));
            }
            Wish::Artifact(chunk) => {
                self.batch.push(Draft { call: Some(call), body: settle::chunk(chunk) });
                self.answers.push((done, Granted::Done));
            }
            // A canceled task asks nothing any more; the call learns it by the answer that never comes.
            Wish::Ask(_) | Wish::Next if self.canceling => drop(done),
            Wish::Ask(question) => self.wait(Waiting { question: Some(question), call, done }),
            Wish::Next => self.wait(Waiting { question: None, call, done }),
            Wish::Earlier => drop(done.send(self.earlier().await)),
        }
    }

    fn wait(&mut self, waiting: Waiting) {
        // A question whose future was dropped holds up no other.
        self.waiting.retain(|earlier| !earlier.done.is_closed());
        if self.waiting.is_empty()
            && let Some(message) = self.mailbox.pop_front()
        {
            return self.give(waiting, message);
        }
        if let (true, Some(question)) = (self.waiting.is_empty(), &waiting.question) {
            self.ask(TaskState::InputRequired, question.clone(), Some(waiting.call));
        }
        self.waiting.push_back(waiting);
    }

    pub(super) fn ask(&mut self, state: TaskState, question: Message, call: Option<u32>) {
        let question = self.shared().agent_message(question);
        self.shared().history().push(Arc::new(question.clone()));
        self.enter(state, Some(question), call);
    }

    /// Gives a message to the call that waits for it. The log tells which call took it.
    fn give(&mut self, waiting: Waiting, message: Arc<Message>) {
        self.batch.push(Draft { call: Some(waiting.call), body: EntryBody::Taken });
        self.answers.push((waiting.done, Granted::Message(message)));
    }

    async fn earlier(&self) -> Result<Granted, SkillError> {
        let query = ListQuery {
            context_id: Some(self.shared().context_id.to_string()),
            limit: EARLIER,
            ..ListQuery::default()
        };
        let page = self.tasks.store.list(&self.owner, query).await?;
        let others = page.tasks.into_iter().filter(|task| *task.id != *self.shared().task_id);
        Ok(Granted::Tasks(others.map(Arc::unwrap_or_clone).collect()))
    }

    /// Takes in what was said from outside, in the order of the log; gives the cancellation that was among it.
    pub(super) async fn read_log(&mut self) -> Result<Option<Metadata>, StoreError> {
        let mut canceled = None;
        let mut tries = Tries::new();
        loop {
            let id = Arc::clone(&self.shared().task_id);
            let read = self.tasks.store.read(&id, self.read_to, READ).await;
            let Some(read) = tries.over(read).await else { continue };
            let entries = read?;
            if entries.is_empty() {
                return Ok(canceled);
            }
            tries = Tries::new();
            for entry in entries {
                self.read_to = entry.seq;
                match &entry.body {
                    EntryBody::Message(message) => self.message(Arc::clone(message), entry.seq),
                    EntryBody::CancelRequested(metadata) => {
                        canceled = canceled.or_else(|| Some(metadata.clone()))
                    }
                    EntryBody::Status(_) | EntryBody::Artifact { .. } | EntryBody::Taken => {}
                }
            }
        }
    }

    pub(super) fn cancel(&mut self, metadata: Metadata) -> Result<(), Ended> {
        self.canceling = true;
        self.waiting.clear();
        self.shared().cancel(metadata);
        if !self.entry.needs.cancel {
            return Err(Ended::Canceled);
        }
        // A second cancellation does not begin the grace period anew.
        let grace = self.tasks.settings.grace;
        self.grace.get_or_insert_with(|| Box::pin(tokio::time::sleep(grace)));
        Ok(())
    }

    fn message(&mut self, message: Arc<Message>, seq: Seq) {
        self.shared().history().push(Arc::clone(&message));
        if self.state.is_interrupted() {
            self.state = TaskState::Working;
            if seq < self.asked_at {
                // It was accepted before the question was stored, so the store has not set the task going again.
                self.batch.push(EntryBody::state(TaskState::Working).into());
            }
        }
        // A call that nobody waits for any more (its future was dropped) takes no message.
        while let Some(waiting) = self.waiting.pop_front() {
            if waiting.done.is_closed() {
                continue;
            }
            self.give(waiting, message);
            let next = self.waiting.front().and_then(|next| Some((next.question.clone()?, next.call)));
            if let Some((question, call)) = next {
                self.ask(TaskState::InputRequired, question, Some(call));
            }
            return;
        }
        self.mailbox.push_back(message);
    }
}
