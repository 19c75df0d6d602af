//! The errors of agents, as they are read: by reason first, then by code, then by status.

use super::error::ClientError;
use super::http::excerpt;
use crate::protocol::{A2aError, ErrorKind};
use http::StatusCode;
use serde::Deserialize;
use serde_json::Value;

/// Whose reasons they are (spec 9.5).
const DOMAIN: &str = "a2a-protocol.org";

/// An error of JSON-RPC, of `google.rpc`, of `problem+json`, or of something near to them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Fault {
    /// A code of JSON-RPC, or a status of HTTP.
    code: Option<i64>,
    /// The name of a status of gRPC, or a status of HTTP.
    status: Value,
    message: Option<String>,
    /// What JSON-RPC calls the details.
    data: Value,
    details: Value,
    /// The members of `problem+json`.
    r#type: Option<String>,
    title: Option<String>,
    detail: Option<String>,
}

impl Fault {
    /// The details of `google.rpc` of that name.
    fn find(&self, name: &str) -> Option<&Value> {
        let lists = [&self.details, &self.data].into_iter().filter_map(Value::as_array);
        lists.flatten().find(|detail| {
            detail["@type"].as_str().is_some_and(|kind| kind.rsplit(['/', '.']).next() == Some(name))
        })
    }

    fn reason(&self) -> Option<ErrorKind> {
        let of_ours = |info: &&Value| info["domain"].as_str().is_none_or(|domain| domain == DOMAIN);
        if let Some(info) = self.find("ErrorInfo").filter(of_ours) {
            return ErrorKind::from_reason(info["reason"].as_str()?);
        }
        // `problem+json` names the error as the end of a URI.
        let name = self.r#type.as_deref()?.rsplit(['/', ':', '#']).next()?;
        let name = name.to_ascii_uppercase().replace('-', "_");
        ErrorKind::from_reason(name.strip_suffix("_ERROR").unwrap_or(&name))
    }

    fn code(&self) -> Option<i32> {
        self.code.and_then(|code| i32::try_from(code).ok())
    }

    fn error(self, fallback: Option<ErrorKind>) -> Option<A2aError> {
        let coded = self.code().and_then(ErrorKind::from_json_rpc_code);
        let named = self.status.as_str().and_then(by_name);
        let kind = self.reason().or(coded).or(named).or(fallback)?;
        let message = self.message.as_ref().or(self.detail.as_ref()).or(self.title.as_ref());
        let mut error = A2aError::new(kind, message.map_or(kind.reason(), String::as_str));
        if let Some(metadata) = self.find("ErrorInfo").and_then(|info| info["metadata"].as_object()) {
            for (key, value) in metadata {
                error =
                    error.with_metadata(key, value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            }
        }
        let violations = self.find("BadRequest").and_then(|request| request["fieldViolations"].as_array());
        for violation in violations.into_iter().flatten() {
            let text = |name: &str| violation[name].as_str().unwrap_or_default();
            error = error.with_violation(text("field"), text("description"));
        }
        Some(error)
    }
}

/// The error of a JSON-RPC answer. A code that is not of the protocol is kept as it is.
pub(super) fn json_rpc(fault: Fault) -> ClientError {
    let code = fault.code();
    let error = fault.error(Some(ErrorKind::Internal)).unwrap_or_else(|| A2aError::internal(""));
    ClientError::agent(error, code, None)
}

/// The error of an HTTP answer.
pub(super) fn http(status: StatusCode, media_type: &str, body: &[u8]) -> ClientError {
    body_or_status(body, status).unwrap_or_else(|| {
        let text = excerpt(media_type, body);
        match by_status(status) {
            // Nobody but the agent, or what stands before it, says so, and every binding says it so.
            Some(kind @ (ErrorKind::Unauthenticated | ErrorKind::PermissionDenied)) => {
                let text = if text.is_empty() { format!("the server answered {status}") } else { text };
                ClientError::agent(A2aError::new(kind, text), None, Some(status.as_u16()))
            }
            _ => ClientError::http(status.as_u16(), text),
        }
    })
}

/// The error of an HTTP answer of protocol 0.3, of which some peers say no more than a text: a status that it gives to
/// one error is of that error, where the agent said something.
pub(super) fn older_http(status: StatusCode, media_type: &str, body: &[u8]) -> ClientError {
    #[derive(Deserialize)]
    struct Said {
        message: String,
    }

    match (status, serde_json::from_slice::<Said>(body)) {
        // What a router says is in other members.
        (StatusCode::NOT_FOUND, Ok(Said { message })) => match http(status, media_type, body) {
            known if known.kind().is_some() => known,
            _ => {
                let error = A2aError::new(ErrorKind::TaskNotFound, message);
                ClientError::agent(error, None, Some(status.as_u16()))
            }
        },
        _ => http(status, media_type, body),
    }
}

fn body_or_status(content: &[u8], status: StatusCode) -> Option<ClientError> {
    body(content, Some(status))
}

/// The error in a body, or in an event of a stream: `{"error": {..}}`, or its content alone.
pub(super) fn body(content: &[u8], status: Option<StatusCode>) -> Option<ClientError> {
    let value: Value = serde_json::from_slice(content).ok()?;
    let inner = value.get("error").filter(|inner| inner.is_object()).unwrap_or(&value);
    let fault = Fault::deserialize(inner).ok()?;
    // Any object could be read as a fault that says nothing.
    if fault.message.is_none() && fault.title.is_none() && fault.detail.is_none() && fault.code.is_none() {
        return None;
    }
    let known = fault.status.is_string() || fault.find("ErrorInfo").is_some() || fault.r#type.is_some();
    let fallback = match status {
        // A 404 that is not of `google.rpc` may be of a router that knows no such path.
        Some(StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) if !known => None,
        Some(status) => Some(by_status(status).unwrap_or(ErrorKind::Internal)),
        None => Some(ErrorKind::Internal),
    };
    Some(ClientError::agent(fault.error(fallback)?, None, status.map(|status| status.as_u16())))
}

/// The likeliest kind of an error that gives no reason, by the name of its status.
fn by_name(status: &str) -> Option<ErrorKind> {
    match status {
        "NOT_FOUND" => Some(ErrorKind::TaskNotFound),
        "INVALID_ARGUMENT" | "OUT_OF_RANGE" => Some(ErrorKind::InvalidParams),
        "FAILED_PRECONDITION" => Some(ErrorKind::UnsupportedOperation),
        "UNIMPLEMENTED" => Some(ErrorKind::MethodNotFound),
        "UNAUTHENTICATED" => Some(ErrorKind::Unauthenticated),
        "PERMISSION_DENIED" => Some(ErrorKind::PermissionDenied),
        "RESOURCE_EXHAUSTED" => Some(ErrorKind::ResourceExhausted),
        _ => None,
    }
}

/// The likeliest kind of an error that gives no reason, by the status of its answer.
fn by_status(status: StatusCode) -> Option<ErrorKind> {
    match status.as_u16() {
        400 | 422 => Some(ErrorKind::InvalidParams),
        401 => Some(ErrorKind::Unauthenticated),
        403 => Some(ErrorKind::PermissionDenied),
        404 => Some(ErrorKind::TaskNotFound),
        405 | 501 => Some(ErrorKind::MethodNotFound),
        409 => Some(ErrorKind::TaskNotCancelable),
        415 => Some(ErrorKind::ContentTypeNotSupported),
        429 => Some(ErrorKind::ResourceExhausted),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(status: u16, body: &str) -> Option<ErrorKind> {
        let status = StatusCode::from_u16(status).unwrap_or_default();
        http(status, "application/json", body.as_bytes()).kind()
    }

    #[test]
    fn errors_are_known_by_reason_then_code_then_status() {
        let info = |reason: &str| {
            format!(
                r#"[{{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"{reason}","domain":"a2a-protocol.org"}}]"#
            )
        };
        let by_reason = format!(
            r#"{{"error":{{"code":400,"status":"FAILED_PRECONDITION","message":"no","details":{}}}}}"#,
            info("TASK_NOT_CANCELABLE")
        );
        for (status, body, expected) in [
            (400, by_reason.as_str(), Some(ErrorKind::TaskNotCancelable)),
            (
                404,
                r#"{"error":{"code":404,"status":"NOT_FOUND","message":"no"}}"#,
                Some(ErrorKind::TaskNotFound),
            ),
            (
                409,
                r#"{"type":"https://a2a-protocol.org/errors/task-not-cancelable","title":"No","status":409}"#,
                Some(ErrorKind::TaskNotCancelable),
            ),
            (500, r#"{"code":-32001,"message":"no"}"#, Some(ErrorKind::TaskNotFound)),
            (422, r#"{"message":"odd"}"#, Some(ErrorKind::InvalidParams)),
            (401, "who are you", Some(ErrorKind::Unauthenticated)),
            (403, "", Some(ErrorKind::PermissionDenied)),
            (404, "no such page", None),
            (404, r#"{"message":"no route"}"#, None),
            (502, "<html>", None),
            (500, r#"{"error":"down"}"#, None),
        ] {
            assert_eq!(kind(status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn a_text_alone_is_an_error_of_0_3() {
        let older = |status: u16, body: &str| {
            let status = StatusCode::from_u16(status).unwrap_or_default();
            let error = older_http(status, "application/json", body.as_bytes());
            (error.kind(), error.to_string())
        };
        let missing = (Some(ErrorKind::TaskNotFound), "Task not found".to_owned());
        assert_eq!(older(404, r#"{"message":"Task not found"}"#), missing);
        assert_eq!(older(404, r#"{"code":-32001,"message":"Task not found"}"#), missing);
        let no_card = older(404, r#"{"code":-32007,"message":"none"}"#).0;
        assert_eq!(no_card, Some(ErrorKind::ExtendedAgentCardNotConfigured));
        assert_eq!(older(404, r#"{"detail":"Not Found"}"#).0, None, "a router");
        assert_eq!(older(409, r#"{"message":"no"}"#).0, Some(ErrorKind::TaskNotCancelable));
    }

    #[test]
    fn fields_and_facts_are_kept_and_odd_details_do_no_harm() {
        let error = json_rpc(
            serde_json::from_str(
                r#"{"code":-32602,"message":"no","data":[5,{"@type":"x/google.rpc.BadRequest",
                "fieldViolations":[{"field":"a","description":"is odd"}]},
                {"@type":"x/google.rpc.ErrorInfo","reason":"INVALID_PARAMS","metadata":{"k":"v"}}]}"#,
            )
            .unwrap_or_default(),
        );
        assert_eq!((error.kind(), error.code()), (Some(ErrorKind::InvalidParams), Some(-32602)));
        assert_eq!(error.violations()[0].field, "a");
        assert_eq!(error.a2a().map(|error| error.metadata()["k"].as_str()), Some("v"));
        for data in [r#""text""#, r#"{"a":1}"#, "null", "[null]", "[]"] {
            let fault = format!(r#"{{"code":-32000,"message":"no","data":{data}}}"#);
            let error = json_rpc(serde_json::from_str(&fault).unwrap_or_default());
            assert_eq!((error.kind(), error.code()), (Some(ErrorKind::Internal), Some(-32000)), "{data}");
            assert_eq!(error.to_string(), "no");
        }
    }
}
