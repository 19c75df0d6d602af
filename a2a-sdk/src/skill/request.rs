//! What a skill is called with.

use super::{Cancel, Context, FromRequest, Modes, Principal, Shared, SkillError, States};
use crate::protocol::{Message, Metadata};
use std::sync::Arc;

/// Who calls, and in whose name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    pub(crate) principal: Principal,
    pub(crate) tenant: Option<Arc<str>>,
}

#[cfg(feature = "server")]
impl Caller {
    /// Whose tasks it sees.
    pub(crate) fn owner(&self) -> crate::store::Owner {
        crate::store::Owner { tenant: self.tenant.clone(), principal: self.principal.id().map(Arc::from) }
    }
}

/// A message on its way to a skill, with all that its arguments are taken from.
#[derive(Clone, Debug)]
pub struct Request {
    pub(crate) shared: Arc<Shared>,
    pub(crate) metadata: Arc<Metadata>,
    pub(crate) accepted_output_modes: Arc<[String]>,
    pub(crate) caller: Caller,
    pub(crate) activated: Arc<[String]>,
    pub(crate) states: Arc<States>,
    pub(crate) extensions: Arc<http::Extensions>,
}

impl Request {
    /// A request outside of any agent, to try an argument type in a test.
    pub fn new(message: impl Into<Message>) -> Self {
        Self {
            shared: Arc::new(Shared::detached(message.into())),
            metadata: Arc::default(),
            accepted_output_modes: Arc::default(),
            caller: Caller::default(),
            activated: Arc::default(),
            states: Arc::default(),
            extensions: Arc::default(),
        }
    }

    /// The message to answer.
    pub fn message(&self) -> &Message {
        self.shared.message()
    }

    /// The metadata of the request; that of the message is in [`message`](Self::message).
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The media types that the caller can read; empty means any (spec 3.2.2).
    pub fn accepted_output_modes(&self) -> &[String] {
        &self.accepted_output_modes
    }

    /// Who is calling.
    pub fn principal(&self) -> &Principal {
        &self.caller.principal
    }

    /// The tenant that is spoken to.
    pub fn tenant(&self) -> Option<&str> {
        self.caller.tenant.as_deref()
    }

    /// The extensions of the protocol that caller and agent both use, by URI (spec 3.2.6).
    pub fn activated_extensions(&self) -> &[String] {
        &self.activated
    }

    /// A value that the agent holds.
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.states.get()
    }

    /// A value that a tower layer put into the HTTP request.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.extensions.get()
    }

    /// The running task.
    pub fn context(&self) -> Context {
        Context::new(Arc::clone(&self.shared), Arc::clone(&self.metadata))
    }

    /// Tells when the caller cancels.
    pub fn cancel(&self) -> Cancel {
        Cancel::of(Arc::clone(&self.shared))
    }

    /// Takes an argument out of the request.
    ///
    /// # Errors
    /// When the request does not hold one, or a malformed one.
    pub fn extract<T: FromRequest>(&self) -> Result<T, SkillError> {
        T::from_request(self)
    }
}

/// The metadata of a request and of its message together; where both have a key, the message's value counts.
pub(super) fn merged(request: &Metadata, message: &Metadata) -> Metadata {
    let mut metadata = request.clone();
    metadata.0.extend(message.iter().map(|(key, value)| (key.clone(), value.clone())));
    metadata
}

/// The request itself, for a skill that looks at more of it than its other arguments tell: the media types that the
/// caller can read, the extensions in use, the tenant.
impl FromRequest for Request {
    const READS: Modes = Modes::One("*/*");

    fn from_request(request: &Self) -> Result<Self, SkillError> {
        Ok(request.clone())
    }
}
