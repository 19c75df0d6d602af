//! Types by other names, and replies that no caller knows: they are skills all the same.

use a2a_sdk::protocol::Message;
use a2a_sdk::{File, FromRequest, Json, Principal, Reply, Request, SkillError, State};
use futures_core::Stream;
use std::pin::Pin;

type Trip = Json<u8>;
type Outcome = Result<Trip, SkillError>;
type Result<T, E = SkillError> = std::result::Result<T, E>;
type Words = Pin<Box<dyn Stream<Item = String> + Send>>;

struct Language;

impl FromRequest for Language {
    fn from_request(_: &Request) -> Result<Self> {
        Ok(Self)
    }
}

/// Has types by other names.
#[a2a_sdk::skill]
async fn aliased(trip: Trip, _rate: State<u8>) -> Outcome {
    Ok(trip)
}

/// Has a `Result` with a default.
#[a2a_sdk::skill]
async fn shortened(trip: Trip) -> Result<Json<u8>> {
    Ok(trip)
}

/// Streams, by a name.
#[a2a_sdk::skill]
async fn boxed(topic: String) -> Words {
    Box::pin(Never(topic))
}

/// Streams, or fails to.
#[a2a_sdk::skill]
async fn fallible(topic: String) -> Result<impl Stream<Item = String>> {
    Ok(Never(topic))
}

/// Streams what may fail.
#[a2a_sdk::skill]
async fn failing(_topic: String) -> impl Stream<Item = Result<Json<u8>, SkillError>> + use<> {
    Never(Ok(Json(1)))
}

/// Decides while it runs.
#[a2a_sdk::skill]
async fn decided(_text: String) -> Reply {
    Reply::text("yes")
}

/// Gives several parts.
#[a2a_sdk::skill]
async fn several(_text: String, _image: File, _language: Language) -> (String, Json<u8>) {
    (String::new(), Json(1))
}

/// Answers without a task.
#[a2a_sdk::skill]
async fn direct(message: Message, _who: Option<Principal>) -> Message {
    message
}

/// Has a reply that only the compiler knows.
#[a2a_sdk::skill]
async fn hidden(_text: Option<String>) -> impl a2a_sdk::IntoParts {
    "text"
}

/// Gives nothing.
#[a2a_sdk::skill]
async fn nothing() {}

struct Never<T>(T);

impl<T: Unpin> Stream for Never<T> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Option<T>> {
        std::task::Poll::Ready(None)
    }
}

fn id<S: a2a_sdk::Skill>() -> &'static str {
    S::ID
}

fn main() {
    let _ = (aliased::entry(), shortened::entry(), boxed::entry(), fallible::entry(), failing::entry());
    let _ = (decided::entry(), several::entry(), direct::entry(), hidden::entry(), nothing::entry());
    assert_eq!(id::<aliased>(), "aliased");
    let _: <aliased as a2a_sdk::Skill>::Output = 1_u8;
    let _: (<nothing as a2a_sdk::Skill>::Input, <nothing as a2a_sdk::Skill>::Output) = ((), ());
}
