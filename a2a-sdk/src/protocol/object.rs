//! The macros that give a message its JSON form.
//!
//! A message is described once, member by member, with [`json_object!`] or [`json_oneof!`]. Each member names how its
//! presence works:
//!
//! | kind         | Rust type   | missing or `null` | empty on input        | on output               |
//! |--------------|-------------|-------------------|-----------------------|-------------------------|
//! | [`Required`] | `T`         | refused           | refused               | always                  |
//! | [`Always`]   | `T`         | the default       | kept                  | always                  |
//! | [`Implicit`] | `T`         | the default       | the default           | omitted when default    |
//! | [`Optional`] | `Option<T>` | `None`            | `None` for text       | omitted when unset      |
//! | [`Explicit`] | `Option<T>` | `None`            | kept                  | omitted when `None`     |
//!
//! Which required members are [`Required`] and which are only [`Always`] is decided by what peers send. Peers that are
//! built on Protocol Buffers leave out whatever is empty, even where the protocol marks it required (spec 5.7). So
//! everything that only informs is read leniently: the texts of a card, its capabilities, its lists and maps, the parts of
//! an artifact, the counts of a page. What a program needs to go on is strict: ids, roles, states, the parts of a
//! message, the address and the binding of an interface, what a security scheme or a signature is made of.
//!
//! [`Required`]: super::json::Required
//! [`Always`]: super::json::Always
//! [`Implicit`]: super::json::Implicit
//! [`Optional`]: super::json::Optional
//! [`Explicit`]: super::json::Explicit

/// Writes and reads a message, member by member: `field: Kind = "jsonName"`.
macro_rules! json_object {
    ($type:ident { $($field:ident: $kind:ident = $name:literal),* $(,)? }) => {
        crate::protocol::object::json_write!($type { $($field: $kind = $name),* });
        crate::protocol::object::json_read!($type { $($field: $kind = $name),* });
        impl crate::protocol::json::Member for $type {}
    };
}

/// The writing half of [`json_object!`].
macro_rules! json_write {
    ($type:ident { $($field:ident: $kind:ident = $name:literal),* }) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use crate::protocol::json;
                use serde::ser::SerializeMap as _;

                let mut map = serializer.serialize_map(None)?;
                $(if !<json::$kind as json::Field<_>>::omit(&self.$field) {
                    map.serialize_entry($name, &self.$field)?;
                })*
                map.end()
            }
        }
    };
}

/// The reading half of [`json_object!`].
macro_rules! json_read {
    ($type:ident { $($field:ident: $kind:ident = $name:literal),* }) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use crate::protocol::json;
                use serde::de;

                const NAMES: &[(&str, &str)] = &[$(($name, stringify!($field))),*];

                #[expect(non_camel_case_types, reason = "the keys are the names of the fields")]
                enum Key { $($field),* }

                struct Object;

                impl<'de> de::Visitor<'de> for Object {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<$type, A::Error> {
                        $(let mut $field = None;)*
                        while let Some(key) = map.next_key_seed(json::Keys(NAMES))? {
                            $(if key == Key::$field as usize {
                                if $field.is_some() {
                                    return Err(de::Error::duplicate_field($name));
                                }
                                $field = Some(map.next_value_seed(json::Seed::<json::$kind, _>::new())?);
                                continue;
                            })*
                            map.next_value::<de::IgnoredAny>()?;
                        }
                        Ok($type {
                            $($field: match $field {
                                Some(value) => value,
                                None => <json::$kind as json::Field<_>>::absent::<A::Error>($name)?,
                            }),*
                        })
                    }
                }

                deserializer.deserialize_map(Object)
            }
        }
    };
}

/// Writes and reads a oneof: `Variant: proto_name = "jsonName"`.
macro_rules! json_oneof {
    ($type:ident { $($variant:ident: $proto:ident = $name:literal),* $(,)? }) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap as _;

                let mut map = serializer.serialize_map(Some(1))?;
                match self {
                    $(Self::$variant(value) => map.serialize_entry($name, value)?,)*
                }
                map.end()
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use crate::protocol::json;
                use serde::de;

                const NAMES: &[(&str, &str)] = &[$(($name, stringify!($proto))),*];

                #[expect(non_camel_case_types, reason = "the keys are the names of the members")]
                enum Key { $($proto),* }

                struct Oneof;

                impl<'de> de::Visitor<'de> for Oneof {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<$type, A::Error> {
                        let mut set: Option<(&'static str, $type)> = None;
                        while let Some(key) = map.next_key_seed(json::Keys(NAMES))? {
                            $(if key == Key::$proto as usize {
                                if let Some(value) = map.next_value::<Option<_>>()? {
                                    if let Some((first, _)) = set {
                                        return Err(json::second(first, $name));
                                    }
                                    set = Some(($name, $type::$variant(value)));
                                }
                                continue;
                            })*
                            map.next_value::<de::IgnoredAny>()?;
                        }
                        set.map(|(_, value)| value).ok_or_else(|| json::none(NAMES))
                    }
                }

                deserializer.deserialize_map(Oneof)
            }
        }

        impl crate::protocol::json::Member for $type {}
    };
}

pub(crate) use {json_object, json_oneof, json_read, json_write};
