//! What the agent's messages say in terms of our extension.

use super::SKILLS_EXTENSION;
use crate::protocol::Message;
use serde_json::Value;

/// Adds that to what the message says under our extension, and tells that the extension is in use.
pub(super) fn mark(message: &mut Message, key: &str, value: Value) {
    match message.metadata.get_mut(SKILLS_EXTENSION) {
        Some(Value::Object(marks)) => drop(marks.insert(key.to_owned(), value)),
        _ => drop(message.metadata.insert(SKILLS_EXTENSION.to_owned(), serde_json::json!({ key: value }))),
    }
    if !message.extensions.iter().any(|uri| uri == SKILLS_EXTENSION) {
        message.extensions.push(SKILLS_EXTENSION.to_owned());
    }
}
