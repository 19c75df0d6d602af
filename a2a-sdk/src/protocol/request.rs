//! What the eleven operations take and give.

use super::json::Member;
use super::object::{json_object, json_read, json_write};
use super::{Message, Metadata, Task, TaskPushNotificationConfig, TaskState, Timestamp};
use serde::{Deserialize, Deserializer};

/// What `SendMessage` and `SendStreamingMessage` take.
#[derive(Clone, Debug, PartialEq)]
pub struct SendMessageRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
    /// The message.
    pub message: Message,
    /// How it is to be answered.
    pub configuration: SendMessageConfiguration,
    /// Free-form additions.
    pub metadata: Metadata,
}

impl SendMessageRequest {
    /// A request to answer that message, with nothing else said.
    ///
    /// ```
    /// use a2a_sdk::protocol::{Message, SendMessageRequest};
    ///
    /// let request = SendMessageRequest::new(Message::user("Hello"));
    /// assert!(!request.configuration.return_immediately);
    /// ```
    pub fn new(message: Message) -> Self {
        Self {
            tenant: None,
            message,
            configuration: SendMessageConfiguration::default(),
            metadata: Metadata::default(),
        }
    }
}

json_object!(SendMessageRequest {
    tenant: Optional = "tenant",
    message: Required = "message",
    configuration: Implicit = "configuration",
    metadata: Implicit = "metadata",
});

/// How a message is to be answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SendMessageConfiguration {
    /// Media types the caller can read; empty means any.
    pub accepted_output_modes: Vec<String>,
    /// Where updates of the task are to be posted.
    pub task_push_notification_config: Option<TaskPushNotificationConfig>,
    /// How many messages of history the answer holds at most; `None` means all.
    pub history_length: Option<i32>,
    /// Answer as soon as the task exists, instead of when it ends or waits.
    pub return_immediately: bool,
}

json_write!(SendMessageConfiguration {
    accepted_output_modes: Implicit = "acceptedOutputModes",
    task_push_notification_config: Optional = "taskPushNotificationConfig",
    history_length: Explicit = "historyLength",
    return_immediately: Implicit = "returnImmediately"
});

impl Member for SendMessageConfiguration {}

/// A configuration as it is read: also with `blocking`, the opposite that older callers say.
struct ReadConfiguration {
    accepted_output_modes: Vec<String>,
    task_push_notification_config: Option<TaskPushNotificationConfig>,
    history_length: Option<i32>,
    return_immediately: Option<bool>,
    blocking: Option<bool>,
}

json_read!(ReadConfiguration {
    accepted_output_modes: Implicit = "acceptedOutputModes",
    task_push_notification_config: Optional = "taskPushNotificationConfig",
    history_length: Explicit = "historyLength",
    return_immediately: Explicit = "returnImmediately",
    blocking: Explicit = "blocking"
});

impl<'de> Deserialize<'de> for SendMessageConfiguration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = ReadConfiguration::deserialize(deserializer)?;
        let return_immediately = read.return_immediately.or(read.blocking.map(|blocking| !blocking));
        Ok(Self {
            accepted_output_modes: read.accepted_output_modes,
            task_push_notification_config: read.task_push_notification_config,
            history_length: read.history_length,
            return_immediately: return_immediately.unwrap_or_default(),
        })
    }
}

/// What `GetTask` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetTaskRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
    /// The task.
    pub id: String,
    /// How many messages of history the answer holds at most; `None` means all.
    pub history_length: Option<i32>,
}

json_object!(GetTaskRequest {
    tenant: Optional = "tenant",
    id: Required = "id",
    history_length: Explicit = "historyLength",
});

/// What `ListTasks` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListTasksRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
    /// Only tasks of this conversation.
    pub context_id: Option<String>,
    /// Only tasks in this state; `Unspecified` means any.
    pub status: TaskState,
    /// From 1 to 100; 50 where not given.
    pub page_size: Option<i32>,
    /// Where the page before this one ended.
    pub page_token: Option<String>,
    /// How many messages of history each task holds at most; `None` means all.
    pub history_length: Option<i32>,
    /// Only tasks that entered their state at or after this moment.
    pub status_timestamp_after: Option<Timestamp>,
    /// Whether the tasks hold their artifacts.
    pub include_artifacts: Option<bool>,
}

json_object!(ListTasksRequest {
    tenant: Optional = "tenant",
    context_id: Optional = "contextId",
    status: Implicit = "status",
    page_size: Explicit = "pageSize",
    page_token: Optional = "pageToken",
    history_length: Explicit = "historyLength",
    status_timestamp_after: Optional = "statusTimestampAfter",
    include_artifacts: Explicit = "includeArtifacts",
});

/// A page of tasks, newest status first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListTasksResponse {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// What to give for the next page; empty at the end.
    pub next_page_token: String,
    /// How many tasks a page holds at most.
    pub page_size: i32,
    /// How many tasks match on all pages together.
    pub total_size: i32,
}

json_object!(ListTasksResponse {
    tasks: Always = "tasks",
    next_page_token: Always = "nextPageToken",
    page_size: Always = "pageSize",
    total_size: Always = "totalSize",
});

/// What `CancelTask` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CancelTaskRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
    /// The task.
    pub id: String,
    /// Free-form additions, such as a reason.
    pub metadata: Metadata,
}

json_object!(CancelTaskRequest {
    tenant: Optional = "tenant",
    id: Required = "id",
    metadata: Implicit = "metadata",
});

/// What `SubscribeToTask` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubscribeToTaskRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
    /// The task.
    pub id: String,
}

json_object!(SubscribeToTaskRequest { tenant: Optional = "tenant", id: Required = "id" });

/// What `GetTaskPushNotificationConfig` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetTaskPushNotificationConfigRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
    /// The task.
    pub task_id: String,
    /// The configuration.
    pub id: String,
}

json_object!(GetTaskPushNotificationConfigRequest {
    tenant: Optional = "tenant",
    task_id: Required = "taskId",
    id: Required = "id",
});

/// What `DeleteTaskPushNotificationConfig` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteTaskPushNotificationConfigRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
    /// The task.
    pub task_id: String,
    /// The configuration.
    pub id: String,
}

json_object!(DeleteTaskPushNotificationConfigRequest {
    tenant: Optional = "tenant",
    task_id: Required = "taskId",
    id: Required = "id",
});

/// What `ListTaskPushNotificationConfigs` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListTaskPushNotificationConfigsRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
    /// The task.
    pub task_id: String,
    /// How many configurations a page holds at most; 0 means the server's default.
    pub page_size: i32,
    /// Where the page before this one ended.
    pub page_token: Option<String>,
}

json_object!(ListTaskPushNotificationConfigsRequest {
    tenant: Optional = "tenant",
    task_id: Required = "taskId",
    page_size: Implicit = "pageSize",
    page_token: Optional = "pageToken",
});

/// A page of configurations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListTaskPushNotificationConfigsResponse {
    /// The configurations.
    pub configs: Vec<TaskPushNotificationConfig>,
    /// What to give for the next page; empty at the end.
    pub next_page_token: String,
}

json_object!(ListTaskPushNotificationConfigsResponse {
    configs: Implicit = "configs",
    next_page_token: Implicit = "nextPageToken",
});

/// What `GetExtendedAgentCard` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetExtendedAgentCardRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
}

json_object!(GetExtendedAgentCardRequest { tenant: Optional = "tenant" });

impl<T: Into<Message>> From<T> for SendMessageRequest {
    /// A message of the caller, with nothing special about its answer.
    fn from(message: T) -> Self {
        Self::new(Message::user(message))
    }
}

impl<T: Into<String>> From<T> for GetTaskRequest {
    /// The whole task of that id.
    fn from(id: T) -> Self {
        Self { id: id.into(), ..Self::default() }
    }
}

impl<T: Into<String>> From<T> for CancelTaskRequest {
    /// The task of that id, without a word about why.
    fn from(id: T) -> Self {
        Self { id: id.into(), ..Self::default() }
    }
}

impl<T: Into<String>> From<T> for SubscribeToTaskRequest {
    /// The task of that id.
    fn from(id: T) -> Self {
        Self { id: id.into(), ..Self::default() }
    }
}
