//! How far the work is.

use super::mark::mark;
use crate::protocol::Message;

/// How far the work is, as a text and as a number: what [`Context::progress`](super::Context::progress) tells.
///
/// The number travels in the metadata of the status message, `metadata[SKILLS_EXTENSION] = {"progress": 0.4}`; callers
/// that know nothing of it read the text.
///
/// ```
/// use a2a_sdk::{Context, Progress, SkillError};
///
/// /// Reads ten pages.
/// #[a2a_sdk::skill]
/// async fn read(ctx: Context) -> Result<String, SkillError> {
///     for page in 0..10 {
///         ctx.progress(Progress::new(format!("page {page}")).fraction(f64::from(page) / 10.0)).await?;
///     }
///     Ok("read".to_owned())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Progress {
    message: Message,
}

impl Progress {
    /// Progress of which there is only this to say.
    pub fn new(text: impl Into<Message>) -> Self {
        Self { message: text.into() }
    }

    /// Says how much of the work is done, from 0 to 1.
    ///
    /// What is outside counts as the nearer end, since no work should fail for a sum that came out at 1.0000001; what
    /// is no number is not told.
    #[must_use]
    pub fn fraction(mut self, done: f64) -> Self {
        if !done.is_nan() {
            mark(&mut self.message, "progress", done.clamp(0.0, 1.0).into());
        }
        self
    }
}

impl From<Progress> for Message {
    fn from(progress: Progress) -> Self {
        progress.message
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SKILLS_EXTENSION;
    use serde_json::json;

    #[test]
    fn a_fraction_is_kept_between_nothing_and_all() {
        let told = |done| {
            let message = Message::from(Progress::new("text").fraction(done));
            assert_eq!(message.text(), "text");
            message.metadata.get(SKILLS_EXTENSION).cloned()
        };
        for (done, expected) in [(0.25, 0.25), (-1.0, 0.0), (1.5, 1.0), (f64::INFINITY, 1.0)] {
            assert_eq!(told(done), Some(json!({ "progress": expected })));
        }
        assert_eq!(told(f64::NAN), None);
    }

    #[test]
    fn what_the_metadata_had_stays() {
        let message = Message::from("text").with_metadata([(SKILLS_EXTENSION, json!({ "skill": "x" }))]);
        let message = Message::from(Progress::new(message).fraction(0.5).fraction(0.75));
        assert_eq!(message.metadata[SKILLS_EXTENSION], json!({ "skill": "x", "progress": 0.75 }));
        assert_eq!(message.extensions, [SKILLS_EXTENSION]);
    }
}
