//! One task in memory: its log, its projection, and who may write.

use super::phase::{Phase, Step};
use super::project::project;
use super::{Control, Draft, Entry, EntryBody, Keep, NewTask, Seq, StoreError, TaskRow};
use crate::protocol::{Message, Task, TaskState, TaskStatus, Timestamp, decode};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::watch;

/// A task, with its log as long as that is kept.
pub(super) struct Record {
    phase: Phase,
    status_at: Timestamp,
    seq: Seq,
    body: Body,
}

/// A finished task is rarely read again: without its log, and as JSON, it takes a third of the space.
enum Body {
    Open(Box<Open>),
    Packed(Box<[u8]>),
}

struct Open {
    epoch: u64,
    held: bool,
    calls: u32,
    /// The entries behind `seq - log.len()`.
    log: VecDeque<Arc<Entry>>,
    task: Arc<Task>,
    /// The number of the newest entry that is in `task`.
    folded: Seq,
    wake: Option<watch::Sender<Seq>>,
}

impl Record {
    /// A new task, held by its maker under epoch 1.
    pub(super) fn new(new: NewTask, at: Timestamp) -> Self {
        let task = Task {
            id: new.id.to_string(),
            context_id: new.context_id.to_string(),
            status: TaskStatus { state: TaskState::Submitted, message: None, timestamp: Some(at) },
            artifacts: Vec::new(),
            history: vec![(*new.message).clone()],
            metadata: new.metadata,
        };
        let first = Arc::new(Entry::new(1, 1, at, EntryBody::Message(new.message).into()));
        let open = Open {
            epoch: 1,
            held: true,
            calls: 0,
            log: VecDeque::from([first]),
            task: Arc::new(task),
            folded: 1,
            wake: None,
        };
        Self {
            phase: Phase::Open(TaskState::Submitted),
            status_at: at,
            seq: 1,
            body: Body::Open(Box::new(open)),
        }
    }

    pub(super) fn state(&self) -> TaskState {
        self.phase.state()
    }

    pub(super) fn status_at(&self) -> Timestamp {
        self.status_at
    }

    pub(super) fn waits(&self) -> bool {
        self.phase.waits()
    }

    pub(super) fn is_ended(&self) -> bool {
        self.phase.is_ended()
    }

    /// Adds the writer's entries, all or none.
    pub(super) fn append(
        &mut self,
        epoch: u64,
        drafts: &mut Vec<Draft>,
        at: Timestamp,
        keep: usize,
    ) -> Result<Seq, StoreError> {
        let open = self.open()?;
        if open.epoch != epoch {
            return Err(StoreError::Fenced);
        }
        let held = open.held;
        let phase = drafts.iter().try_fold(self.phase, |phase, draft| {
            phase.next(draft.body.entered().map_or(Step::Add, Step::Enter))
        })?;
        if !held {
            return Err(StoreError::Fenced);
        }
        self.add(drafts.drain(..), phase, at, keep)?;
        if phase.is_ended() {
            let open = self.open()?;
            open.held = false;
            self.fold();
        }
        Ok(self.seq)
    }

    /// Adds what an outsider says to a task that is held.
    pub(super) fn control_held(
        &mut self,
        control: Control,
        at: Timestamp,
        keep: usize,
    ) -> Result<(), StoreError> {
        if !self.phase.is_ended() && !self.open()?.held {
            return Err(StoreError::Unheld);
        }
        self.control(control, at, keep)
    }

    fn control(&mut self, control: Control, at: Timestamp, keep: usize) -> Result<(), StoreError> {
        let (step, body) = match control {
            Control::Message { message, only_if_waiting } => {
                (Step::Message { only_if_waiting }, EntryBody::Message(message))
            }
            Control::Cancel(metadata) => (Step::Cancel, EntryBody::CancelRequested(metadata)),
        };
        let phase = self.phase.next(step)?;
        if phase == self.phase && step == Step::Cancel {
            // A second cancellation changes nothing.
            return Ok(());
        }
        let went_on = (phase.state() != self.phase.state()).then(|| EntryBody::state(phase.state()));
        self.add([body].into_iter().chain(went_on).map(Draft::from), phase, at, keep)
    }

    /// Ends a task that waits for its caller, whoever holds it: it fails with that message.
    pub(super) fn give_up(
        &mut self,
        mut message: Message,
        at: Timestamp,
        keep: usize,
    ) -> Result<(), StoreError> {
        let phase = self.phase.next(Step::GiveUp)?;
        let open = self.open()?;
        open.held = false;
        message.task_id = Some(open.task.id.clone());
        message.context_id = Some(open.task.context_id.clone());
        let status =
            TaskStatus { state: phase.state(), message: Some(Box::new(message)), ..TaskStatus::default() };
        self.add([EntryBody::Status(status).into()], phase, at, keep)?;
        self.fold();
        Ok(())
    }

    /// Claims the task, and gives the new epoch.
    pub(super) fn claim(
        &mut self,
        control: Option<Control>,
        at: Timestamp,
        keep: usize,
    ) -> Result<u64, StoreError> {
        if self.phase.is_ended() {
            return Err(StoreError::Terminal);
        }
        if self.open()?.held {
            return Err(StoreError::Fenced);
        }
        if let Some(control) = control {
            self.control(control, at, keep)?;
        }
        let open = self.open()?;
        open.epoch += 1;
        open.held = true;
        Ok(open.epoch)
    }

    /// Gives the task back, unless something was said to it that its holder has not read.
    pub(super) fn release(&mut self, epoch: u64, read: Seq) -> bool {
        let Body::Open(open) = &mut self.body else { return true };
        if open.epoch != epoch {
            return true;
        }
        let said = |entry: &Arc<Entry>| {
            entry.seq > read && matches!(entry.body, EntryBody::Message(_) | EntryBody::CancelRequested(_))
        };
        open.held = open.log.iter().rev().take_while(|entry| entry.seq > read).any(said);
        !open.held
    }

    pub(super) fn read(&self, after: Seq, max: usize) -> Result<Vec<Arc<Entry>>, StoreError> {
        let Body::Open(open) = &self.body else { return Err(StoreError::NotFound) };
        let dropped = self.seq - open.log.len() as Seq;
        let skip = after.checked_sub(dropped).ok_or(StoreError::NotFound)?;
        Ok(open.log.iter().skip(usize::try_from(skip).unwrap_or(usize::MAX)).take(max).cloned().collect())
    }

    pub(super) fn wake(&mut self) -> Option<watch::Receiver<Seq>> {
        let seq = self.seq;
        let Body::Open(open) = &mut self.body else { return None };
        Some(open.wake.get_or_insert_with(|| watch::Sender::new(seq)).subscribe())
    }

    pub(super) fn row(&mut self) -> Result<TaskRow, StoreError> {
        self.fold();
        let seq = self.seq;
        match &self.body {
            Body::Open(open) => {
                let (task, keep) = (Arc::clone(&open.task), Keep::default());
                Ok(TaskRow { task, seq, held: open.held, calls: open.calls, keep })
            }
            Body::Packed(json) => {
                let (task, keep) = (Arc::new(unpack(json)?), Keep::default());
                Ok(TaskRow { task, seq, held: false, calls: 0, keep })
            }
        }
    }

    /// Lets go of the log of a finished task.
    pub(super) fn pack(&mut self) {
        self.fold();
        if let Body::Open(open) = &self.body
            && let Some(json) = pack(&open.task)
        {
            self.body = Body::Packed(json);
        }
    }

    /// What is packed is finished.
    fn open(&mut self) -> Result<&mut Open, StoreError> {
        match &mut self.body {
            Body::Open(open) => Ok(open),
            Body::Packed(_) => Err(StoreError::Terminal),
        }
    }

    fn add(
        &mut self,
        drafts: impl IntoIterator<Item = Draft>,
        phase: Phase,
        at: Timestamp,
        keep: usize,
    ) -> Result<(), StoreError> {
        let (mut seq, mut status_at) = (self.seq, self.status_at);
        let open = self.open()?;
        for mut draft in drafts {
            seq += 1;
            open.calls = open.calls.max(draft.call.unwrap_or(0));
            if let EntryBody::Status(status) = &mut draft.body {
                status.timestamp = Some(at);
                status_at = at;
            }
            open.log.push_back(Arc::new(Entry::new(seq, open.epoch, at, draft)));
        }
        if let Some(wake) = &open.wake {
            wake.send_replace(seq);
        }
        let extra = open.log.len().saturating_sub(keep);
        (self.seq, self.status_at, self.phase) = (seq, status_at, phase);
        // Twice as many before the oldest go: so each is moved once.
        if extra > keep {
            self.fold();
            self.open()?.log.drain(..extra);
        }
        Ok(())
    }

    /// Brings the projection up to the newest entry. Each entry is folded once, so this is linear over a task's life.
    fn fold(&mut self) {
        let Body::Open(open) = &mut self.body else { return };
        let unfolded = usize::try_from(self.seq - open.folded).unwrap_or(usize::MAX);
        if unfolded > 0 {
            let task = Arc::make_mut(&mut open.task);
            let folded = open.log.len().saturating_sub(unfolded);
            open.log.iter().skip(folded).for_each(|entry| project(task, entry));
            open.folded = self.seq;
        }
    }
}

/// A task as JSON, without what its messages repeat of it.
fn pack(task: &Task) -> Option<Box<[u8]>> {
    let mut task = task.clone();
    for message in messages(&mut task.history, &mut task.status) {
        message.task_id.take_if(|id| *id == task.id);
        message.context_id.take_if(|id| *id == task.context_id);
    }
    serde_json::to_vec(&task).ok().map(Vec::into_boxed_slice)
}

fn unpack(json: &[u8]) -> Result<Task, StoreError> {
    // What a skill made may be nested deeper than what a caller may send.
    let mut task: Task = decode(json).map_err(|error| StoreError::Unavailable(error.into()))?;
    for message in messages(&mut task.history, &mut task.status) {
        message.task_id.get_or_insert_with(|| task.id.clone());
        message.context_id.get_or_insert_with(|| task.context_id.clone());
    }
    Ok(task)
}

/// Every message that the store keeps tells its task and its conversation.
fn messages<'a>(
    history: &'a mut [Message],
    status: &'a mut TaskStatus,
) -> impl Iterator<Item = &'a mut Message> {
    history.iter_mut().chain(status.message.as_deref_mut())
}
