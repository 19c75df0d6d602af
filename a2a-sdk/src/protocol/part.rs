//! Parts: the pieces of content that messages and artifacts are made of.

use super::Metadata;
use bytes::Bytes;

/// One piece of content of a message or an artifact.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The content itself.
    pub content: PartContent,
    /// Free-form additions.
    pub metadata: Metadata,
    /// The name of the file, where the part is one.
    pub filename: Option<String>,
    /// The media type of the content.
    pub media_type: Option<String>,
}

/// What a [`Part`] holds: exactly one of four kinds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PartContent {
    /// Text.
    Text(String),
    /// Bytes, in the message itself.
    Raw(Bytes),
    /// An address where the content is.
    Url(String),
    /// Any JSON value, `null` included.
    Data(serde_json::Value),
}

impl Part {
    /// A part of that content.
    pub fn new(content: PartContent) -> Self {
        Self { content, metadata: Metadata::default(), filename: None, media_type: None }
    }

    /// A part of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(PartContent::Text(text.into()))
    }
}
