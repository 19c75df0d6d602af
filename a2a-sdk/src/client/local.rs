//! An agent in this process.

use super::error::ClientError;
use super::stream::EventStream;
use crate::agent::Engine;
use crate::protocol::*;
use crate::server::operations::{Answered, Call, Operations};
use crate::tasks::Events;
use futures_util::StreamExt;
use std::sync::Arc;

/// An agent, and who calls it.
#[derive(Clone)]
pub(super) struct Local {
    pub(super) engine: Arc<Engine>,
    pub(super) call: Call,
}

impl Local {
    pub(super) fn operations(&self) -> &Operations {
        &self.engine.operations
    }

    pub(super) async fn send_message(
        &self,
        request: SendMessageRequest,
    ) -> Result<SendMessageResponse, ClientError> {
        Ok(match self.operations().send_message(self.call.clone(), request).await? {
            Answered::Task(task) => SendMessageResponse::Task(Arc::unwrap_or_clone(task)),
            Answered::Message(message) => SendMessageResponse::Message(message),
        })
    }

    pub(super) async fn send_streaming_message(
        &self,
        request: SendMessageRequest,
    ) -> Result<EventStream, ClientError> {
        let events = self.operations().send_streaming_message(self.call.clone(), request).await?;
        Ok(self.stream(events))
    }

    pub(super) async fn subscribe_to_task(
        &self,
        request: SubscribeToTaskRequest,
    ) -> Result<EventStream, ClientError> {
        let events = self.operations().subscribe_to_task(&self.call, request).await?;
        Ok(self.stream(events))
    }

    /// The stream holds the agent: it would wait for a task that was dropped with it.
    fn stream(&self, events: Events) -> EventStream {
        let engine = Arc::clone(&self.engine);
        EventStream::new(events.into_stream().map(move |event| {
            let _held = &engine;
            event.map_err(ClientError::from)
        }))
    }

    pub(super) async fn get_task(&self, request: GetTaskRequest) -> Result<Task, ClientError> {
        Ok(Arc::unwrap_or_clone(self.operations().get_task(&self.call, request).await?))
    }

    pub(super) async fn cancel_task(&self, request: CancelTaskRequest) -> Result<Task, ClientError> {
        Ok(Arc::unwrap_or_clone(self.operations().cancel_task(&self.call, request).await?))
    }

    pub(super) async fn get_extended_agent_card(&self) -> Result<AgentCard, ClientError> {
        let request = GetExtendedAgentCardRequest::default();
        Ok(self.operations().get_extended_agent_card(&self.call, request, &self.engine.card()).await?)
    }
}
