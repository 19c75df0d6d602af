//! The bindings of protocol 0.3, and of 0.2 before it: they decode, call the operation, and encode. Nothing else.

#[cfg(feature = "grpc")]
pub(super) mod grpc;
pub(super) mod jsonrpc;
pub(super) mod rest;

use super::App;
use super::operations::{Call, Operations};
use super::push::PushConfigs;
use crate::protocol::{
    A2aError, GetExtendedAgentCardRequest, GetTaskPushNotificationConfigRequest,
    ListTaskPushNotificationConfigsRequest, Metadata, PushConfig, Task, TaskStatusUpdateEvent,
};
use serde_json::Value;

/// The configuration of that id. Without one: that of the task's own id, else the oldest.
async fn get_config(
    operations: &Operations,
    call: &Call,
    task_id: String,
    id: Option<String>,
) -> Result<PushConfig, A2aError> {
    let id = match id {
        Some(id) => id,
        None => {
            let configs = list_configs(operations, call, task_id.clone(), None, 0).await?.configs;
            let ids = || configs.iter().filter_map(|kept| kept.config.id.as_ref());
            let found = ids().find(|id| **id == task_id).or_else(|| ids().next());
            found.cloned().ok_or_else(|| {
                let mut error = A2aError::task_not_found(&task_id);
                error.message = format!("task `{task_id}` has no configuration");
                error
            })?
        }
    };
    let request = GetTaskPushNotificationConfigRequest { tenant: None, task_id, id };
    operations.get_push_config(call, request).await
}

/// A page of the task's configurations.
async fn list_configs(
    operations: &Operations,
    call: &Call,
    task_id: String,
    page_token: Option<String>,
    page_size: i32,
) -> Result<PushConfigs, A2aError> {
    let request = ListTaskPushNotificationConfigsRequest { tenant: None, task_id, page_size, page_token };
    operations.list_push_configs(call, request).await
}

/// The status of a task with which a stream ends, as an update: only there 0.3 says that it is the last.
pub(super) fn last_status(task: &Task) -> TaskStatusUpdateEvent {
    TaskStatusUpdateEvent {
        task_id: task.id.clone(),
        context_id: task.context_id.clone(),
        status: task.status.clone(),
        metadata: Metadata::default(),
    }
}

/// The card that the caller gets, as both generations read it.
async fn extended_card(app: &App, call: &Call) -> Result<Value, A2aError> {
    let request = GetExtendedAgentCardRequest::default();
    let operations = &app.engine.operations;
    if !operations.has_extended_card() {
        return Err(A2aError::extended_card_not_configured());
    }
    let card = operations.get_extended_agent_card(call, request, &app.card.card).await?;
    Ok(crate::compat::hybrid(&card))
}
