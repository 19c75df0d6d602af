//! A message comes in: a new task, or the next turn of one.

use super::route::{mark, route, route_on, skill_of};
use super::settle;
use super::writer::{First, Stage, Writer, call};
use super::{Tasks, detached, new_id, store_failed};
use crate::protocol::{A2aError, Message, Metadata, PushConfig, Role, Task, TaskState};
use crate::skill::{Answer, Caller, Modes, Request, Run, Shared, SkillEntry};
use crate::store::{Control, Keep, NewTask, Owner, Seq, StoreError, TaskRow};
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::sync::oneshot;
use tracing::Instrument;

/// How many messages a task may hold.
const MAX_HISTORY: usize = 10_000;

/// How often a claim is tried while another one is under way, and the pause between.
pub(super) const CLAIMS: u32 = 100;
pub(super) const CLAIM_PAUSE: Duration = Duration::from_millis(5);

/// What a question can always be answered with: words, and the data that `ask_json` asks for.
const ANSWERS: Modes = Modes::Both(&Modes::One("text/plain"), &Modes::One("application/json"));

/// A message with all that belongs to it.
#[derive(Clone, Debug)]
pub(crate) struct Incoming {
    pub(crate) caller: Caller,
    pub(crate) message: Message,
    pub(crate) metadata: Metadata,
    pub(crate) accepted_output_modes: Vec<String>,
    /// The caller waits for no answer.
    pub(crate) return_immediately: bool,
    /// The caller wants the task as it stands when the message has been accepted.
    pub(crate) snapshot_wanted: bool,
    /// Whether a part of a media type that the skill does not read is refused.
    pub(crate) check_input_modes: bool,
    /// The extensions of the protocol that both sides use.
    pub(crate) activated: Arc<[String]>,
    pub(crate) extensions: Arc<http::Extensions>,
    /// Where updates of the task are to be posted: checked, and kept before the skill runs.
    pub(crate) push: Option<PushConfig>,
}

/// What a message led to.
#[derive(Debug)]
pub(crate) enum Sent {
    /// A task, and the number of the newest entry when the message had been accepted.
    Task {
        id: Arc<str>,
        seq: Seq,
        /// How it stood then, where that is wanted.
        snapshot: Option<Arc<Task>>,
        /// While it is held, the task is not let go.
        keep: Keep,
    },
    /// A direct answer.
    Message(Message),
}

impl Sent {
    /// A snapshot that nobody keeps is dropped at once: the writer would have to copy the task for its sake.
    fn task(row: TaskRow, snapshot_wanted: bool) -> Self {
        let id = row.task.id.as_str().into();
        Self::Task { id, seq: row.seq, snapshot: snapshot_wanted.then_some(row.task), keep: row.keep }
    }
}

impl Incoming {
    fn owner(&self) -> Owner {
        self.caller.owner()
    }

    /// spec 3.1.1: a part must be of a type that the skill reads. One that asks reads answers, whatever its arguments are.
    fn check_modes(&self, entry: &SkillEntry, asks: bool) -> Result<(), A2aError> {
        let reads = |media_type: &str| entry.reads(media_type) || (asks && ANSWERS.contains(media_type));
        let types = self.message.parts.iter().filter_map(|part| part.media_type.as_deref());
        match types.into_iter().find(|media_type| self.check_input_modes && !reads(media_type)) {
            Some(media_type) => Err(A2aError::content_type(media_type)),
            None => Ok(()),
        }
    }

    fn request(&self, tasks: &Tasks, shared: Shared) -> Request {
        Request {
            shared: Arc::new(shared),
            metadata: Arc::new(self.metadata.clone()),
            accepted_output_modes: self.accepted_output_modes.clone().into(),
            caller: self.caller.clone(),
            activated: Arc::clone(&self.activated),
            states: Arc::clone(&tasks.states),
            extensions: Arc::clone(&self.extensions),
        }
    }
}

impl Tasks {
    /// Takes a message in, and gives what it led to as soon as that is known.
    pub(crate) async fn send(self: &Arc<Self>, incoming: Incoming) -> Result<Sent, A2aError> {
        let tasks = Arc::clone(self);
        detached(async move {
            match incoming.message.task_id.clone() {
                None => tasks.begin(incoming).await,
                Some(id) => tasks.go_on(&id, incoming).await,
            }
        })
        .await
    }

    /// Waits until a task that was sent to has settled.
    pub(crate) async fn settled(
        &self,
        owner: &Owner,
        id: &Arc<str>,
        seq: Seq,
    ) -> Result<Arc<Task>, A2aError> {
        // Many skills have answered by now. The task was not settled at `seq`, so this is of what came after.
        let row = self.get(owner, id).await?;
        if row.seq > seq && is_settled(row.task.status.state) {
            return Ok(row.task);
        }
        drop(row);
        self.wait(owner, id, seq, is_settled).await
    }

    async fn begin(self: &Arc<Self>, incoming: Incoming) -> Result<Sent, A2aError> {
        let entry = Arc::clone(route(&self.skills, &incoming.message, &incoming.metadata)?);
        incoming.check_modes(&entry, false)?;
        let owner = incoming.owner();
        let id = new_id();
        let context_id = incoming.message.context_id.as_deref().map_or_else(new_id, Arc::from);
        let message = place(&incoming.message, &id, &context_id);
        let history = vec![Arc::clone(&message)];
        let shared =
            Shared::new(Arc::clone(&id), Arc::clone(&context_id), Arc::clone(&message), history, 0, 0);
        let request = incoming.request(self, shared);
        // Arguments are taken before the task is made: a message that does not fit leaves nothing behind.
        let run = call(&entry, &request)?;
        if incoming.push.is_some() && entry.answer == Answer::Message {
            let text = "this skill answers without a task, so there is nothing to notify about";
            return Err(A2aError::unsupported(text));
        }
        let new = NewTask {
            id: Arc::clone(&id),
            context_id: Arc::clone(&context_id),
            message,
            metadata: mark(entry.id()),
        };
        if entry.answer == Answer::Task || incoming.push.is_some() {
            let (guard, row) = self.create(&owner, new).await?;
            self.keep_push(&owner, &id, row.seq, incoming.push).await;
            let sent = Sent::task(row, incoming.snapshot_wanted);
            let stage = Stage::Task(guard);
            self.start(Writer::new(self, &owner, &entry, request, stage, (TaskState::Submitted, 1)), run)
                .await;
            return Ok(sent);
        }
        let (first, answer) = oneshot::channel();
        let stage = Stage::before(new, first);
        let mut writer = Writer::new(self, &owner, &entry, request, stage, (TaskState::Submitted, 1));
        writer.eager = incoming.return_immediately && entry.answer == Answer::Either;
        self.start(writer, run).await;
        match answer.await {
            Ok(First::Task(row)) => Ok(Sent::task(row, incoming.snapshot_wanted)),
            Ok(First::Message(mut message)) => {
                message.role = Role::Agent;
                // The caller goes on in this conversation with the id that it learns here (spec 3.4.1).
                message.context_id = Some(context_id.to_string());
                message.task_id = None;
                Ok(Sent::Message(message))
            }
            Ok(First::Failed(error)) => Err(error),
            Err(_) => Err(settle::error_without_task("the run was ended by a shutdown", entry.id())),
        }
    }

    async fn go_on(self: &Arc<Self>, id: &str, mut incoming: Incoming) -> Result<Sent, A2aError> {
        let owner = incoming.owner();
        for _ in 0..CLAIMS {
            let row = self.get(&owner, id).await?;
            check_context(&incoming.message, &row.task)?;
            if row.task.status.state.is_terminal() {
                return Err(finished(id));
            }
            if row.task.history.len() >= MAX_HISTORY {
                return Err(A2aError::unsupported(format!(
                    "task `{id}` holds {MAX_HISTORY} messages, and takes no more; begin another in its context"
                )));
            }
            let entry = Arc::clone(route_on(&self.skills, &incoming.message, skill_of(&row.task.metadata))?);
            incoming.check_modes(&entry, entry.needs.context)?;
            let task_id: Arc<str> = row.task.id.as_str().into();
            let context_id: Arc<str> = row.task.context_id.as_str().into();
            let message = place(&incoming.message, &task_id, &context_id);

            self.check_push(&owner, id, incoming.push.as_ref())?;
            let before = row.seq;
            if row.held {
                // spec leaves it open: a skill that could not read the message is not sent it.
                let only_if_waiting = !entry.needs.context;
                let control = Control::Message { message: Arc::clone(&message), only_if_waiting };
                match self.store.append_control(&owner, id, control).await {
                    Ok(row) => {
                        self.keep_push(&owner, &task_id, before, incoming.push.take()).await;
                        if let Some(live) = self.registry.find(id) {
                            live.signal();
                        }
                        return Ok(Sent::task(row, incoming.snapshot_wanted));
                    }
                    // Its writer has left since it was read.
                    Err(StoreError::Unheld) => continue,
                    Err(error) => return Err(refused(id, error)),
                }
            }
            let (request, run) = self.request_again(&entry, &incoming, &row, Arc::clone(&message))?;
            let control = Control::Message { message, only_if_waiting: false };
            match self.store.claim(&owner, id, Some(control)).await {
                Ok((guard, row)) => {
                    self.keep_push(&owner, &task_id, before, incoming.push.take()).await;
                    let from = (row.task.status.state, row.seq);
                    let sent = Sent::task(row, incoming.snapshot_wanted);
                    let writer = Writer::new(self, &owner, &entry, request, Stage::Task(guard), from);
                    // Something may have been said between the claim and this.
                    writer.live.signal();
                    self.start(writer, run).await;
                    return Ok(sent);
                }
                Err(StoreError::Fenced) => tokio::time::sleep(CLAIM_PAUSE).await,
                Err(error) => return Err(refused(id, error)),
            }
        }
        Err(store_failed(StoreError::Fenced))
    }

    /// Checks that a configuration can be kept, before the message that it came with is accepted.
    #[cfg(feature = "push")]
    fn check_push(&self, owner: &Owner, task_id: &str, config: Option<&PushConfig>) -> Result<(), A2aError> {
        match (&self.webhooks, config) {
            (Some(webhooks), Some(config)) => webhooks.check_room(owner, task_id, config),
            _ => Ok(()),
        }
    }

    #[cfg(not(feature = "push"))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "it checks where there are webhooks")]
    fn check_push(&self, _: &Owner, _: &str, _: Option<&PushConfig>) -> Result<(), A2aError> {
        Ok(())
    }

    /// spec 3.1.7: kept before anything runs, and posting what comes after that number, so that no update is missed.
    ///
    /// The message has been accepted by now, so it goes on whatever becomes of this.
    #[cfg(feature = "push")]
    async fn keep_push(&self, owner: &Owner, task_id: &Arc<str>, after: Seq, config: Option<PushConfig>) {
        if let (Some(webhooks), Some(config)) = (&self.webhooks, config)
            && let Err(error) = webhooks.register(owner, task_id, Some(after), config).await
        {
            tracing::warn!(task = %task_id, %error, "a configuration that came with a message is not kept");
        }
    }

    #[cfg(not(feature = "push"))]
    #[expect(clippy::unused_async, reason = "it is awaited where there are webhooks")]
    async fn keep_push(&self, _: &Owner, _: &Arc<str>, _: Seq, _: Option<PushConfig>) {}

    fn request_again(
        &self,
        entry: &SkillEntry,
        incoming: &Incoming,
        row: &TaskRow,
        message: Arc<Message>,
    ) -> Result<(Request, Run), A2aError> {
        let mut history: Vec<_> = row.task.history.iter().cloned().map(Arc::new).collect();
        if let (true, Some(question)) = (row.task.status.state.is_interrupted(), &row.task.status.message) {
            history.push(Arc::new((**question).clone()));
        }
        // Its id may be one that was there before: ids are the callers', and say nothing about being the same.
        history.push(Arc::clone(&message));
        let artifacts = u32::try_from(row.task.artifacts.len()).unwrap_or(u32::MAX);
        let (id, context_id) = (row.task.id.as_str().into(), row.task.context_id.as_str().into());
        let shared = Shared::new(id, context_id, message, history, row.calls, artifacts);
        let request = incoming.request(self, shared);
        let run = call(entry, &request)?;
        Ok((request, run))
    }

    /// Runs a writer: its first poll here, since many skills answer at once, and the rest in a task of its own, which
    /// no connection ends.
    async fn start(&self, writer: Writer, run: Run) {
        let live = Arc::clone(&writer.live);
        let span = writer.span();
        let mut work = Box::pin(writer.work(run).instrument(span));
        let polled = poll_fn(|cx| Poll::Ready(work.as_mut().poll(cx))).await;
        if polled.is_pending() {
            live.owned_by(tokio::spawn(work).abort_handle());
        }
    }
}

/// spec 3.2.2: a send returns when the task has ended, or waits for the caller.
fn is_settled(state: TaskState) -> bool {
    state.is_terminal() || state.is_interrupted()
}

/// The message as it is stored: it tells its task and its conversation.
fn place(message: &Message, task_id: &str, context_id: &str) -> Arc<Message> {
    let mut message = message.clone();
    message.task_id = Some(task_id.to_owned());
    message.context_id = Some(context_id.to_owned());
    Arc::new(message)
}

/// spec 3.4.3: a message for a task is of the task's conversation.
fn check_context(message: &Message, task: &Task) -> Result<(), A2aError> {
    match &message.context_id {
        Some(context_id) if *context_id != task.context_id => {
            let text = format!("task `{}` is in another context", task.id);
            Err(A2aError::invalid_params(&text).with_violation("message.contextId", text))
        }
        _ => Ok(()),
    }
}

/// spec 3.1.1: a finished task takes no message.
fn finished(id: &str) -> A2aError {
    A2aError::unsupported(format!(
        "task `{id}` is finished and takes no more messages; start a new one in the same context"
    ))
}

fn refused(id: &str, error: StoreError) -> A2aError {
    match error {
        StoreError::Terminal => finished(id),
        StoreError::NotFound => A2aError::task_not_found(id),
        StoreError::NotWaiting => A2aError::unsupported(format!(
            "task `{id}` is working and takes no message now; send one when it asks, or start a new task"
        )),
        StoreError::Canceled => A2aError::unsupported(format!("task `{id}` is being canceled")),
        other => store_failed(other),
    }
}
