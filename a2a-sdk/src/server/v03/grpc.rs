//! gRPC, as the package `a2a.v1`.

use super::super::App;
use super::super::gate::Generation;
use super::super::grpc::{Stream, admit, admitted, follow};
use super::super::operations::{Answered, Call, Operations};
use super::{get_config, last_status, list_configs};
use crate::compat::grpc::{
    read_config_name, read_create, read_send, read_task_name, status_of, write_card, write_config,
    write_event, write_message, write_task,
};
use crate::compat::{Bytes, Event as Event03};
use crate::grpc::v03::a2a_service_server::{A2aService, A2aServiceServer};
use crate::grpc::v03::{self, send_message_response};
use crate::protocol::{
    A2aError, CancelTaskRequest, DeleteTaskPushNotificationConfigRequest, GetExtendedAgentCardRequest,
    GetTaskRequest, StreamResponse, SubscribeToTaskRequest,
};
use crate::tasks::{Event, Events};
use axum::Router;
use axum::extract::State;
use axum::routing::any;
use std::sync::Arc;
use tonic::{Request, Response, Status};

/// The routes of the binding.
pub(in super::super) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let service = A2aServiceServer::new(Agent(Arc::clone(app)))
        .max_decoding_message_size(app.settings.body_limit)
        .max_encoding_message_size(usize::MAX);
    let call =
        move |State(app): State<Arc<App>>, request| admit(app, Generation::V03, service.clone(), request);
    Router::new().route("/a2a.v1.A2AService/{method}", any(call))
}

/// The service of one agent.
struct Agent(Arc<App>);

impl Agent {
    fn operations(&self) -> &Operations {
        &self.0.engine.operations
    }

    fn bytes(&self) -> Bytes {
        self.0.settings.legacy_bytes
    }

    fn stream(&self, events: Events) -> Response<Stream<v03::StreamResponse>> {
        let bytes = self.bytes();
        Response::new(follow(&self.0, events, move |events, event| write(events, event, bytes), status_of))
    }

    async fn send(&self, request: Request<v03::SendMessageRequest>) -> Result<Answered, A2aError> {
        let (mut call, request) = admitted(request)?;
        let (request, wire) = read_send(request, self.bytes())?;
        call.wire = wire;
        self.operations().send_message(call, request).await
    }

    async fn send_stream(&self, request: Request<v03::SendMessageRequest>) -> Result<Events, A2aError> {
        let (mut call, request) = admitted(request)?;
        let (request, wire) = read_send(request, self.bytes())?;
        call.wire = wire;
        self.operations().send_streaming_message(call, request).await
    }

    async fn get(&self, request: Request<v03::GetTaskRequest>) -> Result<v03::Task, A2aError> {
        let (call, request) = admitted(request)?;
        let id = read_task_name("name", &request.name)?;
        // Zero cannot be told from nothing.
        let history_length = (request.history_length != 0).then_some(request.history_length);
        let request = GetTaskRequest { tenant: None, id, history_length };
        Ok(write_task(&*self.operations().get_task(&call, request).await?, self.bytes()))
    }

    async fn cancel(&self, request: Request<v03::CancelTaskRequest>) -> Result<v03::Task, A2aError> {
        let (call, request) = admitted(request)?;
        let request = CancelTaskRequest::from(read_task_name("name", &request.name)?);
        Ok(write_task(&*self.operations().cancel_task(&call, request).await?, self.bytes()))
    }

    async fn subscribe(&self, request: Request<v03::TaskSubscriptionRequest>) -> Result<Events, A2aError> {
        let (call, request) = admitted(request)?;
        let request = SubscribeToTaskRequest::from(read_task_name("name", &request.name)?);
        self.operations().subscribe_to_task(&call, request).await
    }

    async fn create_config(
        &self,
        request: Request<v03::CreateTaskPushNotificationConfigRequest>,
    ) -> Result<v03::TaskPushNotificationConfig, A2aError> {
        let (call, request) = admitted(request)?;
        Ok(write_config(&self.operations().create_push_config(&call, read_create(request)?).await?))
    }

    async fn config(
        &self,
        request: Request<v03::GetTaskPushNotificationConfigRequest>,
    ) -> Result<v03::TaskPushNotificationConfig, A2aError> {
        let (call, request) = admitted(request)?;
        let (task_id, id) = read_config_name(&request.name)?;
        Ok(write_config(&get_config(self.operations(), &call, task_id, Some(id)).await?))
    }

    async fn configs(
        &self,
        request: Request<v03::ListTaskPushNotificationConfigRequest>,
    ) -> Result<v03::ListTaskPushNotificationConfigResponse, A2aError> {
        let (call, request) = admitted(request)?;
        let task_id = read_task_name("parent", &request.parent)?;
        let token = Some(request.page_token).filter(|token| !token.is_empty());
        let page = list_configs(self.operations(), &call, task_id, token, request.page_size).await?;
        Ok(v03::ListTaskPushNotificationConfigResponse {
            configs: page.configs.iter().map(write_config).collect(),
            next_page_token: page.next_page_token,
        })
    }

    async fn delete_config(
        &self,
        request: Request<v03::DeleteTaskPushNotificationConfigRequest>,
    ) -> Result<(), A2aError> {
        let (call, request) = admitted(request)?;
        let (task_id, id) = read_config_name(&request.name)?;
        let request = DeleteTaskPushNotificationConfigRequest { tenant: None, task_id, id };
        self.operations().delete_push_config(&call, request).await
    }

    async fn card(&self, call: &Call) -> Result<v03::AgentCard, A2aError> {
        if !self.operations().has_extended_card() {
            return Err(A2aError::extended_card_not_configured());
        }
        let request = GetExtendedAgentCardRequest::default();
        let card = self.operations().get_extended_agent_card(call, request, &self.0.card.card).await?;
        Ok(write_card(&card))
    }
}

/// The messages of an event. A task with which the stream ends is followed by its status, which says so.
fn write(events: &Events, event: &Event, bytes: Bytes) -> Vec<v03::StreamResponse> {
    let last = events.ends_with(event);
    let write = |event: Event03<'_>| write_event(event, bytes);
    match event {
        Event::Message(message) => vec![write(Event03::Message(message))],
        Event::Snapshot(task, _) => {
            let mut messages = vec![write(Event03::Task(task))];
            if last {
                messages.push(write(Event03::StatusUpdate(&last_status(task), true)));
            }
            messages
        }
        Event::Entry(_) => match events.response(event) {
            Some(StreamResponse::StatusUpdate(update)) => vec![write(Event03::StatusUpdate(&update, last))],
            Some(StreamResponse::ArtifactUpdate(update)) => vec![write(Event03::ArtifactUpdate(&update))],
            Some(StreamResponse::Task(_) | StreamResponse::Message(_)) | None => Vec::new(),
        },
    }
}

/// A result of an operation as gRPC has it.
fn answer<T>(result: Result<T, A2aError>) -> Result<Response<T>, Status> {
    result.map(Response::new).map_err(|error| status_of(&error))
}

#[tonic::async_trait]
impl A2aService for Agent {
    type SendStreamingMessageStream = Stream<v03::StreamResponse>;
    type TaskSubscriptionStream = Stream<v03::StreamResponse>;

    async fn send_message(
        &self,
        request: Request<v03::SendMessageRequest>,
    ) -> Result<Response<v03::SendMessageResponse>, Status> {
        answer(self.send(request).await.map(|answered| {
            let payload = match answered {
                Answered::Task(task) => send_message_response::Payload::Task(write_task(&task, self.bytes())),
                Answered::Message(message) => {
                    send_message_response::Payload::Msg(write_message(&message, self.bytes()))
                }
            };
            v03::SendMessageResponse { payload: Some(payload) }
        }))
    }

    async fn send_streaming_message(
        &self,
        request: Request<v03::SendMessageRequest>,
    ) -> Result<Response<Self::SendStreamingMessageStream>, Status> {
        let events = self.send_stream(request).await.map_err(|error| status_of(&error))?;
        Ok(self.stream(events))
    }

    async fn get_task(&self, request: Request<v03::GetTaskRequest>) -> Result<Response<v03::Task>, Status> {
        answer(self.get(request).await)
    }

    async fn cancel_task(
        &self,
        request: Request<v03::CancelTaskRequest>,
    ) -> Result<Response<v03::Task>, Status> {
        answer(self.cancel(request).await)
    }

    async fn task_subscription(
        &self,
        request: Request<v03::TaskSubscriptionRequest>,
    ) -> Result<Response<Self::TaskSubscriptionStream>, Status> {
        let events = self.subscribe(request).await.map_err(|error| status_of(&error))?;
        Ok(self.stream(events))
    }

    async fn create_task_push_notification_config(
        &self,
        request: Request<v03::CreateTaskPushNotificationConfigRequest>,
    ) -> Result<Response<v03::TaskPushNotificationConfig>, Status> {
        answer(self.create_config(request).await)
    }

    async fn get_task_push_notification_config(
        &self,
        request: Request<v03::GetTaskPushNotificationConfigRequest>,
    ) -> Result<Response<v03::TaskPushNotificationConfig>, Status> {
        answer(self.config(request).await)
    }

    async fn list_task_push_notification_config(
        &self,
        request: Request<v03::ListTaskPushNotificationConfigRequest>,
    ) -> Result<Response<v03::ListTaskPushNotificationConfigResponse>, Status> {
        answer(self.configs(request).await)
    }

    async fn get_agent_card(
        &self,
        request: Request<v03::GetAgentCardRequest>,
    ) -> Result<Response<v03::AgentCard>, Status> {
        match admitted(request) {
            Ok((call, _)) => answer(self.card(&call).await),
            Err(error) => Err(status_of(&error)),
        }
    }

    async fn delete_task_push_notification_config(
        &self,
        request: Request<v03::DeleteTaskPushNotificationConfigRequest>,
    ) -> Result<Response<()>, Status> {
        answer(self.delete_config(request).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grpc::v03::stream_response::Payload;
    use crate::protocol::{Task, TaskState, TaskStatus};
    use crate::store::{MemoryStore, Owner, Retention};
    use crate::tasks::Until;

    #[test]
    fn a_task_with_which_a_stream_ends_is_followed_by_its_final_status() {
        for (state, until, over) in [
            (TaskState::Completed, Until::Ended, true),
            (TaskState::InputRequired, Until::Settled, true),
            (TaskState::InputRequired, Until::Ended, false),
            (TaskState::AuthRequired, Until::Settled, false),
        ] {
            let store = Arc::new(MemoryStore::new(crate::Clock::system(), Retention::default()));
            let status = TaskStatus { state, ..TaskStatus::default() };
            let task = Arc::new(Task { id: "t".to_owned(), status, ..Task::default() });
            let events = Events::task(store, Owner::default(), Arc::clone(&task), 7, until);
            let messages = write(&events, &Event::Snapshot(task, 7), Bytes::Encoded);
            let last = messages.iter().any(
                |message| matches!(&message.payload, Some(Payload::StatusUpdate(update)) if update.r#final),
            );
            assert_eq!((messages.len(), last), (1 + usize::from(over), over), "{state:?} {until:?}");
        }
    }
}
