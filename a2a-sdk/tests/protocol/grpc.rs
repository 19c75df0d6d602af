//! The messages of the gRPC binding: the `.proto` against the table, and the conversions against the JSON form.

use crate::properties::any_message;
use crate::reflect::{self, as_doubles};
use crate::samples::{cases, full};
use crate::table::{Kind, TABLE, is_strict};
use a2a_sdk::grpc::{DESCRIPTORS, v1};
use a2a_sdk::protocol::*;
use proptest::prelude::*;
use prost_reflect::prost::Message as Proto;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet, Timestamp as Moment,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// How a message gets from JSON to the bytes of gRPC, and from there back to JSON.
struct Carrier {
    name: &'static str,
    send: fn(&Value) -> Vec<u8>,
    receive: fn(&[u8]) -> Result<Value, A2aError>,
}

fn send<T: DeserializeOwned, P: Proto + From<T>>(json: &Value) -> Vec<u8> {
    P::from(from_json::<T>(json.to_string().as_bytes()).unwrap()).encode_to_vec()
}

fn receive<T, P>(bytes: &[u8]) -> Result<Value, A2aError>
where
    T: TryFrom<P, Error = A2aError> + Serialize,
    P: Proto + Default,
{
    let core = T::try_from(P::decode(bytes).unwrap())?;
    Ok(serde_json::to_value(&core).unwrap())
}

macro_rules! carriers {
    ($($type:ident)*; $($name:literal: $other:ident),*) => {
        &[
            $(Carrier { name: stringify!($type), send: send::<$type, v1::$type>, receive: receive::<$type, v1::$type> },)*
            $(Carrier { name: $name, send: send::<$other, v1::$other>, receive: receive::<$other, v1::$other> },)*
        ]
    };
}

const CARRIERS: &[Carrier] = carriers!(
    AgentCapabilities AgentCard AgentCardSignature AgentExtension AgentInterface AgentProvider AgentSkill Artifact
    AuthenticationInfo AuthorizationCodeOAuthFlow CancelTaskRequest ClientCredentialsOAuthFlow
    DeleteTaskPushNotificationConfigRequest DeviceCodeOAuthFlow GetExtendedAgentCardRequest
    GetTaskPushNotificationConfigRequest GetTaskRequest ImplicitOAuthFlow ListTaskPushNotificationConfigsRequest
    ListTaskPushNotificationConfigsResponse ListTasksRequest ListTasksResponse Message MutualTlsSecurityScheme
    OAuth2SecurityScheme OAuthFlows OpenIdConnectSecurityScheme Part PasswordOAuthFlow SecurityRequirement SecurityScheme
    SendMessageConfiguration SendMessageRequest SendMessageResponse StreamResponse StringList SubscribeToTaskRequest Task
    TaskArtifactUpdateEvent TaskPushNotificationConfig TaskStatus TaskStatusUpdateEvent;
    "APIKeySecurityScheme": ApiKeySecurityScheme, "HTTPAuthSecurityScheme": HttpAuthSecurityScheme
);

fn carrier(message: &str) -> &'static Carrier {
    CARRIERS.iter().find(|carrier| carrier.name == message).unwrap()
}

fn file() -> FileDescriptorProto {
    let set = FileDescriptorSet::decode(DESCRIPTORS).unwrap();
    set.file.into_iter().find(|file| file.package() == "lf.a2a.v1").unwrap()
}

/// What the file says of a field, in the words of the table.
fn described(
    message: &DescriptorProto,
    field: &FieldDescriptorProto,
) -> (i32, String, String, String, String) {
    let name = field.type_name().rsplit_once('.').map_or("", |(_, name)| name);
    let well_known = field.type_name().strip_prefix(".google.protobuf.");
    let entry = message.nested_type.iter().find(|nested| nested.name() == name);
    let kind = |field: &FieldDescriptorProto| match field.r#type() {
        Type::String => "string".to_owned(),
        Type::Bytes => "bytes".to_owned(),
        Type::Int32 => "int32".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Message | Type::Enum => match field.type_name().strip_prefix(".google.protobuf.") {
            Some(_) => field.type_name()[1..].to_owned(),
            None => field.type_name().strip_prefix(".lf.a2a.v1.").unwrap().to_owned(),
        },
        other => panic!("{other:?}"),
    };
    let (kind, repeated) = match entry.filter(|_| well_known.is_none()) {
        Some(entry) => (format!("map<{},{}>", kind(&entry.field[0]), kind(&entry.field[1])), false),
        None => (kind(field), field.label() == Label::Repeated),
    };
    let label = if field.proto3_optional() {
        "optional"
    } else if repeated {
        "repeated"
    } else {
        ""
    };
    let oneof = field.oneof_index.filter(|_| !field.proto3_optional());
    let oneof = oneof.map_or("", |index| message.oneof_decl[usize::try_from(index).unwrap()].name());
    (field.number(), kind, label.to_owned(), oneof.to_owned(), field.json_name().to_owned())
}

#[test]
fn the_proto_is_the_table() {
    let file = file();
    let mut theirs = BTreeSet::new();
    for message in &file.message_type {
        for field in &message.field {
            let (number, kind, label, oneof, json) = described(message, field);
            theirs.insert(
                [message.name(), field.name(), &number.to_string(), &kind, &label, &json, &oneof].join("\t"),
            );
        }
    }
    for values in &file.enum_type {
        theirs.extend(
            values
                .value
                .iter()
                .map(|value| format!("{}\t{}\t{}", values.name(), value.name(), value.number())),
        );
    }
    for method in &file.service[0].method {
        let stream = if method.server_streaming() { "stream " } else { "" };
        assert!(!method.client_streaming());
        let name = |path: &str| path.rsplit_once('.').unwrap().1.to_owned();
        let (input, output) = (name(method.input_type()), name(method.output_type()));
        theirs.insert(format!("{}\t{}\t{input} -> {stream}{output}", file.service[0].name(), method.name()));
    }

    let mut ours = BTreeSet::new();
    for line in include_str!("../data/messages-1.0.tsv").lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["field", message, name, number, kind, label, json, marks] => {
                let oneof = marks.strip_prefix("oneof ").map_or("", |rest| rest.split(',').next().unwrap());
                ours.insert([message, name, number, kind, label, json, oneof].join("\t"));
            }
            ["enum", name, value, number, ..] => {
                ours.insert([name, value, number].join("\t"));
            }
            ["rpc", service, name, _, signature, ..] => {
                ours.insert([service, name, signature].join("\t"));
            }
            _ => {}
        }
    }
    let differences: Vec<&String> = theirs.symmetric_difference(&ours).collect();
    assert!(differences.is_empty(), "{differences:#?}");
    assert_eq!(file.service.len(), 1);
    assert_eq!(file.service[0].method.len(), 11);
}

#[test]
fn every_message_of_the_table_is_carried() {
    let mut names: Vec<&str> = CARRIERS.iter().map(|carrier| carrier.name).collect();
    names.sort_unstable();
    assert!(names.into_iter().eq(TABLE.messages.keys().copied()));
}

#[test]
fn a_full_message_is_the_same_in_json_and_in_grpc() {
    for message in TABLE.messages.keys() {
        for case in cases(message) {
            let json = Value::Object(full(message, case));
            let bytes = (carrier(message).send)(&json);
            let back = (carrier(message).receive)(&bytes).unwrap();
            assert_eq!(as_doubles(&back), as_doubles(&json), "{message}");
            assert_eq!(as_doubles(&reflect::to_json(message, &bytes)), as_doubles(&json), "{message}");
        }
    }
}

#[test]
fn a_missing_member_is_refused_exactly_where_json_refuses_it() {
    for (message, fields) in &TABLE.messages {
        for case in cases(message) {
            let bytes = (carrier(message).send)(&Value::Object(full(message, case)));
            for field in fields {
                if field.oneof.is_some() && Some(field.json) != case {
                    continue;
                }
                let without = reflect::without(message, &bytes, field.proto);
                let received = (carrier(message).receive)(&without);
                let name = format!("{message}.{}", field.json);
                match received {
                    Err(error) => {
                        assert!(field.oneof.is_some() || is_strict(message, field), "{name}: {error}");
                        assert_eq!(error.kind, ErrorKind::InvalidParams, "{name}");
                        let at = if field.oneof.is_some() { "" } else { field.json };
                        assert_eq!(error.violations()[0].field, at, "{name}: {error}");
                    }
                    Ok(json) => {
                        assert!(field.oneof.is_none() && !is_strict(message, field), "{name} was not missed");
                        // spec 5.7: what is required is written in JSON even when it is empty.
                        assert_eq!(json.get(field.json).is_some(), field.required, "{name}: {json}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_enum_has_no_other_numbers() {
    for (message, fields) in &TABLE.messages {
        for field in fields.iter().filter(|field| matches!(field.kind, Kind::Enum(_))) {
            let bytes = (carrier(message).send)(&Value::Object(full(message, None)));
            for number in [-1, 9, i32::MAX] {
                let odd = reflect::with_enum(message, &bytes, field.proto, number);
                let error = (carrier(message).receive)(&odd).unwrap_err();
                assert_eq!(error.violations()[0].field, field.json);
                let text = format!("invalid value: integer `{number}`, expected one of");
                assert!(error.violations()[0].description.starts_with(&text), "{error}");
            }
        }
    }
}

fn request(message: v1::Message) -> Result<SendMessageRequest, A2aError> {
    v1::SendMessageRequest { message: Some(message), ..Default::default() }.try_into()
}

fn hello() -> v1::Message {
    Message::user("Hello").into()
}

#[test]
fn errors_name_the_member_as_in_json() {
    let number =
        |double: f64| prost_types::Value { kind: Some(prost_types::value::Kind::NumberValue(double)) };
    let data = |value| v1::Part { content: Some(v1::part::Content::Data(value)), ..Default::default() };
    let list = |value| prost_types::Value {
        kind: Some(prost_types::value::Kind::ListValue(prost_types::ListValue { values: vec![value] })),
    };
    let in_a = |value| prost_types::Struct { fields: [("a".to_owned(), value)].into() };
    for (message, field, description) in [
        (v1::Message { message_id: String::new(), ..hello() }, "message.messageId", "is required"),
        (v1::Message { role: 0, ..hello() }, "message.role", "is required"),
        (
            v1::Message { role: 3, ..hello() },
            "message.role",
            "invalid value: integer `3`, expected one of ROLE_UNSPECIFIED ROLE_USER ROLE_AGENT",
        ),
        (v1::Message { parts: vec![], ..hello() }, "message.parts", "is required"),
        (
            v1::Message { parts: vec![Part::text("a").into(), v1::Part::default()], ..hello() },
            "message.parts[1]",
            "holds none of `text`, `raw`, `url`, `data`",
        ),
        (
            v1::Message { parts: vec![data(list(number(f64::NAN)))], ..hello() },
            "message.parts[0].data[0]",
            "is not a finite number",
        ),
        (
            v1::Message { metadata: Some(in_a(list(number(f64::INFINITY)))), ..hello() },
            "message.metadata.a[0]",
            "is not a finite number",
        ),
        (
            v1::Message { metadata: Some(in_a(prost_types::Value { kind: None })), ..hello() },
            "message.metadata.a",
            "holds no value",
        ),
    ] {
        let error = request(message).unwrap_err();
        assert_eq!(error, A2aError::invalid_field(field, description));
    }
    let error = SendMessageRequest::try_from(v1::SendMessageRequest::default()).unwrap_err();
    assert_eq!(error, A2aError::invalid_field("message", "is required"));
}

#[test]
fn whole_doubles_are_integers_up_to_where_doubles_are_exact() {
    for (sent, kept) in [
        (5.0, "5"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (9_007_199_254_740_992.0, "9007199254740992"),
        (-9_007_199_254_740_992.0, "-9007199254740992"),
        (9_007_199_254_740_994.0, "9007199254740994.0"),
    ] {
        let value = prost_types::Value { kind: Some(prost_types::value::Kind::NumberValue(sent)) };
        let part = v1::Part { content: Some(v1::part::Content::Data(value)), ..Default::default() };
        let part = Part::try_from(part).unwrap();
        assert_eq!(part.as_data().unwrap().to_string(), kept);
    }
}

#[test]
fn null_survives_in_data_and_in_metadata() {
    let part = Part::data(Value::Null).with_metadata([("a", Value::Null)]);
    assert_eq!(Part::try_from(v1::Part::from(&part)), Ok(part));
}

#[test]
fn moments_are_cut_to_milliseconds_and_have_a_range() {
    let read = |seconds, nanos| {
        let status = v1::TaskStatus { state: 2, message: None, timestamp: Some(Moment { seconds, nanos }) };
        TaskStatus::try_from(status).map(|status| status.timestamp.unwrap().to_string())
    };
    for (seconds, nanos, expected) in [
        (0, 0, "1970-01-01T00:00:00.000Z"),
        (0, 1_999_999, "1970-01-01T00:00:00.001Z"),
        (-1, 999_999_999, "1969-12-31T23:59:59.999Z"),
        (-62_135_596_800, 0, "0001-01-01T00:00:00.000Z"),
        (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999Z"),
    ] {
        assert_eq!(read(seconds, nanos).as_deref(), Ok(expected));
    }
    for (seconds, nanos) in [
        (-62_135_596_801, 999_999_999),
        (253_402_300_800, 0),
        (i64::MAX, 0),
        (i64::MIN, 0),
        (0, -1),
        (0, 1_000_000_000),
        (0, i32::MIN),
    ] {
        let error = read(seconds, nanos).unwrap_err();
        assert_eq!(error.violations()[0].field, "timestamp", "{seconds} {nanos}");
    }
}

#[test]
fn zero_and_unset_are_two_things_where_the_table_says_optional() {
    for length in [None, Some(0), Some(5), Some(-1)] {
        let sent = v1::GetTaskRequest { id: "7".into(), history_length: length, ..Default::default() };
        let bytes = sent.encode_to_vec();
        let read = GetTaskRequest::try_from(v1::GetTaskRequest::decode(&*bytes).unwrap()).unwrap();
        assert_eq!(read.history_length, length);
        assert_eq!(v1::GetTaskRequest::from(read), sent);
    }
}

#[test]
fn secrets_are_not_shown() {
    let config = v1::TaskPushNotificationConfig {
        token: "secret".into(),
        authentication: Some(v1::AuthenticationInfo {
            scheme: "Bearer".into(),
            credentials: "secret".into(),
        }),
        ..Default::default()
    };
    assert!(!format!("{config:?} {:?}", config.authentication).contains("secret"));
}

#[test]
fn a_configuration_that_says_nothing_is_not_sent() {
    let sent = v1::SendMessageRequest::from(SendMessageRequest::new(Message::user("a")));
    assert_eq!(sent.configuration, None);
    let sent =
        v1::SendMessageRequest { configuration: Some(v1::SendMessageConfiguration::default()), ..sent };
    assert_eq!(
        SendMessageRequest::try_from(sent).unwrap().configuration,
        SendMessageConfiguration::default()
    );
    assert_eq!(json!({}), serde_json::to_value(SendMessageConfiguration::default()).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_sent_is_what_was_said((name, json) in any_message()) {
        let bytes = (carrier(name).send)(&json);
        prop_assert_eq!((carrier(name).receive)(&bytes), Ok(json), "{}", name);
    }

    #[test]
    fn another_implementation_reads_the_same((name, json) in any_message()) {
        let bytes = (carrier(name).send)(&json);
        let theirs = reflect::to_json(name, &bytes);
        prop_assert_eq!(crate::codec::recode(name, &theirs), Ok(json), "{}: {}", name, theirs);
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(proto) = v1::SendMessageRequest::decode(&*bytes) {
            drop(SendMessageRequest::try_from(proto));
        }
    }
}
