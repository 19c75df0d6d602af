//! The store that is a process's memory.

use super::index::{Found, Index, Place};
use super::record::Record;
use super::{
    Control, Draft, Entry, EventLog, Guard, Keep, ListQuery, NewTask, Owner, Page, Retention, Seq,
    StoreError, StoreFuture, TaskRow, TaskStore,
};
use crate::clock::Clock;
use crate::lock::lock;
use crate::protocol::{Message, TaskState, Timestamp};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::watch;

/// Keeps tasks in memory: the default store.
///
/// Finished tasks are let go as its [`Retention`] says. Nothing survives the process.
pub struct MemoryStore {
    clock: Clock,
    retention: Retention,
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
            shards: std::array::from_fn(|_| Mutex::default()),
            index: Mutex::default(),
            finished: Mutex::default(),
        }
    }

    fn shard(&self, id: &str) -> MutexGuard<'_, HashMap<Arc<str>, Arc<Slot>>> {
        // The end of a UUID is random; of other ids it need not be, and then they share a lock, no more.
        let tail = id.bytes().next_back().unwrap_or(0);
        lock(&self.shards[usize::from(tail) % SHARDS])
    }

    fn slot(&self, id: &str) -> Option<Arc<Slot>> {
        self.shard(id).get(id).cloned()
    }

    fn owned(&self, owner: &Owner, id: &str) -> Result<Arc<Slot>, StoreError> {
        self.slot(id).filter(|slot| slot.owner == *owner).ok_or(StoreError::NotFound)
    }

    fn create_now(&self, owner: &Owner, new: NewTask) -> Result<(Guard, TaskRow), StoreError> {
        let at = self.clock.now();
        let (id, context_id) = (Arc::clone(&new.id), Arc::clone(&new.context_id));
        let place = Place {
            context_id: Arc::clone(&context_id),
            id: Arc::clone(&id),
            state: TaskState::Submitted,
            status_at: at,
            waits: false,
        };
        {
            // The place in the list comes first: it is what is counted.
            let mut index = lock(&self.index);
            if index.unfinished() >= self.retention.max_unfinished {
                return Err(StoreError::Full(Box::new(new)));
            }
            index.insert(owner, &place);
        }
        let record = Mutex::new(Record::new(new, at));
        let slot = Arc::new(Slot { owner: owner.clone(), id: Arc::clone(&id), context_id, record });
        self.shard(&id).insert(Arc::clone(&id), Arc::clone(&slot));
        let row = slot.row(&mut lock(&slot.record))?;
        Ok((Guard { task_id: id, epoch: 1 }, row))
    }

    /// Changes a task, and its place in the list with it.
    fn change<T>(
        &self,
        slot: Arc<Slot>,
        change: impl FnOnce(&mut Record, Timestamp, usize) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut record = lock(&slot.record);
        let before = slot.place(&record);
        let changed = change(&mut record, self.clock.now(), self.retention.max_log_entries)?;
        let after = slot.place(&record);
        if before != after {
            lock(&self.index).replace(&slot.owner, &before, &after);
        }
        if record.is_ended() {
            let (at, id) = (record.status_at(), Arc::clone(&slot.id));
            drop(record);
            // Nobody reads it by this handle any more.
            drop(slot);
            lock(&self.finished).with_log.push_back((at, id));
            self.sweep_now();
        }
        Ok(changed)
    }

    fn append_now(&self, guard: &Guard, drafts: &mut Vec<Draft>) -> Result<Seq, StoreError> {
        let slot = self.slot(&guard.task_id).ok_or(StoreError::NotFound)?;
        self.change(slot, |record, at, keep| record.append(guard.epoch, drafts, at, keep))
    }

    fn control_now(&self, owner: &Owner, id: &str, control: Control) -> Result<TaskRow, StoreError> {
        let slot = self.owned(owner, id)?;
        let whose = Arc::clone(&slot);
        self.change(slot, |record, at, keep| {
            record.control_held(control, at, keep)?;
            whose.row(record)
        })
    }

    fn claim_now(
        &self,
        owner: &Owner,
        id: &str,
        control: Option<Control>,
    ) -> Result<(Guard, TaskRow), StoreError> {
        let slot = self.owned(owner, id)?;
        let whose = Arc::clone(&slot);
        self.change(slot, |record, at, keep| {
            let epoch = record.claim(control, at, keep)?;
            Ok((Guard { task_id: Arc::clone(&whose.id), epoch }, whose.row(record)?))
        })
    }

    fn give_up_now(&self, message: &Message) -> Option<Arc<str>> {
        loop {
            let id = lock(&self.index).longest_waiting()?;
            // It may go on, or be canceled, in this moment; then it is not in the list of those that wait either.
            let Some(slot) = self.slot(&id) else { continue };
            if self.change(slot, |record, at, keep| record.give_up(message.clone(), at, keep)).is_ok() {
                return Some(id);
            }
        }
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
        lock(&slot.record).read(after, max)
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
        let mut kept = Vec::new();
        loop {
            let due = {
                let mut finished = lock(&self.finished);
                let full = finished.with_log.len() + finished.packed.len() > self.retention.max_finished;
                let old = pop_due(&mut finished.packed, full, now, self.retention.max_age);
                // Where logs are kept longer than tasks, the tasks that have theirs are the oldest.
                old.or_else(|| pop_due(&mut finished.with_log, full, now, self.retention.max_age))
            };
            let Some((at, id)) = due else { break };
            let slot = {
                let mut shard = self.shard(&id);
                // Somebody who holds it reads it yet: it has another turn.
                match shard.get(&id).map(Arc::strong_count) {
                    Some(2..) => {
                        kept.push((at, id));
                        continue;
                    }
                    _ => shard.remove(&id),
                }
            };
            if let Some(slot) = slot {
                let place = slot.place(&lock(&slot.record));
                lock(&self.index).remove(&slot.owner, &place);
            }
        }
        if !kept.is_empty() {
            lock(&self.finished).packed.extend(kept);
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
            state: record.state(),
            status_at: record.status_at(),
            waits: record.waits(),
        }
    }

    /// The task as it stands, which is not let go as long as that is held.
    fn row(self: &Arc<Self>, record: &mut Record) -> Result<TaskRow, StoreError> {
        let slot: Arc<Self> = Arc::clone(self);
        Ok(TaskRow { keep: Keep::new(slot), ..record.row()? })
    }
}

impl TaskStore for MemoryStore {
    fn create<'a>(&'a self, owner: &'a Owner, new: NewTask) -> StoreFuture<'a, (Guard, TaskRow)> {
        Box::pin(ready(self.create_now(owner, new)))
    }

    fn get<'a>(&'a self, owner: &'a Owner, id: &'a str) -> StoreFuture<'a, Option<TaskRow>> {
        self.sweep_now();
        let row = match self.owned(owner, id) {
            Ok(slot) => slot.row(&mut lock(&slot.record)).map(Some),
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
        Box::pin(ready(self.control_now(owner, id, control)))
    }

    fn claim<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a str,
        control: Option<Control>,
    ) -> StoreFuture<'a, (Guard, TaskRow)> {
        Box::pin(ready(self.claim_now(owner, id, control)))
    }

    fn release<'a>(&'a self, guard: &'a Guard, read: Seq) -> StoreFuture<'a, bool> {
        let released =
            self.slot(&guard.task_id).is_none_or(|slot| lock(&slot.record).release(guard.epoch, read));
        Box::pin(ready(Ok(released)))
    }

    fn give_up(&self, message: Message) -> StoreFuture<'_, Option<Arc<str>>> {
        Box::pin(ready(Ok(self.give_up_now(&message))))
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
        lock(&self.slot(id)?.record).wake()
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
