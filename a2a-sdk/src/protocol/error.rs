//! The errors of the protocol.

use std::collections::BTreeMap;

/// What went wrong: the errors of spec 3.3.2 and those of JSON-RPC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The task does not exist, or is not the caller's.
    TaskNotFound,
    /// The task is finished.
    TaskNotCancelable,
    /// The agent posts no updates.
    PushNotificationNotSupported,
    /// The operation does not fit the task or the agent.
    UnsupportedOperation,
    /// A media type that the agent does not read.
    ContentTypeNotSupported,
    /// The agent's answer breaks the protocol.
    InvalidAgentResponse,
    /// There is no extended card.
    ExtendedAgentCardNotConfigured,
    /// An extension that the agent requires was not used.
    ExtensionSupportRequired,
    /// The agent does not speak this version.
    VersionNotSupported,
    /// The request is not JSON.
    ParseError,
    /// The request is JSON, but no request.
    InvalidRequest,
    /// There is no such method.
    MethodNotFound,
    /// The parameters do not fit the method.
    InvalidParams,
    /// Something failed inside.
    Internal,
}

/// What is wrong with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldViolation {
    /// The path of the field, such as `message.parts[0].text`.
    pub field: String,
    /// What is wrong with it.
    pub description: String,
}

/// An error of the protocol, as a caller sees it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct A2aError {
    /// What went wrong.
    pub kind: ErrorKind,
    /// What went wrong, for people.
    pub message: String,
    /// The fields at fault, where parameters are.
    pub violations: Vec<FieldViolation>,
    /// Facts for programs, the `metadata` of the `ErrorInfo`.
    pub metadata: BTreeMap<String, String>,
}

impl A2aError {
    /// An error of that kind with that text.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), violations: Vec::new(), metadata: BTreeMap::new() }
    }

    /// Parameters that do not fit.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidParams, message)
    }
}
