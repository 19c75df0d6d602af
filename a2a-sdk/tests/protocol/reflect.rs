//! The same table as Protocol Buffers descriptors, read and written by an implementation that is not ours.

use crate::table::{Field, Kind, TABLE};
use prost_reflect::{DescriptorPool, DynamicMessage, SerializeOptions};
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
    FileDescriptorProto, MessageOptions, OneofDescriptorProto,
};
use serde_json::Value;
use std::sync::LazyLock;

const PACKAGE: &str = "lf.a2a.v1";

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let mut pool = DescriptorPool::global();
    let enums = TABLE.enums.iter().map(|(name, values)| EnumDescriptorProto {
        name: Some((*name).to_owned()),
        value: (0..)
            .zip(values)
            .map(|(number, value)| EnumValueDescriptorProto {
                name: Some((*value).to_owned()),
                number: Some(number),
                options: None,
            })
            .collect(),
        ..Default::default()
    });
    let file = FileDescriptorProto {
        name: Some("a2a.proto".to_owned()),
        package: Some(PACKAGE.to_owned()),
        dependency: vec![
            "google/protobuf/struct.proto".to_owned(),
            "google/protobuf/timestamp.proto".to_owned(),
        ],
        message_type: TABLE.messages.iter().map(|(name, fields)| descriptor(name, fields)).collect(),
        enum_type: enums.collect(),
        syntax: Some("proto3".to_owned()),
        ..Default::default()
    };
    pool.add_file_descriptor_proto(file).unwrap();
    pool
});

fn descriptor(name: &str, fields: &[Field]) -> DescriptorProto {
    let mut message = DescriptorProto { name: Some(name.to_owned()), ..Default::default() };
    if let Some(oneof) = fields.iter().find_map(|field| field.oneof) {
        message.oneof_decl.push(OneofDescriptorProto { name: Some(oneof.to_owned()), options: None });
    }
    for field in fields {
        let repeated = field.repeated || field.is_map();
        let (kind, type_name) = match field.kind {
            Kind::TextMap | Kind::MessageMap(_) => {
                let entry = format!("{}Entry", field.json);
                message.nested_type.push(map_entry(&entry, field.kind));
                (Type::Message, Some(format!(".{PACKAGE}.{name}.{entry}")))
            }
            kind => type_of(kind),
        };
        let mut proto = member(field.proto, field.number, kind, type_name);
        proto.json_name = Some(field.json.to_owned());
        proto.set_label(if repeated { Label::Repeated } else { Label::Optional });
        proto.oneof_index = field.oneof.map(|_| 0);
        if field.optional {
            proto.proto3_optional = Some(true);
            proto.oneof_index = i32::try_from(message.oneof_decl.len()).ok();
            let oneof = OneofDescriptorProto { name: Some(format!("_{}", field.proto)), options: None };
            message.oneof_decl.push(oneof);
        }
        message.field.push(proto);
    }
    message
}

fn map_entry(name: &str, kind: Kind) -> DescriptorProto {
    let (value, type_name) = match kind {
        Kind::MessageMap(name) => type_of(Kind::Message(name)),
        _ => type_of(Kind::Text),
    };
    DescriptorProto {
        name: Some(name.to_owned()),
        field: vec![member("key", 1, Type::String, None), member("value", 2, value, type_name)],
        options: Some(MessageOptions { map_entry: Some(true), ..Default::default() }),
        ..Default::default()
    }
}

fn member(name: &str, number: i32, kind: Type, type_name: Option<String>) -> FieldDescriptorProto {
    let mut field = FieldDescriptorProto {
        name: Some(name.to_owned()),
        number: Some(number),
        type_name,
        ..Default::default()
    };
    field.set_type(kind);
    field.set_label(Label::Optional);
    field
}

fn type_of(kind: Kind) -> (Type, Option<String>) {
    match kind {
        Kind::Text => (Type::String, None),
        Kind::Bytes => (Type::Bytes, None),
        Kind::Int => (Type::Int32, None),
        Kind::Bool => (Type::Bool, None),
        Kind::Struct => (Type::Message, Some(".google.protobuf.Struct".to_owned())),
        Kind::Value => (Type::Message, Some(".google.protobuf.Value".to_owned())),
        Kind::Timestamp => (Type::Message, Some(".google.protobuf.Timestamp".to_owned())),
        Kind::Enum(name) => (Type::Enum, Some(format!(".{PACKAGE}.{name}"))),
        Kind::Message(name) | Kind::MessageMap(name) => (Type::Message, Some(format!(".{PACKAGE}.{name}"))),
        Kind::TextMap => (Type::String, None),
    }
}

/// Reads the message from JSON, sends it through the binary form, and writes it as JSON.
pub(crate) fn recode(message: &str, json: &Value) -> Value {
    use prost_reflect::prost::Message as _;

    let descriptor = POOL.get_message_by_name(&format!("{PACKAGE}.{message}")).unwrap();
    let read = DynamicMessage::deserialize(descriptor.clone(), json).unwrap();
    let decoded = DynamicMessage::decode(descriptor, read.encode_to_vec().as_slice()).unwrap();
    decoded.serialize_with_options(serde_json::value::Serializer, &SerializeOptions::new()).unwrap()
}

/// The same value with every number as a double, the only numbers that a `Value` of Protocol Buffers has.
pub(crate) fn as_doubles(json: &Value) -> Value {
    match json {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(list) => list.iter().map(as_doubles).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), as_doubles(value))).collect(),
        value => value.clone(),
    }
}

/// The JSON of a message in its binary form.
#[cfg(feature = "grpc")]
pub(crate) fn to_json(message: &str, bytes: &[u8]) -> Value {
    let decoded = decode(message, bytes);
    decoded.serialize_with_options(serde_json::value::Serializer, &SerializeOptions::new()).unwrap()
}

/// The binary form of the same message, without that member.
#[cfg(feature = "grpc")]
pub(crate) fn without(message: &str, bytes: &[u8], member: &str) -> Vec<u8> {
    use prost_reflect::prost::Message as _;

    let mut decoded = decode(message, bytes);
    decoded.clear_field_by_name(member);
    decoded.encode_to_vec()
}

/// The binary form of the same message, with that number in that enum.
#[cfg(feature = "grpc")]
pub(crate) fn with_enum(message: &str, bytes: &[u8], member: &str, number: i32) -> Vec<u8> {
    use prost_reflect::prost::Message as _;

    let mut decoded = decode(message, bytes);
    decoded.set_field_by_name(member, prost_reflect::Value::EnumNumber(number));
    decoded.encode_to_vec()
}

#[cfg(feature = "grpc")]
fn decode(message: &str, bytes: &[u8]) -> DynamicMessage {
    let descriptor = POOL.get_message_by_name(&format!("{PACKAGE}.{message}")).unwrap();
    DynamicMessage::decode(descriptor, bytes).unwrap()
}
