//! How a running skill talks to its task.
//!
//! A call puts a [`Command`] into a queue and waits for its answer. The task's one writer takes the commands out,
//! appends them to the log and answers; that side is in `tasks`.

use super::request::merged;
use super::{ArtifactWriter, FromRequest, Needs, Request, SkillError};
use crate::lock::lock;
use crate::protocol::{Artifact, Message, Metadata, Role, Task, TaskState};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::task::Waker;
use tokio::sync::{Notify, oneshot};

/// The running task, seen from its skill.
///
/// It reports progress, makes artifacts, asks the caller, and tells what was said so far. Cloning is cheap, and a
/// clone may go to another task of tokio. A call is done when its event is stored; dropping a call that waits does
/// not take the event back.
#[derive(Clone, Debug)]
pub struct Context {
    pub(super) shared: Arc<Shared>,
    /// That of the request.
    metadata: Arc<Metadata>,
}

impl Context {
    pub(super) fn new(shared: Arc<Shared>, metadata: Arc<Metadata>) -> Self {
        Self { shared, metadata }
    }

    /// The id of the task.
    pub fn task_id(&self) -> &str {
        &self.shared.task_id
    }

    /// The message that this call of the skill answers.
    pub fn message(&self) -> &Message {
        self.shared.message()
    }

    /// The metadata of the request and of the message together, as the argument [`Metadata`] gives it: where both have
    /// a key, the message's value counts.
    ///
    /// Where a later message calls the skill again, the message is that one, and the request the one that began the
    /// task.
    pub fn metadata(&self) -> Metadata {
        merged(&self.metadata, &self.message().metadata)
    }

    /// The ids of other tasks that the message refers to (spec 3.4.1), as they came: the tasks may be anybody's, or
    /// nobody's.
    pub fn references(&self) -> &[String] {
        &self.message().reference_task_ids
    }

    /// The tasks that the message refers to, in its order, with artifacts and history.
    ///
    /// Those that are not there are left out, and those of other callers are not there. Of more than 100 ids the first
    /// 100 are looked up.
    ///
    /// ```
    /// use a2a_sdk::{Context, SkillError};
    ///
    /// /// Sums up earlier results.
    /// #[a2a_sdk::skill]
    /// async fn sum_up(ctx: Context) -> Result<String, SkillError> {
    ///     let results: Vec<String> = ctx.referenced_tasks().await?.iter().map(|task| task.text()).collect();
    ///     Ok(results.join("; "))
    /// }
    /// ```
    ///
    /// # Errors
    /// When the task has ended, or the store fails.
    pub async fn referenced_tasks(&self) -> Result<Vec<Task>, SkillError> {
        self.shared.call(Wish::Referenced(self.references().to_vec())).await.map(Granted::into_tasks)
    }

    /// What was said in this task so far, oldest first, the message of this call included.
    pub fn history(&self) -> Vec<Message> {
        self.shared.history().iter().map(|message| (**message).clone()).collect()
    }

    /// The conversation that the task belongs to.
    pub fn context(&self) -> Conversation {
        Conversation { shared: Arc::clone(&self.shared) }
    }

    /// Tells the caller how far the work is: the task is `WORKING`, with this text. A [`Progress`](super::Progress)
    /// says it as a number too.
    ///
    /// # Errors
    /// When the task has ended, or the store fails.
    pub async fn progress(&self, text: impl Into<Message>) -> Result<(), SkillError> {
        let message = text.into();
        self.shared.call(Wish::Status(TaskState::Working, message)).await.map(drop)
    }

    /// Begins an artifact of that name.
    pub fn artifact(&self, name: impl Into<String>) -> ArtifactWriter {
        ArtifactWriter::new(Arc::clone(&self.shared), name.into())
    }
}

impl FromRequest for Context {
    const NEEDS_TASK: bool = true;

    fn needs(needs: &mut Needs) {
        needs.context = true;
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        Ok(request.context())
    }
}

/// The conversation that a task belongs to.
#[derive(Clone, Debug)]
pub struct Conversation {
    shared: Arc<Shared>,
}

impl Conversation {
    /// Its id, the `contextId` of the protocol.
    pub fn id(&self) -> &str {
        &self.shared.context_id
    }

    /// The caller's other tasks in this conversation, newest first, with artifacts and history; 100 at most.
    ///
    /// # Errors
    /// When the task has ended, or the store fails.
    pub async fn tasks(&self) -> Result<Vec<Task>, SkillError> {
        self.shared.call(Wish::Earlier).await.map(Granted::into_tasks)
    }
}

/// What a call of the skill wants.
#[derive(Debug)]
pub(crate) enum Wish {
    /// The task enters this state, with this message.
    Status(TaskState, Message),
    /// A chunk of an artifact.
    Artifact(Chunk),
    /// The task waits in this state with this message, which is a question or says what to authorize, for the next.
    Ask(TaskState, Message),
    /// The next message.
    Next,
    /// The other tasks of the conversation.
    Earlier,
    /// The tasks of these ids.
    Referenced(Vec<String>),
}

/// A chunk of an artifact.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) artifact: Artifact,
    pub(crate) append: bool,
    pub(crate) last: bool,
}

/// What a call of the skill gets.
#[derive(Debug)]
pub(crate) enum Granted {
    Done,
    Message(Arc<Message>),
    Tasks(Vec<Task>),
}

impl Granted {
    fn into_tasks(self) -> Vec<Task> {
        match self {
            Self::Tasks(tasks) => tasks,
            Self::Done | Self::Message(_) => Vec::new(),
        }
    }

    pub(super) fn into_message(self) -> Result<Message, SkillError> {
        match self {
            Self::Message(message) => Ok(Arc::unwrap_or_clone(message)),
            Self::Done | Self::Tasks(_) => Err(SkillError::ended()),
        }
    }
}

/// A call of the skill, on its way to the task's writer.
#[derive(Debug)]
pub(crate) struct Command {
    /// The number of the call within the task, from 1: what a replay goes by.
    pub(crate) call: u32,
    pub(crate) wish: Wish,
    pub(crate) done: oneshot::Sender<Result<Granted, SkillError>>,
}

/// What a skill and its task's writer share.
pub(crate) struct Shared {
    pub(crate) task_id: Arc<str>,
    pub(crate) context_id: Arc<str>,
    message: Arc<Message>,
    queue: Mutex<Queue>,
    history: Mutex<Vec<Arc<Message>>>,
    canceled: OnceLock<Metadata>,
    cancel: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    commands: Vec<Command>,
    /// Numbers given to calls so far.
    calls: u32,
    /// Numbers given to artifacts so far.
    artifacts: u32,
    waker: Option<Waker>,
    closed: bool,
}

impl Shared {
    /// For a call of a skill that answers `message`, the last of `history`, after so many calls and artifacts.
    pub(crate) fn new(
        task_id: Arc<str>,
        context_id: Arc<str>,
        message: Arc<Message>,
        history: Vec<Arc<Message>>,
        calls: u32,
        artifacts: u32,
    ) -> Self {
        Self {
            task_id,
            context_id,
            message,
            queue: Mutex::new(Queue { calls, artifacts, ..Queue::default() }),
            history: Mutex::new(history),
            canceled: OnceLock::new(),
            cancel: Notify::new(),
        }
    }

    /// For a request outside of any agent: its calls find the task ended.
    pub(crate) fn detached(message: Message) -> Self {
        let message = Arc::new(message);
        let shared = Self::new("".into(), "".into(), Arc::clone(&message), vec![message], 0, 0);
        shared.close();
        shared
    }

    /// For the next call of the skill in the same task. The calls of this one end.
    pub(crate) fn again(&self, message: Arc<Message>) -> Self {
        self.close();
        let queue = lock(&self.queue);
        let history = lock(&self.history).clone();
        Self::new(
            Arc::clone(&self.task_id),
            Arc::clone(&self.context_id),
            message,
            history,
            queue.calls,
            queue.artifacts,
        )
    }

    pub(crate) fn message(&self) -> &Message {
        &self.message
    }

    pub(crate) fn history(&self) -> MutexGuard<'_, Vec<Arc<Message>>> {
        lock(&self.history)
    }

    /// The id of the next artifact; unique within the task.
    pub(crate) fn next_artifact_id(&self) -> String {
        let mut queue = lock(&self.queue);
        queue.artifacts += 1;
        format!("artifact-{}", queue.artifacts)
    }

    /// Puts a call into the queue and waits for its answer.
    pub(crate) async fn call(&self, wish: Wish) -> Result<Granted, SkillError> {
        let (done, answer) = oneshot::channel();
        {
            let mut queue = lock(&self.queue);
            if queue.closed {
                return Err(SkillError::ended());
            }
            queue.calls += 1;
            let call = queue.calls;
            queue.commands.push(Command { call, wish, done });
            if let Some(waker) = queue.waker.take() {
                waker.wake();
            }
        }
        answer.await.unwrap_or_else(|_| Err(SkillError::ended()))
    }

    /// Takes the calls that wait; if there are none, `waker` is woken by the next.
    pub(crate) fn take_commands(&self, waker: &Waker) -> Vec<Command> {
        let mut queue = lock(&self.queue);
        if queue.commands.is_empty() {
            match &mut queue.waker {
                Some(known) => known.clone_from(waker),
                none => *none = Some(waker.clone()),
            }
        }
        std::mem::take(&mut queue.commands)
    }

    /// Ends all calls: those that wait, and those to come.
    pub(crate) fn close(&self) {
        let mut queue = lock(&self.queue);
        queue.closed = true;
        let waiting = std::mem::take(&mut queue.commands);
        drop(queue);
        drop(waiting);
    }

    /// Tells the skill that its caller canceled. Only the first time counts.
    pub(crate) fn cancel(&self, metadata: Metadata) {
        if self.canceled.set(metadata).is_ok() {
            self.cancel.notify_waiters();
        }
    }

    pub(crate) fn cancel_metadata(&self) -> Option<&Metadata> {
        self.canceled.get()
    }

    pub(crate) async fn canceled(&self) {
        loop {
            let notified = self.cancel.notified();
            if self.canceled.get().is_some() {
                return;
            }
            notified.await;
        }
    }

    /// A message of the agent in this task.
    pub(crate) fn agent_message(&self, mut message: Message) -> Message {
        message.role = Role::Agent;
        message.task_id = Some(self.task_id.to_string());
        message.context_id = Some(self.context_id.to_string());
        message
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("task_id", &self.task_id).finish_non_exhaustive()
    }
}
