//! What can go wrong while an agent is built, described or served.

use crate::skill::Location;
use std::fmt;
use std::io;

/// The result of building or serving an agent.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an agent could not be built or served, or, in a program that calls agents too, why a call failed.
///
/// `Debug` gives a report for people, since that is what `main` prints when it returns an error.
pub struct Error {
    kind: Box<Kind>,
}

#[cfg_attr(not(feature = "server"), allow(dead_code, reason = "without a server no arguments are read"))]
enum Kind {
    Build {
        agent: String,
        problems: Vec<Problem>,
    },
    Io {
        what: String,
        source: io::Error,
    },
    Usage(String),
    /// A card that differs from its file, or that is to be mended.
    Card(String),
    /// A call of an agent that failed.
    #[cfg(any(feature = "server", feature = "client"))]
    Call(Box<dyn std::error::Error + Send + Sync>),
}

/// One thing that is wrong with an agent.
#[derive(Debug, PartialEq)]
pub(crate) struct Problem {
    pub(crate) text: String,
    pub(crate) help: String,
    pub(crate) at: Option<Location>,
}

impl Error {
    pub(crate) fn build(agent: &str, problems: Vec<Problem>) -> Self {
        Kind::Build { agent: agent.to_owned(), problems }.into()
    }

    pub(crate) fn io(what: impl Into<String>, source: io::Error) -> Self {
        Kind::Io { what: what.into(), source }.into()
    }

    #[cfg(feature = "server")]
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Kind::Usage(text.into()).into()
    }

    pub(crate) fn card(text: impl Into<String>) -> Self {
        Kind::Card(text.into()).into()
    }
}

/// For programs that serve and call: their `main` may return either error.
#[cfg(any(feature = "server", feature = "client"))]
impl From<crate::ClientError> for Error {
    fn from(error: crate::ClientError) -> Self {
        Kind::Call(Box::new(error)).into()
    }
}

/// The same of typed calls.
#[cfg(any(feature = "server", feature = "client"))]
impl From<crate::client::CallError> for Error {
    fn from(error: crate::client::CallError) -> Self {
        Kind::Call(Box::new(error)).into()
    }
}

impl From<Kind> for Error {
    fn from(kind: Kind) -> Self {
        Self { kind: Box::new(kind) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            Kind::Build { agent, problems } => {
                write!(f, "agent `{agent}` cannot be built: ")?;
                for (n, problem) in problems.iter().enumerate() {
                    let between = if n > 0 { "; " } else { "" };
                    write!(f, "{between}{}", problem.text)?;
                }
                Ok(())
            }
            Kind::Io { what, source } => write!(f, "{what}: {source}"),
            Kind::Usage(text) | Kind::Card(text) => f.write_str(text),
            #[cfg(any(feature = "server", feature = "client"))]
            Kind::Call(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Kind::Build { agent, problems } = &*self.kind else { return fmt::Display::fmt(self, f) };
        write!(f, "agent `{agent}` cannot be built")?;
        for Problem { text, help, at } in problems {
            write!(f, "\n  - {text}")?;
            if let Some(at) = at {
                write!(f, "\n      at {at}")?;
            }
            write!(f, "\n      help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.kind {
            Kind::Io { source, .. } => Some(source),
            Kind::Build { .. } | Kind::Usage(_) | Kind::Card(_) => None,
            #[cfg(any(feature = "server", feature = "client"))]
            Kind::Call(error) => error.source(),
        }
    }
}
