//! Every member of every message: its name, its presence, its spellings.

use crate::codec::recode;
use crate::samples::{cases, full, respelled, value};
use crate::table::{Field, Kind, TABLE, is_strict};
use a2a_sdk::protocol::ErrorKind;
use serde_json::{Value, json};

/// Each message of the table, once for each member of its oneof.
fn each(mut check: impl FnMut(&'static str, &'static [Field], Value)) {
    for (message, fields) in &TABLE.messages {
        for case in cases(message) {
            check(message, fields, Value::Object(full(message, case)));
        }
    }
}

#[test]
fn every_member_survives_under_its_name() {
    each(|message, _, json| assert_eq!(recode(message, &json), Ok(json), "{message}"));
}

#[test]
fn the_names_of_the_proto_are_read_too() {
    each(|message, _, json| {
        let snake = respelled(message, &json, &mut |field, value| (field.proto.to_owned(), value));
        assert_eq!(recode(message, &snake), Ok(json), "{message}: {snake}");
    });
}

#[test]
fn unknown_members_are_ignored() {
    each(|message, _, json| {
        let mut with_unknown = json.clone();
        with_unknown["unknownX"] = json!({"a": [1, {}], "kind": null});
        with_unknown["kind"] = json!("x");
        assert_eq!(recode(message, &with_unknown), Ok(json), "{message}");
    });
}

#[test]
fn a_missing_or_null_member_is_refused_exactly_where_it_is_needed() {
    each(|message, fields, json| {
        for field in fields.iter().filter(|field| field.oneof.is_none()) {
            let mut missing = json.clone();
            missing.as_object_mut().unwrap().remove(field.json);
            let mut null = json.clone();
            null[field.json] = Value::Null;
            for absent in [missing, null] {
                check_absent(message, field, &absent);
            }
        }
    });
}

fn check_absent(message: &str, field: &Field, json: &Value) {
    let name = field.json;
    match recode(message, json) {
        Err(error) => {
            assert!(is_strict(message, field), "{message}.{name}: {error}");
            assert_eq!(error.kind, ErrorKind::InvalidParams, "{message}.{name}: {error}");
            let fields: Vec<&str> = error.violations().iter().map(|violation| &*violation.field).collect();
            assert_eq!(fields, [name], "{message}.{name}: {error}");
        }
        Ok(encoded) => {
            assert!(!is_strict(message, field), "{message}.{name} was not missed");
            // spec 5.7: what is required is written even when it is empty, and nothing else is.
            assert_eq!(encoded.get(name).is_some(), field.required, "{message}.{name}: {encoded}");
            assert!(!encoded[name].is_null() || !field.required, "{message}.{name}: {encoded}");
        }
    }
}

#[test]
fn an_empty_member_is_refused_or_means_nothing() {
    each(|message, fields, json| {
        for field in fields.iter().filter(|field| field.oneof.is_none()) {
            let name = field.json;
            let empty = match field.kind {
                _ if field.repeated => json!([]),
                Kind::Text => json!(""),
                Kind::Int => json!(0),
                Kind::Bool => json!(false),
                Kind::Enum(name) => json!(TABLE.enums[name][0]),
                Kind::Struct | Kind::TextMap | Kind::MessageMap(_) => json!({}),
                Kind::Message(_) | Kind::Timestamp | Kind::Bytes | Kind::Value => continue,
            };
            let mut emptied = json.clone();
            emptied[name] = empty.clone();
            match recode(message, &emptied) {
                Err(error) => {
                    assert!(is_strict(message, field), "{message}.{name}: {error}");
                    assert_eq!(error.violations()[0].field, name, "{message}: {error}");
                }
                Ok(encoded) => {
                    assert!(!is_strict(message, field), "{message}.{name} was accepted");
                    let kept = field.required || field.optional;
                    assert_eq!(encoded.get(name), kept.then_some(&empty), "{message}.{name}: {encoded}");
                }
            }
        }
    });
}

#[test]
fn a_member_of_the_wrong_type_is_named() {
    each(|message, fields, json| {
        for field in fields {
            if json.get(field.json).is_none() || field.kind == Kind::Value {
                continue;
            }
            let mut wrong = json.clone();
            wrong[field.json] = match field.kind {
                _ if field.repeated => json!({}),
                Kind::Bool => json!("true"),
                _ => json!([true]),
            };
            let error = recode(message, &wrong).unwrap_err();
            assert_eq!(error.violations()[0].field, field.json, "{message}: {error}");
        }
    });
}

#[test]
fn a_member_given_twice_is_refused() {
    each(|message, fields, json| {
        for field in fields.iter().filter(|field| field.proto != field.json) {
            let Some(value) = json.get(field.json) else { continue };
            let mut twice = json.clone();
            twice[field.proto] = value.clone();
            let error = recode(message, &twice).unwrap_err();
            assert_eq!(error.violations()[0].description, "is given twice", "{message}: {error}");
            assert_eq!(error.violations()[0].field, field.json, "{message}: {error}");
        }
    });
}

#[test]
fn an_array_is_no_message() {
    each(|message, _, json| {
        let positional: Vec<Value> = json.as_object().unwrap().values().cloned().collect();
        for array in [json!([]), Value::Array(positional)] {
            assert!(recode(message, &array).is_err(), "{message}");
        }
    });
}

#[test]
fn a_oneof_has_exactly_one_member() {
    for (message, fields) in &TABLE.messages {
        let members: Vec<&Field> = fields.iter().filter(|field| field.oneof.is_some()).collect();
        if members.is_empty() {
            continue;
        }
        assert!(recode(message, &json!({})).is_err(), "{message} without a member");
        for one in &members {
            assert_eq!(
                recode(message, &json!({one.json: null})).is_err(),
                one.kind != Kind::Value,
                "{message}"
            );
            for other in members.iter().filter(|other| other.json != one.json) {
                let two = json!({one.json: value(one), other.json: value(other)});
                assert!(recode(message, &two).is_err(), "{two}");
                let with_null = json!({one.json: value(one), other.json: null});
                assert_eq!(recode(message, &with_null).is_err(), other.kind == Kind::Value, "{with_null}");
            }
        }
    }
}

#[test]
fn enums_are_read_by_name_and_by_number() {
    let status = |state: Value| recode("TaskStatus", &json!({"state": state}));
    let message = |role: Value| {
        recode("Message", &json!({"messageId": "m", "role": role, "parts": [{"text": "a"}]}))
            .map(|json| json["role"].clone())
    };
    for (number, name) in TABLE.enums["TaskState"].iter().enumerate().skip(1) {
        for spelling in [json!(name), json!(number), json!(number as f64)] {
            assert_eq!(status(spelling), Ok(json!({"state": name})));
        }
    }
    for (number, name) in TABLE.enums["Role"].iter().enumerate().skip(1) {
        for spelling in [json!(name), json!(number), json!(number as f64)] {
            assert_eq!(message(spelling), Ok(json!(name)));
        }
    }
    for wrong in
        [json!(0), json!("TASK_STATE_UNSPECIFIED"), json!(9), json!(-1), json!(1.5), json!("working")]
    {
        assert!(status(wrong.clone()).is_err(), "{wrong}");
    }
}
