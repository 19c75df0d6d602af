//! Tasks: which skill gets a message, how it runs, who may write to its log, and how callers follow it.
//!
//! Knows no transport.

mod cancel;
mod id;
mod live;
mod reader;
mod route;
mod send;
mod settle;
mod streams;
mod tries;
mod writer;

pub(crate) use id::new_id;
#[cfg(feature = "push")]
pub(crate) use reader::Reader;
pub(crate) use reader::{Event, Events, Until};
pub(crate) use route::Skills;
pub(crate) use send::{Incoming, Sent};
pub(crate) use streams::{Place, Streams};

use crate::protocol::{A2aError, Message, Task, TaskState};
use crate::skill::States;
use crate::store::{Guard, NewTask, Owner, Seq, Store, StoreError, TaskRow};
use futures_util::future::{Either, select};
use live::Registry;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

/// What the caller of a task is told that has waited too long.
const GIVEN_UP: &str =
    "no answer came, and the agent needed the room; start again where this is still wanted";

/// What the caller of a task is told for which there is no room.
const TOO_MANY: &str = "the agent has as many unfinished tasks as it can have; try again later";

/// How tasks are run.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// How long a skill that takes `Cancel` may go on after a cancellation.
    pub(crate) grace: Duration,
}

/// The tasks of one agent.
pub(crate) struct Tasks {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) skills: Skills,
    states: Arc<States>,
    settings: Settings,
    registry: Registry,
    #[cfg(feature = "push")]
    pub(crate) webhooks: Option<crate::webhook::Webhooks>,
}

impl Tasks {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        skills: Skills,
        states: Arc<States>,
        settings: Settings,
    ) -> Self {
        Self {
            store,
            skills,
            states,
            settings,
            registry: Registry::default(),
            #[cfg(feature = "push")]
            webhooks: None,
        }
    }

    /// Posts updates to webhooks, as far as that policy allows.
    #[cfg(feature = "push")]
    pub(crate) fn with_webhooks(mut self, policy: crate::webhook::WebhookPolicy) -> crate::Result<Self> {
        self.webhooks = Some(crate::webhook::Webhooks::new(Arc::clone(&self.store), policy)?);
        Ok(self)
    }

    /// The task, or the error that says there is none.
    pub(crate) async fn get(&self, owner: &Owner, id: &str) -> Result<TaskRow, A2aError> {
        self.store.get(owner, id).await.map_err(store_failed)?.ok_or_else(|| A2aError::task_not_found(id))
    }

    /// Makes a task. Where there are too many, the one that has waited longest for its caller makes room.
    async fn create(&self, owner: &Owner, mut new: NewTask) -> Result<(Guard, TaskRow), A2aError> {
        loop {
            new = match self.store.create(owner, new).await {
                Err(StoreError::Full(new)) => *new,
                other => return other.map_err(store_failed),
            };
            let Some(id) = self.store.give_up(Message::agent(GIVEN_UP)).await.map_err(store_failed)? else {
                tracing::warn!(
                    "a task is refused: there are too many, and none of them waits for its caller"
                );
                return Err(A2aError::resource_exhausted(TOO_MANY));
            };
            tracing::warn!(task = %id, "a task that waits for its caller has ended to make room for another");
            self.registry.end(&id);
        }
    }

    /// Follows a task until it enters such a state, and gives it as it then stands.
    async fn wait(
        &self,
        owner: &Owner,
        id: &Arc<str>,
        after: Seq,
        over: fn(TaskState) -> bool,
    ) -> Result<Arc<Task>, A2aError> {
        let mut reader = reader::Reader::new(Arc::clone(&self.store), Arc::clone(id), after);
        let mut lost = pin!(self.registry.lost(id));
        loop {
            let next = match select(pin!(reader.next()), lost.as_mut()).await {
                Either::Left((next, _)) => next,
                // The log tells what has happened; the task ends when the store takes that.
                Either::Right((incident, _)) => return Err(A2aError::internal(&*incident)),
            };
            match next {
                Ok(entries) => {
                    if entries.iter().filter_map(|entry| entry.body.entered()).any(over) {
                        return Ok(self.get(owner, id).await?.task);
                    }
                }
                // Let go, or too far behind: the projection tells where the task stands.
                Err(StoreError::NotFound) => {
                    let row = self.get(owner, id).await?;
                    if over(row.task.status.state) {
                        return Ok(row.task);
                    }
                    reader = reader::Reader::new(Arc::clone(&self.store), Arc::clone(id), row.seq);
                }
                Err(error) => return Err(store_failed(error)),
            }
        }
    }

    /// Ends every run at once. Tasks that run stay as they are in the store.
    pub(crate) fn abort(&self) {
        self.registry.abort();
    }

    /// Waits until no run is at work, or that long; gives how many are. One that waits for its caller is not.
    pub(crate) async fn drain(&self, limit: Duration) -> usize {
        self.registry.drain(limit).await
    }
}

impl std::fmt::Debug for Tasks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tasks")
            .field("skills", &self.skills)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// Runs to its end, whoever waits for it: a caller that leaves leaves nothing half-done.
///
/// What ends at once, as it does with a store in memory, is not spawned.
async fn detached<T: Send + 'static>(
    work: impl Future<Output = Result<T, A2aError>> + Send + 'static,
) -> Result<T, A2aError> {
    let mut work = Box::pin(work);
    match poll_fn(|cx| Poll::Ready(work.as_mut().poll(cx))).await {
        Poll::Ready(done) => done,
        Poll::Pending => tokio::spawn(work).await.unwrap_or_else(|error| {
            let incident = new_id();
            tracing::error!(%incident, %error, "a call was ended");
            Err(A2aError::internal(&*incident))
        }),
    }
}

/// What a caller is told when the store fails; the log has the rest.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` takes")]
pub(crate) fn store_failed(error: StoreError) -> A2aError {
    let incident = new_id();
    tracing::error!(%incident, error = &error as &dyn std::error::Error, "the store failed");
    A2aError::internal(&*incident)
}
