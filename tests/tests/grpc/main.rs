//! The gRPC binding as clients see it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod calls;
mod errors;
mod garbage;
mod same;
mod streams;
mod tools;
mod wire;

use a2a_sdk::grpc::v1;
use a2a_sdk::grpc::v1::a2a_service_client::A2aServiceClient;
use a2a_sdk::protocol::Message;
use a2a_sdk::{Agent, Cancel, Context, SkillError, State, agent, skill};
use a2a_tests::http::{Server, serve};
use futures_util::Stream;
use std::sync::Arc;
use tokio::sync::Barrier;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use v1::TaskState;

/// Says it back.
#[agent]
async fn echo(text: String) -> String {
    text
}

/// Counts.
#[skill]
async fn count(to: String) -> impl Stream<Item = String> {
    let to: u32 = to.parse().unwrap_or_default();
    futures_util::stream::iter((0..to).map(|n| n.to_string()))
}

/// Answers without a task.
#[skill]
async fn direct(text: String) -> Message {
    Message::agent(text)
}

/// Asks for a name.
#[skill]
async fn hello(ctx: Context) -> Result<String, SkillError> {
    let name = ctx.ask("Who are you?").await?.text();
    Ok(format!("Hello, {name}!"))
}

/// Waits until it is told to stop.
#[skill]
async fn wait(cancel: Cancel) -> String {
    cancel.requested().await;
    "stopped".to_owned()
}

/// Waits for others.
#[skill]
async fn meet(State(barrier): State<Arc<Barrier>>) -> String {
    barrier.wait().await;
    "met".to_owned()
}

/// How many calls `meet` waits for.
const MEETING: usize = 20;

fn desk() -> Agent {
    echo::agent().state(Arc::new(Barrier::new(MEETING)))
}

type Interceptor = fn(Request<()>) -> Result<Request<()>, Status>;
type Client = A2aServiceClient<InterceptedService<Channel, Interceptor>>;

async fn channel(server: &Server) -> Channel {
    Endpoint::new(server.url()).unwrap().connect().await.unwrap()
}

/// A client that speaks 1.0.
async fn client(server: &Server) -> Client {
    let version: Interceptor = |mut request| {
        request.metadata_mut().insert("a2a-version", "1.0".parse().unwrap());
        Ok(request)
    };
    A2aServiceClient::with_interceptor(channel(server).await, version)
}

/// A message to that skill.
fn to(skill: &str, text: &str) -> v1::SendMessageRequest {
    let message = Message::user(text).with_metadata([("skill", skill)]);
    v1::SendMessageRequest { message: Some(message.into()), ..Default::default() }
}

fn at_once(mut request: v1::SendMessageRequest) -> v1::SendMessageRequest {
    request.configuration =
        Some(v1::SendMessageConfiguration { return_immediately: true, ..Default::default() });
    request
}

/// The task that a message made.
async fn sent(client: &mut Client, request: v1::SendMessageRequest) -> v1::Task {
    match client.send_message(request).await.unwrap().into_inner().payload {
        Some(v1::send_message_response::Payload::Task(task)) => task,
        other => panic!("{other:?}"),
    }
}

fn state(task: &v1::Task) -> TaskState {
    task.status.as_ref().unwrap().state()
}

fn text(part: &v1::Part) -> &str {
    match &part.content {
        Some(v1::part::Content::Text(text)) => text,
        other => panic!("{other:?}"),
    }
}

/// An event in a few words: `task 1`, `status 3`, `artifact +text!` where it is appended and the last.
fn told(event: &v1::StreamResponse) -> String {
    use v1::stream_response::Payload;

    match event.payload.as_ref().unwrap() {
        Payload::Task(task) => format!("task {}", state(task) as i32),
        Payload::Message(message) => format!("message {}", text(&message.parts[0])),
        Payload::StatusUpdate(update) => format!("status {}", update.status.as_ref().unwrap().state),
        Payload::ArtifactUpdate(update) => {
            let append = if update.append { "+" } else { "" };
            let last = if update.last_chunk { "!" } else { "" };
            format!("artifact {append}{}{last}", text(&update.artifact.as_ref().unwrap().parts[0]))
        }
    }
}

/// Every event of a stream, in a few words.
async fn all(mut stream: tonic::Streaming<v1::StreamResponse>) -> Vec<String> {
    let mut events = Vec::new();
    while let Some(event) = stream.message().await.unwrap() {
        events.push(told(&event));
    }
    events
}
