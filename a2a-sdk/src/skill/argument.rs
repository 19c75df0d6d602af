//! Where a skill's arguments come from.

use super::{Modes, Needs, Request, SkillError};
use schemars::{Schema, SchemaGenerator};

/// A type that can be an argument of a skill.
pub trait FromRequest: Sized {
    /// The media types that the card says this argument is read from.
    const INPUT_MODES: Modes = Modes::None;
    /// The media types that it can be read from; at least [`INPUT_MODES`](Self::INPUT_MODES), `*/*` for any.
    const READS: Modes = Self::INPUT_MODES;
    /// Whether it needs a task, as [`Context`](super::Context) does.
    const NEEDS_TASK: bool = false;

    /// The JSON Schema of the data it is read from, for the card.
    fn schema(_generator: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    /// Tells what the agent must provide for it.
    fn needs(_needs: &mut Needs) {}

    /// Takes it out of the request.
    ///
    /// # Errors
    /// When the request does not hold one, or a malformed one: [`SkillError::invalid`].
    fn from_request(request: &Request) -> Result<Self, SkillError>;
}
