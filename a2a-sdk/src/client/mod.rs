//! Calling agents.

mod stream;

pub use stream::EventStream;

use crate::agent::Engine;
use crate::protocol::{
    A2aError, CancelTaskRequest, GetTaskRequest, ListTasksRequest, ListTasksResponse, SendMessageRequest,
    SendMessageResponse, SubscribeToTaskRequest, Task,
};
use crate::server::operations::{Answered, Call};
use crate::skill::Principal;
use std::fmt;
use std::sync::Arc;

/// A client of an agent in this process, made by [`Agent::client`](crate::Agent::client): no port, and the same
/// operations, errors and streams as a caller from outside gets.
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
#[derive(Clone)]
pub struct Client {
    engine: Arc<Engine>,
    call: Call,
}

impl Client {
    pub(crate) fn in_process(engine: Arc<Engine>) -> Self {
        Self { engine, call: Call::default() }
    }

    /// The same client, calling as that principal. Tasks belong to the principal that began them.
    #[must_use]
    pub fn with_principal(mut self, principal: Principal) -> Self {
        self.call.caller.principal = principal;
        self
    }

    /// The same client, with a value for skills that take `Extension<T>`, as a tower layer would insert it.
    #[must_use]
    pub fn with_extension<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        Arc::make_mut(&mut self.call.extensions).insert(value);
        self
    }

    /// Sends a message and waits until the task has ended or needs something (spec 3.1.1).
    ///
    /// # Errors
    /// When the agent refuses the message.
    pub async fn send_message(
        &self,
        request: impl Into<SendMessageRequest>,
    ) -> Result<SendMessageResponse, A2aError> {
        match self.engine.operations.send_message(self.call.clone(), request.into()).await? {
            Answered::Task(task) => Ok(SendMessageResponse::Task(Arc::unwrap_or_clone(task))),
            Answered::Message(message) => Ok(SendMessageResponse::Message(message)),
        }
    }

    /// Sends a message and follows what comes of it (spec 3.1.2).
    ///
    /// # Errors
    /// When the agent refuses the message.
    pub async fn send_streaming_message(
        &self,
        request: impl Into<SendMessageRequest>,
    ) -> Result<EventStream, A2aError> {
        let events = self.engine.operations.send_streaming_message(self.call.clone(), request.into()).await?;
        Ok(EventStream::of(events, Arc::clone(&self.engine)))
    }

    /// Reads a task (spec 3.1.3).
    ///
    /// # Errors
    /// When there is no such task, or it is another caller's.
    pub async fn get_task(&self, request: impl Into<GetTaskRequest>) -> Result<Task, A2aError> {
        self.engine.operations.get_task(&self.call, request.into()).await.map(Arc::unwrap_or_clone)
    }

    /// Reads a page of the caller's tasks, newest status first (spec 3.1.4).
    ///
    /// # Errors
    /// When the page size or the page token is not valid.
    pub async fn list_tasks(&self, request: ListTasksRequest) -> Result<ListTasksResponse, A2aError> {
        self.engine.operations.list_tasks(&self.call, request).await
    }

    /// Cancels a task, and gives it as it then stands (spec 3.1.5).
    ///
    /// # Errors
    /// When there is no such task, or it is finished.
    pub async fn cancel_task(&self, request: impl Into<CancelTaskRequest>) -> Result<Task, A2aError> {
        self.engine.operations.cancel_task(&self.call, request.into()).await.map(Arc::unwrap_or_clone)
    }

    /// Follows a task that is not finished, from where it stands (spec 3.1.6).
    ///
    /// # Errors
    /// When there is no such task, or it is finished.
    pub async fn subscribe_to_task(
        &self,
        request: impl Into<SubscribeToTaskRequest>,
    ) -> Result<EventStream, A2aError> {
        let events = self.engine.operations.subscribe_to_task(&self.call, request.into()).await?;
        Ok(EventStream::of(events, Arc::clone(&self.engine)))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("caller", &self.call.caller).finish_non_exhaustive()
    }
}
