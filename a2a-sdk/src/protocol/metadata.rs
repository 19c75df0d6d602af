//! Free-form JSON objects.

/// A free-form JSON object, the `Struct` of the protocol. Empty means absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata(pub serde_json::Map<String, serde_json::Value>);

impl std::ops::Deref for Metadata {
    type Target = serde_json::Map<String, serde_json::Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl std::ops::DerefMut for Metadata {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
