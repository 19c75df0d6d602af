//! The JSON form of Protocol Buffers (ProtoJSON), as far as the messages of this module need it: how values are read,
//! and what it means that a member is missing.

use serde::Deserialize;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, Visitor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// The type of a member.
pub(crate) trait Member: DeserializeOwned {
    /// What is said of a required member that is unset.
    const UNSET: &'static str = "must not be empty";

    /// Reads the member; `null` is `None`.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        Option::deserialize(deserializer)
    }

    /// Whether the value says nothing, which a required member must not and an optional one need not.
    fn is_unset(&self) -> bool {
        false
    }
}

impl Member for String {
    fn is_unset(&self) -> bool {
        self.is_empty()
    }
}

impl<T: DeserializeOwned> Member for Vec<T> {
    fn is_unset(&self) -> bool {
        self.is_empty()
    }
}

impl<T: DeserializeOwned> Member for BTreeMap<String, T> {
    fn is_unset(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Member> Member for Box<T> {}

impl Member for bool {}

impl Member for i32 {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Self>, D::Error> {
        struct Int;

        impl<'de> Visitor<'de> for Int {
            type Value = Option<i32>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number of 32 bits")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(None)
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
                let int = i32::try_from(number);
                int.map(Some).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
                let int = i32::try_from(number);
                int.map(Some).map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Self::Value, E> {
                match whole(number) {
                    Some(int) => Ok(Some(int)),
                    None => Err(E::invalid_value(de::Unexpected::Float(number), &self)),
                }
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                let int = text.parse().ok().or_else(|| whole(text.parse().ok()?));
                int.map(Some).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(Int)
    }
}

/// The number as an integer, if it is one of 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "the range and the fraction are checked first")]
fn whole(number: f64) -> Option<i32> {
    let fits = number.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number);
    fits.then_some(number as i32)
}

/// Turns the doubles of free-form JSON that are whole into integers, up to 2^53, where every double is exact.
///
/// Peers that are built on Protocol Buffers have no other numbers, and write `5.0` where `5` was meant.
pub(crate) fn settle(value: &mut Value) {
    const EXACT: f64 = 9_007_199_254_740_992.0;

    match value {
        Value::Number(number) => {
            let double = number.as_f64().filter(|double| number.is_f64() && double.fract() == 0.0);
            let whole = double
                .filter(|double| double.abs() <= EXACT && (*double != 0.0 || double.is_sign_positive()));
            if let Some(whole) = whole {
                #[expect(clippy::cast_possible_truncation, reason = "it is whole and within the range")]
                let integer = whole as i64;
                *number = integer.into();
            }
        }
        Value::Array(list) => list.iter_mut().for_each(settle),
        Value::Object(map) => map.values_mut().for_each(settle),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// How the presence of a member works.
pub(crate) trait Field<T> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>;
    fn absent<E: de::Error>(name: &'static str) -> Result<T, E>;
    fn omit(value: &T) -> bool;
}

/// Refused when missing, `null` or empty; always written.
pub(crate) struct Required;

impl<T: Member> Field<T> for Required {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        match T::read(deserializer)? {
            None => Err(de::Error::custom("must not be null")),
            Some(value) if value.is_unset() => Err(de::Error::custom(T::UNSET)),
            Some(value) => Ok(value),
        }
    }

    fn absent<E: de::Error>(name: &'static str) -> Result<T, E> {
        Err(E::missing_field(name))
    }

    fn omit(_: &T) -> bool {
        false
    }
}

/// The default when missing or `null`; always written.
pub(crate) struct Always;

impl<T: Member + Default> Field<T> for Always {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::read(deserializer).map(Option::unwrap_or_default)
    }

    fn absent<E: de::Error>(_: &'static str) -> Result<T, E> {
        Ok(T::default())
    }

    fn omit(_: &T) -> bool {
        false
    }
}

/// The default when missing or `null`; the default is not written.
pub(crate) struct Implicit;

impl<T: Member + Default + PartialEq> Field<T> for Implicit {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::read(deserializer).map(Option::unwrap_or_default)
    }

    fn absent<E: de::Error>(_: &'static str) -> Result<T, E> {
        Ok(T::default())
    }

    fn omit(value: &T) -> bool {
        *value == T::default()
    }
}

/// `None` when missing, `null` or an empty text; not written then.
pub(crate) struct Optional;

impl<T: Member> Field<Option<T>> for Optional {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        Ok(T::read(deserializer)?.filter(|value| !value.is_unset()))
    }

    fn absent<E: de::Error>(_: &'static str) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn omit(value: &Option<T>) -> bool {
        value.as_ref().is_none_or(T::is_unset)
    }
}

/// `None` when missing or `null`; whatever else was said is kept, for the members labelled `optional`.
pub(crate) struct Explicit;

impl<T: Member> Field<Option<T>> for Explicit {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        T::read(deserializer)
    }

    fn absent<E: de::Error>(_: &'static str) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn omit(value: &Option<T>) -> bool {
        value.is_none()
    }
}

/// Reads the value of a member of kind `K`.
pub(crate) struct Seed<K, T>(PhantomData<(K, T)>);

impl<K, T> Seed<K, T> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<'de, K: Field<T>, T> DeserializeSeed<'de> for Seed<K, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        K::read(deserializer)
    }
}

/// Reads a key as its place in the list, which holds the JSON name and the name of the `.proto` of each member.
/// `usize::MAX` stands for a key that is not known.
pub(crate) struct Keys(pub(crate) &'static [(&'static str, &'static str)]);

impl<'de> DeserializeSeed<'de> for Keys {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Keys {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<usize, E> {
        Ok(self.0.iter().position(|(json, proto)| key == *json || key == *proto).unwrap_or(usize::MAX))
    }
}

/// Two members of a oneof are set.
pub(crate) fn second<E: de::Error>(first: &'static str, second: &'static str) -> E {
    if first == second {
        return E::duplicate_field(first);
    }
    E::custom(format_args!("holds both `{first}` and `{second}`, of which only one may be set"))
}

/// No member of a oneof is set.
pub(crate) fn none<E: de::Error>(names: &[(&str, &str)]) -> E {
    let names: Vec<String> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
    E::custom(format_args!("holds none of {}", names.join(", ")))
}

/// Reads an enum by name or by number, given all values and their names in the order of their numbers.
pub(crate) fn read_enum<'de, T: Copy, D: Deserializer<'de>>(
    deserializer: D,
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> Result<T, D::Error> {
    struct Choice<T: 'static>(&'static [T], fn(T) -> &'static str);

    impl<T: Copy> Visitor<'_> for Choice<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("one of")?;
            self.0.iter().try_for_each(|value| write!(f, " {}", (self.1)(*value)))
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            let found = self.0.iter().find(|value| (self.1)(**value) == text);
            found.copied().ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
            let found = usize::try_from(number).ok().and_then(|number| self.0.get(number));
            found.copied().ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(number), &self))
        }

        fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
            match u64::try_from(number) {
                Ok(number) => self.visit_u64(number),
                Err(_) => Err(E::invalid_value(de::Unexpected::Signed(number), &self)),
            }
        }

        fn visit_f64<E: de::Error>(self, number: f64) -> Result<T, E> {
            match whole(number) {
                Some(number) => self.visit_i64(number.into()),
                None => Err(E::invalid_value(de::Unexpected::Float(number), &self)),
            }
        }
    }

    deserializer.deserialize_any(Choice(all, name))
}
