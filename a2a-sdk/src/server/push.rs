//! The operations on push notification configurations (spec 3.1.7 to 3.1.10).

#[cfg(feature = "push")]
use super::operations::owner;
use super::operations::{Call, Operations};
use crate::protocol::{
    A2aError, DeleteTaskPushNotificationConfigRequest, GetTaskPushNotificationConfigRequest,
    ListTaskPushNotificationConfigsRequest, ListTaskPushNotificationConfigsResponse, PushConfig,
};

/// How many configurations a page holds where the request does not say, and at most.
#[cfg(feature = "push")]
const MAX_PAGE: i32 = 100;

/// A page of configurations.
#[derive(Debug)]
pub(crate) struct PushConfigs {
    pub(crate) configs: Vec<PushConfig>,
    /// What to give for the next page; empty at the end.
    pub(crate) next_page_token: String,
}

/// As 1.0 has it.
impl From<PushConfigs> for ListTaskPushNotificationConfigsResponse {
    fn from(page: PushConfigs) -> Self {
        Self {
            configs: page.configs.into_iter().map(|kept| kept.config).collect(),
            next_page_token: page.next_page_token,
        }
    }
}

#[cfg(feature = "push")]
impl Operations {
    fn webhooks(&self) -> Result<&crate::webhook::Webhooks, A2aError> {
        self.tasks.webhooks.as_ref().ok_or_else(A2aError::push_not_supported)
    }

    /// Checks a configuration that came with a message.
    pub(super) async fn check_push(&self, config: &PushConfig, path: &str) -> Result<(), A2aError> {
        self.webhooks()?.check(config, path).await
    }

    /// spec 3.1.7
    pub(crate) async fn create_push_config(
        &self,
        call: &Call,
        config: impl Into<PushConfig>,
    ) -> Result<PushConfig, A2aError> {
        let webhooks = self.webhooks()?;
        let kept = config.into();
        let config = &kept.config;
        let owner = owner(call, config.tenant.as_deref());
        let task_id =
            config.task_id.clone().ok_or_else(|| A2aError::invalid_field("taskId", "is required"))?;
        let row = self.tasks.get(&owner, &task_id).await?;
        webhooks.check(&kept, "").await?;
        // A finished task may have configurations; there is nothing to post any more.
        let after = (!row.task.status.state.is_terminal()).then_some(row.seq);
        webhooks.register(&owner, &task_id.into(), after, kept).await
    }

    /// spec 3.1.8
    pub(crate) async fn get_push_config(
        &self,
        call: &Call,
        request: GetTaskPushNotificationConfigRequest,
    ) -> Result<PushConfig, A2aError> {
        let webhooks = self.webhooks()?;
        let owner = owner(call, request.tenant.as_deref());
        self.tasks.get(&owner, &request.task_id).await?;
        let config = webhooks.get(&owner, &request.task_id, &request.id);
        config.ok_or_else(|| {
            let mut error = A2aError::task_not_found(&request.task_id);
            error.message = format!("task `{}` has no configuration `{}`", request.task_id, request.id);
            error
        })
    }

    /// spec 3.1.9
    pub(crate) async fn list_push_configs(
        &self,
        call: &Call,
        request: ListTaskPushNotificationConfigsRequest,
    ) -> Result<PushConfigs, A2aError> {
        let webhooks = self.webhooks()?;
        let limit = match request.page_size {
            0 => MAX_PAGE,
            size @ 1..=MAX_PAGE => size,
            size => {
                return Err(A2aError::invalid_field(
                    "pageSize",
                    format!("expected 1 to {MAX_PAGE}, found {size}"),
                ));
            }
        };
        let owner = owner(call, request.tenant.as_deref());
        self.tasks.get(&owner, &request.task_id).await?;
        if let Some(token) = &request.page_token
            && webhooks.get(&owner, &request.task_id, token).is_none()
        {
            return Err(A2aError::invalid_field("pageToken", "no token of this list"));
        }
        let page = webhooks.list(&owner, &request.task_id, request.page_token.as_deref(), limit as usize);
        Ok(PushConfigs { configs: page.configs, next_page_token: page.next.unwrap_or_default() })
    }

    /// spec 3.1.10
    pub(crate) async fn delete_push_config(
        &self,
        call: &Call,
        request: DeleteTaskPushNotificationConfigRequest,
    ) -> Result<(), A2aError> {
        let webhooks = self.webhooks()?;
        let owner = owner(call, request.tenant.as_deref());
        self.tasks.get(&owner, &request.task_id).await?;
        webhooks.delete(&owner, &request.task_id, &request.id);
        Ok(())
    }
}

/// Without the feature, every one of them is answered as the card says.
#[cfg(not(feature = "push"))]
#[expect(clippy::unused_async, reason = "they are awaited where there are webhooks")]
impl Operations {
    pub(super) async fn check_push(&self, _: &PushConfig, _: &str) -> Result<(), A2aError> {
        Err(A2aError::push_not_supported())
    }

    pub(crate) async fn create_push_config(
        &self,
        _: &Call,
        _: impl Into<PushConfig>,
    ) -> Result<PushConfig, A2aError> {
        Err(A2aError::push_not_supported())
    }

    pub(crate) async fn get_push_config(
        &self,
        _: &Call,
        _: GetTaskPushNotificationConfigRequest,
    ) -> Result<PushConfig, A2aError> {
        Err(A2aError::push_not_supported())
    }

    pub(crate) async fn list_push_configs(
        &self,
        _: &Call,
        _: ListTaskPushNotificationConfigsRequest,
    ) -> Result<PushConfigs, A2aError> {
        Err(A2aError::push_not_supported())
    }

    pub(crate) async fn delete_push_config(
        &self,
        _: &Call,
        _: DeleteTaskPushNotificationConfigRequest,
    ) -> Result<(), A2aError> {
        Err(A2aError::push_not_supported())
    }
}
