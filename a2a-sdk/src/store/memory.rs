//! The store that is a process's memory.

use super::index::{Found, Index, Place};
use super::phase::{Phase, Step};
use super::project::project;
use super::{
    Control, Draft, Entry, EntryBody, EventLog, Guard, ListQuery, NewTask, Owner, Page, Retention, Seq,
    StoreError, StoreFuture, TaskRow, TaskStore,
};
use crate::clock::Clock;
use crate::protocol::{Task, TaskState, TaskStatus, Timestamp};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::future::ready;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// Keeps tasks in memory: the default store.
///
/// Finished tasks are let go as its [`Retention`] says. Nothing survives the process.
pub struct MemoryStore {
    clock: Clock,
    retention: Retention,
    hasher: RandomState,
    shards: [Mutex<HashMap<Arc<str>, Arc<Slot>>>; SHARDS],
    index: Mutex<Index>,
    finished: Mutex<Finished>,
}

/// Locks are taken in this order and held for a few instructions: shard, record, index, finished.
const SHARDS: usize = 16;

struct Slot {
    owner: Owner,
    id: Arc<str>,
    context_id: Arc<str>,
    record: Mutex<Record>,
}

/// A task and its log.
struct Record {
    phase: Phase,
    status_at: Timestamp,
    epoch: u64,
    held: bool,
    calls: u32,
    seq: Seq,
    /// The entries behind `seq - log.len()`.
    log: VecDeque<Arc<Entry>>,
    task: Projection,
    /// The number of the newest entry that is in `task`.
    folded: Seq,
    wake: Option<watch::Sender<Seq>>,
}

enum Projection {
    Open(Arc<Task>),
    /// A finished task is rarely read again: as JSON it takes a third of the space.
    Packed(Box<[u8]>),
}

/// Finished tasks, oldest end first.
#[derive(Default)]
struct Finished {
    with_log: VecDeque<(Timestamp, Arc<str>)>,
    packed: VecDeque<(Timestamp, Arc<str>)>,
}

impl MemoryStore {
    /// An empty store that tells the time by that clock.
    pub fn new(clock: Clock, retention: Retention) -> Self {
        Self {
            clock,
            retention,
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| Mutex::default()),
            index: Mutex::default(),
            finished: Mutex::default(),
        }
    }

    fn shard(&self, id: &str) -> MutexGuard<'_, HashMap<Arc<str>, Arc<Slot>>> {
        lock(&self.shards[self.hasher.hash_one(id) as usize % SHARDS])
    }

    fn slot(&self, id: &str) -> Option<Arc<Slot>> {
        self.shard(id).get(id).cloned()
    }

    fn owned(&self, owner: &Owner, id: &str) -> Result<Arc<Slot>, StoreError> {
        self.slot(id).filter(|slot| slot.owner == *owner).ok_or(StoreError::NotFound)
    }

    fn add_task(&self, owner: &Owner, new: NewTask) -> (Guard, TaskRow) {
        let at = self.clock.now();
        let status = TaskStatus { state: TaskState::Submitted, message: None, timestamp: Some(at) };
        let task = Arc::new(Task {
            id: new.id.to_string(),
            context_id: new.context_id.to_string(),
            status,
            artifacts: Vec::new(),
            history: vec![(*new.message).clone()],
            metadata: new.metadata,
        });
        let first = Arc::new(Entry::new(1, 1, at, EntryBody::Message(new.message).into()));
        let slot = Arc::new(Slot {
            owner: owner.clone(),
            id: Arc::clone(&new.id),
            context_id: new.context_id,
            record: Mutex::new(Record {
                phase: Phase::Open(TaskState::Submitted),
                status_at: at,
                epoch: 1,
                held: true,
                calls: 0,
                seq: 1,
                log: VecDeque::from([first]),
                task: Projection::Open(Arc::clone(&task)),
                folded: 1,
                wake: None,
            }),
        });
        let place = slot.place(&lock(&slot.record));
        self.shard(&new.id).insert(Arc::clone(&new.id), slot);
        lock(&self.index).insert(owner, &place);
        (Guard { task_id: new.id, epoch: 1 }, TaskRow { task, seq: 1, held: true, calls: 0 })
    }

    /// Adds entries, all or none.
    fn add(
        &self,
        slot: &Slot,
        record: &mut Record,
        drafts: impl IntoIterator<Item = Draft>,
        phase: Phase,
    ) -> Seq {
        let at = self.clock.now();
        let before = slot.place(record);
        for mut draft in drafts {
            record.seq += 1;
            record.calls = record.calls.max(draft.call.unwrap_or(0));
            if let EntryBody::Status(status) = &mut draft.body {
                status.timestamp = Some(at);
                record.status_at = at;
            }
            record.log.push_back(Arc::new(Entry::new(record.seq, record.epoch, at, draft)));
        }
        record.phase = phase;
        if record.log.len() > self.retention.max_log_entries.saturating_mul(2) {
            record.fold();
            let extra = record.log.len() - self.retention.max_log_entries;
            record.log.drain(..extra);
        }
        let after = slot.place(record);
        if before != after {
            let mut index = lock(&self.index);
            index.remove(&slot.owner, &before);
            index.insert(&slot.owner, &after);
        }
        if let Some(wake) = &record.wake {
            wake.send_replace(record.seq);
        }
        record.seq
    }

    fn append_now(&self, guard: &Guard, drafts: &mut Vec<Draft>) -> Result<Seq, StoreError> {
        let slot = self.slot(&guard.task_id).ok_or(StoreError::NotFound)?;
        let mut record = lock(&slot.record);
        if record.epoch != guard.epoch {
            return Err(StoreError::Fenced);
        }
        let phase = drafts.iter().try_fold(record.phase, |phase, draft| {
            phase.next(draft.body.entered().map_or(Step::Add, Step::Enter))
        })?;
        if !record.held {
            return Err(StoreError::Fenced);
        }
        let seq = self.add(&slot, &mut record, drafts.drain(..), phase);
        if phase.is_ended() {
            record.held = false;
            record.fold();
            let at = record.status_at;
            drop(record);
            lock(&self.finished).with_log.push_back((at, Arc::clone(&slot.id)));
            self.sweep_now();
        }
        Ok(seq)
    }

    fn control(&self, slot: &Slot, record: &mut Record, control: Control) -> Result<(), StoreError> {
        let (step, body) = match control {
            Control::Message { message, only_if_waiting } => {
                (Step::Message { only_if_waiting }, EntryBody::Message(message))
            }
            Control::Cancel(metadata) => (Step::Cancel, EntryBody::CancelRequested(metadata)),
        };
        let phase = record.phase.next(step)?;
        let mut drafts = vec![Draft::from(body)];
        if phase.state() != record.phase.state() {
            drafts.push(EntryBody::state(phase.state()).into());
        } else if phase == record.phase && step == Step::Cancel {
            // A second cancellation changes nothing.
            return Ok(());
        }
        self.add(slot, record, drafts, phase);
        Ok(())
    }

    fn append_control_now(&self, owner: &Owner, id: &str, control: Control) -> Result<TaskRow, StoreError> {
        let slot = self.owned(owner, id)?;
        let mut record = lock(&slot.record);
        self.control(&slot, &mut record, control)?;
        record.row()
    }

    fn claim_now(
        &self,
        owner: &Owner,
        id: &str,
        control: Option<Control>,
    ) -> Result<(Guard, TaskRow), StoreError> {
        let slot = self.owned(owner, id)?;
        let mut record = lock(&slot.record);
        if record.phase.is_ended() {
            return Err(StoreError::Terminal);
        }
        if record.held {
            return Err(StoreError::Fenced);
        }
        if let Some(control) = control {
            self.control(&slot, &mut record, control)?;
        }
        record.epoch += 1;
        record.held = true;
        let row = record.row()?;
        Ok((Guard { task_id: Arc::clone(&slot.id), epoch: record.epoch }, row))
    }

    fn list_now(&self, owner: &Owner, query: &ListQuery) -> Result<Page, StoreError> {
        let Found { ids, next, total } = lock(&self.index).find(owner, query);
        let mut tasks = Vec::with_capacity(ids.len());
        for id in ids {
            // Let go or moved on since the index was read: it is not on this page any more.
            let Ok(slot) = self.owned(owner, &id) else { continue };
            let row = lock(&slot.record).row()?;
            if query.state.is_none_or(|state| row.task.status.state == state) {
                tasks.push(row.task);
            }
        }
        Ok(Page { tasks, next, total })
    }

    fn read_now(&self, id: &str, after: Seq, max: usize) -> Result<Vec<Arc<Entry>>, StoreError> {
        let slot = self.slot(id).ok_or(StoreError::NotFound)?;
        let record = lock(&slot.record);
        let before_first = record.seq - record.log.len() as Seq;
        let Some(skip) = after.checked_sub(before_first) else { return Err(StoreError::NotFound) };
        Ok(record.log.iter().skip(skip as usize).take(max).cloned().collect())
    }

    fn sweep_now(&self) {
        let now = self.clock.now();
        loop {
            let due = {
                let mut finished = lock(&self.finished);
                let full = finished.with_log.len() > self.retention.max_finished_logs;
                pop_due(&mut finished.with_log, full, now, self.retention.log_for)
            };
            let Some((at, id)) = due else { break };
            if let Some(slot) = self.slot(&id) {
                lock(&slot.record).pack();
                lock(&self.finished).packed.push_back((at, id));
            }
        }
        loop {
            let due = {
                let mut finished = lock(&self.finished);
                let full = finished.with_log.len() + finished.packed.len() > self.retention.max_finished;
                let old = pop_due(&mut finished.packed, full, now, self.retention.max_age);
                // Where logs are kept longer than tasks, the tasks that have theirs are the oldest.
                old.or_else(|| pop_due(&mut finished.with_log, full, now, self.retention.max_age))
            };
            let Some((_, id)) = due else { break };
            let slot = self.shard(&id).remove(&id);
            if let Some(slot) = slot {
                let place = slot.place(&lock(&slot.record));
                lock(&self.index).remove(&slot.owner, &place);
            }
        }
    }
}

fn pop_due(
    queue: &mut VecDeque<(Timestamp, Arc<str>)>,
    full: bool,
    now: Timestamp,
    age: Duration,
) -> Option<(Timestamp, Arc<str>)> {
    let (at, _) = queue.front()?;
    let old = now.unix_millis().saturating_sub(at.unix_millis()) as u128 >= age.as_millis();
    if full || old { queue.pop_front() } else { None }
}

impl Slot {
    fn place(&self, record: &Record) -> Place {
        Place {
            context_id: Arc::clone(&self.context_id),
            id: Arc::clone(&self.id),
            state: record.phase.state(),
            status_at: record.status_at,
        }
    }
}

impl Record {
    /// Brings the projection up to the newest entry. Each entry is folded once, so this is linear over a task's life.
    fn fold(&mut self) {
        if self.folded == self.seq {
            return;
        }
        if let Projection::Open(task) = &mut self.task {
            let task = Arc::make_mut(task);
            let tail = self.log.len() - (self.seq - self.folded) as usize;
            for entry in self.log.iter().skip(tail) {
                project(task, entry);
            }
        }
        self.folded = self.seq;
    }

    fn row(&mut self) -> Result<TaskRow, StoreError> {
        self.fold();
        let task = match &self.task {
            Projection::Open(task) => Arc::clone(task),
            Projection::Packed(json) => {
                Arc::new(serde_json::from_slice(json).map_err(|error| StoreError::Unavailable(error.into()))?)
            }
        };
        Ok(TaskRow { task, seq: self.seq, held: self.held, calls: self.calls })
    }

    /// Lets go of the log of a finished task.
    fn pack(&mut self) {
        self.fold();
        if let Projection::Open(task) = &self.task
            && let Ok(json) = serde_json::to_vec(&**task)
        {
            self.task = Projection::Packed(json.into_boxed_slice());
        }
        self.log = VecDeque::new();
        self.wake = None;
    }
}

impl TaskStore for MemoryStore {
    fn create<'a>(&'a self, owner: &'a Owner, new: NewTask) -> StoreFuture<'a, (Guard, TaskRow)> {
        Box::pin(ready(Ok(self.add_task(owner, new))))
    }

    fn get<'a>(&'a self, owner: &'a Owner, id: &'a str) -> StoreFuture<'a, Option<TaskRow>> {
        self.sweep_now();
        let row = match self.owned(owner, id) {
            Ok(slot) => lock(&slot.record).row().map(Some),
            Err(_) => Ok(None),
        };
        Box::pin(ready(row))
    }

    fn list<'a>(&'a self, owner: &'a Owner, query: ListQuery) -> StoreFuture<'a, Page> {
        self.sweep_now();
        Box::pin(ready(self.list_now(owner, &query)))
    }

    fn append<'a>(&'a self, guard: &'a Guard, drafts: &'a mut Vec<Draft>) -> StoreFuture<'a, Seq> {
        Box::pin(ready(self.append_now(guard, drafts)))
    }

    fn append_control<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a str,
        control: Control,
    ) -> StoreFuture<'a, TaskRow> {
        Box::pin(ready(self.append_control_now(owner, id, control)))
    }

    fn claim<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a str,
        control: Option<Control>,
    ) -> StoreFuture<'a, (Guard, TaskRow)> {
        Box::pin(ready(self.claim_now(owner, id, control)))
    }

    fn release<'a>(&'a self, guard: &'a Guard) -> StoreFuture<'a, ()> {
        if let Some(slot) = self.slot(&guard.task_id) {
            let mut record = lock(&slot.record);
            if record.epoch == guard.epoch {
                record.held = false;
            }
        }
        Box::pin(ready(Ok(())))
    }

    fn sweep(&self) {
        self.sweep_now();
    }
}

impl EventLog for MemoryStore {
    fn read<'a>(&'a self, id: &'a str, after: Seq, max: usize) -> StoreFuture<'a, Vec<Arc<Entry>>> {
        Box::pin(ready(self.read_now(id, after, max)))
    }

    fn wake(&self, id: &str) -> Option<watch::Receiver<Seq>> {
        let slot = self.slot(id)?;
        let mut record = lock(&slot.record);
        let seq = record.seq;
        Some(record.wake.get_or_insert_with(|| watch::Sender::new(seq)).subscribe())
    }

    fn poll_every(&self) -> Option<Duration> {
        None
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").field("retention", &self.retention).finish_non_exhaustive()
    }
}

/// What these locks guard is whole even where a panic has poisoned them.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
