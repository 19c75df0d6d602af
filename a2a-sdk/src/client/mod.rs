//! Calling agents: in this process, or elsewhere.

#[cfg(feature = "client")]
mod binding;
#[cfg(feature = "client")]
mod builder;
#[cfg(feature = "client")]
mod card;
mod error;
#[cfg(feature = "client")]
mod fault;
#[cfg(all(feature = "client", feature = "grpc"))]
mod grpc;
#[cfg(feature = "client")]
mod http;
#[cfg(feature = "client")]
mod interceptor;
#[cfg(feature = "client")]
mod jsonrpc;
#[cfg(feature = "server")]
mod local;
#[cfg(all(feature = "client", feature = "compat-0-3"))]
mod older;
#[cfg(feature = "client")]
mod operation;
#[cfg(feature = "client")]
mod remote;
#[cfg(feature = "client")]
mod rest;
#[cfg(feature = "client")]
mod resume;
#[cfg(feature = "client")]
mod seen;
#[cfg(feature = "client")]
mod source;
#[cfg(feature = "client")]
mod sse;
mod stream;
mod typed;

#[cfg(feature = "client")]
pub use builder::ClientBuilder;
pub use error::ClientError;
#[cfg(feature = "client")]
pub use interceptor::{InterceptorError, Outgoing};
pub use stream::EventStream;
pub use typed::{CallError, Calling, Decode, Item, Items, Read, Write};

#[cfg(feature = "client")]
use crate::agent::Binding;
#[cfg(feature = "server")]
use crate::agent::Engine;
use crate::protocol::*;
#[cfg(feature = "server")]
use crate::server::operations::Call;
#[cfg(feature = "server")]
use crate::skill::Principal;
#[cfg(feature = "server")]
use local::Local;
#[cfg(feature = "client")]
use remote::Remote;
#[cfg(feature = "client")]
use source::Opening;
use std::fmt;
use std::sync::Arc;

/// A client of an agent: of one in this process, made by [`Agent::client`](crate::Agent::client), or of one elsewhere,
/// made by `Client::connect`. The operations, their errors and their streams are the same.
///
/// In process there is no port:
///
/// ```
/// /// Greets people by name.
/// #[a2a_sdk::agent]
/// async fn greeter(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let client = greeter::agent().client()?;
/// let answer = client.send_message("Ada").await?;
/// assert_eq!(answer.text(), "Hello, Ada!");
/// # Ok(())
/// # }
/// ```
#[cfg_attr(
    feature = "client",
    doc = r#"
Elsewhere, the agent's card says which bindings it speaks and where:

```no_run
# async fn example() -> Result<(), a2a_sdk::ClientError> {
use a2a_sdk::Client;

let client = Client::connect("https://agents.example/greeter").await?;
let mut events = client.send_streaming_message("Ada").await?;
while let Some(event) = events.next().await {
    println!("{:?}", event?);
}
# Ok(())
# }
```
"#
)]
#[derive(Clone)]
pub struct Client {
    transport: Transport,
}

#[derive(Clone)]
enum Transport {
    #[cfg(feature = "server")]
    Local(Local),
    #[cfg(feature = "client")]
    Remote(Arc<Remote>),
}

/// Calls the agent wherever it is.
macro_rules! call {
    ($self:ident, $local:ident => $here:expr, $remote:ident => $there:expr) => {
        match &$self.transport {
            #[cfg(feature = "server")]
            Transport::Local($local) => $here,
            #[cfg(feature = "client")]
            Transport::Remote($remote) => $there,
        }
    };
}

#[cfg(feature = "server")]
impl Client {
    pub(crate) fn in_process(engine: Arc<Engine>) -> Self {
        Self { transport: Transport::Local(Local { engine, call: Call::default() }) }
    }

    /// The same client, calling as that principal. Tasks belong to the principal that began them.
    ///
    /// An agent elsewhere finds out itself who is calling, and this does nothing.
    #[must_use]
    #[cfg_attr(not(feature = "client"), expect(irrefutable_let_patterns, reason = "there is one transport"))]
    pub fn with_principal(mut self, principal: Principal) -> Self {
        if let Transport::Local(local) = &mut self.transport {
            local.call.caller.principal = principal;
        }
        self
    }

    /// The same client, with a value for skills that take `Extension<T>`, as a tower layer would insert it.
    ///
    /// An agent elsewhere has layers of its own, and this does nothing.
    #[must_use]
    #[cfg_attr(not(feature = "client"), expect(irrefutable_let_patterns, reason = "there is one transport"))]
    pub fn with_extension<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        if let Transport::Local(local) = &mut self.transport {
            Arc::make_mut(&mut local.call.extensions).insert(value);
        }
        self
    }
}

#[cfg(feature = "client")]
impl Client {
    fn remote(remote: Remote) -> Self {
        Self { transport: Transport::Remote(Arc::new(remote)) }
    }

    /// Reads the card of the agent at that address and makes a client of it: [`ClientBuilder::connect`] with nothing set.
    ///
    /// # Errors
    /// When the address is none, there is no card, or the card offers nothing that this client speaks.
    pub async fn connect(url: &str) -> Result<Self, ClientError> {
        Self::builder().connect(url).await
    }

    /// Makes a client of an agent whose card is known.
    ///
    /// # Errors
    /// When the card offers nothing that this client speaks.
    pub fn from_card(card: AgentCard) -> Result<Self, ClientError> {
        Self::builder().from_card(card)
    }

    /// How a client of an agent elsewhere is made: with credentials, limits and preferences.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// The binding that is in use; none in process.
    pub fn binding(&self) -> Option<Binding> {
        call!(self, _local => None, remote => remote.binding())
    }

    /// Reads the card again, where it has changed, and gives it. Interfaces are then chosen anew.
    ///
    /// # Errors
    /// When it cannot be read, or offers nothing any more that this client speaks; the client keeps the old one then.
    pub async fn refresh_card(&self) -> Result<Arc<AgentCard>, ClientError> {
        call!(self, local => Ok(Arc::new(local.engine.card())), remote => remote.refresh_card().await)
    }
}

impl Client {
    /// The agent's card.
    pub fn card(&self) -> Arc<AgentCard> {
        call!(self, local => Arc::new(local.engine.card()), remote => remote.card())
    }

    /// Sends a message and waits until the task has ended or needs something (spec 3.1.1).
    ///
    /// # Errors
    /// When the agent refuses the message.
    pub async fn send_message(
        &self,
        request: impl Into<SendMessageRequest>,
    ) -> Result<SendMessageResponse, ClientError> {
        let request = request.into();
        call!(self, local => local.send_message(request).await, remote => remote.call(request).await)
    }

    /// Sends a message and follows what comes of it (spec 3.1.2).
    ///
    /// # Errors
    /// When the agent refuses the message.
    pub async fn send_streaming_message(
        &self,
        request: impl Into<SendMessageRequest>,
    ) -> Result<EventStream, ClientError> {
        let request = request.into();
        call!(
            self,
            local => local.send_streaming_message(request).await,
            remote => remote.stream(Opening::Send(Box::new(request))).await
        )
    }

    /// Reads a task (spec 3.1.3).
    ///
    /// # Errors
    /// When there is no such task, or it is another caller's.
    pub async fn get_task(&self, request: impl Into<GetTaskRequest>) -> Result<Task, ClientError> {
        let request = request.into();
        call!(self, local => local.get_task(request).await, remote => remote.call(request).await)
    }

    /// Reads a page of the caller's tasks, newest status first (spec 3.1.4).
    ///
    /// # Errors
    /// When the page size or the page token is not valid.
    pub async fn list_tasks(&self, request: ListTasksRequest) -> Result<ListTasksResponse, ClientError> {
        call!(
            self,
            local => Ok(local.operations().list_tasks(&local.call, request).await?),
            remote => remote.call(request).await
        )
    }

    /// Cancels a task, and gives it as it then stands (spec 3.1.5).
    ///
    /// # Errors
    /// When there is no such task, or it is finished.
    pub async fn cancel_task(&self, request: impl Into<CancelTaskRequest>) -> Result<Task, ClientError> {
        let request = request.into();
        call!(self, local => local.cancel_task(request).await, remote => remote.call(request).await)
    }

    /// Follows a task that is not finished, from where it stands (spec 3.1.6).
    ///
    /// # Errors
    /// When there is no such task, or it is finished.
    pub async fn subscribe_to_task(
        &self,
        request: impl Into<SubscribeToTaskRequest>,
    ) -> Result<EventStream, ClientError> {
        let request = request.into();
        call!(
            self,
            local => local.subscribe_to_task(request).await,
            remote => remote.stream(Opening::Subscribe { request, after: None }).await
        )
    }

    /// Has updates of a task posted to a webhook, and gives the configuration as it is kept (spec 3.1.7).
    ///
    /// # Errors
    /// When there is no such task, the agent posts nothing, or refuses the address.
    pub async fn create_task_push_notification_config(
        &self,
        config: TaskPushNotificationConfig,
    ) -> Result<TaskPushNotificationConfig, ClientError> {
        call!(
            self,
            local => Ok(local.operations().create_push_config(&local.call, config).await?.config),
            remote => remote.call(config).await
        )
    }

    /// Reads where updates of a task are posted (spec 3.1.8).
    ///
    /// # Errors
    /// When there is no such task or configuration, or the agent posts nothing.
    pub async fn get_task_push_notification_config(
        &self,
        request: GetTaskPushNotificationConfigRequest,
    ) -> Result<TaskPushNotificationConfig, ClientError> {
        call!(
            self,
            local => Ok(local.operations().get_push_config(&local.call, request).await?.config),
            remote => remote.call(request).await
        )
    }

    /// Reads a page of where updates of a task are posted (spec 3.1.9).
    ///
    /// # Errors
    /// When there is no such task, or the agent posts nothing.
    pub async fn list_task_push_notification_configs(
        &self,
        request: ListTaskPushNotificationConfigsRequest,
    ) -> Result<ListTaskPushNotificationConfigsResponse, ClientError> {
        call!(
            self,
            local => Ok(local.operations().list_push_configs(&local.call, request).await?.into()),
            remote => remote.call(request).await
        )
    }

    /// Stops posting updates of a task (spec 3.1.10). It is no error where there was nothing to stop.
    ///
    /// # Errors
    /// When there is no such task, or the agent posts nothing.
    pub async fn delete_task_push_notification_config(
        &self,
        request: DeleteTaskPushNotificationConfigRequest,
    ) -> Result<(), ClientError> {
        call!(
            self,
            local => Ok(local.operations().delete_push_config(&local.call, request).await?),
            remote => remote.call(request).await.map(|_done| ())
        )
    }

    /// Reads the card that the agent has for this caller (spec 3.1.11).
    ///
    /// # Errors
    /// When there is none, or the caller is not known.
    pub async fn get_extended_agent_card(&self) -> Result<AgentCard, ClientError> {
        call!(
            self,
            local => local.get_extended_agent_card().await,
            remote => remote.call(GetExtendedAgentCardRequest::default()).await
        )
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Client");
        call!(
            self,
            local => debug.field("caller", &local.call.caller),
            remote => debug.field("agent", &remote.card().name).field("binding", &remote.binding())
        );
        debug.finish_non_exhaustive()
    }
}
