//! The table of the protocol: every message, member and enum.

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(crate) struct Field {
    /// The name in the `.proto`.
    pub(crate) proto: &'static str,
    /// The name in JSON.
    pub(crate) json: &'static str,
    pub(crate) number: i32,
    pub(crate) kind: Kind,
    pub(crate) repeated: bool,
    /// Labelled `optional`: its presence is kept even when it is empty.
    pub(crate) optional: bool,
    pub(crate) required: bool,
    pub(crate) oneof: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Text,
    Bytes,
    Int,
    Bool,
    Struct,
    Value,
    Timestamp,
    Enum(&'static str),
    Message(&'static str),
    TextMap,
    MessageMap(&'static str),
}

#[derive(Default)]
pub(crate) struct Table {
    pub(crate) messages: BTreeMap<&'static str, Vec<Field>>,
    /// The names of the values, in the order of their numbers.
    pub(crate) enums: BTreeMap<&'static str, Vec<&'static str>>,
}

pub(crate) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let lines =
        include_str!("../data/messages-1.0.tsv").lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let mut table = Table::default();
    let mut fields = Vec::new();
    for line in lines {
        match *line {
            ["enum", name, value, number, ..] => {
                let values = table.enums.entry(name).or_default();
                assert_eq!(number.parse(), Ok(values.len()), "the numbers of {name} are contiguous");
                values.push(value);
            }
            ["field", message, proto, number, kind, label, json, marks] => {
                fields.push((message, proto, number, kind, label, json, marks));
            }
            _ => {}
        }
    }
    for (message, proto, number, kind, label, json, marks) in fields {
        let kind = match kind {
            "string" => Kind::Text,
            "bytes" => Kind::Bytes,
            "int32" => Kind::Int,
            "bool" => Kind::Bool,
            "google.protobuf.Struct" => Kind::Struct,
            "google.protobuf.Value" => Kind::Value,
            "google.protobuf.Timestamp" => Kind::Timestamp,
            "map<string,string>" => Kind::TextMap,
            kind if table.enums.contains_key(kind) => Kind::Enum(kind),
            kind => match kind.strip_prefix("map<string,").and_then(|rest| rest.strip_suffix('>')) {
                Some(value) => Kind::MessageMap(value),
                None => Kind::Message(kind),
            },
        };
        let oneof = marks.strip_prefix("oneof ").map(|rest| rest.split(',').next().unwrap_or(rest));
        table.messages.entry(message).or_default().push(Field {
            proto,
            json,
            number: number.parse().unwrap(),
            kind,
            repeated: label == "repeated",
            optional: label == "optional",
            required: marks == "required",
            oneof,
        });
    }
    table
});

impl Field {
    pub(crate) fn is_map(&self) -> bool {
        matches!(self.kind, Kind::TextMap | Kind::MessageMap(_))
    }
}

/// Required members that are read as empty when they are missing, because peers that are built on Protocol Buffers leave
/// out what is empty, and because no program needs them to go on.
const LENIENT: &[(&str, &[&str])] = &[
    // Texts for people, and lists that may be empty: an agent that says less can still be called.
    (
        "AgentCard",
        &[
            "name",
            "description",
            "version",
            "capabilities",
            "supportedInterfaces",
            "defaultInputModes",
            "defaultOutputModes",
            "skills",
        ],
    ),
    ("AgentInterface", &["protocolVersion"]),
    ("AgentProvider", &["url", "organization"]),
    ("AgentSkill", &["name", "description", "tags"]),
    // The last chunk of a stream may add nothing.
    ("Artifact", &["parts"]),
    // An empty page: no tasks, no next page, none in total.
    ("ListTasksResponse", &["tasks", "nextPageToken", "pageSize", "totalSize"]),
    // A flow may define no scopes.
    ("AuthorizationCodeOAuthFlow", &["scopes"]),
    ("ClientCredentialsOAuthFlow", &["scopes"]),
    ("DeviceCodeOAuthFlow", &["scopes"]),
];

/// Whether a message without that member is refused.
pub(crate) fn is_strict(message: &str, field: &Field) -> bool {
    let lenient = LENIENT.iter().any(|(name, fields)| *name == message && fields.contains(&field.json));
    field.required && !lenient
}

#[test]
fn the_exceptions_are_in_the_table_and_required_there() {
    for (message, names) in LENIENT {
        for name in *names {
            let field = TABLE.messages[message].iter().find(|field| field.json == *name);
            assert!(field.is_some_and(|field| field.required), "{message}.{name}");
        }
    }
}
