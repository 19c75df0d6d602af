//! What a skill and its callers say to each other, by way of the task's writer.

use super::super::settle;
use super::super::tries::Tries;
use super::{Done, Ended, Writer};
use crate::protocol::{Message, Metadata, TaskState};
use crate::skill::{Command, Granted, SkillError, Wish};
use crate::store::{Draft, EntryBody, ListQuery, Seq, StoreError};
use std::sync::Arc;

/// How many other tasks a skill sees at once.
const OTHERS: usize = 100;

/// How many entries of the log are read at once.
const READ: usize = 256;

/// A call of the skill that waits for a message.
pub(super) struct Waiting {
    /// What the caller is told meanwhile, in which state.
    question: Option<(TaskState, Message)>,
    call: u32,
    done: Done,
}

impl Waiting {
    /// Whether a message that came before the question is its answer. It does not tell that something was authorized.
    fn takes_earlier(&self) -> bool {
        !matches!(self.question, Some((TaskState::AuthRequired, _)))
    }
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
            Wish::Ask(..) | Wish::Next if self.canceling => drop(done),
            Wish::Ask(state, question) => {
                self.wait(Waiting { question: Some((state, question)), call, done });
            }
            Wish::Next => self.wait(Waiting { question: None, call, done }),
            Wish::Earlier => drop(done.send(self.earlier().await)),
            Wish::Referenced(ids) => drop(done.send(self.referenced(&ids).await)),
        }
    }

    fn wait(&mut self, waiting: Waiting) {
        self.drop_left();
        self.waiting.push_back(waiting);
        if self.waiting.len() == 1 {
            self.serve_next();
        }
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
            limit: OTHERS,
            ..ListQuery::default()
        };
        let page = self.tasks.store.list(&self.owner, query).await?;
        let others = page.tasks.into_iter().filter(|task| *task.id != *self.shared().task_id);
        Ok(Granted::Tasks(others.map(Arc::unwrap_or_clone).collect()))
    }

    /// The caller's own tasks of these ids; what is missing or another's is left out.
    async fn referenced(&self, ids: &[String]) -> Result<Granted, SkillError> {
        let mut tasks = Vec::new();
        for id in ids.iter().take(OTHERS) {
            tasks.extend(
                self.tasks.store.get(&self.owner, id).await?.map(|row| Arc::unwrap_or_clone(row.task)),
            );
        }
        Ok(Granted::Tasks(tasks))
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
        self.drop_left();
        // It was accepted before the question was stored.
        let earlier = self.state.is_interrupted() && seq < self.asked_at;
        if earlier && self.waiting.front().is_some_and(|waiting| !waiting.takes_earlier()) {
            return self.mailbox.push_back(message);
        }
        if self.state.is_interrupted() {
            self.state = TaskState::Working;
            if earlier {
                // So the store has not set the task going again.
                self.batch.push(EntryBody::state(TaskState::Working).into());
            }
        }
        match self.waiting.pop_front() {
            Some(waiting) => {
                self.give(waiting, message);
                self.serve_next();
            }
            None => self.mailbox.push_back(message),
        }
    }

    /// Gives the call whose turn it is a message that is there, or asks its question.
    fn serve_next(&mut self) {
        self.drop_left();
        while let Some(waiting) = self.waiting.pop_front() {
            let message = if waiting.takes_earlier() { self.mailbox.pop_front() } else { None };
            let Some(message) = message else {
                if let Some((state, question)) = &waiting.question {
                    self.ask(*state, question.clone(), Some(waiting.call));
                }
                return self.waiting.push_front(waiting);
            };
            self.give(waiting, message);
        }
    }

    /// Forgets calls that nobody waits for any more (their futures were dropped): they take no message, and hold up no
    /// other.
    fn drop_left(&mut self) {
        self.waiting.retain(|waiting| !waiting.done.is_closed());
    }
}
