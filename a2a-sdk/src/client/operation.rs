//! The operations that have one answer: their names, and their forms over HTTP+JSON and gRPC.

use super::rest::Form;
use crate::protocol::*;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};

#[cfg(feature = "grpc")]
use super::grpc::{Called, Stub};
#[cfg(feature = "compat-0-3")]
use super::older::Older;

/// Without protocol 0.3, there is nothing to say of how an operation was.
#[cfg(not(feature = "compat-0-3"))]
pub(super) trait Older {
    type Given;
}

/// What an operation takes.
pub(super) trait Operation:
    Older<Given = Self::Answer> + Serialize + Clone + Send + Sync + 'static
{
    /// The name of the operation, which is its method in JSON-RPC.
    const NAME: &'static str;

    /// What it gives.
    type Answer: DeserializeOwned + Send;

    fn tenant(&mut self) -> &mut Option<String>;

    fn form(&self) -> Form<'_>;

    /// Whether the answer comes when the task has ended, which may be much later.
    fn waits(&self) -> bool {
        false
    }

    /// What an answer without content stands for, where it may have none.
    fn nothing() -> Option<Self::Answer> {
        None
    }

    #[cfg(feature = "grpc")]
    fn call(self, stub: Stub) -> impl Future<Output = Called<Self::Answer>> + Send;
}

/// An answer whose content does not matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done;

impl<'de> Deserialize<'de> for Done {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

/// One operation: `Request -> Answer = "Name", |request| form, grpc method;` and more items of the trait.
macro_rules! operation {
    ($request:ident -> $answer:ident = $name:literal, |$this:ident| $form:expr, $method:ident; $($more:item)*) => {
        #[cfg(not(feature = "compat-0-3"))]
        impl Older for $request {
            type Given = $answer;
        }

        impl Operation for $request {
            const NAME: &'static str = $name;

            type Answer = $answer;

            fn tenant(&mut self) -> &mut Option<String> {
                &mut self.tenant
            }

            fn form(&self) -> Form<'_> {
                let $this = self;
                $form
            }

            $($more)*

            #[cfg(feature = "grpc")]
            async fn call(self, mut stub: Stub) -> Called<Self::Answer> {
                let answer = stub.$method(crate::grpc::v1::$request::from(self)).await?;
                $answer::try_from(answer.into_inner()).map_err(super::grpc::unreadable)
            }
        }
    };
}

#[cfg(feature = "grpc")]
impl TryFrom<()> for Done {
    type Error = A2aError;

    fn try_from((): ()) -> Result<Self, A2aError> {
        Ok(Self)
    }
}

const CONFIGS: &str = "pushNotificationConfigs";

operation!(SendMessageRequest -> SendMessageResponse = "SendMessage",
    |_this| Form::post(["message:send"]), send_message;

    fn waits(&self) -> bool {
        !self.configuration.return_immediately
    }
);

operation!(GetTaskRequest -> Task = "GetTask",
    |this| Form::get(["tasks", &this.id]).without(&["id"]), get_task;
);

operation!(ListTasksRequest -> ListTasksResponse = "ListTasks", |_this| Form::get(["tasks"]), list_tasks;);

operation!(CancelTaskRequest -> Task = "CancelTask",
    |this| Form::post(["tasks", &this.id]).verb(":cancel").without(&["id"]), cancel_task;
);

operation!(TaskPushNotificationConfig -> TaskPushNotificationConfig = "CreateTaskPushNotificationConfig",
    |this| Form::post(["tasks", this.task_id.as_deref().unwrap_or_default(), CONFIGS]),
    create_task_push_notification_config;
);

operation!(GetTaskPushNotificationConfigRequest -> TaskPushNotificationConfig = "GetTaskPushNotificationConfig",
    |this| Form::get(["tasks", &this.task_id, CONFIGS, &this.id]).without(&["taskId", "id"]),
    get_task_push_notification_config;
);

operation!(
    ListTaskPushNotificationConfigsRequest -> ListTaskPushNotificationConfigsResponse =
    "ListTaskPushNotificationConfigs",
    |this| Form::get(["tasks", &this.task_id, CONFIGS]).without(&["taskId"]),
    list_task_push_notification_configs;
);

operation!(DeleteTaskPushNotificationConfigRequest -> Done = "DeleteTaskPushNotificationConfig",
    |this| Form::delete(["tasks", &this.task_id, CONFIGS, &this.id]).without(&["taskId", "id"]),
    delete_task_push_notification_config;

    fn nothing() -> Option<Done> {
        Some(Done)
    }
);

operation!(GetExtendedAgentCardRequest -> AgentCard = "GetExtendedAgentCard",
    |_this| Form::get(["extendedAgentCard"]), get_extended_agent_card;
);
