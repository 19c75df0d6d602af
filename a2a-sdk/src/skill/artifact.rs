//! Artifacts that a skill writes while it runs.

use super::context::{Chunk, Wish};
use super::json::data_part;
use super::{Shared, SkillError};
use crate::protocol::{Artifact, Metadata, Part};
use serde::Serialize;
use std::sync::Arc;

/// An artifact that is being written: each chunk goes to the caller at once.
///
/// Made by [`Context::artifact`](super::Context::artifact). The `append` and `lastChunk` marks of the protocol are
/// kept right by this type: the first chunk begins the artifact, later ones add to it, and finishing it takes it. One
/// that is dropped unfinished stays as far as it was written, and no chunk of it is the last; several can be written at
/// the same time.
///
/// ```
/// use a2a_sdk::{Context, File, SkillError};
/// use serde_json::json;
///
/// /// Reports on a city.
/// #[a2a_sdk::skill]
/// async fn report(city: String, ctx: Context) -> Result<(), SkillError> {
///     let mut text = ctx.artifact("report").description("What there is to know.").metadata([("city", city)].into());
///     text.write("It rains. ").await?;
///     text.finish_with("Still.").await?;
///
///     let mut numbers = ctx.artifact("numbers");
///     numbers.write_json(&json!({ "may": 12 })).await?;
///     numbers.finish_with_json(&json!({ "june": 15 })).await?;
///
///     ctx.artifact("map").finish_with(File::url("map.png", "image/png", "https://example.com/map.png")).await
/// }
/// ```
#[derive(Debug)]
pub struct ArtifactWriter {
    shared: Arc<Shared>,
    artifact: Artifact,
    begun: bool,
}

impl ArtifactWriter {
    pub(crate) fn new(shared: Arc<Shared>, name: String) -> Self {
        let artifact_id = shared.next_artifact_id();
        let artifact = Artifact { artifact_id, name: Some(name), ..Artifact::default() };
        Self { shared, artifact, begun: false }
    }

    /// Its id, unique within the task.
    pub fn id(&self) -> &str {
        &self.artifact.artifact_id
    }

    /// Says what the artifact is. Goes out with the first chunk.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.artifact.description = Some(description.into());
        self
    }

    /// Adds free-form metadata. Goes out with the first chunk.
    #[must_use]
    pub fn metadata(mut self, metadata: Metadata) -> Self {
        self.artifact.metadata = metadata;
        self
    }

    /// Says that an extension of the protocol shaped the artifact, by its URI. Goes out with the first chunk.
    #[must_use]
    pub fn extension(mut self, uri: impl Into<String>) -> Self {
        self.artifact.extensions.push(uri.into());
        self
    }

    /// Writes a chunk: text, a [`File`](crate::File), any [`Part`].
    ///
    /// # Errors
    /// When the task has ended, or the store fails.
    pub async fn write(&mut self, part: impl Into<Part>) -> Result<(), SkillError> {
        let part = part.into();
        self.send(part, false).await
    }

    /// Writes a chunk of data, as a part of its own.
    ///
    /// # Errors
    /// When the value cannot be written as JSON, the task has ended, or the store fails.
    pub async fn write_json(&mut self, value: &impl Serialize) -> Result<(), SkillError> {
        let part = data_part(value)?;
        self.send(part, false).await
    }

    /// Writes the last chunk.
    ///
    /// # Errors
    /// When the task has ended, or the store fails.
    pub async fn finish_with(mut self, part: impl Into<Part>) -> Result<(), SkillError> {
        let part = part.into();
        self.send(part, true).await
    }

    /// Writes the last chunk, of data.
    ///
    /// # Errors
    /// When the value cannot be written as JSON, the task has ended, or the store fails.
    pub async fn finish_with_json(mut self, value: &impl Serialize) -> Result<(), SkillError> {
        let part = data_part(value)?;
        self.send(part, true).await
    }

    /// Ends the artifact: the caller is told that no chunk follows.
    ///
    /// # Errors
    /// When the task has ended, or the store fails.
    pub async fn finish(self) -> Result<(), SkillError> {
        self.finish_with(Part::text("")).await
    }

    async fn send(&mut self, part: Part, last: bool) -> Result<(), SkillError> {
        // Name, description and metadata go out with the first chunk alone.
        let bare = Artifact { artifact_id: self.artifact.artifact_id.clone(), ..Artifact::default() };
        let artifact = std::mem::replace(&mut self.artifact, bare);
        let chunk = Chunk { artifact: Artifact { parts: vec![part], ..artifact }, append: self.begun, last };
        self.begun = true;
        self.shared.call(Wish::Artifact(chunk)).await.map(drop)
    }
}
