//! Decoding, with errors that name the member at fault.

use super::A2aError;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::error::Category;
use serde_path_to_error::{Path, Segment};

/// Decodes a message of the protocol from JSON.
///
/// It is what every binding reads requests and answers with. Unknown members are ignored, and `null`, the names of the
/// `.proto`, enums as numbers and either alphabet of base64 are understood.
///
/// ```
/// use a2a_sdk::protocol::{GetTaskRequest, from_json};
///
/// let request: GetTaskRequest = from_json(br#"{"id": "7", "history_length": 5}"#)?;
/// assert_eq!(request.history_length, Some(5));
///
/// let error = from_json::<GetTaskRequest>(b"{}").unwrap_err();
/// assert_eq!(error.violations()[0].field, "id");
/// # Ok::<(), a2a_sdk::protocol::A2aError>(())
/// ```
///
/// # Errors
///
/// Of kind [`ParseError`](super::ErrorKind::ParseError) if the bytes are not JSON or nested too deep, and of kind
/// [`InvalidParams`](super::ErrorKind::InvalidParams) if they are JSON of another form. The latter names the member at
/// fault as it was spelled in the JSON, such as `message.parts[0].text`.
pub fn from_json<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, A2aError> {
    check_depth(bytes)?;
    decode(bytes).map_err(|error| explain::<T>(bytes, &error))
}

/// Decodes JSON whose depth is known to be bounded. The parser's own limit counts from where it begins, so what is
/// within bounds as a whole and what is stored of it would be judged differently.
pub(crate) fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    deserializer.disable_recursion_limit();
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// How deep JSON may be nested, whatever member it is in.
const DEPTH: usize = 128;

/// Refuses JSON that is nested too deep.
pub(crate) fn check_depth(json: &[u8]) -> Result<(), A2aError> {
    // Each level takes two brackets.
    if json.len() <= 2 * DEPTH {
        return Ok(());
    }
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => {
                depth += 1;
                if depth > DEPTH {
                    return Err(A2aError::parse(format!("nested deeper than {DEPTH} levels")));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// Decodes once more, to find where it fails: keeping track of the path would slow down what succeeds.
#[cold]
fn explain<'a, T: Deserialize<'a>>(bytes: &'a [u8], error: &serde_json::Error) -> A2aError {
    if error.classify() != Category::Data {
        return A2aError::parse(clip(&error.to_string()));
    }
    // What does not fit may stand before what is not even JSON, and skipped members are not checked to be UTF-8.
    if let Err(error) = serde_json::from_slice::<IgnoredAny>(bytes) {
        return A2aError::parse(clip(&error.to_string()));
    }
    if let Err(error) = std::str::from_utf8(bytes) {
        return A2aError::parse(error.to_string());
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    deserializer.disable_recursion_limit();
    match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
        Ok(_) => A2aError::invalid_params("the parameters do not fit the method"),
        Err(error) => violation(error.path(), &error.inner().to_string()),
    }
}

/// The error as the caller reads it: the path of the member, and what is wrong with it.
fn violation(path: &Path, text: &str) -> A2aError {
    let mut field = spell(path);
    let text = text.rsplit_once(" at line ").map_or(text, |(text, _)| text);
    // These two are found by the object around the member, so its name is in the text and not in the path.
    let description = if let Some(name) = quoted(text, "missing field `") {
        push(&mut field, name);
        "is required".to_owned()
    } else if let Some(name) = quoted(text, "duplicate field `") {
        push(&mut field, name);
        "is given twice".to_owned()
    } else {
        clip(text)
    };
    let message = if field.is_empty() { description.clone() } else { format!("`{field}`: {description}") };
    A2aError::invalid_params(message).with_violation(field, description)
}

fn quoted<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    text.strip_prefix(before)?.strip_suffix('`')
}

fn spell(path: &Path) -> String {
    let mut field = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => field.push_str(&format!("[{index}]")),
            Segment::Map { key } => push(&mut field, key),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    field
}

fn push(field: &mut String, name: &str) {
    if !field.is_empty() {
        field.push('.');
    }
    field.push_str(&clip(name));
}

/// Shortens what may repeat a value of the caller, which may be as long as the request.
fn clip(text: &str) -> String {
    const MOST: usize = 200;

    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::protocol::{ErrorKind, Message, SendMessageRequest, StreamResponse};

    #[test]
    fn depth_is_counted_outside_of_texts() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(check_depth(nested(128).as_bytes()).is_ok());
        assert!(check_depth(nested(129).as_bytes()).is_err());
        let text = format!(r#"{{"a":"{}\"{}"}}"#, "[".repeat(200), "{".repeat(200));
        assert!(check_depth(text.as_bytes()).is_ok());
        assert!(check_depth("[]".repeat(500).as_bytes()).is_ok());
    }

    #[test]
    fn an_error_names_the_member_and_what_is_wrong() {
        for (json, field, description) in [
            ("{}", "message", "is required"),
            ("[]", "", "invalid type: sequence, expected an object"),
            ("5", "", "invalid type: integer `5`, expected an object"),
            (r#"{"message":null}"#, "message", "must not be null"),
            (r#"{"message":["a"]}"#, "message", "invalid type: sequence, expected an object"),
            (r#"{"message":{"role":1,"parts":[{"text":"a"}]}}"#, "message.messageId", "is required"),
            (r#"{"message":{"messageId":"","role":1}}"#, "message.messageId", "must not be empty"),
            (r#"{"message":{"message_id":null,"role":1}}"#, "message.message_id", "must not be null"),
            (r#"{"message":{"messageId":"a","parts":[{"text":"a"}]}}"#, "message.role", "is required"),
            (r#"{"message":{"messageId":"a","role":0}}"#, "message.role", "must not be `ROLE_UNSPECIFIED`"),
            (
                r#"{"message":{"messageId":"a","role":"user"}}"#,
                "message.role",
                "invalid value: string \"user\", expected one of ROLE_UNSPECIFIED ROLE_USER ROLE_AGENT",
            ),
            (
                r#"{"message":{"messageId":"a","role":3}}"#,
                "message.role",
                "invalid value: integer `3`, expected one of ROLE_UNSPECIFIED ROLE_USER ROLE_AGENT",
            ),
            (r#"{"message":{"messageId":"a","role":1}}"#, "message.parts", "is required"),
            (r#"{"message":{"messageId":"a","role":1,"parts":[]}}"#, "message.parts", "must not be empty"),
            (r#"{"message":{"messageId":"a","role":1,"parts":null}}"#, "message.parts", "must not be null"),
            (
                r#"{"message":{"messageId":"a","role":1,"parts":[{"text":"a"},null]}}"#,
                "message.parts[1]",
                "invalid type: null, expected an object",
            ),
            (
                r#"{"message":{"messageId":"a","role":1,"parts":[{"text":"a"},{"text":5}]}}"#,
                "message.parts[1].text",
                "invalid type: integer `5`, expected a string",
            ),
            (
                r#"{"message":{"parts":[{"text":null}]}}"#,
                "message.parts[0]",
                "holds none of `text`, `raw`, `url`, `data`",
            ),
            (
                r#"{"message":{"parts":[{"text":"","data":{}}]}}"#,
                "message.parts[0]",
                "holds both `text` and `data`, of which only one may be set",
            ),
            (r#"{"message":{"parts":[{"url":"a","url":"b"}]}}"#, "message.parts[0].url", "is given twice"),
            (
                r#"{"message":{"parts":[{"raw":"????"}]}}"#,
                "message.parts[0].raw",
                "is not base64: Invalid symbol 63, offset 0.",
            ),
            (r#"{"message":{"messageId":"a","message_id":"a"}}"#, "message.messageId", "is given twice"),
            (r#"{"message":{"metadata":[]}}"#, "message.metadata", "invalid type: sequence, expected a map"),
            (
                r#"{"configuration":{"historyLength":"x"}}"#,
                "configuration.historyLength",
                "invalid value: string \"x\", expected a whole number of 32 bits",
            ),
        ] {
            let error = from_json::<SendMessageRequest>(json.as_bytes()).unwrap_err();
            assert_eq!(error.kind, ErrorKind::InvalidParams, "{json}");
            let [violation] = error.violations() else { panic!("{json}: {error:?}") };
            assert_eq!((&*violation.field, &*violation.description), (field, description), "{json}");
        }
    }

    #[test]
    fn a_oneof_names_the_member_at_fault() {
        for (json, field, description) in [
            ("{}", "", "holds none of `task`, `message`, `statusUpdate`, `artifactUpdate`"),
            (r#"{"statusUpdate":{}}"#, "statusUpdate.taskId", "is required"),
            (
                r#"{"statusUpdate":{"taskId":"t","contextId":"c","status":{"timestamp":"now"}}}"#,
                "statusUpdate.status.timestamp",
                "invalid value: string \"now\", expected a timestamp of RFC 3339",
            ),
        ] {
            let error = from_json::<StreamResponse>(json.as_bytes()).unwrap_err();
            let [violation] = error.violations() else { panic!("{json}: {error:?}") };
            assert_eq!((&*violation.field, &*violation.description), (field, description), "{json}");
        }
    }

    #[test]
    fn what_is_not_json_is_a_parse_error() {
        let deep = format!(r#"{{"metadata":{{"a":{}1{}}}}}"#, "[".repeat(200), "]".repeat(200));
        for json in [
            &b""[..],
            b"hello",
            b"{\"message\":",
            b"{\"message\":5",
            b"{\"message\":5}}",
            b"{\"message\":{\"messageId\":\"\xff\"}}",
            b"{\"message\":{\"unknown\":\"\xff\"}}",
            br#"{"message":{"messageId":"\ud800"}}"#,
            deep.as_bytes(),
        ] {
            let error = from_json::<SendMessageRequest>(json).unwrap_err();
            assert_eq!(error.kind, ErrorKind::ParseError, "{}", String::from_utf8_lossy(json));
            assert!(error.violations().is_empty());
        }
    }

    #[test]
    fn long_values_are_not_repeated_in_full() {
        let json = format!(r#"{{"parts":[{{"text":"a"}}],"role":"{}"}}"#, "é".repeat(100_000));
        let error = from_json::<Message>(json.as_bytes()).unwrap_err();
        assert!(error.message.len() < 1_000, "{}", error.message.len());
    }
}
