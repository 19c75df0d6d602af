//! The gRPC binding (spec 10): decodes, calls the operation, encodes. Nothing else.

mod deadline;
#[cfg(any(feature = "grpc-health", feature = "grpc-reflection"))]
mod tools;

#[cfg(feature = "grpc-health")]
pub(super) use tools::health;

use super::App;
use super::body::{self, BodyError};
use super::gate::{self, Generation, Passed};
use super::operations::{Answered, Call, Operations};
use crate::grpc::v1::a2a_service_server::{A2aService, A2aServiceServer};
use crate::grpc::v1::{self, send_message_response, stream_response};
use crate::protocol::{
    A2aError, ErrorKind, ListTaskPushNotificationConfigsResponse, TaskPushNotificationConfig,
};
use crate::store::EntryBody;
use crate::tasks::{Event, Events};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request as HttpRequest, State};
use axum::response::{IntoResponse, Response as HttpResponse};
use axum::routing::any;
use futures_util::stream::unfold;
use http::{HeaderMap, StatusCode, header};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use tokio::sync::watch;
use tonic::{Code, Request, Response, Status};
use tower_service::Service;

/// The routes of the binding.
pub(super) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let service = A2aServiceServer::new(Agent(Arc::clone(app)))
        .max_decoding_message_size(app.settings.body_limit)
        .max_encoding_message_size(usize::MAX);
    let call =
        move |State(app): State<Arc<App>>, request| admit(app, Generation::V1, service.clone(), request);
    let routes = Router::new().route("/lf.a2a.v1.A2AService/{method}", any(call));
    #[cfg(feature = "compat-0-3")]
    let routes = if app.settings.legacy { routes.merge(super::v03::grpc::routes(app)) } else { routes };
    #[cfg(feature = "grpc-reflection")]
    let routes = routes.merge(tools::reflection(app));
    routes
}

/// The gate: what every call passes before its message is read.
pub(super) async fn admit<S>(
    app: Arc<App>,
    generation: Generation,
    service: S,
    mut request: HttpRequest,
) -> HttpResponse
where
    S: Service<HttpRequest, Response = http::Response<tonic::body::Body>, Error = Infallible>,
{
    let extensions = std::mem::take(request.extensions_mut());
    let (call, echo) = match app.gate.admit(generation, request.headers(), request.uri().query(), extensions)
    {
        Ok(Passed { call, echo }) => (Ok(call), echo),
        Err(error) => (Err(error), None),
    };
    let deadline = deadline::of(request.headers());
    let body_limit = app.settings.body_limit;
    let read = Arc::new(AtomicBool::new(false));
    // The service answers, since it knows whether there is such a method at all.
    request.extensions_mut().insert(Admitted { call, read: Arc::clone(&read) });
    let answering = async {
        match whole(request, body_limit).await {
            Ok(request) => answer(service, request).await,
            Err(status) => status.into_http(),
        }
    };
    let mut response = match deadline {
        None => answering.await,
        Some(deadline) => match tokio::time::timeout(deadline, answering).await {
            Ok(response) => response,
            // The caller has stopped waiting; what the call set going goes on.
            Err(_) => Status::deadline_exceeded("the call's deadline has passed").into_http(),
        },
    };
    if !read.load(Ordering::Relaxed) {
        response = unread(response);
    }
    gate::echo(response.headers_mut(), echo);
    response
}

/// What stands before the message in a body: how it is compressed, and how long it is.
const PREFIX: usize = 5;

/// The request with its whole body, which is one message: a caller that stops sending is not waited for.
async fn whole(request: HttpRequest, limit: usize) -> Result<HttpRequest, Status> {
    if !is_grpc(request.headers()) {
        return Ok(request);
    }
    let (parts, content) = request.into_parts();
    match body::read(&parts.headers, content, limit.saturating_add(PREFIX)).await {
        Ok(content) => Ok(HttpRequest::from_parts(parts, Body::from(content))),
        Err(BodyError::TooLarge(error)) => Err(Status::out_of_range(error.message)),
        Err(BodyError::Cut(error)) => Err(error.into()),
    }
}

/// The answer to a call whose message could not be read. Tonic calls that an internal error, and it is the caller's.
fn unread(response: HttpResponse) -> HttpResponse {
    match Status::from_header_map(response.headers()) {
        Some(status) if status.code() == Code::Internal => {
            let error = A2aError::new(ErrorKind::ParseError, status.message());
            Status::from(error).into_http()
        }
        _ => response,
    }
}

#[derive(Clone)]
struct Admitted {
    call: Result<Call, A2aError>,
    /// Whether the call's message was read.
    read: Arc<AtomicBool>,
}

/// The call that a request was let through as, and its message.
pub(super) fn admitted<T>(mut request: Request<T>) -> Result<(Call, T), A2aError> {
    let Some(Admitted { call, read }) = request.extensions_mut().remove() else {
        return Err(A2aError::internal("the call did not pass the gate"));
    };
    read.store(true, Ordering::Relaxed);
    Ok((call?, request.into_inner()))
}

/// Lets gRPC clients, and nobody else, call a service.
async fn answer<S>(mut service: S, request: HttpRequest) -> HttpResponse
where
    S: Service<HttpRequest, Response = http::Response<tonic::body::Body>, Error = Infallible>,
{
    if !is_grpc(request.headers()) {
        return StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response();
    }
    match service.call(request).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    }
}

/// Whether the request is one of gRPC.
pub(super) fn is_grpc(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.and_then(|value| value.strip_prefix("application/grpc")).is_some_and(|rest| {
        // `application/grpc-web` is another protocol.
        rest.is_empty() || rest.starts_with(['+', ';'])
    })
}

/// The answer to a gRPC request for a service that there is not.
pub(super) fn unknown(path: &str) -> HttpResponse {
    // A path may be longer than a peer takes headers.
    let path: String = path.chars().take(200).collect();
    Status::unimplemented(format!("there is no method `{path}`")).into_http()
}

/// The service of one agent.
struct Agent(Arc<App>);

impl Agent {
    /// A call that was let through, and its request.
    fn open<T, C>(&self, request: Request<T>) -> Result<(&Operations, Call, C), Status>
    where
        C: TryFrom<T, Error = A2aError>,
    {
        let (call, message) = admitted(request)?;
        Ok((&self.0.engine.operations, call, message.try_into()?))
    }

    fn stream(&self, events: Events) -> Response<Responses> {
        let write = |events: &Events, event: &Event| {
            response(&events.task_id, &events.context_id, event).into_iter().collect()
        };
        Response::new(follow(&self.0, events, write, crate::grpc::status_of))
    }
}

/// The messages of a stream.
pub(super) type Stream<R> = Pin<Box<dyn futures_core::Stream<Item = Result<R, Status>> + Send>>;

type Responses = Stream<v1::StreamResponse>;

/// Streams these events, each as the messages that `write` makes of it, and an error as the status that `refuse` does.
pub(super) fn follow<R: Send + 'static>(
    app: &App,
    events: Events,
    write: impl Fn(&Events, &Event) -> Vec<R> + Send + 'static,
    refuse: fn(&A2aError) -> Status,
) -> Stream<R> {
    let state = Follow { events, write, refuse, waiting: VecDeque::new(), closing: app.closing.subscribe() };
    Box::pin(unfold(state, |mut state| async move { Some((state.next().await?, state)) }))
}

#[tonic::async_trait]
impl A2aService for Agent {
    type SendStreamingMessageStream = Responses;
    type SubscribeToTaskStream = Responses;

    async fn send_message(
        &self,
        request: Request<v1::SendMessageRequest>,
    ) -> Result<Response<v1::SendMessageResponse>, Status> {
        let (operations, call, request) = self.open(request)?;
        let payload = match operations.send_message(call, request).await? {
            Answered::Task(task) => send_message_response::Payload::Task((&*task).into()),
            Answered::Message(message) => send_message_response::Payload::Message(message.into()),
        };
        Ok(Response::new(v1::SendMessageResponse { payload: Some(payload) }))
    }

    async fn send_streaming_message(
        &self,
        request: Request<v1::SendMessageRequest>,
    ) -> Result<Response<Responses>, Status> {
        let (operations, call, request) = self.open(request)?;
        Ok(self.stream(operations.send_streaming_message(call, request).await?))
    }

    async fn get_task(&self, request: Request<v1::GetTaskRequest>) -> Result<Response<v1::Task>, Status> {
        let (operations, call, request) = self.open(request)?;
        let task = operations.get_task(&call, request).await?;
        Ok(Response::new((&*task).into()))
    }

    async fn list_tasks(
        &self,
        request: Request<v1::ListTasksRequest>,
    ) -> Result<Response<v1::ListTasksResponse>, Status> {
        let (operations, call, request) = self.open(request)?;
        Ok(Response::new(operations.list_tasks(&call, request).await?.into()))
    }

    async fn cancel_task(
        &self,
        request: Request<v1::CancelTaskRequest>,
    ) -> Result<Response<v1::Task>, Status> {
        let (operations, call, request) = self.open(request)?;
        let task = operations.cancel_task(&call, request).await?;
        Ok(Response::new((&*task).into()))
    }

    async fn subscribe_to_task(
        &self,
        request: Request<v1::SubscribeToTaskRequest>,
    ) -> Result<Response<Responses>, Status> {
        let (operations, call, request) = self.open(request)?;
        Ok(self.stream(operations.subscribe_to_task(&call, request).await?))
    }

    async fn create_task_push_notification_config(
        &self,
        request: Request<v1::TaskPushNotificationConfig>,
    ) -> Result<Response<v1::TaskPushNotificationConfig>, Status> {
        let (operations, call, request): (_, _, TaskPushNotificationConfig) = self.open(request)?;
        Ok(Response::new(operations.create_push_config(&call, request).await?.config.into()))
    }

    async fn get_task_push_notification_config(
        &self,
        request: Request<v1::GetTaskPushNotificationConfigRequest>,
    ) -> Result<Response<v1::TaskPushNotificationConfig>, Status> {
        let (operations, call, request) = self.open(request)?;
        Ok(Response::new(operations.get_push_config(&call, request).await?.config.into()))
    }

    async fn list_task_push_notification_configs(
        &self,
        request: Request<v1::ListTaskPushNotificationConfigsRequest>,
    ) -> Result<Response<v1::ListTaskPushNotificationConfigsResponse>, Status> {
        let (operations, call, request) = self.open(request)?;
        let page = operations.list_push_configs(&call, request).await?;
        Ok(Response::new(ListTaskPushNotificationConfigsResponse::from(page).into()))
    }

    async fn get_extended_agent_card(
        &self,
        request: Request<v1::GetExtendedAgentCardRequest>,
    ) -> Result<Response<v1::AgentCard>, Status> {
        let (operations, call, request) = self.open(request)?;
        Ok(Response::new(operations.get_extended_agent_card(&call, request, &self.0.card.card).await?.into()))
    }

    async fn delete_task_push_notification_config(
        &self,
        request: Request<v1::DeleteTaskPushNotificationConfigRequest>,
    ) -> Result<Response<()>, Status> {
        let (operations, call, request) = self.open(request)?;
        operations.delete_push_config(&call, request).await?;
        Ok(Response::new(()))
    }
}

/// A stream on its way to a caller.
struct Follow<R, W> {
    events: Events,
    write: W,
    refuse: fn(&A2aError) -> Status,
    /// What came together and is sent one by one.
    waiting: VecDeque<R>,
    /// Turns true when the server stops.
    closing: watch::Receiver<bool>,
}

enum Next {
    Events(Vec<Event>),
    Failed(A2aError),
    End,
    Closing,
}

impl<R, W: Fn(&Events, &Event) -> Vec<R>> Follow<R, W> {
    async fn next(&mut self) -> Option<Result<R, Status>> {
        loop {
            if let Some(response) = self.waiting.pop_front() {
                return Some(Ok(response));
            }
            match self.batch().await {
                Next::Events(events) => {
                    self.waiting.extend(events.iter().flat_map(|event| (self.write)(&self.events, event)));
                }
                Next::Failed(error) => return Some(Err((self.refuse)(&error))),
                Next::End => return None,
                // The task goes on without the stream, and the caller may come back.
                Next::Closing => return Some(Err(Status::unavailable("the server is stopping"))),
            }
        }
    }

    async fn batch(&mut self) -> Next {
        let mut next = pin!(self.events.next());
        let mut closed = pin!(self.closing.wait_for(|closing| *closing));
        poll_fn(|cx| {
            if let Poll::Ready(events) = next.as_mut().poll(cx) {
                return Poll::Ready(match events {
                    Some(Ok(events)) => Next::Events(events),
                    Some(Err(error)) => Next::Failed(error),
                    None => Next::End,
                });
            }
            closed.as_mut().poll(cx).map(|_| Next::Closing)
        })
        .await
    }
}

/// The event as a message, or `None` for an entry that callers do not see.
fn response(task_id: &str, context_id: &str, event: &Event) -> Option<v1::StreamResponse> {
    use stream_response::Payload;

    let payload = match event {
        Event::Snapshot(task, _) => Payload::Task((&**task).into()),
        Event::Message(message) => Payload::Message((&**message).into()),
        Event::Entry(entry) => match &entry.body {
            EntryBody::Status(status) => Payload::StatusUpdate(v1::TaskStatusUpdateEvent {
                task_id: task_id.to_owned(),
                context_id: context_id.to_owned(),
                status: Some(status.into()),
                metadata: None,
            }),
            EntryBody::Artifact { artifact, append, last_chunk } => {
                Payload::ArtifactUpdate(v1::TaskArtifactUpdateEvent {
                    task_id: task_id.to_owned(),
                    context_id: context_id.to_owned(),
                    artifact: Some(artifact.into()),
                    append: *append,
                    last_chunk: *last_chunk,
                    metadata: None,
                })
            }
            EntryBody::Message(_) | EntryBody::CancelRequested(_) | EntryBody::Taken => return None,
        },
    };
    Some(v1::StreamResponse { payload: Some(payload) })
}
