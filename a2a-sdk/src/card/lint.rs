//! What to mend in a card that is valid and still helps its readers little.

use super::visible::{is_hidden, visible};
use crate::protocol::{AgentCard, AgentSkill};
use std::collections::HashSet;
use std::fmt;

/// Something in a card that a caller can do little with, and what to do about it.
///
/// Shown as one line: which skill, what is wrong, what to do. What a card says is shown there with `\u{..}` for the
/// characters that no reader sees, so it does nothing to a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The id of the skill; `None` where it is about the agent.
    pub skill: Option<String>,
    /// What is wrong.
    pub text: String,
    /// What to do about it.
    pub help: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.skill {
            Some(id) => write!(f, "skill `{}`: ", visible(id))?,
            None => f.write_str("the agent: ")?,
        }
        write!(f, "{} (help: {})", visible(&self.text), self.help)
    }
}

/// Looks a card over for what makes its skills hard to choose and to call.
///
/// Callers, and models that act for them, choose a skill by its name, its description and its tags, and a client
/// compares media types as texts. So these are found:
///
/// - a description of the agent or of a skill that is empty, too short to choose by (fewer than three words), or no
///   more than the name;
/// - a name, a description, a tag or an example with a character that no reader sees (a control other than a line
///   break or a tab, a mark of direction): it makes a text look like another;
/// - a skill without tags, or with an empty one;
/// - two skills of one id, or of one name;
/// - a media type that no part has: one that is malformed, a range such as `image/*`, one with parameters
///   (`text/plain; charset=utf-8`), which clients do not send and which therefore equals none of theirs, and one in
///   upper case.
///
/// An agent of this SDK has to go out of its way for most of them. The function reads any card, also those of others.
/// `cargo run -- card --lint` does this for a program that calls [`Agent::run`](crate::Agent::run).
///
/// ```
/// # /// Says it back.
/// # #[a2a_sdk::agent(tags = ["text"], url = "https://agents.example")]
/// # async fn echo(text: String) -> String { text }
/// let mut card = echo::agent().card()?;
/// assert!(a2a_sdk::card::lint(&card).is_empty());
///
/// card.skills[0].tags.clear();
/// let findings = a2a_sdk::card::lint(&card);
/// assert_eq!(findings[0].to_string(), "skill `echo`: it has no tags (help: name what it is about: `tags = [\"..\"]`)");
/// # Ok::<(), a2a_sdk::Error>(())
/// ```
pub fn lint(card: &AgentCard) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut agent = |text: String, help: &str| {
        findings.push(Finding { skill: None, text, help: help.to_owned() });
    };
    if let Some(text) = description(&card.description, &[&card.name]) {
        agent(text, "say what the agent does, for whom, and what it does not do");
    }
    if let Some(text) = hidden([&card.name, &card.description]) {
        agent(text, SEEN);
    }
    if card.skills.is_empty() {
        agent("it has no skills".to_owned(), "describe at least one");
    }
    let (mut ids, mut names) = (HashSet::new(), HashSet::new());
    for skill in &card.skills {
        let mut add = |text: String, help: &str| {
            findings.push(Finding { skill: Some(skill.id.clone()), text, help: help.to_owned() });
        };
        if !ids.insert(&skill.id) {
            add("another skill has this id".to_owned(), "give one of them another: `id = \"..\"`");
        }
        if !names.insert(plain(&skill.name)) {
            let text = format!("another skill has the name `{}` as well", skill.name);
            add(text, "give one of them another: `name = \"..\"`");
        }
        if let Some(text) = description(&skill.description, &[&skill.name, &skill.id]) {
            add(text, "say what it does, with what, and what comes of it");
        }
        let texts = [&skill.id, &skill.name, &skill.description];
        if let Some(text) = hidden(texts.into_iter().chain(&skill.tags).chain(&skill.examples)) {
            add(text, SEEN);
        }
        if skill.tags.is_empty() {
            add("it has no tags".to_owned(), "name what it is about: `tags = [\"..\"]`");
        } else if skill.tags.iter().any(|tag| tag.trim().is_empty()) {
            add("one of its tags is empty".to_owned(), "leave that one out, or say something");
        }
        modes(card, skill, &mut add);
    }
    findings
}

/// What is wrong with a description of what has these names.
fn description(text: &str, names: &[&str]) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return Some("it has no description".to_owned());
    }
    if names.iter().any(|name| plain(name) == plain(text)) {
        return Some(format!("its description says no more than its name: `{text}`"));
    }
    // Words are told apart by blanks in some languages only.
    let short = if text.is_ascii() { text.split_whitespace().count() < 3 } else { text.chars().count() < 4 };
    short.then(|| format!("its description is too short to choose it by: `{text}`"))
}

const SEEN: &str = "write what can be seen";

/// The first character in texts that no reader sees. Texts of several lines are as good as any.
fn hidden<'a>(texts: impl IntoIterator<Item = &'a String>) -> Option<String> {
    let found = texts.into_iter().find_map(|text| {
        let at = text.find(|letter| is_hidden(letter) && !"\n\r\t".contains(letter))?;
        Some((text, text[at..].chars().next()?))
    });
    let (text, letter) = found?;
    Some(format!("`{text}` has a character that no reader sees, U+{:04X}", u32::from(letter)))
}

/// A text without what makes no difference to a reader.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn modes(card: &AgentCard, skill: &AgentSkill, add: &mut impl FnMut(String, &str)) {
    let own_or =
        |own: &'_ [String], all: &'_ [String]| if own.is_empty() { all.to_vec() } else { own.to_vec() };
    let input = own_or(&skill.input_modes, &card.default_input_modes);
    let output = own_or(&skill.output_modes, &card.default_output_modes);
    let mut seen = HashSet::new();
    for mode in input.iter().chain(&output).filter(|mode| seen.insert(mode.as_str())) {
        if let Some((what, help)) = mode_fault(mode) {
            add(format!("no part has the media type `{mode}`: {what}"), help);
        }
    }
}

/// Why no part has that media type, and what to write instead.
fn mode_fault(mode: &str) -> Option<(&'static str, &'static str)> {
    let essence = mode.split(';').next().unwrap_or_default().trim();
    let sound = essence.split_once('/').is_some_and(|(kind, subtype)| is_name(kind) && is_name(subtype));
    if essence.split_once('/').is_some_and(|(kind, subtype)| subtype == "*" && (kind == "*" || is_name(kind)))
    {
        Some(("it is a range", "name the types that it stands for"))
    } else if !sound {
        Some(("it is malformed", "write a type and a subtype, such as `text/plain`"))
    } else if essence.len() != mode.len() {
        Some(("clients compare it as a text, and send none with parameters", "leave the parameters out"))
    } else if mode.chars().any(char::is_uppercase) {
        Some(("clients compare it as a text, and write it in lower case", "write it in lower case"))
    } else {
        None
    }
}

/// A name of RFC 6838, section 4.2.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.len() <= 127
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "!#$&-^_.+".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::{description, mode_fault};

    #[test]
    fn media_types_that_parts_have_are_let_be() {
        for mode in ["text/plain", "application/json", "image/svg+xml", "application/vnd.acme.v2+json"] {
            assert_eq!(mode_fault(mode), None, "{mode}");
        }
    }

    #[test]
    fn each_fault_of_a_media_type_is_told_apart() {
        for (mode, what) in [
            ("text", "malformed"),
            ("text/", "malformed"),
            ("/plain", "malformed"),
            ("text plain", "malformed"),
            ("", "malformed"),
            ("a/b/c", "malformed"),
            ("image/*", "range"),
            ("*/*", "range"),
            ("text/plain; charset=utf-8", "parameters"),
            ("Text/Plain", "lower case"),
        ] {
            assert!(mode_fault(mode).is_some_and(|(found, _)| found.contains(what)), "{mode}");
        }
    }

    #[test]
    fn a_description_is_more_than_a_name_and_more_than_two_words() {
        for text in ["Says it back.", "Prices a trip.", "按名字问候人们"] {
            assert_eq!(description(text, &["Echo"]), None, "{text}");
        }
        for (text, what) in [
            (" ", "no description"),
            ("Echo.", "no more than its name"),
            ("count WORDS", "no more than its name"),
            ("Says it.", "too short"),
        ] {
            let found = description(text, &["Echo", "count_words"]);
            assert!(found.as_ref().is_some_and(|found| found.contains(what)), "{text}: {found:?}");
        }
    }
}
