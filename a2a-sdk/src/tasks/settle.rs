//! What a reply or a failure makes of a task.

use super::new_id;
use crate::protocol::{A2aError, Artifact, ErrorKind, Message, Part, TaskState, TaskStatus};
use crate::skill::{Chunk, Fault, Shared};
use crate::store::EntryBody;
use std::any::Any;
use std::error::Error;
use std::fmt::Write;

/// How a run ends.
pub(super) enum End {
    /// In that state, with that message.
    State(TaskState, Option<Message>),
    /// The task waits for a message, and the skill is called again with it.
    Park(TaskState, Message),
}

/// What the caller is told of a failure, as the end of a task.
pub(super) fn end_of(fault: Fault, skill: &str, task: &str) -> End {
    match fault {
        Fault::Failed(text) => End::State(TaskState::Failed, Some(text.into())),
        Fault::Rejected(text) => End::State(TaskState::Rejected, Some(text.into())),
        Fault::Invalid { field: Some(field), text } => {
            End::State(TaskState::Rejected, Some(format!("{field}: {text}").into()))
        }
        Fault::Invalid { field: None, text } => End::State(TaskState::Rejected, Some(text.into())),
        Fault::AuthRequired(text) => End::Park(TaskState::AuthRequired, text.into()),
        Fault::Internal(error) => failed(&causes(&*error), skill, task).1,
        Fault::Ended => failed("the skill ended because its task had", skill, task).1,
    }
}

/// The neutral end of a task whose skill failed; `what` goes to the log alone.
/// Comes with the id of the incident.
pub(super) fn failed(what: &str, skill: &str, task: &str) -> (String, End) {
    let incident = incident(what, skill, task);
    let mut message = Message::from(neutral(&incident));
    message.metadata.insert("incidentId".to_owned(), incident.clone().into());
    (incident, End::State(TaskState::Failed, Some(message)))
}

/// What the caller is told of a failure where there is no task.
pub(super) fn error_of(fault: Fault, skill: &str) -> A2aError {
    match fault {
        Fault::Failed(text) => A2aError::new(ErrorKind::Internal, text),
        Fault::Rejected(text) | Fault::AuthRequired(text) => A2aError::unsupported(text),
        Fault::Invalid { field, text } => invalid(field, text),
        Fault::Internal(error) => error_without_task(&causes(&*error), skill),
        Fault::Ended => error_without_task("the skill called its task, and there is none", skill),
    }
}

pub(super) fn error_without_task(what: &str, skill: &str) -> A2aError {
    A2aError::internal(incident(what, skill, ""))
}

/// What the caller is told of a message that the skill's arguments cannot be taken from.
pub(super) fn refused(fault: Fault, skill: &str) -> A2aError {
    match fault {
        Fault::Invalid { field, text } => invalid(field, text),
        Fault::Failed(text) | Fault::Rejected(text) | Fault::AuthRequired(text) => invalid(None, text),
        Fault::Internal(error) => error_without_task(&causes(&*error), skill),
        Fault::Ended => error_without_task("an argument called the task before it began", skill),
    }
}

fn invalid(field: Option<String>, text: String) -> A2aError {
    let field = field.unwrap_or_else(|| "message".to_owned());
    A2aError::invalid_params(format!("{field}: {text}")).with_violation(field, text)
}

fn incident(what: &str, skill: &str, task: &str) -> String {
    let incident = new_id().to_string();
    tracing::error!(%incident, skill, task, error = what, "a skill failed");
    incident
}

fn neutral(incident: &str) -> String {
    format!("the agent failed; its operator finds the reason under incident {incident}")
}

/// An error with all its causes, in one line.
pub(super) fn causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // Writing to a string does not fail.
        _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}

/// What a panic said.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let said =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panic: {}", said.unwrap_or("no text"))
}

/// The log's form of a chunk.
pub(super) fn chunk(chunk: Chunk) -> EntryBody {
    EntryBody::Artifact { artifact: chunk.artifact, append: chunk.append, last_chunk: chunk.last }
}

/// The log's form of a chunk of a streamed reply.
pub(super) fn chunk_of(id: &str, parts: Vec<Part>, append: bool, last: bool) -> EntryBody {
    let artifact = Artifact { artifact_id: id.to_owned(), parts, ..Artifact::default() };
    EntryBody::Artifact { artifact, append, last_chunk: last }
}

/// The log's form of a whole artifact.
pub(super) fn artifact(shared: &Shared, mut artifact: Artifact) -> EntryBody {
    if artifact.artifact_id.is_empty() {
        artifact.artifact_id = shared.next_artifact_id();
    }
    EntryBody::Artifact { artifact, append: false, last_chunk: false }
}

/// An artifact of these parts, or none where there are none.
pub(super) fn parts(shared: &Shared, parts: Vec<Part>) -> Option<EntryBody> {
    (!parts.is_empty()).then(|| artifact(shared, Artifact { parts, ..Artifact::default() }))
}

/// The log's form of a state.
pub(super) fn status(shared: &Shared, state: TaskState, message: Option<Message>) -> EntryBody {
    let message = message.map(|message| Box::new(shared.agent_message(message)));
    EntryBody::Status(TaskStatus { state, message, timestamp: None })
}
