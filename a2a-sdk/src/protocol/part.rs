//! Parts: the pieces of content that messages and artifacts are made of.

use super::Metadata;
use super::json::{Field as _, Implicit, Keys, Optional, Seed, none, second, settle};
use base64::alphabet;
use base64::display::Base64Display;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use base64::engine::{DecodePaddingMode, Engine as _};
use bytes::Bytes;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;
use std::fmt;

/// One piece of content of a message or an artifact.
///
/// ```
/// use a2a_sdk::protocol::Part;
///
/// let part = Part::raw(vec![0x25, 0x50]).with_filename("menu.pdf").with_media_type("application/pdf");
/// assert_eq!(part.kind(), "file");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The content itself.
    pub content: PartContent,
    /// Free-form additions.
    pub metadata: Metadata,
    /// The name of the file, where the part is one.
    pub filename: Option<String>,
    /// The media type of the content.
    pub media_type: Option<String>,
}

/// What a [`Part`] holds: exactly one of four kinds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PartContent {
    /// Text.
    Text(String),
    /// Bytes, in the message itself.
    Raw(Bytes),
    /// An address where the content is.
    Url(String),
    /// Any JSON value, `null` included. Whole numbers are integers, also where the sender wrote `2.0`.
    Data(Value),
}

impl Part {
    /// A part of that content.
    pub fn new(content: PartContent) -> Self {
        Self { content, metadata: Metadata::default(), filename: None, media_type: None }
    }

    /// A part of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(PartContent::Text(text.into()))
    }

    /// A part of bytes that travel in the message itself.
    pub fn raw(bytes: impl Into<Bytes>) -> Self {
        Self::new(PartContent::Raw(bytes.into()))
    }

    /// A part whose content is at that address.
    pub fn url(url: impl Into<String>) -> Self {
        Self::new(PartContent::Url(url.into()))
    }

    /// A part of JSON, of any kind.
    pub fn data(value: impl Into<Value>) -> Self {
        Self::new(PartContent::Data(value.into()))
    }

    /// The same part, with that media type.
    #[must_use]
    pub fn with_media_type(mut self, media_type: impl Into<String>) -> Self {
        self.media_type = Some(media_type.into());
        self
    }

    /// The same part, with that name of a file.
    #[must_use]
    pub fn with_filename(mut self, filename: impl Into<String>) -> Self {
        self.filename = Some(filename.into());
        self
    }

    /// The same part, with that metadata in place of what it had.
    #[must_use]
    pub fn with_metadata(mut self, metadata: impl Into<Metadata>) -> Self {
        self.metadata = metadata.into();
        self
    }

    /// The text, if this is a part of text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.content {
            PartContent::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The bytes, if they travel in the part.
    pub fn as_raw(&self) -> Option<&Bytes> {
        match &self.content {
            PartContent::Raw(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The address, if the content is elsewhere.
    pub fn as_url(&self) -> Option<&str> {
        match &self.content {
            PartContent::Url(url) => Some(url),
            _ => None,
        }
    }

    /// The JSON value, if this is a part of data.
    pub fn as_data(&self) -> Option<&Value> {
        match &self.content {
            PartContent::Data(value) => Some(value),
            _ => None,
        }
    }

    /// `text`, `data`, or `file` for bytes and addresses: the words of protocol 0.3.
    pub fn kind(&self) -> &'static str {
        match self.content {
            PartContent::Text(_) => "text",
            PartContent::Raw(_) | PartContent::Url(_) => "file",
            PartContent::Data(_) => "data",
        }
    }
}

impl From<PartContent> for Part {
    fn from(content: PartContent) -> Self {
        Self::new(content)
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<Value> for Part {
    fn from(value: Value) -> Self {
        Self::data(value)
    }
}

/// Joins the parts that are text.
pub(super) fn joined(parts: &[Part], separator: &str) -> String {
    let texts: Vec<&str> = parts.iter().filter_map(Part::as_text).collect();
    texts.join(separator)
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.content {
            PartContent::Text(text) => map.serialize_entry("text", text)?,
            PartContent::Raw(bytes) => map.serialize_entry("raw", &Base64(bytes))?,
            PartContent::Url(url) => map.serialize_entry("url", url)?,
            PartContent::Data(value) => map.serialize_entry("data", value)?,
        }
        if !self.metadata.is_empty() {
            map.serialize_entry("metadata", &self.metadata)?;
        }
        if !Optional::omit(&self.filename) {
            map.serialize_entry("filename", &self.filename)?;
        }
        if !Optional::omit(&self.media_type) {
            map.serialize_entry("mediaType", &self.media_type)?;
        }
        map.end()
    }
}

const CONTENT: &[(&str, &str)] = &[("text", "text"), ("raw", "raw"), ("url", "url"), ("data", "data")];
const MEMBERS: &[(&str, &str)] = &[
    ("text", "text"),
    ("raw", "raw"),
    ("url", "url"),
    ("data", "data"),
    ("metadata", "metadata"),
    ("filename", "filename"),
    ("mediaType", "media_type"),
];

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Part;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Part, A::Error> {
                let mut content: Option<(&'static str, PartContent)> = None;
                let (mut metadata, mut filename, mut media_type) = (None, None, None);
                while let Some(key) = map.next_key_seed(Keys(MEMBERS))? {
                    let found = match key {
                        0 => map.next_value::<Option<_>>()?.map(PartContent::Text),
                        1 => map.next_value::<Option<Decoded>>()?.map(|decoded| PartContent::Raw(decoded.0)),
                        2 => map.next_value::<Option<_>>()?.map(PartContent::Url),
                        // `null` is a value here, and nowhere else: the member is a `Value`.
                        3 => {
                            let mut value = map.next_value()?;
                            settle(&mut value);
                            Some(PartContent::Data(value))
                        }
                        4 => {
                            let value = map.next_value_seed(Seed::<Implicit, _>::new())?;
                            once(&mut metadata, value, "metadata")?;
                            continue;
                        }
                        5 => {
                            let value = map.next_value_seed(Seed::<Optional, _>::new())?;
                            once(&mut filename, value, "filename")?;
                            continue;
                        }
                        6 => {
                            let value = map.next_value_seed(Seed::<Optional, _>::new())?;
                            once(&mut media_type, value, "mediaType")?;
                            continue;
                        }
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                            continue;
                        }
                    };
                    if let (Some(found), Some((name, _))) = (found, CONTENT.get(key)) {
                        if let Some((first, _)) = content {
                            return Err(second(first, name));
                        }
                        content = Some((name, found));
                    }
                }
                let (_, content) = content.ok_or_else(|| none(CONTENT))?;
                Ok(Part {
                    content,
                    metadata: metadata.unwrap_or_default(),
                    filename: filename.unwrap_or_default(),
                    media_type: media_type.unwrap_or_default(),
                })
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// Fills a member that may be given once.
fn once<T, E: de::Error>(slot: &mut Option<T>, value: T, name: &'static str) -> Result<(), E> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::duplicate_field(name)),
    }
}

/// Bytes, written as base64.
pub(crate) struct Base64<'a>(pub(crate) &'a [u8]);

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Base64Display::new(self.0, &STANDARD))
    }
}

/// Padded or not, and with whatever in the last bits: what other implementations write is read.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const LENIENT_STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const LENIENT_URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// Bytes, read from base64 in either alphabet.
pub(crate) struct Decoded(pub(crate) Bytes);

impl<'de> Deserialize<'de> for Decoded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Decoded;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes in base64")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Decoded, E> {
                let url_safe = text.bytes().any(|byte| matches!(byte, b'-' | b'_'));
                let engine = if url_safe { &LENIENT_URL_SAFE } else { &LENIENT_STANDARD };
                let bytes =
                    engine.decode(text).map_err(|error| E::custom(format_args!("is not base64: {error}")))?;
                Ok(Decoded(bytes.into()))
            }
        }

        deserializer.deserialize_str(Text)
    }
}
