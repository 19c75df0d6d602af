//! Errors as statuses of gRPC (spec 10.6).

use super::rpc::{BadRequest, ErrorInfo, FieldViolation, Status as RpcStatus};
use crate::protocol::{A2aError, ErrorKind};
use prost::{Message as _, Name};
use prost_types::Any;
use tonic::{Code, Status};

/// Whose reasons they are.
const DOMAIN: &str = "a2a-protocol.org";

/// The longest text of a status, in bytes. A status travels in headers, of which peers take no more than a few kilobytes,
/// and what a caller sent may be in its texts.
const LONGEST: usize = 512;

/// The status that tells of the error, with its details.
pub fn status_of(error: &A2aError) -> Status {
    status_with(error, Code::from_i32(error.kind.grpc_code()), &error.message)
}

/// The status of that code and text, with the details of the error.
pub(crate) fn status_with(error: &A2aError, code: Code, message: &str) -> Status {
    let message = clip(message);
    let metadata = error.metadata().iter();
    let mut details = vec![any(&ErrorInfo {
        reason: error.kind.reason().to_owned(),
        domain: DOMAIN.to_owned(),
        metadata: metadata.map(|(key, value)| (clip(key), clip(value))).collect(),
    })];
    if error.kind == ErrorKind::InvalidParams || !error.violations().is_empty() {
        let violations = error.violations().iter().map(|violation| FieldViolation {
            field: clip(&violation.field),
            description: clip(&violation.description),
        });
        details.push(any(&BadRequest { field_violations: violations.collect() }));
    }
    let details = RpcStatus { code: code as i32, message: message.clone(), details }.encode_to_vec();
    Status::with_details(code, message, details.into())
}

/// The error that a status tells of: by its reason where it has one, else by its code.
pub fn error_of(status: &Status) -> A2aError {
    let details = RpcStatus::decode(status.details()).unwrap_or_default().details;
    let info = find::<ErrorInfo>(&details).filter(|info| info.domain == DOMAIN);
    let kind = info.as_ref().and_then(|info| ErrorKind::from_reason(&info.reason));
    let mut error = A2aError::new(kind.unwrap_or_else(|| kind_of(status.code())), status.message());
    for (key, value) in info.map(|info| info.metadata).unwrap_or_default() {
        error = error.with_metadata(key, value);
    }
    for violation in find::<BadRequest>(&details).unwrap_or_default().field_violations {
        error = error.with_violation(violation.field, violation.description);
    }
    error
}

/// The likeliest kind of an error that gives no reason.
fn kind_of(code: Code) -> ErrorKind {
    match code {
        Code::NotFound => ErrorKind::TaskNotFound,
        Code::InvalidArgument | Code::OutOfRange => ErrorKind::InvalidParams,
        Code::FailedPrecondition => ErrorKind::UnsupportedOperation,
        Code::Unimplemented => ErrorKind::MethodNotFound,
        Code::Unauthenticated => ErrorKind::Unauthenticated,
        Code::PermissionDenied => ErrorKind::PermissionDenied,
        Code::ResourceExhausted => ErrorKind::ResourceExhausted,
        Code::Ok
        | Code::Cancelled
        | Code::Unknown
        | Code::DeadlineExceeded
        | Code::AlreadyExists
        | Code::Aborted
        | Code::Internal
        | Code::Unavailable
        | Code::DataLoss => ErrorKind::Internal,
    }
}

impl From<A2aError> for Status {
    fn from(error: A2aError) -> Self {
        status_of(&error)
    }
}

fn any<M: Name>(message: &M) -> Any {
    Any { type_url: M::type_url(), value: message.encode_to_vec() }
}

fn find<M: Name + Default>(details: &[Any]) -> Option<M> {
    let detail = details.iter().find(|detail| detail.type_url.ends_with(&M::full_name()))?;
    M::decode(detail.value.as_slice()).ok()
}

fn clip(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    format!("{}...", &text[..text.floor_char_boundary(LONGEST)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_survives_being_a_status() {
        for kind in ErrorKind::ALL {
            let error = A2aError::new(*kind, "no")
                .with_metadata("taskId", "7")
                .with_violation("message.parts[0]", "is odd")
                .with_violation("message.role", "is required");
            let status = status_of(&error);
            assert_eq!(status.code() as i32, kind.grpc_code());
            assert_eq!(status.message(), "no");
            assert_eq!(error_of(&status), error);
        }
    }

    #[test]
    fn an_error_without_details_goes_by_its_code() {
        for (code, kind) in [
            (Code::NotFound, ErrorKind::TaskNotFound),
            (Code::InvalidArgument, ErrorKind::InvalidParams),
            (Code::Unavailable, ErrorKind::Internal),
        ] {
            assert_eq!(error_of(&Status::new(code, "no")), A2aError::new(kind, "no"));
        }
        let foreign = ErrorInfo {
            reason: "TASK_NOT_FOUND".into(),
            domain: "example.com".into(),
            ..ErrorInfo::default()
        };
        let details = RpcStatus { details: vec![any(&foreign)], ..RpcStatus::default() }.encode_to_vec();
        let status = Status::with_details(Code::Internal, "no", details.into());
        assert_eq!(error_of(&status).kind, ErrorKind::Internal);
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let status = status_of(&A2aError::task_not_found("é".repeat(1_000_000)));
        assert!(status.message().len() <= LONGEST + 3);
        assert!(status.details().len() < 4 * LONGEST);
    }
}
