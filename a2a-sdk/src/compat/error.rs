//! Errors: 0.3 has fewer, and other statuses for them.

use crate::protocol::{A2aError, ErrorKind};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// An error, to be written as 0.3 has it: a code and a text, over JSON-RPC and over HTTP+JSON alike.
///
/// An error about the version is not written so: who names another version than 0.3 knows of versions, and is told
/// as 1.0 has it. See [`is_of_v1`].
pub(crate) struct ErrorOf03<'a>(pub(crate) &'a A2aError);

/// Whether an error is written as 1.0 has it, whatever was called.
pub(crate) fn is_of_v1(error: &A2aError) -> bool {
    error.kind == ErrorKind::VersionNotSupported
}

impl ErrorOf03<'_> {
    /// The code of JSON-RPC. What 1.0 adds is what 0.3 would have said.
    pub(crate) fn code(&self) -> i32 {
        match self.0.kind {
            ErrorKind::ExtensionSupportRequired => ErrorKind::UnsupportedOperation.json_rpc_code(),
            kind => kind.json_rpc_code(),
        }
    }

    /// The status of an HTTP+JSON answer.
    pub(crate) fn http_status(&self) -> u16 {
        match self.0.kind {
            ErrorKind::TaskNotFound
            | ErrorKind::ExtendedAgentCardNotConfigured
            | ErrorKind::MethodNotFound => 404,
            ErrorKind::TaskNotCancelable => 409,
            ErrorKind::PushNotificationNotSupported
            | ErrorKind::UnsupportedOperation
            | ErrorKind::ExtensionSupportRequired
            | ErrorKind::VersionNotSupported => 501,
            ErrorKind::ContentTypeNotSupported => 415,
            ErrorKind::InvalidAgentResponse => 502,
            ErrorKind::InvalidParams => 422,
            ErrorKind::ParseError
            | ErrorKind::InvalidRequest
            | ErrorKind::Internal
            | ErrorKind::ResourceExhausted
            | ErrorKind::Unauthenticated
            | ErrorKind::PermissionDenied => self.0.kind.http_status(),
        }
    }
}

impl Serialize for ErrorOf03<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("code", &self.code())?;
        map.serialize_entry("message", &self.0.message)?;
        map.end()
    }
}

/// The error as a status of gRPC: its text begins with its name, by which some peers find it.
#[cfg(feature = "grpc")]
pub(crate) fn grpc_status(error: &A2aError) -> tonic::Status {
    use tonic::Code;

    if is_of_v1(error) {
        return crate::grpc::status_of(error);
    }

    let (code, name) = match error.kind {
        ErrorKind::TaskNotFound => (Code::NotFound, "TaskNotFoundError"),
        ErrorKind::TaskNotCancelable => (Code::Unimplemented, "TaskNotCancelableError"),
        ErrorKind::PushNotificationNotSupported => (Code::Unimplemented, "PushNotificationNotSupportedError"),
        ErrorKind::UnsupportedOperation
        | ErrorKind::ExtensionSupportRequired
        | ErrorKind::VersionNotSupported => (Code::Unimplemented, "UnsupportedOperationError"),
        ErrorKind::ContentTypeNotSupported => (Code::Unimplemented, "ContentTypeNotSupportedError"),
        ErrorKind::InvalidAgentResponse => (Code::Internal, "InvalidAgentResponseError"),
        ErrorKind::ExtendedAgentCardNotConfigured => {
            (Code::FailedPrecondition, "AuthenticatedExtendedCardNotConfiguredError")
        }
        ErrorKind::ParseError => (Code::Internal, "JSONParseError"),
        ErrorKind::InvalidRequest => (Code::InvalidArgument, "InvalidRequestError"),
        ErrorKind::MethodNotFound => (Code::NotFound, "MethodNotFoundError"),
        ErrorKind::InvalidParams => (Code::InvalidArgument, "InvalidParamsError"),
        ErrorKind::Internal => (Code::Internal, "InternalError"),
        ErrorKind::ResourceExhausted => (Code::ResourceExhausted, "InternalError"),
        ErrorKind::Unauthenticated => (Code::Unauthenticated, "UnauthenticatedError"),
        ErrorKind::PermissionDenied => (Code::PermissionDenied, "PermissionDeniedError"),
    };
    crate::grpc::status_with(error, code, &format!("{name}: {}", error.message))
}
