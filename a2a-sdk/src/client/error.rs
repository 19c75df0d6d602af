//! What can go wrong in a call.

use crate::protocol::{A2aError, ErrorKind, FieldViolation};
use std::error::Error;
use std::fmt::{self, Write};
use std::sync::Arc;

#[cfg(feature = "client")]
type Source = Box<dyn Error + Send + Sync>;

/// Why a call failed.
///
/// Most often the agent says so: [`a2a`](Self::a2a) is its error, and [`kind`](Self::kind) what to decide by. The rest
/// is between the two: no connection, an answer that comes too late, is too large, or breaks the protocol.
///
/// ```
/// use a2a_sdk::{Client, protocol::ErrorKind};
///
/// # /// Says it back.
/// # #[a2a_sdk::agent]
/// # async fn echo(text: String) -> String { text }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let client: Client = echo::agent().client()?;
/// let error = client.get_task("7").await.unwrap_err();
/// assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound));
/// assert_eq!(error.a2a().unwrap().metadata()["taskId"], "7");
/// assert!(!error.is_retryable());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ClientError {
    what: Arc<What>,
}

#[derive(Debug)]
enum What {
    /// The agent refused, in words of the protocol.
    Agent { error: A2aError, code: Option<i32>, status: Option<u16> },
    /// Something answered, and not as an agent does.
    #[cfg(feature = "client")]
    Http { status: u16, text: String },
    /// There is no connection, or no more.
    #[cfg(feature = "client")]
    Transport { text: String, before_sending: bool, source: Option<Source> },
    #[cfg(feature = "client")]
    Timeout(String),
    #[cfg(feature = "client")]
    Protocol(String),
    #[cfg(feature = "client")]
    TooLarge { what: &'static str, limit: usize },
    #[cfg(feature = "client")]
    NoInterface(String),
    /// The call cannot be made as it was asked for.
    #[cfg(feature = "client")]
    Unusable(String),
}

impl ClientError {
    /// The error that the agent answered with.
    pub fn a2a(&self) -> Option<&A2aError> {
        match &*self.what {
            What::Agent { error, .. } => Some(error),
            #[cfg(feature = "client")]
            _ => None,
        }
    }

    /// What went wrong, where the agent said so: by the reason that it gave, else by its code or status.
    pub fn kind(&self) -> Option<ErrorKind> {
        self.a2a().map(|error| error.kind)
    }

    /// The fields at fault, where the agent named some.
    pub fn violations(&self) -> &[FieldViolation] {
        self.a2a().map_or(&[], A2aError::violations)
    }

    /// The code of a JSON-RPC error, as it was sent: also one that is not of the protocol.
    pub fn code(&self) -> Option<i32> {
        match &*self.what {
            What::Agent { code, .. } => *code,
            #[cfg(feature = "client")]
            _ => None,
        }
    }

    /// The status of an HTTP answer that was an error.
    pub fn status(&self) -> Option<u16> {
        match &*self.what {
            What::Agent { status, .. } => *status,
            #[cfg(feature = "client")]
            What::Http { status, .. } => Some(*status),
            #[cfg(feature = "client")]
            _ => None,
        }
    }
}

#[cfg(feature = "client")]
impl ClientError {
    /// Whether there was no connection, or it broke.
    pub fn is_transport(&self) -> bool {
        matches!(&*self.what, What::Transport { .. })
    }

    /// Whether the answer took longer than it may.
    pub fn is_timeout(&self) -> bool {
        matches!(&*self.what, What::Timeout(_))
    }

    /// Whether the answer breaks the protocol.
    pub fn is_protocol_violation(&self) -> bool {
        matches!(&*self.what, What::Protocol(_))
    }

    /// Whether the answer, or an event, is larger than it may be.
    pub fn is_too_large(&self) -> bool {
        matches!(&*self.what, What::TooLarge { .. })
    }

    /// Whether the agent speaks nothing that this client speaks.
    pub fn is_no_interface(&self) -> bool {
        matches!(&*self.what, What::NoInterface(_))
    }

    /// No answer was read, so nothing can be said of whether the agent got the request, unless `before_sending`.
    pub(super) fn transport(text: impl Into<String>, before_sending: bool, source: Option<Source>) -> Self {
        What::Transport { text: text.into(), before_sending, source }.into()
    }

    pub(super) fn http(status: u16, text: impl Into<String>) -> Self {
        What::Http { status, text: text.into() }.into()
    }

    pub(super) fn timeout(text: impl Into<String>) -> Self {
        What::Timeout(text.into()).into()
    }

    pub(super) fn protocol(text: impl Into<String>) -> Self {
        What::Protocol(text.into()).into()
    }

    pub(super) fn too_large(what: &'static str, limit: usize) -> Self {
        What::TooLarge { what, limit }.into()
    }

    pub(super) fn no_interface(text: impl Into<String>) -> Self {
        What::NoInterface(text.into()).into()
    }

    pub(super) fn unusable(text: impl Into<String>) -> Self {
        What::Unusable(text.into()).into()
    }

    pub(super) fn agent(error: A2aError, code: Option<i32>, status: Option<u16>) -> Self {
        What::Agent { error, code, status }.into()
    }

    /// Whether the agent cannot have got the request.
    pub(super) fn is_before_sending(&self) -> bool {
        matches!(&*self.what, What::Transport { before_sending: true, .. })
    }
}

impl ClientError {
    /// Whether the same call may succeed later: no connection, a timeout, or a server that is busy.
    ///
    /// Unlike one that reads, a call that sends a message may then have been received already.
    pub fn is_retryable(&self) -> bool {
        match &*self.what {
            What::Agent { error, status, .. } => {
                error.kind == ErrorKind::ResourceExhausted || matches!(status, Some(408 | 429 | 502..=504))
            }
            #[cfg(feature = "client")]
            What::Http { status, .. } => matches!(status, 408 | 429 | 502..=504),
            #[cfg(feature = "client")]
            What::Transport { .. } | What::Timeout(_) => true,
            #[cfg(feature = "client")]
            What::Protocol(_) | What::TooLarge { .. } | What::NoInterface(_) | What::Unusable(_) => false,
        }
    }
}

impl From<What> for ClientError {
    fn from(what: What) -> Self {
        Self { what: Arc::new(what) }
    }
}

impl From<A2aError> for ClientError {
    /// The error of an agent that is called in process.
    fn from(error: A2aError) -> Self {
        What::Agent { error, code: None, status: None }.into()
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.what {
            // It is the agent's text, and may end up on a terminal.
            What::Agent { error, .. } => error
                .message
                .chars()
                .filter(|letter| !letter.is_control())
                .try_for_each(|letter| f.write_char(letter)),
            #[cfg(feature = "client")]
            What::Http { status, text } if text.is_empty() => write!(f, "the server answered {status}"),
            #[cfg(feature = "client")]
            What::Http { status, text } => write!(f, "the server answered {status}: {text}"),
            #[cfg(feature = "client")]
            What::TooLarge { what, limit } => write!(f, "{what} is larger than {limit} bytes"),
            #[cfg(feature = "client")]
            What::Transport { text, .. }
            | What::Timeout(text)
            | What::Protocol(text)
            | What::NoInterface(text)
            | What::Unusable(text) => f.write_str(text),
        }
    }
}

impl Error for ClientError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &*self.what {
            What::Agent { .. } => None,
            #[cfg(feature = "client")]
            What::Transport { source, .. } => {
                source.as_ref().map(|source| &**source as &(dyn Error + 'static))
            }
            #[cfg(feature = "client")]
            _ => None,
        }
    }
}
