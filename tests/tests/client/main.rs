//! The client of agents that run elsewhere: against our server over each binding, and against servers that are scripted
//! to do what servers should not.
#![allow(clippy::unwrap_used, reason = "tests")]

mod calls;
mod card;
mod credentials;
mod faults;
mod limits;
mod resume;
mod script;
mod streams;
mod tenant;

use a2a_sdk::Binding;
use a2a_sdk::client::ClientBuilder;
use a2a_sdk::protocol::{Message, SendMessageRequest};
use a2a_sdk::{Agent, Cancel, Client, Context, SkillError, State, WebhookPolicy, agent, skill};
use a2a_tests::http::{Server, serve};
use futures_util::Stream;
use std::sync::Arc;
use tokio::sync::Semaphore;

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

/// Gives a chunk for each permit.
#[skill]
async fn step(State(permits): State<Arc<Semaphore>>) -> impl Stream<Item = String> {
    futures_util::stream::unfold((0, permits), |(n, permits)| async move {
        permits.acquire().await.ok()?.forget();
        (n < 4).then(|| (n.to_string(), (n + 1, permits)))
    })
}

const BINDINGS: [Binding; 3] = [Binding::JsonRpc, Binding::HttpJson, Binding::Grpc];

fn desk() -> Agent {
    desk_with(&Arc::new(Semaphore::new(0)))
}

fn desk_with(permits: &Arc<Semaphore>) -> Agent {
    echo::agent().state(Arc::clone(permits)).push_notifications(WebhookPolicy::new().allow_loopback())
}

/// A client of that server, over that binding.
async fn client(server: &Server, binding: Binding) -> Client {
    let client = builder().bindings([binding]).connect(&server.url()).await.unwrap();
    assert_eq!(client.binding(), Some(binding));
    client
}

/// A builder that no proxy of the machine comes between.
fn builder() -> ClientBuilder {
    Client::builder().http_client(|http| http.no_proxy())
}

/// A message to that skill.
fn to(skill: &str, text: &str) -> SendMessageRequest {
    SendMessageRequest::new(Message::user(text).with_metadata([("skill", skill)]))
}

fn at_once(mut request: SendMessageRequest) -> SendMessageRequest {
    request.configuration.return_immediately = true;
    request
}
