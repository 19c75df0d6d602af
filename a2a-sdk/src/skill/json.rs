//! Structured data in and out.

use super::misfit::misfit;
use super::{FromRequest, IntoParts, Modes, Request, SkillError};
use crate::protocol::{Message, Part, PartContent};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// Structured data, taken or given by a skill.
///
/// As an argument it is read from the first data part, and without one from the first text part that holds JSON. What
/// does not fit is answered with the path of the first misfit, such as `message.parts[0].data.nights`. An
/// `Option<Json<T>>` is `None` if there is no data part and no text that is JSON or begins like an object or a list.
/// As a reply it becomes a data part. The schemas of both are published in the card.
///
/// axum has a `Json` and a `State` of its own. A program that needs both names one by its path, such as `axum::Json`.
///
/// ```
/// use a2a_sdk::Json;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Trip {
///     nights: u8,
/// }
///
/// #[derive(Serialize, JsonSchema)]
/// struct Quote {
///     euros: u32,
/// }
///
/// /// Prices a trip.
/// #[a2a_sdk::skill]
/// async fn price(Json(trip): Json<Trip>) -> Json<Quote> {
///     Json(Quote { euros: u32::from(trip.nights) * 90 })
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

/// Types that derive `serde::Deserialize`. Implemented for all of them; it makes for better messages.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lacks `serde::Deserialize`, so it cannot be read from a message",
    label = "lacks `serde::Deserialize`",
    note = "write `#[derive(serde::Deserialize, schemars::JsonSchema)]` above it"
)]
pub trait Deserializable: DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Deserializable for T {}

/// Types that derive `serde::Serialize`. Implemented for all of them; it makes for better messages.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lacks `serde::Serialize`, so it cannot be written to a message",
    label = "lacks `serde::Serialize`",
    note = "write `#[derive(serde::Serialize, schemars::JsonSchema)]` above it"
)]
pub trait Serializable: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Serializable for T {}

/// Types that derive `schemars::JsonSchema`. Implemented for all of them; it makes for better messages.
#[diagnostic::on_unimplemented(
    message = "`{Self}` lacks `schemars::JsonSchema`, so the card cannot say what it looks like",
    label = "lacks `schemars::JsonSchema`",
    note = "write `#[derive(schemars::JsonSchema)]` above it"
)]
pub trait Described: JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: JsonSchema> Described for T {}

impl<T: Deserializable + Described> FromRequest for Json<T> {
    const __DATA: bool = true;
    const INPUT_MODES: Modes = Modes::One("application/json");
    const READS: Modes = Modes::Both(&Self::INPUT_MODES, &Modes::One("text/plain"));

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.subschema_for::<T>())
    }

    fn is_present(request: &Request) -> bool {
        source(request.message()).is_some_and(|(_, source)| match source {
            Source::Data(_) => true,
            Source::Text(text) => is_json(text) || text.trim_start().starts_with(['{', '[']),
        })
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        read(request.message()).map(Self)
    }
}

/// Reads the data out of a message.
pub(super) fn read<T: DeserializeOwned>(message: &Message) -> Result<T, SkillError> {
    match source(message) {
        Some((index, Source::Data(value))) => serde_path_to_error::deserialize(value)
            .map_err(|error| misfit(&format!("message.parts[{index}].data"), &error)),
        Some((index, Source::Text(text))) => {
            let field = format!("message.parts[{index}].text");
            let mut reader = serde_json::Deserializer::from_str(text);
            let value =
                serde_path_to_error::deserialize(&mut reader).map_err(|error| misfit(&field, &error))?;
            match reader.end() {
                Ok(()) => Ok(value),
                Err(error) => Err(SkillError::invalid_field(field, error.to_string())),
            }
        }
        None => Err(SkillError::invalid_field(
            "message.parts",
            "expected a data part, or a text part that holds JSON",
        )),
    }
}
enum Source<'a> {
    Data(&'a serde_json::Value),
    Text(&'a str),
}

/// The part that data is read from, and its index.
fn source(message: &Message) -> Option<(usize, Source<'_>)> {
    let mut text = None;
    for (index, part) in message.parts.iter().enumerate() {
        match &part.content {
            PartContent::Data(value) => return Some((index, Source::Data(value))),
            PartContent::Text(found) => match text {
                None => text = Some((index, found)),
                // Prose beside JSON does not count; without any JSON the first text is the one to complain about.
                Some((_, known)) if !is_json(known) && is_json(found) => text = Some((index, found)),
                Some(_) => {}
            },
            _ => {}
        }
    }
    text.map(|(index, text)| (index, Source::Text(text)))
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

impl<T: Serializable + Described> IntoParts for Json<T> {
    const OUTPUT_MODES: Modes = Modes::One("application/json");

    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.subschema_for::<T>())
    }

    fn into_parts(self) -> Result<Vec<Part>, SkillError> {
        data_part(&self.0).map(|part| vec![part])
    }
}

/// A data part of that value.
pub(super) fn data_part(value: &impl Serialize) -> Result<Part, SkillError> {
    let value = serde_json::to_value(value)?;
    let mut part = Part::new(PartContent::Data(value));
    part.media_type = Some("application/json".to_owned());
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_published() {
        let mut generator = SchemaGenerator::default();
        let schema = <Json<u8> as FromRequest>::schema(&mut generator).expect("a schema");
        assert_eq!(schema.get("type").and_then(|kind| kind.as_str()), Some("integer"));
        assert!(<String as FromRequest>::schema(&mut generator).is_none());
    }

    #[test]
    fn null_is_a_value() {
        let request = Request::new(Part::data(serde_json::Value::Null));
        assert_eq!(request.extract::<Option<Json<Option<u8>>>>().expect("null"), Some(Json(None)));
    }
}
