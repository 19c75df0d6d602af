//! How an entry changes the task that callers see.

use super::{Entry, EntryBody};
use crate::protocol::{Artifact, Part, PartContent, Task};

/// Applies an entry to the projected task.
pub(crate) fn project(task: &mut Task, entry: &Entry) {
    match &entry.body {
        EntryBody::Message(message) => {
            keep_question(task);
            task.history.push((**message).clone());
        }
        EntryBody::Status(status) => {
            keep_question(task);
            task.status = status.clone();
        }
        EntryBody::Artifact { artifact, append, .. } => add_artifact(&mut task.artifacts, artifact, *append),
        EntryBody::CancelRequested(_) | EntryBody::Taken => {}
    }
}

/// A question moves into the history when the task goes on, so that the conversation stays whole and no message
/// stands in two places (spec 3.7). Progress does not: it is not part of the conversation.
fn keep_question(task: &mut Task) {
    if task.status.state.is_interrupted()
        && let Some(question) = task.status.message.take()
    {
        task.history.push(*question);
    }
}

fn add_artifact(artifacts: &mut Vec<Artifact>, chunk: &Artifact, append: bool) {
    let known = artifacts.iter_mut().rev().find(|known| known.artifact_id == chunk.artifact_id);
    match known {
        Some(known) if append => {
            known.parts.extend(chunk.parts.iter().filter(|part| !is_empty_text(part)).cloned());
            known.metadata.extend(chunk.metadata.iter().map(|(key, value)| (key.clone(), value.clone())));
            for uri in &chunk.extensions {
                if !known.extensions.contains(uri) {
                    known.extensions.push(uri.clone());
                }
            }
        }
        Some(known) => known.clone_from(chunk),
        // A chunk that adds to an unknown artifact begins it: content is never lost.
        None => artifacts.push(chunk.clone()),
    }
}

/// The mark of a text stream's end carries no content.
fn is_empty_text(part: &Part) -> bool {
    matches!(&part.content, PartContent::Text(text) if text.is_empty()) && part.metadata.is_empty()
}
