//! What every call passes before its operation, whatever the binding.

use super::operations::Call;
use crate::protocol::{A2aError, AgentExtension};
use crate::skill::{Caller, Principal};
use http::{HeaderMap, HeaderValue};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::sync::Arc;

/// The versions that are served, `Major.Minor`.
pub(crate) const VERSIONS: [&str; 1] = ["1.0"];

/// The header, and the query parameter, that tells the version (spec 3.6.1).
pub(crate) const VERSION: &str = "a2a-version";

/// The header by which a caller names the extensions it uses, and the agent those that it uses too (spec 3.2.6).
const EXTENSIONS: &str = "a2a-extensions";

/// What every call must satisfy.
#[derive(Debug)]
pub(crate) struct Gate {
    pub(crate) lenient_version: bool,
    /// The extensions of the card.
    pub(crate) extensions: Vec<AgentExtension>,
}

/// A call that may go on.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) call: Call,
    /// The extensions that are in use, for the answer.
    pub(crate) echo: Option<HeaderValue>,
}

impl Gate {
    /// Lets a call of a 1.0 operation through. gRPC's metadata are headers too.
    pub(crate) fn admit(
        &self,
        headers: &HeaderMap,
        query: Option<&str>,
        extensions: http::Extensions,
    ) -> Result<Passed, A2aError> {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let version = match one_version(headers)? {
            Some(version) => Some(version.into()),
            None => query_parameter(query, VERSION),
        };
        check_version(version.as_deref(), self.lenient_version)?;
        let activated = self.negotiate(headers)?;
        let echo =
            (!activated.is_empty()).then(|| HeaderValue::from_str(&activated.join(", ")).ok()).flatten();
        let principal = extensions.get::<Principal>().cloned().unwrap_or_default();
        let call = Call {
            caller: Caller { principal, tenant: None },
            activated: activated.iter().map(|uri| (*uri).to_owned()).collect(),
            extensions: Arc::new(extensions),
            last_event_id: text("last-event-id").map(str::to_owned),
        };
        Ok(Passed { call, echo })
    }

    /// The extensions that both sides know. One that the card requires must be among them (spec 3.3.4).
    fn negotiate(&self, headers: &HeaderMap) -> Result<Vec<&str>, A2aError> {
        let named: Vec<&str> = headers
            .get_all(EXTENSIONS)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .collect();
        let mut activated = Vec::new();
        for AgentExtension { uri, required, .. } in &self.extensions {
            if named.contains(&uri.as_str()) {
                activated.push(uri.as_str());
            } else if *required {
                return Err(A2aError::extension_required(uri.as_str()));
            }
        }
        Ok(activated)
    }
}

/// Tells in the answer which extensions are in use.
pub(crate) fn echo(headers: &mut HeaderMap, echo: Option<HeaderValue>) {
    if let Some(echo) = echo {
        headers.insert(EXTENSIONS, echo);
    }
}

/// The version that the headers tell. A call has one, however often it says it.
fn one_version(headers: &HeaderMap) -> Result<Option<&str>, A2aError> {
    let values = headers.get_all(VERSION).iter().map(|value| value.to_str().unwrap_or("?"));
    // What was sent in two lines may have been put into one on the way.
    let mut versions = values.flat_map(|value| value.split(',')).map(str::trim);
    let first = versions.next();
    match versions.find(|version| Some(*version) != first) {
        Some(other) => {
            let first = first.unwrap_or_default();
            let mut error = A2aError::version_not_supported(first, &VERSIONS);
            error.message = format!("the call names two versions, `{first}` and `{other}`; send one");
            Err(error)
        }
        None => Ok(first),
    }
}

/// Checks the version that a 1.0 operation was called with.
///
/// None, or an empty one, is 0.3 (spec 3.6.2), unless `lenient`. The patch number does not count.
pub(crate) fn check_version(version: Option<&str>, lenient: bool) -> Result<(), A2aError> {
    let version = version.map(str::trim).filter(|version| !version.is_empty());
    let Some(version) = version else {
        if lenient {
            return Ok(());
        }
        let mut error = A2aError::version_not_supported("0.3", &VERSIONS);
        error.message =
            "the call names no version, which means 0.3; send the header `A2A-Version: 1.0`".to_owned();
        return Err(error);
    };
    let mut numbers = version.split('.');
    let major_minor = (numbers.next(), numbers.next());
    let known = VERSIONS.iter().any(|known| {
        let mut known = known.split('.');
        major_minor == (known.next(), known.next())
    });
    let patch_is_number =
        numbers.next().is_none_or(|patch| patch.parse::<u32>().is_ok()) && numbers.next().is_none();
    if known && patch_is_number { Ok(()) } else { Err(A2aError::version_not_supported(version, &VERSIONS)) }
}

/// The value of a query parameter, whose name is matched in any case.
fn query_parameter<'a>(query: Option<&'a str>, name: &str) -> Option<Cow<'a, str>> {
    query?.split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        let [key, value] = [key, value].map(|text| percent_decode_str(text).decode_utf8_lossy());
        key.eq_ignore_ascii_case(name).then_some(value)
    })
}

/// Whether a body of that content type is JSON. Where nobody says, it is.
pub(crate) fn is_json(content_type: Option<&str>) -> bool {
    let Some(content_type) = content_type else { return true };
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    media_type.is_empty()
        || media_type.eq_ignore_ascii_case("application/json")
        || media_type.eq_ignore_ascii_case("application/a2a+json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::ErrorKind;

    #[test]
    fn versions_are_major_minor_and_a_missing_one_is_0_3() {
        for served in ["1.0", " 1.0 ", "1.0.0", "1.0.7"] {
            assert_eq!(check_version(Some(served), false), Ok(()), "{served}");
        }
        for refused in ["99.0", "0.3", "0.3.0", "2", "1", "1.1", "x", "1.0.x", "1.0.0.0"] {
            let kind = check_version(Some(refused), true).map_err(|error| error.kind);
            assert_eq!(kind, Err(ErrorKind::VersionNotSupported), "{refused}");
        }
        for missing in [None, Some(""), Some("  ")] {
            assert!(check_version(missing, false).is_err());
            assert!(check_version(missing, true).is_ok());
        }
    }

    #[test]
    fn json_has_two_media_types_and_parameters() {
        for json in [
            None,
            Some("application/json"),
            Some("Application/JSON; charset=utf-8"),
            Some("application/a2a+json"),
        ] {
            assert!(is_json(json), "{json:?}");
        }
        for other in ["text/plain", "application/xml", "application/jsonx"] {
            assert!(!is_json(Some(other)), "{other}");
        }
    }

    #[test]
    fn the_version_may_be_in_the_query() {
        let version = |query| query_parameter(Some(query), VERSION);
        assert_eq!(version("a=b&A2A-Version=1.0").as_deref(), Some("1.0"));
        assert_eq!(version("a2a%2Dversion=1%2E0").as_deref(), Some("1.0"));
        assert_eq!(query_parameter(Some("version=1.0"), VERSION), None);
        assert_eq!(query_parameter(None, VERSION), None);
    }
}
