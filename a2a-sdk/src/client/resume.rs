//! Streams that go on when their connection breaks.

use super::error::ClientError;
use super::remote::Remote;
use super::seen::Seen;
use super::source::{Item, Opening, Source};
use super::stream::EventStream;
use crate::protocol::{ErrorKind, GetTaskRequest, StreamResponse, SubscribeToTaskRequest, Task, TaskState};
use futures_util::stream::unfold;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often in a row a stream is tried to be resumed.
const ATTEMPTS: u32 = 8;
const PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// A connection that lived that long was a good one, whatever came over it.
const GOOD: Duration = Duration::from_secs(5);

/// How long the server may take to end a stream that is over. Then its connection is closed; else it is used again.
const GOODBYE: Duration = Duration::from_millis(500);

/// A stream, over as many connections as it takes.
struct Resuming {
    remote: Arc<Remote>,
    source: Option<Source>,
    /// A subscription goes on when the task waits for the caller.
    subscribed: bool,
    task: Option<SubscribeToTaskRequest>,
    tenant: Option<String>,
    state: Option<TaskState>,
    seen: Seen,
    /// Whether the server is told which event was the last.
    by_id: bool,
    /// Whether this is not the first connection.
    resumed: bool,
    /// Whether nothing came over this connection.
    silent: bool,
    /// What came over it instead of a first event: agents of 0.3 refuse within a stream.
    refused: Option<ClientError>,
    /// Whether it said nothing, though it was asked for all that there is: the task may be over.
    doubtful: bool,
    since: Instant,
    attempts: u32,
    retry: Option<u64>,
    over: bool,
}

/// The stream that begins with that connection.
pub(super) fn stream(remote: Arc<Remote>, source: Source, mut opening: Opening) -> EventStream {
    let tenant = opening.tenant().take();
    let (subscribed, task) = match opening {
        Opening::Send(_) => (false, None),
        Opening::Subscribe { request, .. } => (true, Some(request)),
    };
    let resuming = Resuming {
        remote,
        source: Some(source),
        subscribed,
        task,
        tenant,
        state: None,
        seen: Seen::default(),
        by_id: true,
        resumed: false,
        silent: true,
        refused: None,
        doubtful: false,
        since: Instant::now(),
        attempts: 0,
        retry: None,
        over: false,
    };
    EventStream::new(unfold(resuming, |mut resuming| async move {
        let next = resuming.next().await?;
        Some((next, resuming))
    }))
}

impl Resuming {
    async fn next(&mut self) -> Option<Result<StreamResponse, ClientError>> {
        loop {
            if self.over {
                self.close().await;
                return None;
            }
            let Some(source) = &mut self.source else {
                match self.reconnect().await {
                    Ok(None) => continue,
                    Ok(Some(task)) => return Some(Ok(task)),
                    Err(error) => return self.fail(error),
                }
            };
            let cut = match source.next().await {
                Some(Ok(item)) => {
                    if self.resumed && self.seen.has(&item, self.task_id()) {
                        continue;
                    }
                    if let Err(error) = self.note(&item) {
                        return self.fail(error);
                    }
                    return Some(Ok(item.event));
                }
                Some(Err(error)) if error.is_transport() => Some(error),
                Some(Err(error)) if self.resumed && self.silent && error.kind().is_some() => {
                    self.source = None;
                    self.refused = Some(error);
                    continue;
                }
                Some(Err(error)) => return self.fail(error),
                None => None,
            };
            if self.is_end(cut.is_none()) {
                self.source = None;
                self.over = true;
                return None;
            }
            self.cut(cut.as_ref());
            if self.task.is_none() || !self.remote.resumes() {
                return self.fail(cut.unwrap_or_else(ended_early));
            }
        }
    }

    fn task_id(&self) -> &str {
        self.task.as_ref().map_or("", |task| task.id.as_str())
    }

    /// Whether a stream that closed, or broke, was over.
    fn is_end(&self, closed: bool) -> bool {
        match self.state {
            // spec 11.7: a stream may end where the task waits.
            Some(TaskState::InputRequired) => closed || !self.subscribed,
            Some(TaskState::AuthRequired) => closed,
            _ => false,
        }
    }

    /// Takes in what an event says. A stream is about one task.
    fn note(&mut self, item: &Item) -> Result<(), ClientError> {
        let (id, state) = match &item.event {
            StreamResponse::Task(task) => (Some(&task.id), Some(task.status.state)),
            StreamResponse::StatusUpdate(update) => (Some(&update.task_id), Some(update.status.state)),
            StreamResponse::ArtifactUpdate(update) => (Some(&update.task_id), None),
            StreamResponse::Message(_) => (None, None),
        };
        match (&self.task, id) {
            (Some(task), Some(id)) if task.id != *id => {
                let text = format!("the stream is of task `{}`, and an event of task `{id}` came", task.id);
                return Err(ClientError::protocol(text));
            }
            (None, Some(id)) => {
                self.task = Some(SubscribeToTaskRequest { tenant: self.tenant.clone(), id: id.clone() });
            }
            _ => {}
        }
        self.state = state.or(self.state);
        self.seen.add(item, self.task.as_ref().map_or("", |task| task.id.as_str()));
        self.silent = false;
        self.over = item.event.is_final();
        if !matches!(item.event, StreamResponse::Task(_)) {
            // Without an id nothing tells that it is a new one, and a server may say the same again and again.
            if item.id.is_some() {
                self.attempts = 0;
            }
            self.by_id = true;
        }
        Ok(())
    }

    /// Lets a connection go.
    fn cut(&mut self, error: Option<&ClientError>) {
        tracing::debug!(task = self.task_id(), error = error.map(tracing::field::display), "a stream broke");
        self.retry = self.source.take().and_then(|source| source.retry()).or(self.retry);
        if self.since.elapsed() >= GOOD {
            self.attempts = 0;
        }
        if self.silent && self.resumed {
            self.doubtful = !self.by_id || self.seen.last.is_none();
            // A server that had nothing to say after that event may have something to say without it.
            if error.is_none() {
                self.by_id = false;
            }
        }
    }

    /// Subscribes again, or gives the task where it is finished.
    async fn reconnect(&mut self) -> Result<Option<StreamResponse>, ClientError> {
        let mut last = None;
        while self.attempts < ATTEMPTS {
            let Some(request) = self.task.clone() else { break };
            let after = self.seen.last.clone().filter(|_| self.by_id);
            let told = after.is_some();
            let id = request.id.clone();
            if std::mem::take(&mut self.doubtful)
                && let Some(task) = self.read(&id).await?
                && task.status.state.is_terminal()
            {
                self.over = true;
                return Ok(Some(task.into()));
            }
            let opened = match self.refused.take() {
                Some(error) => Err(error),
                None => {
                    tokio::time::sleep(self.pause()).await;
                    self.attempts += 1;
                    self.remote.open(Opening::Subscribe { request, after }).await
                }
            };
            let error = match opened {
                Ok(source) => {
                    self.source = Some(source);
                    (self.resumed, self.silent, self.since) = (true, true, Instant::now());
                    return Ok(None);
                }
                Err(error) => error,
            };
            match error.kind() {
                _ if error.is_retryable() => {}
                Some(kind) if told && may_be_of_the_id(kind) => self.by_id = false,
                Some(kind) if may_be_of_the_end(kind) => {
                    match self.read(&id).await? {
                        Some(task) if task.status.state.is_terminal() => {
                            self.over = true;
                            return Ok(Some(task.into()));
                        }
                        // It may have none for this task as yet.
                        Some(_) if kind != ErrorKind::UnsupportedOperation => return Err(error),
                        Some(_) | None => {}
                    }
                    self.by_id = false;
                }
                _ => return Err(error),
            }
            last = Some(error);
        }
        Err(last.or_else(|| self.refused.take()).unwrap_or_else(ended_early))
    }

    /// The task as it stands; `None` where that cannot be told for now.
    async fn read(&self, id: &str) -> Result<Option<Task>, ClientError> {
        let request = GetTaskRequest { tenant: self.tenant.clone(), ..GetTaskRequest::from(id) };
        match self.remote.call(request).await {
            Ok(task) => Ok(Some(task)),
            Err(error) if error.is_retryable() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How long to wait before the next attempt: not at all at first, then longer and longer, never the same.
    fn pause(&self) -> Duration {
        let Some(doublings) = self.attempts.checked_sub(1) else {
            return self.retry.map_or(Duration::ZERO, Duration::from_millis).min(LONGEST_PAUSE);
        };
        let base = self.retry.map_or(PAUSE, Duration::from_millis).max(PAUSE);
        let most = base.saturating_mul(1 << doublings.min(16)).min(LONGEST_PAUSE);
        most.mul_f64(0.5 + 0.5 * random())
    }

    #[expect(clippy::unnecessary_wraps, reason = "it is what `next` returns")]
    fn fail(&mut self, error: ClientError) -> Option<Result<StreamResponse, ClientError>> {
        self.source = None;
        self.over = true;
        Some(Err(error))
    }

    /// Reads the end of a stream that is over, so that its connection can be used again.
    async fn close(&mut self) {
        if let Some(mut source) = self.source.take() {
            let rest = async { while let Some(Ok(_)) = source.next().await {} };
            let _ = tokio::time::timeout(GOODBYE, rest).await;
        }
    }
}

fn ended_early() -> ClientError {
    ClientError::transport("the stream ended before the task did", false, None)
}

/// Whether an agent that does not know an event's id may answer so.
fn may_be_of_the_id(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::InvalidParams | ErrorKind::InvalidRequest | ErrorKind::Internal)
}

/// Whether an agent may answer so where the task has ended meanwhile, or where it has no subscriptions: the first is
/// what 1.0 says, the others are of agents of 0.3, which keep what they stream only while it goes on.
fn may_be_of_the_end(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::UnsupportedOperation | ErrorKind::InvalidParams | ErrorKind::TaskNotFound)
}

/// From 0 to 1.
fn random() -> f64 {
    let bits = RandomState::new().build_hasher().finish() >> 11;
    bits as f64 / (1_u64 << 53) as f64
}
