//! Where tasks are kept: a log of entries for each task, and its projection.
//!
//! The log is the truth. One append writes entries, their gap-free numbers and the projected task together, under a
//! fencing token; streams, blocking sends and webhooks are readers of the log with a cursor. The traits are written
//! for several processes on one database; [`MemoryStore`] is the fastest implementation of them.

mod entry;
mod index;
mod memory;
mod owner;
mod phase;
mod project;
mod record;
mod retention;

pub use entry::{Draft, Entry, EntryBody, Seq};
pub use memory::MemoryStore;
pub use owner::Owner;
pub use retention::Retention;

use crate::protocol::{Message, Metadata, Task, TaskState, Timestamp};
use std::any::Any;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// What a call of a store gives: a future, boxed so that stores can be exchanged at run time.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Why a store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The owner has no such task.
    #[error("no such task")]
    NotFound,
    /// The task is finished; nothing is added to it any more.
    #[error("the task is finished")]
    Terminal,
    /// Its caller has canceled the task; it can only end as canceled.
    #[error("the task was canceled")]
    Canceled,
    /// The task waits for no message, and the message was only for a waiting task.
    #[error("the task waits for no message")]
    NotWaiting,
    /// A task never goes back to where it began.
    #[error("a task does not go back to being submitted")]
    Backwards,
    /// Another worker holds the task.
    #[error("another worker holds the task")]
    Fenced,
    /// Nobody holds the task: what is said to it must come with a claim.
    #[error("nobody holds the task")]
    Unheld,
    /// There are as many unfinished tasks as there may be. The task that was not made is given back.
    #[error("there are too many unfinished tasks")]
    Full(Box<NewTask>),
    /// The store itself failed.
    ///
    /// What a running task does with it is tried again, six times within two seconds. Where that does not help, the task
    /// ends as `FAILED` as soon as the store takes that, and callers who wait are answered with an internal error.
    #[error("the store failed")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The right to append to a task: without one, nobody writes.
///
/// A newer claim raises the epoch, and appends under an older one are refused.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The task.
    pub task_id: Arc<str>,
    /// The claim that this guard stands for.
    pub epoch: u64,
}

/// A task to be made.
#[derive(Clone, Debug)]
pub struct NewTask {
    /// Its id, unique among all owners.
    pub id: Arc<str>,
    /// Its conversation.
    pub context_id: Arc<str>,
    /// The message that it answers.
    pub message: Arc<Message>,
    /// Its metadata.
    pub metadata: Metadata,
}

/// A task as it stands at one number of its log.
#[derive(Clone, Debug)]
pub struct TaskRow {
    /// The task, with all of its history and artifacts.
    pub task: Arc<Task>,
    /// The number of the newest entry that is in it.
    pub seq: Seq,
    /// Whether a worker holds it.
    pub held: bool,
    /// The highest number of a skill's call in the log.
    pub calls: u32,
    /// While it is held, the task is not let go.
    pub keep: Keep,
}

/// Keeps a finished task where it is until the caller who waits for it has its answer, whatever the retention says.
///
/// A store that lets nothing go that soon gives the default, which keeps nothing.
#[derive(Clone, Default)]
pub struct Keep(Option<Arc<dyn Any + Send + Sync>>);

impl Keep {
    /// Keeps a task as long as this value lives.
    pub fn new(value: Arc<dyn Any + Send + Sync>) -> Self {
        Self(Some(value))
    }
}

impl fmt::Debug for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Keep").field(&self.0.is_some()).finish()
    }
}

/// Something said to a task from outside of its run.
#[derive(Clone, Debug)]
pub enum Control {
    /// A message for it. A task that waits for one goes on: it is `WORKING`.
    Message {
        /// The message.
        message: Arc<Message>,
        /// Whether a task that waits for none refuses it ([`StoreError::NotWaiting`]).
        only_if_waiting: bool,
    },
    /// Its caller cancels it: from here on it can only end as canceled.
    Cancel(Metadata),
}

/// Which tasks to list.
#[derive(Clone, Debug, Default)]
pub struct ListQuery {
    /// Only those of this conversation.
    pub context_id: Option<String>,
    /// Only those in this state.
    pub state: Option<TaskState>,
    /// Only those that entered their state at or after this moment.
    pub status_at_or_after: Option<Timestamp>,
    /// Only those behind this one, in the order of the list.
    pub after: Option<Cursor>,
    /// How many at most.
    pub limit: usize,
}

/// A place in the list of tasks: newest status first, then highest id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// When the task entered its state.
    pub status_at: Timestamp,
    /// Its id.
    pub id: Arc<str>,
}

/// A page of tasks.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The tasks, newest status first.
    pub tasks: Vec<Arc<Task>>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
    /// How many tasks match on all pages together.
    pub total: usize,
}

/// Tasks and their projections. Every call of an outsider is scoped by its [`Owner`]: what belongs to another does
/// not exist.
pub trait TaskStore: Send + Sync + 'static {
    /// Makes a task, held by the caller: entry 1 is its message, its state `SUBMITTED`.
    ///
    /// [`StoreError::Full`] where no more are kept, and the task is given back.
    fn create<'a>(&'a self, owner: &'a Owner, new: NewTask) -> StoreFuture<'a, (Guard, TaskRow)>;

    /// A task, or `None` where the owner has none of that id.
    fn get<'a>(&'a self, owner: &'a Owner, id: &'a str) -> StoreFuture<'a, Option<TaskRow>>;

    /// A page of the owner's tasks.
    fn list<'a>(&'a self, owner: &'a Owner, query: ListQuery) -> StoreFuture<'a, Page>;

    /// Adds entries to the log and the projection, all or none, and gives the number of the last.
    ///
    /// Nothing is added to a finished task, and one that was canceled ends in no other way. The drafts are taken
    /// where they were added, and left where they were not.
    fn append<'a>(&'a self, guard: &'a Guard, drafts: &'a mut Vec<Draft>) -> StoreFuture<'a, Seq>;

    /// Adds what an outsider says to a task that somebody holds, and gives the task as it then stands.
    ///
    /// [`StoreError::Unheld`] where nobody does: nobody would read it.
    fn append_control<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a str,
        control: Control,
    ) -> StoreFuture<'a, TaskRow>;

    /// Claims a task that nobody holds, together with what an outsider says to it.
    ///
    /// [`StoreError::Fenced`] where somebody holds it.
    fn claim<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a str,
        control: Option<Control>,
    ) -> StoreFuture<'a, (Guard, TaskRow)>;

    /// Gives a task back, so that the next message or cancellation can claim it.
    ///
    /// `false`, and the task is still held, where something was said to it behind `read`: what was accepted while a
    /// task was held is read by who held it.
    fn release<'a>(&'a self, guard: &'a Guard, read: Seq) -> StoreFuture<'a, bool>;

    /// Ends the task that has waited longest for its caller, of all owners, whoever holds it, and gives its id: it is
    /// `FAILED` with that message, of which the store completes the ids. `None` where no task waits.
    ///
    /// A store that is never [full](StoreError::Full) need not have it.
    fn give_up(&self, message: Message) -> StoreFuture<'_, Option<Arc<str>>> {
        drop(message);
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Lets go of what the store's retention no longer keeps. Cheap where there is nothing to do.
    fn sweep(&self) {}
}

/// Logs, read with a cursor.
pub trait EventLog: Send + Sync + 'static {
    /// The entries behind `after`, oldest first, `max` at most; empty where there is none yet.
    ///
    /// [`StoreError::NotFound`] where the log no longer reaches back that far.
    fn read<'a>(&'a self, id: &'a str, after: Seq, max: usize) -> StoreFuture<'a, Vec<Arc<Entry>>>;

    /// A hint that something newer exists, or `None` where the task is gone.
    fn wake(&self, id: &str) -> Option<watch::Receiver<Seq>>;

    /// How often readers look without a hint, because hints may be lost; `None` where they never are.
    fn poll_every(&self) -> Option<Duration> {
        Some(Duration::from_secs(1))
    }
}

/// A whole store.
pub trait Store: TaskStore + EventLog {}

impl<T: TaskStore + EventLog> Store for T {}
