//! Free-form JSON objects.

use super::json::{Member, settle};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::ops::{Deref, DerefMut};

/// A free-form JSON object, the `Struct` of the protocol. Empty means absent.
///
/// Whole numbers are integers, also where the sender wrote `2.0`.
///
/// ```
/// use a2a_sdk::protocol::Metadata;
///
/// let metadata: Metadata = [("attempt", 2)].into_iter().collect();
/// assert_eq!(metadata["attempt"], 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Metadata(pub Map<String, Value>);

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut map = Map::deserialize(deserializer)?;
        map.values_mut().for_each(settle);
        Ok(Self(map))
    }
}

impl Member for Metadata {}

impl Deref for Metadata {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Metadata {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl From<Map<String, Value>> for Metadata {
    fn from(map: Map<String, Value>) -> Self {
        Self(map)
    }
}

impl From<Metadata> for Value {
    fn from(metadata: Metadata) -> Self {
        Self::Object(metadata.0)
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for Metadata {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

impl<K: Into<String>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Metadata {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl IntoIterator for Metadata {
    type Item = (String, Value);
    type IntoIter = serde_json::map::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// A JSON value that is not an object, where [`Metadata`] was wanted; the value is inside.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("metadata is a JSON object")]
pub struct NotAnObject(pub Value);

impl TryFrom<Value> for Metadata {
    type Error = NotAnObject;

    fn try_from(value: Value) -> Result<Self, NotAnObject> {
        match value {
            Value::Object(map) => Ok(Self(map)),
            value => Err(NotAnObject(value)),
        }
    }
}
