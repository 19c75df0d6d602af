//! The eleven operations of the protocol, typed. No word of any transport.

use crate::agent::ExtendedCard;
use crate::protocol::{
    A2aError, AgentCard, CancelTaskRequest, GetExtendedAgentCardRequest, GetTaskRequest, ListTasksRequest,
    ListTasksResponse, Message, PushConfig, SendMessageRequest, SubscribeToTaskRequest, Task, TaskState,
    Wire,
};
use crate::server::page::{self, DEFAULT_PAGE, MAX_PAGE};
use crate::skill::Caller;
use crate::store::{ListQuery, Owner, Seq};
use crate::tasks::{Events, Incoming, Sent, Streams, Tasks, Until, store_failed};
use std::fmt;
use std::sync::Arc;

/// How many parts a message may have.
const MAX_PARTS: usize = 1_000;

/// Who calls an operation, and what came with the call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    pub(crate) caller: Caller,
    /// The extensions of the protocol that both sides use.
    pub(crate) activated: Arc<[String]>,
    /// What tower layers put into the request.
    pub(crate) extensions: Arc<http::Extensions>,
    /// The last event that a caller that comes back has seen.
    pub(crate) last_event_id: Option<String>,
    /// The generation of the protocol that it came in: what a configuration that it brings along is kept with.
    pub(crate) wire: Wire,
}

/// The answer to a message.
#[derive(Debug)]
pub(crate) enum Answered {
    Task(Arc<Task>),
    Message(Message),
}

/// What an agent declares that it can do beside the rest.
#[derive(Clone)]
pub(crate) struct Capabilities {
    pub(crate) streaming: bool,
    pub(crate) check_input_modes: bool,
    /// How many streams a caller may have open.
    pub(crate) max_streams: usize,
    pub(crate) extended_card: Option<ExtendedCard>,
}

/// The operations of one agent.
#[derive(Clone)]
pub(crate) struct Operations {
    pub(super) tasks: Arc<Tasks>,
    capabilities: Capabilities,
    streams: Arc<Streams>,
}

impl Operations {
    pub(crate) fn new(tasks: Arc<Tasks>, capabilities: Capabilities) -> Self {
        Self { tasks, streams: Streams::new(capabilities.max_streams), capabilities }
    }

    /// spec 3.1.1
    pub(crate) async fn send_message(
        &self,
        call: Call,
        request: SendMessageRequest,
    ) -> Result<Answered, A2aError> {
        let owner = owner(&call, request.tenant.as_deref());
        let history_length =
            check_history(request.configuration.history_length, "configuration.historyLength")?;
        let mut incoming = self.incoming(call, request).await?;
        incoming.snapshot_wanted = incoming.return_immediately;
        match self.tasks.send(incoming).await? {
            Sent::Message(message) => Ok(Answered::Message(message)),
            Sent::Task { snapshot: Some(task), .. } => Ok(Answered::Task(cut(task, history_length, true))),
            // Held until the answer is made, so that the task is not let go before.
            Sent::Task { id, seq, snapshot: None, keep: _keep } => {
                let task = self.tasks.settled(&owner, &id, seq).await?;
                Ok(Answered::Task(cut(task, history_length, true)))
            }
        }
    }

    /// spec 3.1.2
    pub(crate) async fn send_streaming_message(
        &self,
        call: Call,
        request: SendMessageRequest,
    ) -> Result<Events, A2aError> {
        if !self.capabilities.streaming {
            return Err(A2aError::unsupported("this agent does not stream; use SendMessage"));
        }
        let place = self.streams.enter(call.caller.principal.id())?;
        let owner = owner(&call, request.tenant.as_deref());
        let history_length =
            check_history(request.configuration.history_length, "configuration.historyLength")?;
        let events = match self.tasks.send(self.incoming(call, request).await?).await? {
            Sent::Message(message) => Events::message(message),
            Sent::Task { id, seq, snapshot, keep } => {
                let (task, seq) = match snapshot {
                    Some(task) => (task, seq),
                    None => self.tasks.get(&owner, &id).await.map(|row| (row.task, row.seq))?,
                };
                let snapshot = cut(task, history_length, true);
                let store = Arc::clone(&self.tasks.store);
                Events::task(store, owner, snapshot, seq, Until::Settled).keeping(keep)
            }
        };
        Ok(events.counted(place))
    }

    /// spec 3.1.3
    pub(crate) async fn get_task(&self, call: &Call, request: GetTaskRequest) -> Result<Arc<Task>, A2aError> {
        let history_length = check_history(request.history_length, "historyLength")?;
        let row = self.tasks.get(&owner(call, request.tenant.as_deref()), &request.id).await?;
        Ok(cut(row.task, history_length, true))
    }

    /// spec 3.1.4
    pub(crate) async fn list_tasks(
        &self,
        call: &Call,
        request: ListTasksRequest,
    ) -> Result<ListTasksResponse, A2aError> {
        let history_length = check_history(request.history_length, "historyLength")?;
        let page_size = match request.page_size {
            None => DEFAULT_PAGE,
            Some(size @ 1..=MAX_PAGE) => size,
            Some(size) => {
                let text = format!("expected 1 to {MAX_PAGE}, found {size}");
                return Err(A2aError::invalid_field("pageSize", text));
            }
        };
        let after = page::after(&request)?;
        let query = ListQuery {
            context_id: request.context_id.clone(),
            state: (request.status != TaskState::Unspecified).then_some(request.status),
            status_at_or_after: request.status_timestamp_after,
            after,
            limit: page_size as usize,
        };
        let owner = owner(call, request.tenant.as_deref());
        let page = self.tasks.store.list(&owner, query).await.map_err(store_failed)?;
        let with_artifacts = request.include_artifacts.unwrap_or(false);
        let tasks = page
            .tasks
            .into_iter()
            .map(|task| Arc::unwrap_or_clone(cut(task, history_length, with_artifacts)));
        Ok(ListTasksResponse {
            tasks: tasks.collect(),
            next_page_token: page.next.map(|cursor| page::token(&cursor, &request)).unwrap_or_default(),
            page_size,
            total_size: i32::try_from(page.total).unwrap_or(i32::MAX),
        })
    }

    /// spec 3.1.5
    pub(crate) async fn cancel_task(
        &self,
        call: &Call,
        request: CancelTaskRequest,
    ) -> Result<Arc<Task>, A2aError> {
        self.tasks.cancel(&owner(call, request.tenant.as_deref()), &request.id, request.metadata).await
    }

    /// spec 3.1.6
    pub(crate) async fn subscribe_to_task(
        &self,
        call: &Call,
        request: SubscribeToTaskRequest,
    ) -> Result<Events, A2aError> {
        if !self.capabilities.streaming {
            return Err(A2aError::unsupported("this agent does not stream; use GetTask"));
        }
        let place = self.streams.enter(call.caller.principal.id())?;
        let owner = owner(call, request.tenant.as_deref());
        let row = self.tasks.get(&owner, &request.id).await?;
        let seen =
            call.last_event_id.as_deref().and_then(|id| seen(id, &request.id)).filter(|seq| *seq <= row.seq);
        let store = Arc::clone(&self.tasks.store);
        if let Some(seq) = seen {
            let id: Arc<str> = row.task.id.as_str().into();
            // The log may no longer reach back that far.
            if store.read(&id, seq, 1).await.is_ok_and(|next| seq == row.seq || !next.is_empty()) {
                let over = row.task.status.state.is_terminal();
                let context_id = row.task.context_id.as_str().into();
                return Ok(if over && seq == row.seq {
                    Events::none(id, context_id)
                } else {
                    Events::after(store, owner, id, context_id, seq, Until::Ended)
                        .keeping(row.keep)
                        .counted(place)
                });
            }
        }
        if row.task.status.state.is_terminal() {
            let text = format!("task `{}` is finished; read it with GetTask", request.id);
            return Err(A2aError::unsupported(text));
        }
        Ok(Events::task(store, owner, row.task, row.seq, Until::Ended).keeping(row.keep).counted(place))
    }

    /// Whether there is another card for some callers.
    #[cfg(feature = "compat-0-3")]
    pub(crate) fn has_extended_card(&self) -> bool {
        self.capabilities.extended_card.is_some()
    }

    /// spec 3.1.11; `public` is the card as it is served.
    pub(crate) async fn get_extended_agent_card(
        &self,
        call: &Call,
        _: GetExtendedAgentCardRequest,
        public: &AgentCard,
    ) -> Result<AgentCard, A2aError> {
        let Some(extended_card) = &self.capabilities.extended_card else {
            return Err(A2aError::unsupported("this agent has no extended card"));
        };
        let principal = &call.caller.principal;
        if principal.id().is_none() {
            return Err(A2aError::unauthenticated("the extended card is for authenticated callers"));
        }
        extended_card(principal, public.clone())
            .ok_or_else(|| A2aError::permission_denied("there is no extended card for this caller"))
    }

    async fn incoming(&self, call: Call, request: SendMessageRequest) -> Result<Incoming, A2aError> {
        let push = request.configuration.task_push_notification_config;
        let push = push.map(|config| PushConfig { config, wire: call.wire });
        if let Some(config) = &push {
            self.check_push(config, "configuration.taskPushNotificationConfig.").await?;
        }
        let mut caller = call.caller;
        if caller.tenant.is_none() {
            caller.tenant = request.tenant.map(Into::into);
        }
        // What comes over a binding has been read by then, and what comes from this process has not.
        if request.message.parts.is_empty() {
            return Err(A2aError::invalid_field("message.parts", "must not be empty"));
        }
        if request.message.message_id.is_empty() {
            return Err(A2aError::invalid_field("message.messageId", "must not be empty"));
        }
        if request.message.parts.len() > MAX_PARTS {
            let text = format!("expected {MAX_PARTS} at most, found {}", request.message.parts.len());
            return Err(A2aError::invalid_field("message.parts", text));
        }
        Ok(Incoming {
            caller,
            message: request.message,
            metadata: request.metadata,
            accepted_output_modes: request.configuration.accepted_output_modes,
            return_immediately: request.configuration.return_immediately,
            snapshot_wanted: true,
            check_input_modes: self.capabilities.check_input_modes,
            activated: call.activated,
            extensions: call.extensions,
            push,
        })
    }
}

impl fmt::Debug for Operations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operations").field("tasks", &self.tasks).finish_non_exhaustive()
    }
}

/// Whose tasks a call is about. The tenant of a path counts more than what the rest of the request says: it is what
/// proxies see.
pub(super) fn owner(call: &Call, tenant: Option<&str>) -> Owner {
    let mut owner = call.caller.owner();
    // A tenant that the path names is what a proxy has checked; nothing in the request overrules it.
    if owner.tenant.is_none() {
        owner.tenant = tenant.map(Into::into);
    }
    owner
}

/// spec 3.2.4: zero means none, unset means all.
fn check_history(length: Option<i32>, field: &str) -> Result<Option<usize>, A2aError> {
    match length {
        None => Ok(None),
        Some(length) => match usize::try_from(length) {
            Ok(length) => Ok(Some(length)),
            Err(_) => Err(A2aError::invalid_field(field, format!("expected 0 or more, found {length}"))),
        },
    }
}

/// The task with that much of its history, the newest, and with or without its artifacts. The stored task stays whole.
fn cut(task: Arc<Task>, history_length: Option<usize>, with_artifacts: bool) -> Arc<Task> {
    let skip = history_length.map_or(0, |length| task.history.len().saturating_sub(length));
    if skip == 0 && (with_artifacts || task.artifacts.is_empty()) {
        return task;
    }
    Arc::new(Task {
        id: task.id.clone(),
        context_id: task.context_id.clone(),
        status: task.status.clone(),
        artifacts: if with_artifacts { task.artifacts.clone() } else { Vec::new() },
        history: task.history[skip..].to_vec(),
        metadata: task.metadata.clone(),
    })
}

/// The number in an event id, `{task}:{seq}`, where it is one of this task.
fn seen(event_id: &str, task_id: &str) -> Option<Seq> {
    let (task, seq) = event_id.rsplit_once(':')?;
    if task == task_id { seq.parse().ok() } else { None }
}
