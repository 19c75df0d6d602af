//! The SDK's gRPC server beside a bare service that decodes the same request and gives the same answer.

use crate::process::Server;
use a2a_sdk::grpc::v1::a2a_service_client::A2aServiceClient;
use a2a_sdk::grpc::v1::a2a_service_server::{A2aService, A2aServiceServer};
use a2a_sdk::grpc::v1::{self, send_message_response, stream_response};
use a2a_sdk::protocol::{Message, SendMessageRequest};
use axum::Router;
use futures_util::stream;
use tokio::net::TcpListener;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};

/// Requests, and events of streams, that are measured, after a tenth of them to warm up.
const SENDS: usize = 20_000;
const EVENTS: usize = 100_000;

/// CPU time of a `SendMessage`, and of an event of a stream, as a multiple of the floor.
pub(crate) fn all() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let [floor, ours] = ["grpc-floor", "echo"].map(|kind| {
        let server = Server::start(kind);
        runtime.block_on(sends(&server))
    });
    report("grpc send", ours, floor);
    for chunks in [25, 100, 400] {
        let [floor, ours] = [format!("grpc-floor-{chunks}"), "count".to_owned()].map(|kind| {
            let server = Server::start(&kind);
            runtime.block_on(events(&server, chunks))
        });
        report(&format!("grpc stream of {chunks}, per event"), ours, floor);
    }
}

fn report(what: &str, ours: f64, floor: f64) {
    let (ratio, ours, floor) = (ours / floor, ours * 1e6, floor * 1e6);
    println!("{what}: {ratio:.2} x the floor ({ours:.2} us beside {floor:.2} us of CPU)");
}

async fn client(server: &Server) -> A2aServiceClient<Channel> {
    let channel = Endpoint::new(format!("http://{}", server.address)).expect("an address").connect().await;
    A2aServiceClient::new(channel.expect("the server listens"))
}

fn request(text: &str) -> Request<v1::SendMessageRequest> {
    let mut request = Request::new(SendMessageRequest::new(Message::user(text)).into());
    request.metadata_mut().insert("a2a-version", tonic::metadata::MetadataValue::from_static("1.0"));
    request
}

async fn sends(server: &Server) -> f64 {
    let mut client = client(server).await;
    for _ in 0..SENDS / 10 {
        client.send_message(request("hello")).await.expect("an answer");
    }
    let before = server.cpu();
    for _ in 0..SENDS {
        client.send_message(request("hello")).await.expect("an answer");
    }
    (server.cpu() - before).as_secs_f64() / SENDS as f64
}

async fn events(server: &Server, chunks: usize) -> f64 {
    let mut client = client(server).await;
    let mut events = 0;
    let mut before = server.cpu();
    for n in 0..EVENTS / chunks * 11 / 10 {
        if n == EVENTS / chunks / 10 {
            before = server.cpu();
            events = 0;
        }
        let stream = client.send_streaming_message(request(&chunks.to_string())).await;
        let mut stream = stream.expect("a stream").into_inner();
        while stream.message().await.expect("an event").is_some() {
            events += 1;
        }
    }
    (server.cpu() - before).as_secs_f64() / events as f64
}

/// Decodes a request, and gives an answer that was made before.
pub(crate) async fn serve_floor(kind: &str, listener: TcpListener) {
    let chunks = kind.strip_prefix("grpc-floor-").and_then(|chunks| chunks.parse().ok()).unwrap_or(0);
    let service = A2aServiceServer::new(Floor { chunks });
    let listener = axum::serve::ListenerExt::tap_io(listener, |connection| _ = connection.set_nodelay(true));
    let routes = Router::new().route_service("/lf.a2a.v1.A2AService/{method}", service);
    axum::serve(listener, routes).await.expect("it serves");
}

struct Floor {
    chunks: usize,
}

fn task() -> v1::Task {
    let id = || "0190a4f2-0000-7000-8000-000000000000".to_owned();
    let part = |text: &str| v1::Part {
        content: Some(v1::part::Content::Text(text.to_owned())),
        ..Default::default()
    };
    v1::Task {
        id: id(),
        context_id: id(),
        status: Some(status(3)),
        artifacts: vec![v1::Artifact {
            artifact_id: "artifact-1".to_owned(),
            parts: vec![part("hello")],
            ..Default::default()
        }],
        history: vec![v1::Message {
            message_id: id(),
            context_id: id(),
            task_id: id(),
            role: 1,
            parts: vec![part("hello")],
            ..Default::default()
        }],
        ..Default::default()
    }
}

fn status(state: i32) -> v1::TaskStatus {
    v1::TaskStatus { state, ..Default::default() }
}

fn events_of(chunks: usize) -> impl Iterator<Item = stream_response::Payload> {
    use stream_response::Payload;

    let id = || "0190a4f2-0000-7000-8000-000000000000".to_owned();
    let chunk = move |n| {
        Payload::ArtifactUpdate(v1::TaskArtifactUpdateEvent {
            task_id: id(),
            context_id: id(),
            artifact: Some(v1::Artifact {
                artifact_id: "artifact-1".to_owned(),
                parts: vec![v1::Part {
                    content: Some(v1::part::Content::Text(format!("chunk {n} "))),
                    ..Default::default()
                }],
                ..Default::default()
            }),
            append: true,
            ..Default::default()
        })
    };
    let state = move |state| {
        Payload::StatusUpdate(v1::TaskStatusUpdateEvent {
            task_id: id(),
            context_id: id(),
            status: Some(status(state)),
            metadata: None,
        })
    };
    [Payload::Task(task()), state(2)].into_iter().chain((0..chunks).map(chunk)).chain([state(3)])
}

type Chosen = Box<dyn Iterator<Item = Result<v1::StreamResponse, Status>> + Send>;
type Events = stream::Iter<Chosen>;

fn unused<T>() -> Result<Response<T>, Status> {
    Err(Status::unimplemented("not measured"))
}

#[tonic::async_trait]
impl A2aService for Floor {
    type SendStreamingMessageStream = Events;
    type SubscribeToTaskStream = Events;

    async fn send_message(
        &self,
        request: Request<v1::SendMessageRequest>,
    ) -> Result<Response<v1::SendMessageResponse>, Status> {
        std::hint::black_box(request.into_inner());
        let payload = Some(send_message_response::Payload::Task(task()));
        Ok(Response::new(v1::SendMessageResponse { payload }))
    }

    async fn send_streaming_message(
        &self,
        request: Request<v1::SendMessageRequest>,
    ) -> Result<Response<Events>, Status> {
        std::hint::black_box(request.into_inner());
        let events = events_of(self.chunks).map(|payload| Ok(v1::StreamResponse { payload: Some(payload) }));
        Ok(Response::new(stream::iter(Box::new(events) as Chosen)))
    }

    async fn get_task(&self, _: Request<v1::GetTaskRequest>) -> Result<Response<v1::Task>, Status> {
        unused()
    }

    async fn list_tasks(
        &self,
        _: Request<v1::ListTasksRequest>,
    ) -> Result<Response<v1::ListTasksResponse>, Status> {
        unused()
    }

    async fn cancel_task(&self, _: Request<v1::CancelTaskRequest>) -> Result<Response<v1::Task>, Status> {
        unused()
    }

    async fn subscribe_to_task(
        &self,
        _: Request<v1::SubscribeToTaskRequest>,
    ) -> Result<Response<Events>, Status> {
        unused()
    }

    async fn create_task_push_notification_config(
        &self,
        _: Request<v1::TaskPushNotificationConfig>,
    ) -> Result<Response<v1::TaskPushNotificationConfig>, Status> {
        unused()
    }

    async fn get_task_push_notification_config(
        &self,
        _: Request<v1::GetTaskPushNotificationConfigRequest>,
    ) -> Result<Response<v1::TaskPushNotificationConfig>, Status> {
        unused()
    }

    async fn list_task_push_notification_configs(
        &self,
        _: Request<v1::ListTaskPushNotificationConfigsRequest>,
    ) -> Result<Response<v1::ListTaskPushNotificationConfigsResponse>, Status> {
        unused()
    }

    async fn get_extended_agent_card(
        &self,
        _: Request<v1::GetExtendedAgentCardRequest>,
    ) -> Result<Response<v1::AgentCard>, Status> {
        unused()
    }

    async fn delete_task_push_notification_config(
        &self,
        _: Request<v1::DeleteTaskPushNotificationConfigRequest>,
    ) -> Result<Response<()>, Status> {
        unused()
    }
}
