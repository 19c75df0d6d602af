//! Reading a task's log from a cursor on: what streams and blocking sends do.

use super::Place;
use super::store_failed;
use super::tries::Tries;
use crate::protocol::{A2aError, Message, StreamResponse, Task, TaskState};
use crate::store::{Entry, Keep, Owner, Seq, Store, StoreError};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::watch;

/// How many entries a reader takes at once.
const BATCH: usize = 256;

/// A cursor in a task's log.
pub(crate) struct Reader {
    store: Arc<dyn Store>,
    task_id: Arc<str>,
    cursor: Seq,
    wake: Option<watch::Receiver<Seq>>,
}

impl Reader {
    pub(crate) fn new(store: Arc<dyn Store>, task_id: Arc<str>, after: Seq) -> Self {
        Self { store, task_id, cursor: after, wake: None }
    }

    /// The next entries; waits until there are some. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<Vec<Arc<Entry>>, StoreError> {
        let mut tries = Tries::new();
        loop {
            let read = self.store.read(&self.task_id, self.cursor, BATCH).await;
            let Some(read) = tries.over(read).await else { continue };
            let entries = read?;
            tries = Tries::new();
            if let Some(last) = entries.last() {
                self.cursor = last.seq;
                return Ok(entries);
            }
            // The hint is asked for before the log is read once more, so that nothing falls in between.
            let Some(wake) = &mut self.wake else {
                self.wake = Some(self.store.wake(&self.task_id).ok_or(StoreError::NotFound)?);
                continue;
            };
            let hint = match self.store.poll_every() {
                None => wake.changed().await,
                Some(period) => tokio::time::timeout(period, wake.changed()).await.unwrap_or(Ok(())),
            };
            if hint.is_err() {
                // The task was let go; reading it says so.
                self.wake = None;
            }
        }
    }
}

/// When a stream of events ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// When the task ends or waits for the caller: a send.
    Settled,
    /// When the task ends: a subscription.
    Ended,
}

impl Until {
    /// spec 3.1.2, 11.7: a task that waits for authorization goes on by itself once it has it, so its streams stay.
    pub(crate) fn reached(self, state: TaskState) -> bool {
        state.is_terminal() || self == Self::Settled && state == TaskState::InputRequired
    }
}

/// One event on its way to a caller.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// The task as it stood at that number.
    Snapshot(Arc<Task>, Seq),
    /// A direct answer.
    Message(Arc<Message>),
    /// What happened next.
    Entry(Arc<Entry>),
}

/// The events of one stream.
pub(crate) struct Events {
    pub(crate) task_id: Arc<str>,
    pub(crate) context_id: Arc<str>,
    owner: Owner,
    first: Option<Event>,
    reader: Option<Reader>,
    until: Until,
    /// Held for what it does: the task is not let go before the end of the stream.
    keep: Keep,
    /// Held too: it counts the stream as open.
    place: Option<Place>,
}

impl Events {
    /// A direct answer, and nothing else.
    pub(crate) fn message(message: Message) -> Self {
        Self {
            task_id: "".into(),
            context_id: "".into(),
            owner: Owner::default(),
            first: Some(Event::Message(Arc::new(message))),
            reader: None,
            until: Until::Settled,
            keep: Keep::default(),
            place: None,
        }
    }

    /// A task as it stands, then what happens to it.
    pub(crate) fn task(
        store: Arc<dyn Store>,
        owner: Owner,
        snapshot: Arc<Task>,
        seq: Seq,
        until: Until,
    ) -> Self {
        let over = until.reached(snapshot.status.state);
        let task_id: Arc<str> = snapshot.id.as_str().into();
        Self {
            context_id: snapshot.context_id.as_str().into(),
            reader: (!over).then(|| Reader::new(store, Arc::clone(&task_id), seq)),
            task_id,
            owner,
            first: Some(Event::Snapshot(snapshot, seq)),
            until,
            keep: Keep::default(),
            place: None,
        }
    }

    /// What happens to a task after that number.
    pub(crate) fn after(
        store: Arc<dyn Store>,
        owner: Owner,
        task_id: Arc<str>,
        context_id: Arc<str>,
        seq: Seq,
        until: Until,
    ) -> Self {
        let reader = Reader::new(store, Arc::clone(&task_id), seq);
        let (first, keep) = (None, Keep::default());
        Self { task_id, context_id, owner, first, reader: Some(reader), until, keep, place: None }
    }

    /// Nothing at all: the caller has seen everything.
    pub(crate) fn none(task_id: Arc<str>, context_id: Arc<str>) -> Self {
        let (owner, keep) = (Owner::default(), Keep::default());
        Self { task_id, context_id, owner, first: None, reader: None, until: Until::Ended, keep, place: None }
    }

    /// The same events, of a task that is kept until they have ended.
    #[must_use]
    pub(crate) fn keeping(mut self, keep: Keep) -> Self {
        self.keep = keep;
        self
    }

    /// The same events, as a stream that counts as open.
    #[must_use]
    pub(crate) fn counted(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// The next events, at least one; `None` at the end. Dropping the future loses nothing.
    ///
    /// An error is the last of them.
    pub(crate) async fn next(&mut self) -> Option<Result<Vec<Event>, A2aError>> {
        if let Some(first) = self.first.take() {
            return Some(Ok(vec![first]));
        }
        loop {
            let entries = match self.reader.as_mut()?.next().await {
                Ok(entries) => entries,
                Err(StoreError::NotFound) => {
                    return self.start_over().await.transpose().map(|event| event.map(|event| vec![event]));
                }
                Err(error) => {
                    self.reader = None;
                    return Some(Err(store_failed(error)));
                }
            };
            let mut events = Vec::with_capacity(entries.len());
            for entry in entries {
                let over = entry.body.entered().is_some_and(|state| self.until.reached(state));
                if entry.is_event() {
                    events.push(Event::Entry(entry));
                }
                if over {
                    self.reader = None;
                    break;
                }
            }
            if !events.is_empty() {
                return Some(Ok(events));
            }
        }
    }

    /// The task as it stands, for a reader so far behind that the log no longer has what it missed.
    async fn start_over(&mut self) -> Result<Option<Event>, A2aError> {
        let Some(reader) = self.reader.take() else { return Ok(None) };
        let row = reader.store.get(&self.owner, &self.task_id).await.map_err(store_failed)?;
        let Some(row) = row else { return Ok(None) };
        tracing::debug!(task = %self.task_id, "a stream goes on from a snapshot");
        if !self.until.reached(row.task.status.state) {
            self.reader = Some(Reader::new(reader.store, Arc::clone(&self.task_id), row.seq));
        }
        Ok(Some(Event::Snapshot(row.task, row.seq)))
    }

    /// Whether the stream ends with that event.
    #[cfg(feature = "compat-0-3")]
    pub(crate) fn ends_with(&self, event: &Event) -> bool {
        match event {
            Event::Snapshot(task, _) => self.until.reached(task.status.state),
            Event::Message(_) => true,
            Event::Entry(entry) => entry.body.entered().is_some_and(|state| self.until.reached(state)),
        }
    }

    /// The event as callers see it.
    pub(crate) fn response(&self, event: &Event) -> Option<StreamResponse> {
        match event {
            Event::Snapshot(task, _) => Some(StreamResponse::Task((**task).clone())),
            Event::Message(message) => Some(StreamResponse::Message((**message).clone())),
            Event::Entry(entry) => entry.event(&self.task_id, &self.context_id),
        }
    }

    /// The events one by one, as the in-process client gives them.
    pub(crate) fn into_stream(
        self,
    ) -> impl futures_core::Stream<Item = Result<StreamResponse, A2aError>> + Send + 'static {
        futures_util::stream::unfold((self, VecDeque::new()), |(mut events, mut waiting)| async move {
            loop {
                if let Some(response) = waiting.pop_front() {
                    return Some((Ok(response), (events, waiting)));
                }
                let batch = match events.next().await? {
                    Ok(batch) => batch,
                    Err(error) => return Some((Err(error), (events, waiting))),
                };
                waiting.extend(batch.iter().filter_map(|event| events.response(event)));
            }
        })
    }
}
