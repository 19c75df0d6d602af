//! The operations that have one answer: their names, and their forms over JSON-RPC and HTTP+JSON.

use super::super::operation::Done;
use super::super::rest::Form as Written;
use super::of_task;
use crate::compat::{self, Answer, As03, ConfigBody, ConfigList, Form};
use crate::protocol::*;
use serde::Serialize;
use serde_json::{Value, json};

#[cfg(feature = "grpc")]
use super::grpc::{Called, Stub};

/// An operation as 0.3 has it.
pub(in super::super) trait Older: Sized {
    /// Its method in JSON-RPC; empty where there is none.
    const METHOD: &'static str;

    /// What it gives.
    type Given;

    /// What it takes.
    fn params(&self, form: Form) -> Value;

    /// Its method and path over HTTP+JSON.
    fn written(&self) -> Written<'_>;

    /// Reads what it gives.
    fn read(json: &[u8], form: Form) -> Result<Self::Given, A2aError>;

    #[cfg(feature = "grpc")]
    fn call(self, stub: Stub) -> impl Future<Output = Called<Self::Given>> + Send;
}

/// What a message is written of is always JSON.
fn value(message: &impl Serialize) -> Value {
    serde_json::to_value(message).unwrap_or_default()
}

const CONFIGS: &str = "pushNotificationConfigs";

/// The task's part of a name in gRPC, which HTTP+JSON has in its bodies.
pub(super) fn task_name(id: &str) -> String {
    format!("tasks/{id}")
}

#[cfg(feature = "grpc")]
fn config_name(task_id: &str, id: &str) -> String {
    format!("tasks/{task_id}/{CONFIGS}/{id}")
}

impl Older for SendMessageRequest {
    const METHOD: &'static str = "message/send";
    type Given = SendMessageResponse;

    fn params(&self, form: Form) -> Value {
        value(&As03(form, self))
    }

    fn written(&self) -> Written<'_> {
        Written::post(["message:send"])
    }

    fn read(json: &[u8], form: Form) -> Result<SendMessageResponse, A2aError> {
        compat::read::<Answer>(json, form)
    }

    #[cfg(feature = "grpc")]
    async fn call(self, mut stub: Stub) -> Called<SendMessageResponse> {
        super::grpc::read(
            stub.send_message(compat::grpc::write_send(&self)).await?,
            compat::grpc::read_answer,
        )
    }
}

impl Older for GetTaskRequest {
    const METHOD: &'static str = "tasks/get";
    type Given = Task;

    fn params(&self, form: Form) -> Value {
        let mut params = of_task(&self.id, form);
        if let Some(length) = self.history_length {
            params["historyLength"] = json!(length);
        }
        params
    }

    fn written(&self) -> Written<'_> {
        Written::get(["tasks", &self.id])
    }

    fn read(json: &[u8], form: Form) -> Result<Task, A2aError> {
        compat::read::<compat::Task>(json, form)
    }

    #[cfg(feature = "grpc")]
    async fn call(self, mut stub: Stub) -> Called<Task> {
        let request = crate::grpc::v03::GetTaskRequest {
            name: task_name(&self.id),
            history_length: self.history_length.unwrap_or_default(),
        };
        super::grpc::read(stub.get_task(request).await?, compat::grpc::read_task)
    }
}

/// There is none before 1.0.
impl Older for ListTasksRequest {
    const METHOD: &'static str = "";
    type Given = ListTasksResponse;

    fn params(&self, _: Form) -> Value {
        json!({})
    }

    fn written(&self) -> Written<'_> {
        Written::get(["tasks"])
    }

    fn read(json: &[u8], _: Form) -> Result<ListTasksResponse, A2aError> {
        from_json(json)
    }

    #[cfg(feature = "grpc")]
    async fn call(self, _: Stub) -> Called<ListTasksResponse> {
        Err(tonic::Status::unimplemented("protocol 0.3 has no list of tasks"))
    }
}

impl Older for CancelTaskRequest {
    const METHOD: &'static str = "tasks/cancel";
    type Given = Task;

    fn params(&self, form: Form) -> Value {
        let mut params = of_task(&self.id, form);
        if form == Form::Kind && !self.metadata.is_empty() {
            params["metadata"] = value(&self.metadata);
        }
        params
    }

    fn written(&self) -> Written<'_> {
        Written::post(["tasks", &self.id]).verb(":cancel")
    }

    fn read(json: &[u8], form: Form) -> Result<Task, A2aError> {
        compat::read::<compat::Task>(json, form)
    }

    #[cfg(feature = "grpc")]
    async fn call(self, mut stub: Stub) -> Called<Task> {
        let request = crate::grpc::v03::CancelTaskRequest { name: task_name(&self.id) };
        super::grpc::read(stub.cancel_task(request).await?, compat::grpc::read_task)
    }
}

impl Older for TaskPushNotificationConfig {
    const METHOD: &'static str = "tasks/pushNotificationConfig/set";
    type Given = TaskPushNotificationConfig;

    fn params(&self, form: Form) -> Value {
        let config = value(&As03(form, &PushConfig::from(self.clone())));
        match form {
            Form::Kind => config,
            Form::Proto(_) => json!({
                "parent": task_name(self.task_id.as_deref().unwrap_or_default()),
                "configId": self.id.as_deref().unwrap_or_default(),
                "config": config,
            }),
        }
    }

    fn written(&self) -> Written<'_> {
        Written::post(["tasks", self.task_id.as_deref().unwrap_or_default(), CONFIGS])
    }

    fn read(json: &[u8], form: Form) -> Result<TaskPushNotificationConfig, A2aError> {
        Ok(compat::read::<ConfigBody>(json, form)?.config)
    }

    #[cfg(feature = "grpc")]
    async fn call(self, mut stub: Stub) -> Called<TaskPushNotificationConfig> {
        let request = crate::grpc::v03::CreateTaskPushNotificationConfigRequest {
            parent: task_name(self.task_id.as_deref().unwrap_or_default()),
            config_id: self.id.clone().unwrap_or_default(),
            config: Some(compat::grpc::write_config(&self.into())),
        };
        let given = stub.create_task_push_notification_config(request).await?;
        super::grpc::read(given, compat::grpc::read_named_config)
    }
}

impl Older for GetTaskPushNotificationConfigRequest {
    const METHOD: &'static str = "tasks/pushNotificationConfig/get";
    type Given = TaskPushNotificationConfig;

    fn params(&self, form: Form) -> Value {
        let mut params = of_task(&self.task_id, form);
        if form == Form::Kind {
            params["pushNotificationConfigId"] = json!(self.id);
        }
        params
    }

    fn written(&self) -> Written<'_> {
        Written::get(["tasks", &self.task_id, CONFIGS, &self.id])
    }

    fn read(json: &[u8], form: Form) -> Result<TaskPushNotificationConfig, A2aError> {
        Ok(compat::read::<ConfigBody>(json, form)?.config)
    }

    #[cfg(feature = "grpc")]
    async fn call(self, mut stub: Stub) -> Called<TaskPushNotificationConfig> {
        let request = crate::grpc::v03::GetTaskPushNotificationConfigRequest {
            name: config_name(&self.task_id, &self.id),
        };
        let given = stub.get_task_push_notification_config(request).await?;
        super::grpc::read(given, compat::grpc::read_named_config)
    }
}

impl Older for ListTaskPushNotificationConfigsRequest {
    const METHOD: &'static str = "tasks/pushNotificationConfig/list";
    type Given = ListTaskPushNotificationConfigsResponse;

    fn params(&self, form: Form) -> Value {
        let mut params = of_task(&self.task_id, form);
        if form != Form::Kind {
            if self.page_size != 0 {
                params["pageSize"] = json!(self.page_size);
            }
            if let Some(token) = &self.page_token {
                params["pageToken"] = json!(token);
            }
        }
        params
    }

    fn written(&self) -> Written<'_> {
        Written::get(["tasks", &self.task_id, CONFIGS])
    }

    fn read(json: &[u8], form: Form) -> Result<Self::Given, A2aError> {
        let (configs, next_page_token) = match form {
            Form::Kind => (compat::read::<Vec<ConfigBody>>(json, form)?, String::new()),
            Form::Proto(_) => compat::read::<ConfigList>(json, form)?,
        };
        let configs = configs.into_iter().map(|kept| kept.config).collect();
        Ok(ListTaskPushNotificationConfigsResponse { configs, next_page_token })
    }

    #[cfg(feature = "grpc")]
    async fn call(self, mut stub: Stub) -> Called<Self::Given> {
        let request = crate::grpc::v03::ListTaskPushNotificationConfigRequest {
            parent: task_name(&self.task_id),
            page_size: self.page_size,
            page_token: self.page_token.unwrap_or_default(),
        };
        let given = stub.list_task_push_notification_config(request).await?;
        super::grpc::read(given, compat::grpc::read_configs)
    }
}

impl Older for DeleteTaskPushNotificationConfigRequest {
    const METHOD: &'static str = "tasks/pushNotificationConfig/delete";
    type Given = Done;

    fn params(&self, form: Form) -> Value {
        let mut params = of_task(&self.task_id, form);
        if form == Form::Kind {
            params["pushNotificationConfigId"] = json!(self.id);
        }
        params
    }

    fn written(&self) -> Written<'_> {
        Written::delete(["tasks", &self.task_id, CONFIGS, &self.id])
    }

    fn read(_: &[u8], _: Form) -> Result<Done, A2aError> {
        Ok(Done)
    }

    #[cfg(feature = "grpc")]
    async fn call(self, mut stub: Stub) -> Called<Done> {
        let request = crate::grpc::v03::DeleteTaskPushNotificationConfigRequest {
            name: config_name(&self.task_id, &self.id),
        };
        super::grpc::read(stub.delete_task_push_notification_config(request).await?, |()| Ok(Done))
    }
}

impl Older for GetExtendedAgentCardRequest {
    const METHOD: &'static str = "agent/getAuthenticatedExtendedCard";
    type Given = AgentCard;

    fn params(&self, _: Form) -> Value {
        json!({})
    }

    fn written(&self) -> Written<'_> {
        Written::get(["card"])
    }

    fn read(json: &[u8], _: Form) -> Result<AgentCard, A2aError> {
        compat::read_card(json)
    }

    #[cfg(feature = "grpc")]
    async fn call(self, mut stub: Stub) -> Called<AgentCard> {
        let request = crate::grpc::v03::GetAgentCardRequest {};
        super::grpc::read(stub.get_agent_card(request).await?, compat::grpc::read_card)
    }
}
