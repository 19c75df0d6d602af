//! What operations gave, on its way out.

use super::operations::Answered;
use crate::protocol::{Message, Task};
use crate::tasks::Events;
use bytes::Bytes;
use serde::Serialize;

/// What an operation gave, ready to be sent over HTTP.
pub(super) enum Outcome {
    Body(Bytes),
    Stream(Events),
}

/// A task or a message, borrowed: the JSON of a `SendMessageResponse`, and of a `StreamResponse`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Payload<'a> {
    Task(&'a Task),
    Message(&'a Message),
}

impl<'a> From<&'a Answered> for Payload<'a> {
    fn from(answered: &'a Answered) -> Self {
        match answered {
            Answered::Task(task) => Self::Task(task),
            Answered::Message(message) => Self::Message(message),
        }
    }
}
