//! Arguments as messages, and answers as replies.

use super::CallError;
use crate::client::Client;
use crate::protocol::*;
use crate::skill::{Deserializable, File, Given, Json, Nothing, Sent, Serializable};

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
