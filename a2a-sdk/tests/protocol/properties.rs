//! Random messages: what is written is what was read, however it was spelled.

use crate::codec::recode;
use crate::reflect;
use crate::samples::{cases, respelled};
use crate::table::{Field, Kind, TABLE, is_strict};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Any message, in the form that is written: JSON names, nothing that is omitted.
pub(crate) fn any_message() -> impl Strategy<Value = (&'static str, Value)> {
    let names: Vec<&'static str> = TABLE.messages.keys().copied().collect();
    prop::sample::select(names).prop_flat_map(|name| (Just(name), message(name)))
}

fn message(name: &'static str) -> BoxedStrategy<Value> {
    let case = prop::sample::select(cases(name));
    case.prop_flat_map(move |case| {
        let fields =
            TABLE.messages[name].iter().filter(|field| field.oneof.is_none() || Some(field.json) == case);
        let members: Vec<_> = fields.map(|field| member(name, field)).collect();
        members.prop_map(|members| Value::Object(members.into_iter().flatten().collect()))
    })
    .boxed()
}

fn member(message: &str, field: &'static Field) -> BoxedStrategy<Option<(String, Value)>> {
    let may_be_empty =
        field.oneof.is_some() || field.optional || (field.required && !is_strict(message, field));
    let least = usize::from(!may_be_empty);
    let value = if field.repeated {
        vec(one(field, 1), least..3).prop_map(Value::Array).boxed()
    } else {
        one(field, least)
    };
    // A configuration that says nothing is omitted.
    let value =
        value.prop_map(|value| (field.json != "configuration" || value != json!({})).then_some(value));
    let member = if field.required || field.oneof.is_some() {
        value.prop_map(Some).boxed()
    } else {
        prop::option::of(value).boxed()
    };
    member.prop_map(|value| Some((field.json.to_owned(), value.flatten()?))).boxed()
}

fn one(field: &'static Field, least: usize) -> BoxedStrategy<Value> {
    let text = prop::string::string_regex(if least == 0 { "\\PC{0,6}" } else { "\\PC{1,6}" }).unwrap();
    match field.kind {
        Kind::Text => text.prop_map(Value::from).boxed(),
        Kind::Bytes => vec(any::<u8>(), 0..8).prop_map(|bytes| STANDARD.encode(bytes).into()).boxed(),
        Kind::Int => any::<i32>()
            .prop_filter("not the default", move |int| least == 0 || *int != 0)
            .prop_map_into()
            .boxed(),
        Kind::Bool if least == 0 => any::<bool>().prop_map_into().boxed(),
        Kind::Bool => Just(json!(true)).boxed(),
        Kind::Struct => btree_map(".{0,3}", data(), 1..3).prop_map(|map| json!(map)).boxed(),
        Kind::Value => data().boxed(),
        Kind::Timestamp => timestamp().boxed(),
        Kind::Enum(name) => prop::sample::select(&TABLE.enums[name][1..]).prop_map_into().boxed(),
        Kind::Message(name) => message(name),
        Kind::TextMap => btree_map("[a-z:]{0,4}", ".{0,4}", least..3).prop_map(|map| json!(map)).boxed(),
        Kind::MessageMap(name) => {
            btree_map("[a-z:]{0,4}", message(name), least..3).prop_map(|map| json!(map)).boxed()
        }
    }
}

fn timestamp() -> impl Strategy<Value = Value> {
    let date = (1..=9999, 1..=12, 1..=28);
    (date, 0..24, 0..60, 0..60, 0..1000).prop_map(|((year, month, day), hour, minute, second, millis)| {
        json!(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z"))
    })
}

/// Any JSON. The fractions are exact, since the parser of `serde_json` may err in the last bit.
fn data() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map_into(),
        any::<i32>().prop_map_into(),
        any::<i16>().prop_map(|number| json!(f64::from(number) + 0.25)),
        "\\PC{0,6}".prop_map_into(),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::Array),
            btree_map(".{0,3}", inner, 0..3).prop_map(|map| json!(map)),
        ]
    })
}

/// The value as another implementation may spell it.
fn sloppy(field: &Field, value: Value, choice: u64) -> Value {
    let other = choice % 3;
    match (field.kind, &value) {
        (_, Value::Null) => value,
        (Kind::Struct | Kind::Value, _) if other > 0 => reflect::as_doubles(&value),
        (_, Value::Array(_)) => value,
        (Kind::Enum(name), Value::String(text)) if other > 0 => {
            json!(TABLE.enums[name].iter().position(|name| name == text))
        }
        (Kind::Int, _) if other == 1 => json!(value.to_string()),
        (Kind::Int, _) if other == 2 => json!(value.as_f64()),
        (Kind::Bytes, Value::String(text)) if other == 1 => json!(text.trim_end_matches('=')),
        (Kind::Bytes, Value::String(text)) if other == 2 => {
            json!(URL_SAFE_NO_PAD.encode(STANDARD.decode(text).unwrap()))
        }
        (Kind::Timestamp, Value::String(text)) if other > 0 => {
            json!(text.to_lowercase().replace('z', if other == 1 { "999z" } else { "-00:00" }))
        }
        _ => value,
    }
}

/// Sets what is absent to `null`, where that is allowed.
fn with_nulls(message: &str, json: &Value) -> Value {
    let absent = TABLE.messages[message].iter().filter(|field| json.get(field.json).is_none());
    let absent = absent.filter(|field| field.kind != Kind::Value && !is_strict(message, field));
    let mut members: Map<String, Value> = absent.map(|field| (field.json.to_owned(), Value::Null)).collect();
    members.extend(json.as_object().unwrap().clone());
    Value::Object(members)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_what_was_read((name, json) in any_message()) {
        prop_assert_eq!(recode(name, &json), Ok(json), "{}", name);
    }

    #[test]
    fn every_spelling_reads_the_same((name, json) in any_message(), seed in any::<u64>()) {
        let mut state = seed;
        let spelled = respelled(name, &with_nulls(name, &json), &mut |field, value| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = if state >> 63 == 0 { field.json } else { field.proto };
            (key.to_owned(), sloppy(field, value, state >> 40))
        });
        prop_assert_eq!(recode(name, &spelled), Ok(json), "{}: {}", name, spelled);
    }

    #[test]
    fn another_implementation_reads_and_writes_the_same((name, json) in any_message()) {
        let theirs = reflect::recode(name, &json);
        prop_assert_eq!(recode(name, &theirs), Ok(json), "{}: {}", name, theirs);
    }
}
