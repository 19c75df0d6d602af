//! Whose tasks.

use std::sync::Arc;

/// Whose task: part of every key of a store, so that one caller's tasks do not exist for another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Owner {
    /// The tenant that was spoken to.
    pub tenant: Option<Arc<str>>,
    /// The id of the principal; `None` for the anonymous caller.
    pub principal: Option<Arc<str>>,
}
