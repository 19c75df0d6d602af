//! The envelope of JSON-RPC 2.0: read in one pass that leaves the parameters as they are, and written around a result.

use super::errors::Details;
use crate::protocol::A2aError;
use bytes::Bytes;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

/// A request, its parameters not yet read.
#[derive(Debug)]
pub(super) struct Envelope<'a> {
    pub(super) id: Id,
    pub(super) method: String,
    pub(super) params: Option<&'a RawValue>,
}

/// How long an id may be: it is echoed in every event of a stream.
const ID: usize = 1024;

/// The id of a request, echoed as it was written. `null` where there is none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Id(Box<str>);

impl Id {
    pub(super) fn null() -> Self {
        Self("null".into())
    }

    /// spec 9.3: a string, a whole number, or null.
    fn read(raw: Option<&RawValue>) -> Result<Self, A2aError> {
        let Some(raw) = raw else { return Ok(Self::null()) };
        let text = raw.get();
        if text.len() > ID {
            return Err(A2aError::invalid_request(format!("`id` may have {ID} bytes at most")));
        }
        let whole = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if text.starts_with('"') || text == "null" || whole(text) {
            Ok(Self(text.into()))
        } else {
            Err(A2aError::invalid_request("`id` must be a string, a whole number or null"))
        }
    }
}

#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

/// Reads a request. An error comes with the id, as far as there is one.
pub(super) fn read(body: &[u8]) -> Result<Envelope<'_>, (Id, A2aError)> {
    // By itself serde would take the values of an array for the members in their order.
    if body.trim_ascii_start().starts_with(b"[") {
        return Err((Id::null(), not_an_object(body, &"it is an array")));
    }
    let members: Members<'_> =
        serde_json::from_slice(body).map_err(|error| (Id::null(), not_an_object(body, &error)))?;
    let id = Id::read(members.id).map_err(|error| (Id::null(), error))?;
    let refused = |text: &str| (id.clone(), A2aError::invalid_request(text));
    if members.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
        return Err(refused("`jsonrpc` must be \"2.0\""));
    }
    let method = members.method.and_then(|raw| serde_json::from_str(raw.get()).ok());
    let Some(method) = method else { return Err(refused("`method` must be a string")) };
    Ok(Envelope { id, method, params: members.params })
}

/// JSON that is no request object, or no JSON at all.
fn not_an_object(body: &[u8], error: &dyn std::fmt::Display) -> A2aError {
    if let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(body) {
        return A2aError::parse(error.to_string());
    }
    match std::str::from_utf8(body) {
        Err(_) => A2aError::parse("the body is not UTF-8"),
        Ok(text) if text.trim_start().starts_with('[') => {
            A2aError::invalid_request("batches are not part of A2A; send one request at a time")
        }
        Ok(_) => A2aError::invalid_request(format!("the body is no JSON-RPC request: {error}")),
    }
}

/// What comes before and after a result.
pub(super) fn head(id: &Id) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":", id.0)
}

pub(super) const TAIL: &str = "}";

/// An answer.
pub(super) fn result(id: &Id, result: &impl Serialize) -> Result<Bytes, A2aError> {
    let mut body = Vec::with_capacity(512);
    body.extend_from_slice(head(id).as_bytes());
    serde_json::to_writer(&mut body, result)
        .map_err(|error| A2aError::invalid_agent_response(format!("the answer is no JSON: {error}")))?;
    body.extend_from_slice(TAIL.as_bytes());
    Ok(body.into())
}

/// An error answer.
pub(super) fn error(id: &Id, error: &A2aError) -> Bytes {
    failure(id, &Failed(error))
}

/// An error answer, its error as it is to be written.
pub(super) fn failure(id: &Id, error: &impl Serialize) -> Bytes {
    // Strings and numbers are always JSON.
    let error = serde_json::to_string(error).unwrap_or_else(|_| "null".to_owned());
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"error\":{error}}}", id.0).into()
}

/// spec 9.5: code, message, and details of which the first is an `ErrorInfo`.
struct Failed<'a>(&'a A2aError);

impl Serialize for Failed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("code", &self.0.kind.json_rpc_code())?;
        map.serialize_entry("message", &self.0.message)?;
        map.serialize_entry("data", &Details(self.0))?;
        map.end()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn refusal(body: &[u8]) -> (String, i32) {
        let (id, error) = read(body).unwrap_err();
        (id.0.into(), error.kind.json_rpc_code())
    }

    #[test]
    fn ids_are_echoed_as_they_were_written() {
        for (written, echoed) in
            [("42", "42"), ("\"4\\u0032\"", "\"4\\u0032\""), ("null", "null"), ("-7", "-7")]
        {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"GetTask"}}"#);
            assert_eq!(&*read(body.as_bytes()).unwrap().id.0, echoed);
        }
        assert_eq!(read(br#"{"jsonrpc":"2.0","method":"GetTask"}"#).unwrap().id, Id::null());
        for bad in ["1.5", "1e3", "{}", "[]", "true"] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{bad},"method":"GetTask"}}"#);
            assert_eq!(refusal(body.as_bytes()), ("null".to_owned(), -32600), "{bad}");
        }
    }

    #[test]
    fn what_is_no_json_is_a_parse_error_and_what_is_no_request_is_an_invalid_request() {
        for body in [&b"{\"jsonrpc\":"[..], b"", b"nonsense", b"[1,", b"{} {}", b"{\"id\":\"\xff\"}"] {
            assert_eq!(refusal(body), ("null".to_owned(), -32700), "{}", String::from_utf8_lossy(body));
        }
        for body in [
            "[]",
            "1",
            "\"x\"",
            "null",
            "{}",
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"1.0","method":"GetTask"}"#,
        ] {
            assert_eq!(refusal(body.as_bytes()).1, -32600, "{body}");
        }
        assert_eq!(refusal(br#"{"jsonrpc":"2.0","id":7,"method":1}"#), ("7".to_owned(), -32600));
        assert_eq!(refusal(br#"{"jsonrpc":"2.0","id":7,"id":8,"method":"GetTask"}"#).1, -32600);
    }

    #[test]
    fn an_error_carries_its_reason_and_the_fields_at_fault() {
        let text = error(&Id::null(), &A2aError::invalid_field("pageSize", "too large"));
        let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(json["error"]["code"], -32602);
        assert_eq!(json["error"]["data"][0]["reason"], "INVALID_PARAMS");
        assert_eq!(json["error"]["data"][0]["domain"], "a2a-protocol.org");
        assert_eq!(json["error"]["data"][1]["fieldViolations"][0]["field"], "pageSize");
    }
}
