//! Parts: what they hold is one level deeper than in 1.0.

use super::{As03, Bytes as Encoding, Form};
use crate::protocol::json::{Member, none, second};
use crate::protocol::object::json_read;
use crate::protocol::part::{Base64, Decoded};
use crate::protocol::{Metadata, Part as Core, PartContent, json::settle};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value, json};

/// Marks a data part whose value was no object, and is wrapped. The SDKs agree on the name.
const WRAPPED: &str = "data_part_compat";

const KINDS: [&str; 3] = ["text", "file", "data"];

/// A part, as it is read. Which form it has does not matter before its content is taken.
#[derive(Debug)]
pub(super) struct Part {
    content: Content,
    metadata: Metadata,
    /// Whether it told its kind, as only one of the forms does.
    pub(super) kinded: bool,
}

#[derive(Debug)]
enum Content {
    Text(String),
    File(File),
    Data(Map<String, Value>),
}

struct Members {
    kind: Option<String>,
    older_kind: Option<String>,
    text: Option<String>,
    file: Option<File>,
    data: Option<Value>,
    metadata: Metadata,
    raw: Option<IgnoredAny>,
    url: Option<IgnoredAny>,
}

// Before 0.2 the kind was called `type`, and some clients tell it so still.
json_read!(Members {
    kind: Explicit = "kind",
    older_kind: Explicit = "type",
    text: Explicit = "text",
    file: Explicit = "file",
    data: Explicit = "data",
    metadata: Implicit = "metadata",
    raw: Explicit = "raw",
    url: Explicit = "url"
});

impl Member for IgnoredAny {}
impl Member for Value {}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Members::deserialize(deserializer)?;
        let Members { kind, older_kind, text, file, data, metadata, raw, url } = members;
        if let Some(name) = raw.map(|_| "raw").or(url.map(|_| "url")) {
            return Err(de::Error::custom(format_args!(
                "holds `{name}`, which is of protocol 1.0; in 0.3 it is `file`"
            )));
        }
        let text = text.map(|text| ("text", Content::Text(text)));
        let file = file.map(|file| ("file", Content::File(file)));
        let data = match data {
            None => None,
            Some(Value::Object(map)) => Some(("data", Content::Data(map))),
            Some(_) => return Err(de::Error::custom("`data` must be an object")),
        };
        let kinded = kind.is_some();
        let kind = kind.or(older_kind);
        if let Some(kind) = kind.as_deref().filter(|kind| !KINDS.contains(kind)) {
            let text = format_args!("`{kind}` is no kind of part; expected `text`, `file` or `data`");
            return Err(de::Error::custom(text));
        }
        let (name, content) = one_of([text, file, data], &KINDS.map(|kind| (kind, kind)))?;
        if let Some(kind) = kind.as_deref().filter(|kind| *kind != name) {
            return Err(de::Error::custom(format_args!("is of kind `{kind}`, and holds `{name}`")));
        }
        Ok(Self { content, metadata, kinded })
    }
}

/// A file: its bytes, or where they are.
#[derive(Debug)]
struct File {
    place: Place,
    name: Option<String>,
    mime_type: Option<String>,
}

#[derive(Debug)]
enum Place {
    Bytes(Bytes),
    Uri(String),
}

struct FileMembers {
    bytes: Option<Decoded>,
    uri: Option<String>,
    file_with_bytes: Option<Decoded>,
    file_with_uri: Option<String>,
    name: Option<String>,
    mime_type: Option<String>,
}

// The names of the one form are read in the other too: a widely read guide confuses them.
json_read!(FileMembers {
    bytes: Explicit = "bytes",
    uri: Explicit = "uri",
    file_with_bytes: Explicit = "fileWithBytes",
    file_with_uri: Explicit = "fileWithUri",
    name: Optional = "name",
    mime_type: Optional = "mimeType"
});

impl Member for Decoded {}
impl Member for File {}

impl<'de> Deserialize<'de> for File {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = FileMembers::deserialize(deserializer)?;
        let FileMembers { bytes: inline, uri, file_with_bytes, file_with_uri, name, mime_type } = members;
        let bytes = |name, bytes: Option<Decoded>| bytes.map(|Decoded(bytes)| (name, Place::Bytes(bytes)));
        let uri_in = |name, uri: Option<String>| uri.map(|uri| (name, Place::Uri(uri)));
        let places = [
            bytes("bytes", inline),
            bytes("fileWithBytes", file_with_bytes),
            uri_in("uri", uri),
            uri_in("fileWithUri", file_with_uri),
        ];
        let place = one_of(places, &[("bytes", ""), ("uri", "")])?;
        Ok(Self { place: place.1, name, mime_type })
    }
}

/// The one that is there.
fn one_of<T, E: de::Error, const N: usize>(
    found: [Option<(&'static str, T)>; N],
    names: &[(&str, &str)],
) -> Result<(&'static str, T), E> {
    let mut found = found.into_iter().flatten();
    let first = found.next().ok_or_else(|| none(names))?;
    match found.next() {
        None => Ok(first),
        Some((other, _)) => Err(second(first.0, other)),
    }
}

impl Part {
    /// The part, its content taken out of the form.
    pub(super) fn core(self, form: Form) -> Core {
        let Self { content, mut metadata, .. } = self;
        let mut part = match content {
            Content::Text(text) => Core::text(text),
            Content::Data(map) => Core::new(PartContent::Data(unwrapped(map, &mut metadata, form))),
            Content::File(File { place, name, mime_type }) => {
                let content = match place {
                    Place::Bytes(bytes) => PartContent::Raw(decoded(bytes, form)),
                    Place::Uri(uri) => PartContent::Url(uri),
                };
                Core { filename: name, media_type: mime_type, ..Core::new(content) }
            }
        };
        part.metadata = metadata;
        part
    }
}

/// The value of a data part, without what it is wrapped in.
pub(super) fn unwrapped(mut map: Map<String, Value>, metadata: &mut Metadata, form: Form) -> Value {
    if matches!(form, Form::Proto(_))
        && let Some(Value::Object(inner)) = map.get_mut("data")
    {
        map = std::mem::take(inner);
    }
    let wrapped = metadata.get(WRAPPED) == Some(&Value::Bool(true));
    let mut value = match map.get_mut("value").filter(|_| wrapped) {
        Some(value) => {
            metadata.remove(WRAPPED);
            value.take()
        }
        None => Value::Object(map),
    };
    settle(&mut value);
    value
}

/// The bytes of a file as they were before the package `a2a.v1` carried them.
pub(super) fn decoded(bytes: Bytes, form: Form) -> Bytes {
    match form {
        // Nothing but base64 to the letter is taken for it: any other bytes are what they are.
        Form::Proto(Encoding::Encoded) if !bytes.is_empty() => {
            STANDARD.decode(&bytes).map_or(bytes, Bytes::from)
        }
        Form::Proto(_) | Form::Kind => bytes,
    }
}

/// The bytes of a file as the package `a2a.v1` carries them.
pub(super) fn encoded(bytes: &Bytes, form: Form) -> Bytes {
    match form {
        Form::Proto(Encoding::Encoded) => STANDARD.encode(bytes).into(),
        Form::Proto(Encoding::Plain) | Form::Kind => bytes.clone(),
    }
}

/// A data part's value as an object, and the metadata that tell how to read it.
pub(super) fn wrapped(part: &Core) -> Option<(Map<String, Value>, Metadata)> {
    match &part.content {
        PartContent::Data(Value::Object(map)) => Some((map.clone(), part.metadata.clone())),
        PartContent::Data(value) => {
            let mut metadata = part.metadata.clone();
            metadata.insert(WRAPPED.to_owned(), Value::Bool(true));
            Some((Map::from_iter([("value".to_owned(), value.clone())]), metadata))
        }
        _ => None,
    }
}

impl Serialize for As03<'_, Core> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, part) = self;
        let mut map = serializer.serialize_map(None)?;
        if *form == Form::Kind {
            map.serialize_entry("kind", part.kind())?;
        }
        let data = wrapped(part);
        match &part.content {
            PartContent::Text(text) => map.serialize_entry("text", text)?,
            PartContent::Raw(_) | PartContent::Url(_) => map.serialize_entry("file", &AsFile(*form, part))?,
            PartContent::Data(_) => {
                let object = data.as_ref().map(|(object, _)| object);
                match form {
                    Form::Kind => map.serialize_entry("data", &object)?,
                    Form::Proto(_) => map.serialize_entry("data", &json!({ "data": object }))?,
                }
            }
        }
        let metadata = data.as_ref().map_or(&part.metadata, |(_, metadata)| metadata);
        if !metadata.is_empty() {
            map.serialize_entry("metadata", metadata)?;
        }
        map.end()
    }
}

struct AsFile<'a>(Form, &'a Core);

impl Serialize for AsFile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, part) = self;
        let (bytes, uri) = match form {
            Form::Kind => ("bytes", "uri"),
            Form::Proto(_) => ("fileWithBytes", "fileWithUri"),
        };
        let mut map = serializer.serialize_map(None)?;
        match &part.content {
            PartContent::Raw(raw) => map.serialize_entry(bytes, &Base64(&encoded(raw, *form)))?,
            PartContent::Url(url) => map.serialize_entry(uri, url)?,
            PartContent::Text(_) | PartContent::Data(_) => {}
        }
        for (name, text) in [("mimeType", &part.media_type), ("name", &part.filename)] {
            if let Some(text) = text.as_deref().filter(|text| !text.is_empty()) {
                map.serialize_entry(name, text)?;
            }
        }
        map.end()
    }
}
