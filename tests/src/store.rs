//! A store that fails when the test says so, and counts who reads.

use a2a_sdk::Clock;
use a2a_sdk::protocol::{Message, TaskState};
use a2a_sdk::store::{
    Control, Draft, Entry, EventLog, Guard, ListQuery, MemoryStore, NewTask, Owner, Page, Retention, Seq,
    StoreError, StoreFuture, TaskRow, TaskStore,
};
use std::fmt;
use std::future::ready;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

/// What nobody outside may see.
pub const SECRET: &str = "password=hunter2 at db.internal";

/// A call of the store.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// A task is made.
    Create,
    /// The last state among what is appended.
    Append(Option<TaskState>),
    /// The log is read.
    Read,
    /// A task is read.
    Get,
    /// A message, or a cancellation, comes.
    Say,
    /// A task is given back.
    Release,
}

type Rule = Box<dyn FnMut(Op) -> bool + Send>;

/// Says which calls of a store fail. Clones share it.
#[derive(Clone, Default)]
pub struct Faults(Arc<Mutex<Option<Rule>>>);

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faults").finish_non_exhaustive()
    }
}

impl Faults {
    /// From here on, calls fail for which that is true.
    pub fn set(&self, fails: impl FnMut(Op) -> bool + Send + 'static) {
        *self.0.lock().unwrap() = Some(Box::new(fails));
    }

    /// From here on, the next so many calls fail for which that is true.
    pub fn next(&self, count: usize, mut fails: impl FnMut(Op) -> bool + Send + 'static) {
        let mut left = count;
        self.set(move |op| {
            let now = left > 0 && fails(op);
            left -= usize::from(now);
            now
        });
    }

    /// From here on, none does.
    pub fn heal(&self) {
        *self.0.lock().unwrap() = None;
    }

    fn check<T>(&self, op: Op) -> Option<StoreFuture<'static, T>>
    where
        T: Send + 'static,
    {
        let fails = self.0.lock().unwrap().as_mut().is_some_and(|rule| rule(op));
        fails.then(|| Box::pin(ready(Err(StoreError::Unavailable(SECRET.into())))) as StoreFuture<'static, T>)
    }
}

/// The store in memory, as a test wants it.
#[derive(Debug)]
pub struct Tested {
    inner: MemoryStore,
    faults: Faults,
    /// One hint for all tasks, so that those who wait for it can be counted.
    hint: watch::Sender<Seq>,
}

/// Counts the readers of a store.
#[derive(Debug)]
pub struct Readers(watch::Sender<Seq>);

impl Readers {
    /// How many wait for something new.
    pub fn count(&self) -> usize {
        self.0.receiver_count()
    }
}

impl Tested {
    /// An empty store, and what makes it fail.
    pub fn new() -> (Self, Faults) {
        let faults = Faults::default();
        let inner = MemoryStore::new(Clock::system(), Retention::default());
        (Self { inner, faults: faults.clone(), hint: watch::Sender::new(0) }, faults)
    }

    /// Counts its readers.
    pub fn readers(&self) -> Readers {
        Readers(self.hint.clone())
    }

    /// Does it, and wakes the readers.
    fn told<'a, T: 'a>(&'a self, done: StoreFuture<'a, T>) -> StoreFuture<'a, T> {
        Box::pin(async move {
            let done = done.await;
            self.hint.send_modify(|hint| *hint += 1);
            done
        })
    }
}

impl TaskStore for Tested {
    fn create<'a>(&'a self, owner: &'a Owner, new: NewTask) -> StoreFuture<'a, (Guard, TaskRow)> {
        self.faults.check(Op::Create).unwrap_or_else(|| self.inner.create(owner, new))
    }

    fn get<'a>(&'a self, owner: &'a Owner, id: &'a str) -> StoreFuture<'a, Option<TaskRow>> {
        self.faults.check(Op::Get).unwrap_or_else(|| self.inner.get(owner, id))
    }

    fn list<'a>(&'a self, owner: &'a Owner, query: ListQuery) -> StoreFuture<'a, Page> {
        self.inner.list(owner, query)
    }

    fn append<'a>(&'a self, guard: &'a Guard, drafts: &'a mut Vec<Draft>) -> StoreFuture<'a, Seq> {
        let state = drafts.iter().rev().find_map(|draft| draft.body.entered());
        self.faults.check(Op::Append(state)).unwrap_or_else(|| self.told(self.inner.append(guard, drafts)))
    }

    fn append_control<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a str,
        control: Control,
    ) -> StoreFuture<'a, TaskRow> {
        self.faults.check(Op::Say).unwrap_or_else(|| self.told(self.inner.append_control(owner, id, control)))
    }

    fn claim<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a str,
        control: Option<Control>,
    ) -> StoreFuture<'a, (Guard, TaskRow)> {
        self.faults.check(Op::Say).unwrap_or_else(|| self.told(self.inner.claim(owner, id, control)))
    }

    fn release<'a>(&'a self, guard: &'a Guard, read: Seq) -> StoreFuture<'a, bool> {
        self.faults.check(Op::Release).unwrap_or_else(|| self.inner.release(guard, read))
    }

    fn give_up(&self, message: Message) -> StoreFuture<'_, Option<Arc<str>>> {
        self.told(self.inner.give_up(message))
    }
}

impl EventLog for Tested {
    fn read<'a>(&'a self, id: &'a str, after: Seq, max: usize) -> StoreFuture<'a, Vec<Arc<Entry>>> {
        self.faults.check(Op::Read).unwrap_or_else(|| self.inner.read(id, after, max))
    }

    fn wake(&self, id: &str) -> Option<watch::Receiver<Seq>> {
        self.inner.wake(id).map(|_| self.hint.subscribe())
    }

    fn poll_every(&self) -> Option<Duration> {
        self.inner.poll_every()
    }
}
