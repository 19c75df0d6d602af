//! What the eleven operations take and give.

use super::{Message, Metadata, Task, TaskPushNotificationConfig, TaskState, Timestamp};

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

/// What `SubscribeToTask` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubscribeToTaskRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
    /// The task.
    pub id: String,
}

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

/// A page of configurations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListTaskPushNotificationConfigsResponse {
    /// The configurations.
    pub configs: Vec<TaskPushNotificationConfig>,
    /// What to give for the next page; empty at the end.
    pub next_page_token: String,
}

/// What `GetExtendedAgentCard` takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetExtendedAgentCardRequest {
    /// The tenant that is spoken to.
    pub tenant: Option<String>,
}
