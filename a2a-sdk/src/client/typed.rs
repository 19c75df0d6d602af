//! Calls whose input and output the compiler knows.

use super::{Client, ClientError, EventStream};
use crate::protocol::*;
use crate::skill::{
    Deserializable, File, Given, Json, Nothing, SKILLS_EXTENSION, Sent, Serializable, Skill, StreamOf,
};
use futures_core::Stream;
use futures_util::StreamExt;
use serde_json::json;
use std::collections::VecDeque;
use std::error::Error;
use std::fmt::{self, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll};

impl Client {
    /// Calls a skill by its types: what it takes goes in, what it gives comes out.
    ///
    /// The skill is named by the fn that carries `#[skill]` or `#[agent]`, or by a type that implements [`Skill`] by
    /// hand, which tells also what goes in and out for each kind of argument and reply. The agent may be anywhere. It is
    /// told the id of the skill in the message's metadata, so it must know that extension: agents of this SDK do.
    ///
    /// ```
    /// use a2a_sdk::Json;
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Deserialize, Serialize, JsonSchema)]
    /// struct Trip {
    ///     nights: u32,
    /// }
    ///
    /// #[derive(Deserialize, Serialize, JsonSchema)]
    /// struct Quote {
    ///     euros: u32,
    /// }
    ///
    /// /// Prices a trip.
    /// #[a2a_sdk::skill]
    /// async fn price(Json(trip): Json<Trip>) -> Json<Quote> {
    ///     Json(Quote { euros: trip.nights * 90 })
    /// }
    ///
    /// /// Plans trips.
    /// #[a2a_sdk::agent(skills = [price])]
    /// async fn travel(text: String) -> String {
    ///     text
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let client = travel::agent().client()?;
    /// assert_eq!(client.call::<price>(Trip { nights: 2 }).await?.euros, 180);
    /// assert_eq!(client.call::<travel>("north").await?, "north");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// A skill that streams gives [`Items`], as soon as the agent has begun.
    ///
    /// # Errors
    /// When the call fails; when the task failed, was declined or canceled, or waits for something, with the task in
    /// [`CallError::Unfinished`]; when the answer is not of the type.
    pub fn call<S: Skill>(&self, input: impl Into<S::Input>) -> Call<'_, S::Output>
    where
        S::Argument: Write<Input = S::Input>,
        S::Reply: Read<Output = S::Output> + 'static,
    {
        let message = S::Argument::write(input.into());
        // In a box: of an opaque future each use would tell once more what a type lacks.
        Box::pin(async move {
            let mut message = message.map_err(CallError::Input)?;
            message.metadata.insert(SKILLS_EXTENSION.to_owned(), json!({ "skill": S::ID }));
            S::Reply::read(self, SendMessageRequest::new(message)).await
        })
    }
}

/// A typed call that is under way.
pub type Call<'a, T> = Pin<Box<dyn Future<Output = Result<T, CallError>> + Send + 'a>>;

/// Why a typed call gave nothing.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The input cannot be written as JSON; nothing was sent.
    Input(serde_json::Error),
    /// The call failed: the agent refused it, or there was no answer.
    Client(ClientError),
    /// The task did not complete: it failed, was declined or canceled, or waits for an answer or an authorization.
    ///
    /// One that waits goes on with a message that carries its id.
    Unfinished(Box<Task>),
    /// What came is not what the skill is said to give.
    Unexpected(String),
}

impl CallError {
    /// The task that did not complete.
    pub fn task(&self) -> Option<&Task> {
        match self {
            Self::Unfinished(task) => Some(task),
            _ => None,
        }
    }

    /// The error of the call.
    pub fn client(&self) -> Option<&ClientError> {
        match self {
            Self::Client(error) => Some(error),
            _ => None,
        }
    }

    fn unexpected(wanted: &str) -> Self {
        Self::Unexpected(format!("the answer holds no {wanted}"))
    }
}

impl From<ClientError> for CallError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => write!(f, "the input cannot be written as JSON: {error}"),
            Self::Client(error) => error.fmt(f),
            Self::Unfinished(task) => {
                write!(f, "the task is {}", task.status.state.as_str())?;
                let text = task.status.message.as_ref().map(|message| message.text()).unwrap_or_default();
                if !text.is_empty() {
                    f.write_str(": ")?;
                }
                // It is the agent's text, and may end up on a terminal.
                text.chars().filter(|letter| !letter.is_control()).try_for_each(|letter| f.write_char(letter))
            }
            Self::Unexpected(text) => f.write_str(text),
        }
    }
}

impl Error for CallError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Input(error) => Some(error),
            Self::Client(error) => error.source(),
            Self::Unfinished(_) | Self::Unexpected(_) => None,
        }
    }
}

/// The items of a skill that streams, in order, each as soon as it comes.
///
/// An error is the last item. Dropping it stops nothing but the stream.
pub struct Items<T>(Pin<Box<dyn Stream<Item = Result<T, CallError>> + Send>>);

impl<T> Items<T> {
    /// The next item, or `None` at the end.
    ///
    /// # Errors
    /// As for [`Client::call`].
    pub async fn next(&mut self) -> Option<Result<T, CallError>> {
        self.0.next().await
    }

    /// All items that are left.
    ///
    /// # Errors
    /// As for [`Client::call`].
    pub async fn all(mut self) -> Result<Vec<T>, CallError> {
        let mut items = Vec::new();
        while let Some(item) = self.next().await {
            items.push(item?);
        }
        Ok(items)
    }
}

impl<T> Stream for Items<T> {
    type Item = Result<T, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx)
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Items")
    }
}

/// An argument that can be written to a message.
pub trait Write: Sent {
    /// The message.
    #[doc(hidden)]
    fn write(input: Self::Input) -> Result<Message, serde_json::Error>;

    /// A part that an `Option` of the argument takes for none.
    #[doc(hidden)]
    fn absent() -> Part {
        Part::text("")
    }
}

impl Write for Nothing {
    fn write((): ()) -> Result<Message, serde_json::Error> {
        Ok(Message::user(Self::absent()))
    }
}

impl Write for String {
    fn write(input: Self) -> Result<Message, serde_json::Error> {
        Ok(Message::user(input))
    }

    fn absent() -> Part {
        Part::data(serde_json::Value::Null)
    }
}

impl<T: Serializable> Write for Json<T> {
    fn write(input: T) -> Result<Message, serde_json::Error> {
        Ok(Message::user(Part::data(serde_json::to_value(input)?).with_media_type("application/json")))
    }
}

impl Write for File {
    fn write(input: Self) -> Result<Message, serde_json::Error> {
        Ok(Message::user(Part::from(input)))
    }
}

impl Write for Vec<File> {
    fn write(input: Self) -> Result<Message, serde_json::Error> {
        Ok(Message::user(input.into_iter().map(Part::from).collect::<Vec<_>>()))
    }
}

impl Write for Message {
    fn write(input: Self) -> Result<Message, serde_json::Error> {
        Ok(input)
    }
}

impl<A: Write> Write for Option<A> {
    fn write(input: Option<A::Input>) -> Result<Message, serde_json::Error> {
        input.map_or_else(|| Ok(Message::user(A::absent())), A::write)
    }

    fn absent() -> Part {
        A::absent()
    }
}

/// A reply that can be read from an answer.
pub trait Read: Given {
    /// Sends the message and reads the answer.
    #[doc(hidden)]
    fn read(
        client: &Client,
        request: SendMessageRequest,
    ) -> impl Future<Output = Result<Self::Output, CallError>> + Send;
}

/// A reply that can be read from the parts of one artifact.
pub trait Decode: Given {
    /// Reads it; `None` where the parts hold none.
    #[doc(hidden)]
    fn decode(parts: &[Part]) -> Result<Self::Output, CallError>;
}

impl<R: Decode> Read for R {
    async fn read(client: &Client, request: SendMessageRequest) -> Result<Self::Output, CallError> {
        match client.send_message(request).await? {
            SendMessageResponse::Task(task) if task.status.state == TaskState::Completed => {
                // What a skill returns comes after what it has written itself.
                R::decode(task.artifacts.last().map_or(&[], |artifact| &artifact.parts))
            }
            SendMessageResponse::Task(task) => Err(CallError::Unfinished(Box::new(task))),
            SendMessageResponse::Message(message) => R::decode(&message.parts),
        }
    }
}

impl Read for Message {
    async fn read(client: &Client, request: SendMessageRequest) -> Result<Self, CallError> {
        match client.send_message(request).await? {
            SendMessageResponse::Message(message) => Ok(message),
            SendMessageResponse::Task(_) => Err(CallError::unexpected("message without a task")),
        }
    }
}

impl<T: Read, E> Read for Result<T, E> {
    fn read(
        client: &Client,
        request: SendMessageRequest,
    ) -> impl Future<Output = Result<Self::Output, CallError>> + Send {
        T::read(client, request)
    }
}

impl Decode for String {
    fn decode(parts: &[Part]) -> Result<Self, CallError> {
        let texts: Vec<&str> = parts.iter().filter_map(Part::as_text).collect();
        if texts.is_empty() { Err(CallError::unexpected("text")) } else { Ok(texts.concat()) }
    }
}

impl Decode for &'static str {
    fn decode(parts: &[Part]) -> Result<String, CallError> {
        String::decode(parts)
    }
}

impl<T: Deserializable> Decode for Json<T> {
    fn decode(parts: &[Part]) -> Result<T, CallError> {
        let Some(data) = parts.iter().find_map(Part::as_data) else {
            return Err(CallError::unexpected("data"));
        };
        serde_path_to_error::deserialize(data)
            .map_err(|error| CallError::Unexpected(format!("the data of the answer does not fit: {error}")))
    }
}

impl Decode for File {
    fn decode(parts: &[Part]) -> Result<Self, CallError> {
        parts.iter().find_map(Self::of).ok_or_else(|| CallError::unexpected("file"))
    }
}

impl Decode for Part {
    fn decode(parts: &[Part]) -> Result<Self, CallError> {
        parts.first().cloned().ok_or_else(|| CallError::unexpected("part"))
    }
}

impl Decode for Vec<Part> {
    fn decode(parts: &[Part]) -> Result<Self, CallError> {
        Ok(parts.to_vec())
    }
}

impl Decode for () {
    fn decode(_: &[Part]) -> Result<(), CallError> {
        Ok(())
    }
}

/// An item of a stream: `Result`s of items are items too.
pub trait Item: Given {
    /// Reads it from the parts of a chunk.
    #[doc(hidden)]
    fn item(parts: &[Part]) -> Result<Self::Output, CallError>;
}

impl<R: Decode> Item for R {
    fn item(parts: &[Part]) -> Result<Self::Output, CallError> {
        R::decode(parts)
    }
}

impl<R: Decode, E> Item for Result<R, E> {
    fn item(parts: &[Part]) -> Result<Self::Output, CallError> {
        R::decode(parts)
    }
}

impl<T: Item<Output: Send + 'static>> Read for StreamOf<T> {
    async fn read(client: &Client, request: SendMessageRequest) -> Result<Self::Output, CallError> {
        items::<T>(client, request).await
    }
}

impl<T: Item<Output: Send + 'static>> Read for Pin<Box<dyn Stream<Item = T> + Send>> {
    async fn read(client: &Client, request: SendMessageRequest) -> Result<Self::Output, CallError> {
        items::<T>(client, request).await
    }
}

/// What is left of a stream.
struct Following {
    client: Client,
    events: EventStream,
    /// How many parts have come.
    seen: usize,
    /// Those of items that were not given yet.
    waiting: VecDeque<Vec<Part>>,
    /// Whether nothing comes any more.
    over: bool,
    /// Why, where it is not because the task completed.
    error: Option<CallError>,
}

async fn items<T: Item<Output: Send + 'static>>(
    client: &Client,
    request: SendMessageRequest,
) -> Result<Items<T::Output>, CallError> {
    let events = client.send_streaming_message(request).await?;
    let following = Following {
        client: client.clone(),
        events,
        seen: 0,
        waiting: VecDeque::new(),
        over: false,
        error: None,
    };
    let items = futures_util::stream::unfold(following, async |mut following| {
        let item = match following.next().await? {
            Ok(parts) => T::item(&parts),
            Err(error) => Err(error),
        };
        if item.is_err() {
            (following.over, following.error) = (true, None);
            following.waiting.clear();
        }
        Some((item, following))
    });
    Ok(Items(Box::pin(items)))
}

impl Following {
    /// The parts of the next item.
    async fn next(&mut self) -> Option<Result<Vec<Part>, CallError>> {
        loop {
            if let Some(parts) = self.waiting.pop_front() {
                return Some(Ok(parts));
            }
            if self.over {
                return self.error.take().map(Err);
            }
            match self.events.next().await {
                Some(Ok(event)) => self.take(event).await,
                Some(Err(error)) => self.end(Some(error.into())),
                None => {
                    self.end(Some(CallError::Unexpected("the stream ended before its task".to_owned())));
                }
            }
        }
    }

    fn end(&mut self, error: Option<CallError>) {
        self.over = true;
        self.error = error;
    }

    async fn take(&mut self, event: StreamResponse) {
        match event {
            StreamResponse::ArtifactUpdate(update) => {
                let parts = update.artifact.parts;
                // A text stream ends with an empty chunk, which is no item.
                let end = update.last_chunk && parts.iter().all(|part| part.as_text() == Some(""));
                if !end && !parts.is_empty() {
                    self.seen += parts.len();
                    self.waiting.push_back(parts);
                }
            }
            StreamResponse::StatusUpdate(update) => self.enter(update.status.state, &update.task_id).await,
            // A snapshot: at the start, or after a break. The parts that came already are its first ones.
            StreamResponse::Task(task) => {
                let parts = task.artifacts.iter().flat_map(|artifact| &artifact.parts).skip(self.seen);
                self.waiting.extend(parts.map(|part| vec![part.clone()]));
                let all = task.artifacts.iter().map(|artifact| artifact.parts.len()).sum();
                self.seen = self.seen.max(all);
                self.enter(task.status.state, &task.id).await;
            }
            StreamResponse::Message(_) => self.end(Some(CallError::unexpected("stream, but a message"))),
        }
    }

    /// The task is in that state now.
    async fn enter(&mut self, state: TaskState, task: &str) {
        if state == TaskState::Completed {
            self.end(None);
        } else if state.is_terminal() || state.is_interrupted() {
            let error = match self.client.get_task(task).await {
                Ok(task) => CallError::Unfinished(Box::new(task)),
                Err(error) => error.into(),
            };
            self.end(Some(error));
        }
    }
}
