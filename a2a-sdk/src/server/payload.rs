//! A task or a message on its way out, borrowed: the JSON of a `SendMessageResponse`, and of a `StreamResponse`.

use super::operations::Answered;
use crate::protocol::{Message, Task};
use serde::Serialize;

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
