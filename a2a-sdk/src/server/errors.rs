//! Errors as JSON: the details that JSON-RPC and HTTP+JSON share, and the body of the latter.

use crate::protocol::{A2aError, ErrorKind};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The domain of the protocol's reasons (spec 9.5).
pub(super) const DOMAIN: &str = "a2a-protocol.org";

/// The details of an error, in the form of `google.rpc`.
pub(super) struct Details<'a>(pub(super) &'a A2aError);

#[derive(Serialize)]
struct ErrorInfo<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    reason: &'static str,
    domain: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    metadata: &'a BTreeMap<String, String>,
}

#[derive(Serialize)]
struct BadRequest<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "fieldViolations")]
    violations: Vec<Violation<'a>>,
}

#[derive(Serialize)]
struct Violation<'a> {
    field: &'a str,
    description: &'a str,
}

impl Serialize for Details<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        list.serialize_element(&ErrorInfo {
            kind: "type.googleapis.com/google.rpc.ErrorInfo",
            reason: self.0.kind.reason(),
            domain: DOMAIN,
            metadata: self.0.metadata(),
        })?;
        if self.0.kind == ErrorKind::InvalidParams {
            let violations = self.0.violations().iter();
            list.serialize_element(&BadRequest {
                kind: "type.googleapis.com/google.rpc.BadRequest",
                violations: violations
                    .map(|violation| Violation {
                        field: &violation.field,
                        description: &violation.description,
                    })
                    .collect(),
            })?;
        }
        list.end()
    }
}

/// The body of an error over HTTP+JSON (spec 11.6).
#[derive(Serialize)]
pub(super) struct Failure<'a> {
    error: Status<'a>,
}

#[derive(Serialize)]
struct Status<'a> {
    code: u16,
    status: &'static str,
    message: &'a str,
    details: Details<'a>,
}

impl<'a> Failure<'a> {
    /// The error under that HTTP status.
    pub(super) fn new(error: &'a A2aError, code: u16) -> Self {
        Self {
            error: Status {
                code,
                status: error.kind.grpc_status(),
                message: &error.message,
                details: Details(error),
            },
        }
    }
}
