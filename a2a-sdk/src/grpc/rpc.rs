//! The messages of `google.rpc` that errors are told in, as far as they are needed here.

use std::collections::BTreeMap;

/// An error: `google.rpc.Status`.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Status {
    #[prost(int32, tag = "1")]
    pub(super) code: i32,
    #[prost(string, tag = "2")]
    pub(super) message: String,
    #[prost(message, repeated, tag = "3")]
    pub(super) details: Vec<prost_types::Any>,
}

/// What went wrong, for programs: `google.rpc.ErrorInfo`.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ErrorInfo {
    #[prost(string, tag = "1")]
    pub(super) reason: String,
    #[prost(string, tag = "2")]
    pub(super) domain: String,
    #[prost(btree_map = "string, string", tag = "3")]
    pub(super) metadata: BTreeMap<String, String>,
}

/// The fields at fault: `google.rpc.BadRequest`.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct BadRequest {
    #[prost(message, repeated, tag = "1")]
    pub(super) field_violations: Vec<FieldViolation>,
}

/// A field at fault: `google.rpc.BadRequest.FieldViolation`.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct FieldViolation {
    #[prost(string, tag = "1")]
    pub(super) field: String,
    #[prost(string, tag = "2")]
    pub(super) description: String,
}

impl prost::Name for ErrorInfo {
    const NAME: &'static str = "ErrorInfo";
    const PACKAGE: &'static str = "google.rpc";

    fn type_url() -> String {
        "type.googleapis.com/google.rpc.ErrorInfo".to_owned()
    }
}

impl prost::Name for BadRequest {
    const NAME: &'static str = "BadRequest";
    const PACKAGE: &'static str = "google.rpc";

    fn type_url() -> String {
        "type.googleapis.com/google.rpc.BadRequest".to_owned()
    }
}
