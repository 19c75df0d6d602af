//! Who is calling.

use crate::protocol::Metadata;
use std::sync::Arc;

/// Who is calling, as the authenticator found out.
///
/// Without an authenticator every caller is [`Principal::anonymous`]. A principal owns its tasks: another one
/// cannot see them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Principal {
    id: Option<Arc<str>>,
    claims: Metadata,
}

impl Principal {
    /// A caller of that id. The id must be stable: it owns tasks.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self { id: Some(id.into()), claims: Metadata::default() }
    }

    /// The caller that nobody authenticated.
    pub fn anonymous() -> Self {
        Self::default()
    }

    /// Adds what the authenticator knows of the caller, such as the claims of a token.
    #[must_use]
    pub fn with_claims(mut self, claims: Metadata) -> Self {
        self.claims = claims;
        self
    }

    /// The id, or `None` for the anonymous caller.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// What the authenticator knows of the caller.
    pub fn claims(&self) -> &Metadata {
        &self.claims
    }
}
