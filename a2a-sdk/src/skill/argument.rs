//! Where a skill's arguments come from.

use super::request::merged;
use super::{Modes, Needs, Principal, Request, SkillError};
use crate::protocol::{Message, Metadata, PartContent};
use schemars::{Schema, SchemaGenerator};

/// A type that can be an argument of a skill.
///
/// Each argument is taken from the request by itself, so their order and number are free. Built in are:
///
/// | argument | what it is | rejects |
/// |---|---|---|
/// | `String` | the text of the message | a message without text |
/// | [`Json<T>`](super::Json) | a data part, or a text part that holds JSON | what does not fit `T`, naming the path |
/// | [`File`](super::File), `Vec<File>` | the first file, all files | a message without a file |
/// | [`Message`] | the message as it came | nothing |
/// | [`State<T>`](super::State) | a value that the agent holds | nothing: checked when the agent is built |
/// | [`Extension<T>`](super::Extension) | a value that a tower layer put into the request | nothing |
/// | [`Context`](super::Context) | the running task | nothing |
/// | [`Cancel`](super::Cancel) | tells when the caller cancels | nothing |
/// | [`Principal`] | who is calling | nothing |
/// | [`Metadata`] | the metadata of the message and of the request | nothing |
/// | [`Request`] | the request itself | nothing |
/// | `Option<T>` | any of these, or `None` where there is none | what is there and malformed |
///
/// A type of your own becomes an argument by implementing this trait:
///
/// ```
/// use a2a_sdk::{FromRequest, Request, SkillError};
///
/// struct Language(String);
///
/// impl FromRequest for Language {
///     fn from_request(request: &Request) -> Result<Self, SkillError> {
///         match request.metadata().get("language").and_then(|value| value.as_str()) {
///             Some(language) => Ok(Self(language.to_owned())),
///             None => Err(SkillError::invalid_field("metadata.language", "expected a language, such as `en`")),
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an argument of a skill",
    label = "not an argument of a skill",
    note = "arguments are `String`, `Json<T>`, `File`, `Vec<File>`, `Message`, `State<T>`, `Extension<T>`, \
            `Context`, `Cancel`, `Principal`, `Metadata`, `Request`, and `Option` of these",
    note = "for data of the caller take `Json<{Self}>` and derive `serde::Deserialize` and `schemars::JsonSchema`, \
            for a value of the agent take `State<{Self}>`"
)]
pub trait FromRequest: Sized {
    /// The media types that the card says this argument is read from.
    const INPUT_MODES: Modes = Modes::None;
    /// The media types that it can be read from; at least [`INPUT_MODES`](Self::INPUT_MODES), `*/*` for any.
    const READS: Modes = Self::INPUT_MODES;
    /// Whether it needs a task, as [`Context`](super::Context) does.
    const NEEDS_TASK: bool = false;

    /// Whether it takes the data of the message, which only one argument can.
    #[doc(hidden)]
    const __DATA: bool = false;

    /// The JSON Schema of the data it is read from, for the card.
    fn schema(_generator: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    /// Tells what the agent must provide for it.
    fn needs(_needs: &mut Needs) {}

    /// Whether the request holds one, well-formed or not: what makes an `Option` of it `None`.
    fn is_present(_request: &Request) -> bool {
        true
    }

    /// Takes it out of the request.
    ///
    /// # Errors
    /// When the request does not hold one, or a malformed one: [`SkillError::invalid`].
    fn from_request(request: &Request) -> Result<Self, SkillError>;
}

/// The text of the message: its text parts, a line break between them.
impl FromRequest for String {
    const INPUT_MODES: Modes = Modes::One("text/plain");
    const READS: Modes = Modes::One("text/*");

    fn is_present(request: &Request) -> bool {
        texts(request).next().is_some()
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        let mut texts = texts(request);
        let Some(first) = texts.next() else {
            return Err(SkillError::invalid_field("message.parts", "expected a text part"));
        };
        let mut whole = first.to_owned();
        for text in texts {
            whole.push('\n');
            whole.push_str(text);
        }
        Ok(whole)
    }
}

fn texts(request: &Request) -> impl Iterator<Item = &str> {
    request.message().parts.iter().filter_map(|part| match &part.content {
        PartContent::Text(text) => Some(text.as_str()),
        _ => None,
    })
}

/// The message as it came, for skills that look at it themselves.
impl FromRequest for Message {
    const INPUT_MODES: Modes = Modes::One("text/plain");
    const READS: Modes = Modes::One("*/*");

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        Ok(request.message().clone())
    }
}

/// Who is calling. `Option<Principal>` is `None` for the anonymous caller.
impl FromRequest for Principal {
    fn is_present(request: &Request) -> bool {
        request.principal().id().is_some()
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        Ok(request.principal().clone())
    }
}

/// The metadata of the request and of the message together; where both have a key, the message's value counts.
impl FromRequest for Metadata {
    fn is_present(request: &Request) -> bool {
        !(request.metadata().is_empty() && request.message().metadata.is_empty())
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        Ok(merged(request.metadata(), &request.message().metadata))
    }
}

/// The argument, or `None` where the request holds none. What is there and malformed is still an error.
impl<T: FromRequest> FromRequest for Option<T> {
    const INPUT_MODES: Modes = T::INPUT_MODES;
    const READS: Modes = T::READS;
    const NEEDS_TASK: bool = T::NEEDS_TASK;
    const __DATA: bool = T::__DATA;

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        T::schema(generator)
    }

    fn needs(needs: &mut Needs) {
        // What is optional the agent need not provide.
        let mut inner = Needs::default();
        T::needs(&mut inner);
        needs.context |= inner.context;
        needs.cancel |= inner.cancel;
        needs.extensions.append(&mut inner.extensions);
    }

    fn is_present(_request: &Request) -> bool {
        true
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        if T::is_present(request) { T::from_request(request).map(Some) } else { Ok(None) }
    }
}
