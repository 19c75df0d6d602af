//! The one writer of a task: it drives the skill, and appends what the skill does to the log.
//!
//! The skill's future, the queue of its calls and the signals from outside are polled in one place, so that nothing
//! of a task happens at the same time as something else of it. What has gathered in a turn goes into one append.

mod active;
mod failing;
mod talk;

use super::Tasks;
use super::live::Live;
use super::settle::{self, End};
use crate::protocol::{A2aError, Message, Part, TaskState};
use crate::skill::{Answer, Body, Granted, Reply, Request, Run, Shared, SkillEntry, SkillError};
use crate::store::{Draft, Guard, NewTask, Owner, Seq, StoreError, TaskRow};
use active::{Active, Chunks, Step, Turn};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use talk::Waiting;
use tokio::sync::oneshot;
use tokio::time::Sleep;

type Done = oneshot::Sender<Result<Granted, SkillError>>;

/// What a caller is answered with first, where the skill decides whether there is a task.
pub(super) enum First {
    Task(TaskRow),
    Message(Message),
    Failed(A2aError),
}

/// Whether there is a task to write to.
pub(super) enum Stage {
    Task(Guard),
    /// It is made when the skill first needs it.
    Before(Option<Box<(NewTask, oneshot::Sender<First>)>>),
}

impl Stage {
    /// There is no task yet.
    pub(super) fn before(new: NewTask, first: oneshot::Sender<First>) -> Self {
        Self::Before(Some(Box::new((new, first))))
    }
}

/// How driving a skill ended.
enum Ended {
    With(Box<End>),
    /// Its caller canceled.
    Canceled,
    /// Somebody else has the task: nothing is to be written any more.
    Lost,
    /// The store does not take what the task does.
    Store(StoreError),
    /// It was answered without a task.
    Answered,
}

impl Ended {
    fn with(end: End) -> Self {
        Self::With(Box::new(end))
    }
}

/// The writer of one task.
pub(super) struct Writer {
    tasks: Arc<Tasks>,
    pub(super) live: Arc<Live>,
    owner: Owner,
    entry: Arc<SkillEntry>,
    request: Request,
    stage: Stage,
    state: TaskState,
    /// Whether the caller waits for no answer: the task is made when the skill first has to wait.
    pub(super) eager: bool,
    /// What the next append adds, and whom it answers.
    batch: Vec<Draft>,
    answers: Vec<(Done, Granted)>,
    /// The entry of the newest question.
    asked_at: Seq,
    /// The newest entry of the log that was looked at for messages.
    read_to: Seq,
    /// Messages that nobody has taken yet.
    mailbox: VecDeque<Arc<Message>>,
    waiting: VecDeque<Waiting>,
    canceling: bool,
    grace: Option<Pin<Box<Sleep>>>,
}

impl Writer {
    pub(super) fn new(
        tasks: &Arc<Tasks>,
        owner: &Owner,
        entry: &Arc<SkillEntry>,
        request: Request,
        stage: Stage,
        (state, read_to): (TaskState, Seq),
    ) -> Self {
        let live = Arc::default();
        // Also before there is a task: whoever ends all runs must find this one.
        tasks.registry.add(&request.shared.task_id, &live);
        Self {
            tasks: Arc::clone(tasks),
            live,
            owner: owner.clone(),
            entry: Arc::clone(entry),
            request,
            stage,
            state,
            eager: false,
            batch: Vec::new(),
            answers: Vec::new(),
            asked_at: 0,
            read_to,
            mailbox: VecDeque::new(),
            waiting: VecDeque::new(),
            canceling: false,
            grace: None,
        }
    }

    fn shared(&self) -> &Arc<Shared> {
        &self.request.shared
    }

    pub(super) fn span(&self) -> tracing::Span {
        tracing::info_span!("task", id = %self.shared().task_id, skill = self.entry.id())
    }

    /// Runs the skill until the task ends, or waits with nobody running.
    pub(super) async fn work(mut self, run: Run) {
        let mut run = Some(run);
        while let Some(current) = run.take() {
            run = match self.drive(current).await {
                Ended::With(end) => match *end {
                    End::Park(state, question) => self.park(state, question).await,
                    End::State(state, message) => self.end(state, message).await,
                },
                Ended::Canceled => self.end(TaskState::Canceled, None).await,
                Ended::Store(error) => self.fail(&error).await,
                Ended::Lost | Ended::Answered => None,
            };
        }
    }

    /// Drives one run of the skill to its end.
    async fn drive(&mut self, run: Run) -> Ended {
        let mut active = Active::Run(run);
        loop {
            let turn = self.turn(&mut active).await;
            let more = matches!(turn.step, Some(Step::Items(_, false)));
            if let Err(ended) = self.take_turn(turn, &mut active).await {
                // The skill is dropped before its end is told: nothing of it runs once the task has ended.
                return self.dropped(active, ended);
            }
            if more {
                // A stream that is always ready leaves room for its readers, and for everybody else.
                tokio::task::yield_now().await;
            }
        }
    }

    /// Drops what is left of the skill. Its destructors may panic like the rest of it.
    fn dropped(&mut self, active: Active, ended: Ended) -> Ended {
        match catch_unwind(AssertUnwindSafe(|| drop(active))) {
            Ok(()) => ended,
            Err(panic) => {
                let failed = self.failed(&settle::panic_text(&*panic));
                // Its caller has canceled or been answered: the log has the panic, and that is all.
                if matches!(ended, Ended::With(_)) { failed } else { ended }
            }
        }
    }

    /// Waits until something is to be done.
    async fn turn(&mut self, active: &mut Active) -> Turn {
        std::future::poll_fn(|cx| {
            let polled = catch_unwind(AssertUnwindSafe(|| active.poll(cx)));
            let step = match polled {
                Ok(Poll::Ready(step)) => Some(step),
                Ok(Poll::Pending) => None,
                Err(panic) => Some(Step::Panicked(settle::panic_text(&*panic))),
            };
            let commands = self.request.shared.take_commands(cx.waker());
            let said = self.live.take(cx.waker());
            if step.is_some() || !commands.is_empty() || said {
                return Poll::Ready(Turn { commands, said, step });
            }
            if self.state == TaskState::Submitted && (self.eager || matches!(self.stage, Stage::Task(_))) {
                return Poll::Ready(Turn { step: Some(Step::Begun), ..Turn::default() });
            }
            self.tasks.registry.waits(&self.live, self.state.is_interrupted());
            match &mut self.grace {
                Some(grace) => {
                    grace.as_mut().poll(cx).map(|()| Turn { step: Some(Step::GraceOver), ..Turn::default() })
                }
                None => Poll::Pending,
            }
        })
        .await
    }

    async fn take_turn(&mut self, turn: Turn, active: &mut Active) -> Result<(), Ended> {
        // Messages first: one that was accepted before a question of this turn is its answer.
        let canceled = if turn.said { self.read_log().await.map_err(Ended::Store)? } else { None };
        if !turn.commands.is_empty() {
            self.ensure_task().await?;
        }
        for command in turn.commands {
            self.command(command).await;
        }
        let over = match turn.step {
            None => Ok(()),
            Some(Step::Begun) => {
                self.ensure_task().await?;
                self.enter(TaskState::Working, None, None);
                Ok(())
            }
            Some(Step::Reply(reply)) => {
                *active = Active::Over;
                self.reply(reply, active).await
            }
            Some(Step::Items(items, over)) => {
                self.ensure_task().await?;
                self.items(items, over, active)
            }
            Some(Step::Panicked(text)) => {
                let ready = active.ready();
                if !ready.is_empty() {
                    self.ensure_task().await?;
                }
                self.items(ready, false, active).and_then(|()| Err(self.failed(&text)))
            }
            Some(Step::GraceOver) => Err(Ended::Canceled),
        };
        // A cancellation that came before the end counts: the store would refuse another end as well.
        let canceled = canceled.map_or(Ok(()), |metadata| self.cancel(metadata));
        match over {
            Err(Ended::Answered) => Err(Ended::Answered),
            Err(_) if self.canceling => Err(Ended::Canceled),
            Err(ended) => Err(ended),
            Ok(()) => {
                self.flush().await?;
                canceled
            }
        }
    }

    async fn reply(&mut self, reply: Reply, active: &mut Active) -> Result<(), Ended> {
        if let Stage::Before(_) = self.stage {
            match reply.body {
                Body::Message(message) => return Err(self.answer(First::Message(message))),
                Body::Failed(error) if self.entry.answer == Answer::Message => {
                    return Err(self.answer(First::Failed(settle::error_of(error.fault, self.entry.id()))));
                }
                _ => self.ensure_task().await?,
            }
        }
        match reply.body {
            Body::Parts(parts) => {
                let body = settle::parts(self.shared(), parts);
                self.batch.extend(body.map(Draft::from));
            }
            Body::Artifacts(artifacts) => self.artifacts(artifacts),
            Body::Message(message) => {
                return Err(Ended::with(End::State(TaskState::Completed, Some(message))));
            }
            Body::Ask(question) => return Err(Ended::with(End::Park(TaskState::InputRequired, question))),
            Body::Failed(error) => return Err(self.ended_by(error)),
            Body::Stream(items) => {
                *active = Active::Chunks(Chunks::new(items));
                return Ok(());
            }
        }
        Err(Ended::with(End::State(TaskState::Completed, None)))
    }

    fn artifacts(&mut self, artifacts: Vec<crate::protocol::Artifact>) {
        for artifact in artifacts {
            let body = settle::artifact(self.shared(), artifact);
            self.batch.push(body.into());
        }
    }

    /// Items of a streamed reply: each goes out as it is, and nothing waits for the next.
    fn items(&mut self, items: Vec<Reply>, over: bool, active: &mut Active) -> Result<(), Ended> {
        let Active::Chunks(chunks) = active else { return Ok(()) };
        if self.state == TaskState::Submitted {
            self.enter(TaskState::Working, None, None);
        }
        for item in items {
            match item.body {
                Body::Parts(parts) if parts.is_empty() => {}
                Body::Parts(parts) => {
                    chunks.text = parts.iter().all(|part| part.as_text().is_some());
                    let append = chunks.artifact_id.is_some();
                    let id = chunks.artifact_id.get_or_insert_with(|| self.request.shared.next_artifact_id());
                    self.batch.push(settle::chunk_of(id, parts, append, false).into());
                }
                Body::Artifacts(artifacts) => self.artifacts(artifacts),
                Body::Message(message) => self.enter(TaskState::Working, Some(message), None),
                Body::Ask(question) => {
                    return Err(Ended::with(End::Park(TaskState::InputRequired, question)));
                }
                Body::Failed(error) => return Err(self.ended_by(error)),
                Body::Stream(_) => return Err(self.failed("a stream gave a stream, which is no chunk")),
            }
        }
        if !over {
            return Ok(());
        }
        if let (Some(id), true) = (&chunks.artifact_id, chunks.text) {
            // A widespread client shows the middle of a text only once it has seen `lastChunk`.
            self.batch.push(settle::chunk_of(id, vec![Part::text("")], true, true).into());
        }
        Err(Ended::with(End::State(TaskState::Completed, None)))
    }

    fn enter(&mut self, state: TaskState, message: Option<Message>, call: Option<u32>) {
        self.state = state;
        let body = settle::status(self.shared(), state, message);
        self.batch.push(Draft { call, body });
    }

    fn ended_by(&self, error: SkillError) -> Ended {
        Ended::with(settle::end_of(error.fault, self.entry.id(), &self.shared().task_id))
    }

    fn failed(&mut self, what: &str) -> Ended {
        if let (Stage::Before(_), Answer::Message) = (&self.stage, self.entry.answer) {
            return self.answer(First::Failed(settle::error_without_task(what, self.entry.id())));
        }
        Ended::with(settle::failed(what, self.entry.id(), &self.shared().task_id).1)
    }

    /// Answers without a task. A caller that has left is no reason to fail.
    fn answer(&mut self, answer: First) -> Ended {
        if let Stage::Before(before) = &mut self.stage
            && let Some(before) = before.take()
        {
            drop(before.1.send(answer));
        }
        Ended::Answered
    }

    /// Makes the task, if it is not there yet.
    async fn ensure_task(&mut self) -> Result<(), Ended> {
        let Stage::Before(before) = &mut self.stage else { return Ok(()) };
        let Some(before) = before.take() else { return Err(Ended::Answered) };
        let (new, first) = *before;
        match self.tasks.create(&self.owner, new).await {
            Ok((guard, row)) => {
                self.stage = Stage::Task(guard);
                drop(first.send(First::Task(row)));
                Ok(())
            }
            Err(error) => {
                drop(first.send(First::Failed(error)));
                Err(Ended::Answered)
            }
        }
    }

    /// Appends the batch, and answers the calls that are in it.
    async fn flush(&mut self) -> Result<(), Ended> {
        let asks =
            self.batch.iter().rposition(|draft| draft.body.entered().is_some_and(TaskState::is_interrupted));
        if !self.batch.is_empty() {
            let count = self.batch.len();
            let seq = match self.append().await {
                Ok(seq) => seq,
                Err(error) => return Err(self.not_appended(error)),
            };
            if self.read_to + count as Seq == seq {
                // Nothing of others is among it.
                self.read_to = seq;
            }
            if let Some(asks) = asks {
                self.asked_at = seq - (count - 1 - asks) as Seq;
            }
        }
        for (done, granted) in self.answers.drain(..) {
            drop(done.send(Ok(granted)));
        }
        Ok(())
    }

    fn not_appended(&mut self, error: StoreError) -> Ended {
        self.answers.clear();
        match error {
            StoreError::Canceled => {
                // The signal is on its way; what the skill made until then is kept.
                self.canceling = true;
                self.batch
                    .retain(|draft| draft.body.entered().is_none_or(|state| state == TaskState::Working));
                Ended::Canceled
            }
            StoreError::Unavailable(_) => Ended::Store(error),
            error => {
                tracing::warn!(task = %self.shared().task_id, %error, "the task was taken from its writer");
                Ended::Lost
            }
        }
    }

    /// Ends the task in that state.
    async fn end(&mut self, state: TaskState, message: Option<Message>) -> Option<Run> {
        if self.ensure_task().await.is_err() {
            return None;
        }
        self.enter(state, message, None);
        let mut ended = self.flush().await;
        if let Err(Ended::Canceled) = ended {
            self.enter(TaskState::Canceled, None, None);
            ended = self.flush().await;
        }
        match ended {
            Err(Ended::Store(error)) => self.fail(&error).await,
            Ok(()) | Err(_) => None,
        }
    }

    /// Leaves the task waiting for a message, or goes on with one that has come meanwhile.
    async fn park(&mut self, state: TaskState, question: Message) -> Option<Run> {
        if self.ensure_task().await.is_err() {
            return None;
        }
        self.ask(state, question, None);
        loop {
            match self.flush().await {
                Ok(()) => {}
                Err(Ended::Canceled) => return self.end(TaskState::Canceled, None).await,
                Err(Ended::Store(error)) => return self.fail(&error).await,
                Err(_) => return None,
            }
            if self.mailbox.is_empty() {
                match self.release().await {
                    Ok(true) => return None,
                    // Something was said in this moment; it is this writer's to read.
                    Ok(false) => {}
                    Err(error) => return self.fail(&error).await,
                }
                match self.read_log().await {
                    Ok(canceled) if canceled.is_some() || self.canceling => {
                        return self.end(TaskState::Canceled, None).await;
                    }
                    Ok(_) => {}
                    Err(error) => return self.fail(&error).await,
                }
            }
            let Some(message) = self.mailbox.pop_front() else { continue };
            if self.state.is_interrupted() {
                self.enter(TaskState::Working, None, None);
            }
            match self.run_again(message) {
                Ok(run) => return Some(run),
                Err(text) => self.ask(TaskState::InputRequired, text.into(), None),
            }
        }
    }

    /// Calls the skill again, with a later message.
    fn run_again(&mut self, message: Arc<Message>) -> Result<Run, String> {
        let shared = Arc::new(self.shared().again(message));
        self.request.shared = shared;
        call(&self.entry, &self.request).map_err(|error| error.to_string())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared().close();
        self.tasks.registry.remove(&self.request.shared.task_id, &self.live);
    }
}

/// Calls a skill: takes its arguments out of the request, and gives its run, not yet begun.
pub(super) fn call(entry: &SkillEntry, request: &Request) -> Result<Run, A2aError> {
    match catch_unwind(AssertUnwindSafe(|| entry.call(request))) {
        Ok(Ok(run)) => Ok(run),
        Ok(Err(error)) => Err(settle::refused(error.fault, entry.id())),
        Err(panic) => Err(settle::error_without_task(&settle::panic_text(&*panic), entry.id())),
    }
}
