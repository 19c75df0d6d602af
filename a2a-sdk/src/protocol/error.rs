//! The errors of the protocol.

use std::collections::BTreeMap;

/// What went wrong: the errors of spec 3.3.2 and those of JSON-RPC.
///
/// The codes and statuses of all bindings are here, as protocol 1.0.1 has them (spec 5.4).
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
    /// Nobody said who is calling, and that must be known. Not of the protocol: HTTP and gRPC have a status for it.
    Unauthenticated,
    /// Who is calling may not do this. Not of the protocol: HTTP and gRPC have a status for it.
    PermissionDenied,
    /// There is no room for it now; it may be another time. Not of the protocol: HTTP and gRPC have a status for it.
    ResourceExhausted,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: &'static [Self] = &[
        Self::TaskNotFound,
        Self::TaskNotCancelable,
        Self::PushNotificationNotSupported,
        Self::UnsupportedOperation,
        Self::ContentTypeNotSupported,
        Self::InvalidAgentResponse,
        Self::ExtendedAgentCardNotConfigured,
        Self::ExtensionSupportRequired,
        Self::VersionNotSupported,
        Self::ParseError,
        Self::InvalidRequest,
        Self::MethodNotFound,
        Self::InvalidParams,
        Self::Internal,
        Self::Unauthenticated,
        Self::PermissionDenied,
        Self::ResourceExhausted,
    ];

    /// The `code` of a JSON-RPC error.
    pub fn json_rpc_code(self) -> i32 {
        match self {
            Self::TaskNotFound => -32001,
            Self::TaskNotCancelable => -32002,
            Self::PushNotificationNotSupported => -32003,
            Self::UnsupportedOperation => -32004,
            Self::ContentTypeNotSupported => -32005,
            Self::InvalidAgentResponse => -32006,
            Self::ExtendedAgentCardNotConfigured => -32007,
            Self::ExtensionSupportRequired => -32008,
            Self::VersionNotSupported => -32009,
            Self::ParseError => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::Internal | Self::ResourceExhausted => -32603,
            Self::Unauthenticated | Self::PermissionDenied => -32600,
        }
    }

    /// The `reason` of the `ErrorInfo`. The protocol has one for its own errors; those of JSON-RPC get one in the same form.
    pub fn reason(self) -> &'static str {
        match self {
            Self::TaskNotFound => "TASK_NOT_FOUND",
            Self::TaskNotCancelable => "TASK_NOT_CANCELABLE",
            Self::PushNotificationNotSupported => "PUSH_NOTIFICATION_NOT_SUPPORTED",
            Self::UnsupportedOperation => "UNSUPPORTED_OPERATION",
            Self::ContentTypeNotSupported => "CONTENT_TYPE_NOT_SUPPORTED",
            Self::InvalidAgentResponse => "INVALID_AGENT_RESPONSE",
            Self::ExtendedAgentCardNotConfigured => "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
            Self::ExtensionSupportRequired => "EXTENSION_SUPPORT_REQUIRED",
            Self::VersionNotSupported => "VERSION_NOT_SUPPORTED",
            Self::ParseError => "PARSE_ERROR",
            Self::InvalidRequest => "INVALID_REQUEST",
            Self::MethodNotFound => "METHOD_NOT_FOUND",
            Self::InvalidParams => "INVALID_PARAMS",
            Self::Internal => "INTERNAL",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::ResourceExhausted => "RESOURCE_EXHAUSTED",
        }
    }

    /// The status of an HTTP+JSON answer. JSON-RPC answers 200 whatever went wrong.
    pub fn http_status(self) -> u16 {
        match self {
            Self::TaskNotFound | Self::MethodNotFound => 404,
            Self::TaskNotCancelable
            | Self::PushNotificationNotSupported
            | Self::UnsupportedOperation
            | Self::ContentTypeNotSupported
            | Self::ExtendedAgentCardNotConfigured
            | Self::ExtensionSupportRequired
            | Self::VersionNotSupported
            | Self::ParseError
            | Self::InvalidRequest
            | Self::InvalidParams => 400,
            Self::InvalidAgentResponse | Self::Internal => 500,
            Self::Unauthenticated => 401,
            Self::PermissionDenied => 403,
            Self::ResourceExhausted => 429,
        }
    }

    /// The status code of gRPC.
    pub fn grpc_code(self) -> i32 {
        const INVALID_ARGUMENT: i32 = 3;
        const NOT_FOUND: i32 = 5;
        const FAILED_PRECONDITION: i32 = 9;
        const PERMISSION_DENIED: i32 = 7;
        const RESOURCE_EXHAUSTED: i32 = 8;
        const UNIMPLEMENTED: i32 = 12;
        const INTERNAL: i32 = 13;
        const UNAUTHENTICATED: i32 = 16;

        match self {
            Self::TaskNotFound => NOT_FOUND,
            Self::TaskNotCancelable
            | Self::PushNotificationNotSupported
            | Self::UnsupportedOperation
            | Self::ExtendedAgentCardNotConfigured
            | Self::ExtensionSupportRequired
            | Self::VersionNotSupported => FAILED_PRECONDITION,
            Self::ContentTypeNotSupported | Self::ParseError | Self::InvalidRequest | Self::InvalidParams => {
                INVALID_ARGUMENT
            }
            Self::MethodNotFound => UNIMPLEMENTED,
            Self::InvalidAgentResponse | Self::Internal => INTERNAL,
            Self::Unauthenticated => UNAUTHENTICATED,
            Self::PermissionDenied => PERMISSION_DENIED,
            Self::ResourceExhausted => RESOURCE_EXHAUSTED,
        }
    }

    /// The name of the status code of gRPC, which HTTP+JSON answers carry as `status` (spec 11.6).
    pub fn grpc_status(self) -> &'static str {
        match self.grpc_code() {
            3 => "INVALID_ARGUMENT",
            5 => "NOT_FOUND",
            7 => "PERMISSION_DENIED",
            8 => "RESOURCE_EXHAUSTED",
            9 => "FAILED_PRECONDITION",
            12 => "UNIMPLEMENTED",
            16 => "UNAUTHENTICATED",
            _ => "INTERNAL",
        }
    }

    /// The kind with that JSON-RPC code, for a client that reads an answer.
    pub fn from_json_rpc_code(code: i32) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.json_rpc_code() == code)
    }

    /// The kind with that reason, for a client that reads an answer.
    pub fn from_reason(reason: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.reason() == reason)
    }
}

/// What is wrong with one field of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldViolation {
    /// The path of the field, such as `message.parts[0].text`; empty if it is the request itself.
    pub field: String,
    /// What is wrong with it.
    pub description: String,
}

/// An error of the protocol, as a caller sees it.
///
/// There is a constructor for each case, which also gives the facts that programs read.
///
/// ```
/// use a2a_sdk::protocol::{A2aError, ErrorKind};
///
/// let error = A2aError::task_not_found("7");
/// assert_eq!(error.kind, ErrorKind::TaskNotFound);
/// assert_eq!(error.kind.json_rpc_code(), -32001);
/// assert_eq!(error.metadata()["taskId"], "7");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct A2aError {
    /// What went wrong.
    pub kind: ErrorKind,
    /// What went wrong, for people.
    pub message: String,
    // Boxed, since most errors have none and every fallible call pays for the size.
    details: Option<Box<Details>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Details {
    violations: Vec<FieldViolation>,
    metadata: BTreeMap<String, String>,
}

static NO_METADATA: BTreeMap<String, String> = BTreeMap::new();

impl A2aError {
    /// An error of that kind with that text.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), details: None }
    }

    /// The task does not exist, or is not the caller's.
    pub fn task_not_found(id: impl Into<String>) -> Self {
        let id = id.into();
        Self::new(ErrorKind::TaskNotFound, format!("task `{id}` not found")).with_metadata("taskId", id)
    }

    /// The task is finished, so it cannot be canceled.
    pub fn task_not_cancelable(id: impl Into<String>) -> Self {
        let id = id.into();
        let message = format!("task `{id}` is finished and cannot be canceled");
        Self::new(ErrorKind::TaskNotCancelable, message).with_metadata("taskId", id)
    }

    /// The agent posts no updates.
    pub fn push_not_supported() -> Self {
        Self::new(ErrorKind::PushNotificationNotSupported, "this agent does not send push notifications")
    }

    /// The operation does not fit the task or the agent.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::UnsupportedOperation, message)
    }

    /// The agent does not read that media type.
    pub fn content_type(media_type: impl Into<String>) -> Self {
        let media_type = media_type.into();
        let message = format!("content of type `{media_type}` is not supported");
        Self::new(ErrorKind::ContentTypeNotSupported, message).with_metadata("mediaType", media_type)
    }

    /// An agent's answer breaks the protocol.
    pub fn invalid_agent_response(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidAgentResponse, message)
    }

    /// There is no extended card.
    pub fn extended_card_not_configured() -> Self {
        Self::new(ErrorKind::ExtendedAgentCardNotConfigured, "this agent has no extended card")
    }

    /// The request does not use an extension that the agent requires.
    pub fn extension_required(uri: impl Into<String>) -> Self {
        let uri = uri.into();
        let message = format!("this agent requires the extension `{uri}`");
        Self::new(ErrorKind::ExtensionSupportRequired, message).with_metadata("extension", uri)
    }

    /// The agent speaks other versions than the one that was asked for.
    pub fn version_not_supported(version: impl Into<String>, supported: &[&str]) -> Self {
        let (version, supported) = (version.into(), supported.join(", "));
        let message = format!("version `{version}` is not supported; this agent speaks {supported}");
        Self::new(ErrorKind::VersionNotSupported, message)
            .with_metadata("requestedVersion", version)
            .with_metadata("supportedVersions", supported)
    }

    /// The request is not JSON, for that reason.
    pub fn parse(reason: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::ParseError, format!("not valid JSON: {}", reason.as_ref()))
    }

    /// The request is JSON, but no request.
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidRequest, message)
    }

    /// There is no such method.
    pub fn method_not_found(method: impl AsRef<str>) -> Self {
        Self::new(ErrorKind::MethodNotFound, format!("there is no method `{}`", method.as_ref()))
    }

    /// The parameters do not fit; [`with_violation`](Self::with_violation) says which.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidParams, message)
    }

    /// One parameter does not fit.
    ///
    /// ```
    /// use a2a_sdk::protocol::A2aError;
    ///
    /// let error = A2aError::invalid_field("pageSize", "must be from 1 to 100");
    /// assert_eq!(error.to_string(), "`pageSize`: must be from 1 to 100");
    /// ```
    pub fn invalid_field(field: impl Into<String>, description: impl Into<String>) -> Self {
        let (field, description) = (field.into(), description.into());
        Self::invalid_params(format!("`{field}`: {description}")).with_violation(field, description)
    }

    /// Something failed inside. The caller gets only the id under which the log has the cause.
    pub fn internal(incident: impl Into<String>) -> Self {
        let incident = incident.into();
        let message = format!("internal error, incident {incident}");
        Self::new(ErrorKind::Internal, message).with_metadata("incident", incident)
    }

    /// It must be known who is calling, and nobody said.
    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unauthenticated, message)
    }

    /// Who is calling may not do this.
    pub fn permission_denied(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::PermissionDenied, message)
    }

    /// There is no room for it now; the same call may go well later.
    pub fn resource_exhausted(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::ResourceExhausted, message)
    }

    /// The same error, with one more field at fault.
    #[must_use]
    pub fn with_violation(mut self, field: impl Into<String>, description: impl Into<String>) -> Self {
        let violation = FieldViolation { field: field.into(), description: description.into() };
        self.details.get_or_insert_default().violations.push(violation);
        self
    }

    /// The same error, with one more fact for programs.
    #[must_use]
    pub fn with_metadata(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.details.get_or_insert_default().metadata.insert(key.into(), value.into());
        self
    }

    /// The fields at fault, where parameters are: the `fieldViolations` of the `BadRequest`.
    pub fn violations(&self) -> &[FieldViolation] {
        self.details.as_ref().map_or(&[], |details| &details.violations)
    }

    /// Facts for programs: the `metadata` of the `ErrorInfo`.
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        self.details.as_ref().map_or(&NO_METADATA, |details| &details.metadata)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_stays_small() {
        assert!(size_of::<Result<u64, A2aError>>() <= 40);
    }

    #[test]
    fn codes_and_reasons_lead_back_to_the_kind() {
        for kind in ErrorKind::ALL {
            // JSON-RPC has no codes for these; the reason tells them.
            let by_code = match kind {
                ErrorKind::Unauthenticated | ErrorKind::PermissionDenied => ErrorKind::InvalidRequest,
                ErrorKind::ResourceExhausted => ErrorKind::Internal,
                kind => *kind,
            };
            assert_eq!(ErrorKind::from_json_rpc_code(kind.json_rpc_code()), Some(by_code));
            assert_eq!(ErrorKind::from_reason(kind.reason()), Some(*kind));
        }
        assert_eq!(ErrorKind::from_json_rpc_code(-32000), None);
        assert_eq!(ErrorKind::from_reason("OTHER"), None);
    }

    #[test]
    fn the_name_of_the_grpc_status_fits_its_number() {
        for kind in ErrorKind::ALL {
            assert_eq!(kind.grpc_status() == "INTERNAL", kind.grpc_code() == 13, "{kind:?}");
        }
    }

    #[test]
    fn details_are_kept_in_order() {
        let error = A2aError::invalid_field("a", "is odd").with_violation("b", "is even");
        let fields: Vec<&str> = error.violations().iter().map(|violation| &*violation.field).collect();
        assert_eq!(fields, ["a", "b"]);
        let error = A2aError::version_not_supported("9.0", &["0.3", "1.0"]);
        assert_eq!(error.metadata()["supportedVersions"], "0.3, 1.0");
        assert!(A2aError::unsupported("no").metadata().is_empty());
    }
}
