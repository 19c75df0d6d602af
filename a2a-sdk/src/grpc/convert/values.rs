//! What messages are made of.

use super::{Convert, Wrong};
use crate::protocol::{Metadata, Role, Secret, TaskState, Timestamp, settle};
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Timestamp as ProtoTimestamp, Value as ProtoValue};
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;

/// Values that are the same on both sides.
macro_rules! same {
    ($($type:ty),*) => {$(
        impl Convert<$type> for $type {
            fn write(&self) -> $type {
                self.clone()
            }

            fn read(proto: $type) -> Result<Self, Wrong> {
                Ok(proto)
            }
        }
    )*};
}

same!(String, bool, i32, bytes::Bytes);

impl Convert<String> for Secret {
    fn write(&self) -> String {
        self.expose().to_owned()
    }

    fn read(proto: String) -> Result<Self, Wrong> {
        Ok(proto.into())
    }
}

impl<T: Convert<P>, P> Convert<P> for Box<T> {
    fn write(&self) -> P {
        (**self).write()
    }

    fn read(proto: P) -> Result<Self, Wrong> {
        T::read(proto).map(Self::new)
    }
}

impl<T: Convert<P>, P> Convert<Vec<P>> for Vec<T> {
    fn write(&self) -> Vec<P> {
        self.iter().map(T::write).collect()
    }

    fn read(proto: Vec<P>) -> Result<Self, Wrong> {
        let items = proto.into_iter().enumerate();
        items.map(|(index, item)| T::read(item).map_err(|wrong| wrong.at(index))).collect()
    }
}

impl<T: Convert<P>, P> Convert<BTreeMap<String, P>> for BTreeMap<String, T> {
    fn write(&self) -> BTreeMap<String, P> {
        self.iter().map(|(key, value)| (key.clone(), value.write())).collect()
    }

    fn read(proto: BTreeMap<String, P>) -> Result<Self, Wrong> {
        let entries = proto.into_iter().map(|(key, value)| match T::read(value) {
            Ok(value) => Ok((key, value)),
            Err(wrong) => Err(wrong.at_key(&key)),
        });
        entries.collect()
    }
}

/// Enums, which are read and written by their place among all values.
macro_rules! enums {
    ($($type:ident),*) => {$(
        impl Convert<i32> for $type {
            fn write(&self) -> i32 {
                *self as i32
            }

            fn read(proto: i32) -> Result<Self, Wrong> {
                let found = usize::try_from(proto).ok().and_then(|number| Self::ALL.get(number));
                found.copied().ok_or_else(|| {
                    let names = Self::ALL.iter().fold(String::new(), |names, value| names + " " + value.as_str());
                    Wrong::new(format!("invalid value: integer `{proto}`, expected one of{names}"))
                })
            }
        }
    )*};
}

enums!(Role, TaskState);

impl Convert<ProtoTimestamp> for Timestamp {
    #[expect(clippy::cast_possible_truncation, reason = "the nanoseconds of a second are 30 bits")]
    fn write(&self) -> ProtoTimestamp {
        let millis = self.unix_millis();
        let (seconds, millis) = (millis.div_euclid(1000), millis.rem_euclid(1000));
        ProtoTimestamp { seconds, nanos: millis as i32 * 1_000_000 }
    }

    /// What is finer than a millisecond is cut off.
    fn read(proto: ProtoTimestamp) -> Result<Self, Wrong> {
        let ProtoTimestamp { seconds, nanos } = proto;
        let millis =
            seconds.checked_mul(1000).and_then(|millis| millis.checked_add((nanos / 1_000_000).into()));
        let in_range = |millis: &i64| (Self::MIN.unix_millis()..=Self::MAX.unix_millis()).contains(millis);
        match millis.filter(in_range) {
            Some(millis) if (0..1_000_000_000).contains(&nanos) => Ok(Self::from_unix_millis(millis)),
            _ => Err(Wrong::new("is not a moment from year 1 to year 9999")),
        }
    }
}

impl Convert<Struct> for Metadata {
    fn write(&self) -> Struct {
        write_map(self)
    }

    fn read(proto: Struct) -> Result<Self, Wrong> {
        read_map(proto).map(Self)
    }
}

/// A number of Protocol Buffers is a double: integers beyond 2^53 are rounded.
impl Convert<ProtoValue> for Value {
    fn write(&self) -> ProtoValue {
        let kind = match self {
            Self::Null => Kind::NullValue(0),
            Self::Bool(bool) => Kind::BoolValue(*bool),
            Self::Number(number) => Kind::NumberValue(number.as_f64().unwrap_or_default()),
            Self::String(text) => Kind::StringValue(text.clone()),
            Self::Array(list) => Kind::ListValue(ListValue { values: list.write() }),
            Self::Object(map) => Kind::StructValue(write_map(map)),
        };
        ProtoValue { kind: Some(kind) }
    }

    /// A double that is whole is an integer, as in JSON.
    fn read(proto: ProtoValue) -> Result<Self, Wrong> {
        Ok(match proto.kind {
            None => return Err(Wrong::new("holds no value")),
            Some(Kind::NullValue(_)) => Self::Null,
            Some(Kind::BoolValue(bool)) => Self::Bool(bool),
            Some(Kind::NumberValue(double)) => {
                let number = Number::from_f64(double).ok_or_else(|| Wrong::new("is not a finite number"))?;
                let mut number = Self::Number(number);
                settle(&mut number);
                number
            }
            Some(Kind::StringValue(text)) => Self::String(text),
            Some(Kind::ListValue(list)) => Self::Array(Convert::read(list.values)?),
            Some(Kind::StructValue(map)) => Self::Object(read_map(map)?),
        })
    }
}

fn write_map(map: &Map<String, Value>) -> Struct {
    Struct { fields: map.iter().map(|(key, value)| (key.clone(), value.write())).collect() }
}

fn read_map(proto: Struct) -> Result<Map<String, Value>, Wrong> {
    let entries = proto.fields.into_iter().map(|(key, value)| match Value::read(value) {
        Ok(value) => Ok((key, value)),
        Err(wrong) => Err(wrong.at_key(&key)),
    });
    entries.collect()
}
