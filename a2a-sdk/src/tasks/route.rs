//! Which skill gets a message.

use crate::protocol::{A2aError, Message, Metadata};
use crate::skill::{SKILLS_EXTENSION, SkillEntry};
use std::sync::Arc;

/// The skills of an agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skills {
    entries: Vec<Arc<SkillEntry>>,
    /// The id of the skill that answers a message naming none.
    front: Option<String>,
}

impl Skills {
    pub(crate) fn new(entries: Vec<SkillEntry>, front: Option<String>) -> Self {
        Self { entries: entries.into_iter().map(Arc::new).collect(), front }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &SkillEntry> {
        self.entries.iter().map(|entry| &**entry)
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Arc<SkillEntry>> {
        self.entries.iter().find(|entry| entry.id() == id)
    }

    fn ids(&self) -> String {
        let ids: Vec<&str> = self.iter().map(SkillEntry::id).collect();
        ids.join(", ")
    }
}

/// The skill for the first message of a task.
///
/// In this order: our extension, hints that name a skill, the only skill, the `#[agent]` fn. Nothing is guessed.
pub(crate) fn route<'a>(
    skills: &'a Skills,
    message: &Message,
    metadata: &Metadata,
) -> Result<&'a Arc<SkillEntry>, A2aError> {
    if let Some(id) = named(message)? {
        return skills.get(id).ok_or_else(|| unknown(skills, id));
    }
    if let Some(entry) =
        [&message.metadata, metadata].into_iter().find_map(|metadata| hinted(skills, metadata))
    {
        return Ok(entry);
    }
    if let [only] = skills.entries.as_slice() {
        return Ok(only);
    }
    if let Some(entry) = skills.front.as_deref().and_then(|id| skills.get(id)) {
        return Ok(entry);
    }
    let text = format!("the message names no skill; this agent has: {}", skills.ids());
    Err(A2aError::invalid_params(&text).with_violation(field(), text))
}

/// The skill for a later message: the one the task began with.
pub(crate) fn route_on<'a>(
    skills: &'a Skills,
    message: &Message,
    began_with: Option<&str>,
) -> Result<&'a Arc<SkillEntry>, A2aError> {
    let began_with = began_with.unwrap_or_default();
    if let Some(id) = named(message)?
        && id != began_with
    {
        let text = format!("the task is with skill `{began_with}`; start a new task for `{id}`");
        return Err(A2aError::invalid_params(&text).with_violation(field(), text));
    }
    skills.get(began_with).ok_or_else(|| unknown(skills, began_with))
}

/// The id of the skill that a task was given to, as its metadata tells.
pub(crate) fn skill_of(metadata: &Metadata) -> Option<&str> {
    metadata.get(SKILLS_EXTENSION)?.get("skill")?.as_str()
}

/// What a task's metadata tells of its skill.
pub(crate) fn mark(id: &str) -> Metadata {
    let mut metadata = Metadata::default();
    metadata.insert(SKILLS_EXTENSION.to_owned(), serde_json::json!({ "skill": id }));
    metadata
}

fn named(message: &Message) -> Result<Option<&str>, A2aError> {
    match message.metadata.get(SKILLS_EXTENSION) {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(value) => match value.get("skill").and_then(serde_json::Value::as_str) {
            Some(id) => Ok(Some(id)),
            None => {
                let text = r#"expected {"skill": "ID"}"#;
                Err(A2aError::invalid_params(format!("{SKILLS_EXTENSION}: {text}"))
                    .with_violation(field(), text))
            }
        },
    }
}

fn hinted<'a>(skills: &'a Skills, metadata: &Metadata) -> Option<&'a Arc<SkillEntry>> {
    let values = ["skillId", "skill_id", "skill"].into_iter().filter_map(|key| metadata.get(key)?.as_str());
    values.filter_map(|id| skills.get(id)).next()
}

fn unknown(skills: &Skills, id: &str) -> A2aError {
    let text = format!("no skill `{id}`; this agent has: {}", skills.ids());
    A2aError::invalid_params(&text).with_violation(field(), text)
}

fn field() -> String {
    format!("message.metadata[\"{SKILLS_EXTENSION}\"]")
}
