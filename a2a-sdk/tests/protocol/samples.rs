//! JSON of every message, built from the table.

use crate::table::{Field, Kind, TABLE};
use serde_json::{Map, Value, json};

/// A message with every member set; of its oneof, the member that is named, or the first.
pub(crate) fn full(message: &str, member: Option<&str>) -> Map<String, Value> {
    let fields = &TABLE.messages[message];
    let first = fields.iter().find(|field| field.oneof.is_some()).map(|field| field.json);
    let member = member.or(first);
    let set = fields.iter().filter(|field| field.oneof.is_none() || Some(field.json) == member);
    set.map(|field| (field.json.to_owned(), value(field))).collect()
}

/// A value of the member that is not its default.
pub(crate) fn value(field: &Field) -> Value {
    let one = match field.kind {
        Kind::Text => json!(format!("the {}", field.json)),
        Kind::Bytes => json!("AP/+gA=="),
        Kind::Int => json!(7),
        Kind::Bool => json!(true),
        Kind::Struct => json!({"a": [1, null, 2.5, {"b": "c"}], "big": 9_007_199_254_740_993_u64}),
        Kind::Value => json!({"n": 5, "list": [null, true]}),
        Kind::Timestamp => json!("2026-03-01T12:00:00.123Z"),
        Kind::Enum(name) => json!(TABLE.enums[name][1]),
        Kind::Message(name) => Value::Object(full(name, None)),
        Kind::TextMap => json!({"read": "to read", "write": ""}),
        Kind::MessageMap(name) => json!({"one": full(name, None)}),
    };
    if field.repeated { json!([one, one]) } else { one }
}

/// The members of a oneof, or one `None` for a message without.
pub(crate) fn cases(message: &str) -> Vec<Option<&'static str>> {
    let members: Vec<_> = TABLE.messages[message]
        .iter()
        .filter(|field| field.oneof.is_some())
        .map(|field| Some(field.json))
        .collect();
    if members.is_empty() { vec![None] } else { members }
}

/// The same message with every member renamed by the table, at every depth, and `extra` set in each.
pub(crate) fn respelled(
    message: &str,
    json: &Value,
    change: &mut dyn FnMut(&Field, Value) -> (String, Value),
) -> Value {
    let Value::Object(map) = json else { return json.clone() };
    let fields = &TABLE.messages[message];
    let respelled = map.iter().map(|(key, value)| {
        let field = fields.iter().find(|field| field.json == key).unwrap();
        let value = match (field.kind, value) {
            (Kind::Message(name), Value::Array(list)) => {
                list.iter().map(|item| respelled(name, item, &mut *change)).collect()
            }
            (Kind::Message(name), value) => respelled(name, value, &mut *change),
            (Kind::MessageMap(name), Value::Object(map)) => {
                let entries =
                    map.iter().map(|(key, item)| (key.clone(), respelled(name, item, &mut *change)));
                Value::Object(entries.collect())
            }
            (_, value) => value.clone(),
        };
        change(field, value)
    });
    Value::Object(respelled.collect())
}
