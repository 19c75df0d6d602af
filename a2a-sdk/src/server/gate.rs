//! What every call passes before its operation, whatever the binding.

use super::operations::Call;
#[cfg(feature = "compat-0-3")]
use crate::compat;
use crate::protocol::{A2aError, AgentExtension, Wire};
use crate::skill::{Caller, Principal};
use http::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::sync::Arc;

/// The versions that are served, `Major.Minor`.
pub(crate) const VERSIONS: [&str; 1] = ["1.0"];

/// The header, and the query parameter, that tells the version (spec 3.6.1).
pub(crate) const VERSION: &str = "a2a-version";

/// The header by which a caller names the extensions it uses, and the agent those that it uses too (spec 3.2.6).
const EXTENSIONS: &str = "a2a-extensions";

/// The same header before 1.0.
#[cfg(feature = "compat-0-3")]
const EXTENSIONS_03: &str = "x-a2a-extensions";

/// The generation of the protocol that a call is of, by its syntax: the name of its method, or its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generation {
    V1,
    #[cfg(feature = "compat-0-3")]
    V03,
}

/// What every call must satisfy.
#[derive(Debug)]
pub(crate) struct Gate {
    pub(crate) lenient_version: bool,
    /// Whether protocol 0.3 is served as well.
    pub(crate) legacy: bool,
    /// The extensions of the card.
    pub(crate) extensions: Vec<AgentExtension>,
}

/// A call that may go on.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) call: Call,
    /// The extensions that are in use, for the answer.
    pub(crate) echo: Option<Echo>,
}

/// A header of the answer.
pub(crate) type Echo = (HeaderName, HeaderValue);

impl Gate {
    /// Lets a call through. gRPC's metadata are headers too.
    pub(crate) fn admit(
        &self,
        generation: Generation,
        headers: &HeaderMap,
        query: Option<&str>,
        extensions: http::Extensions,
    ) -> Result<Passed, A2aError> {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let version = match self.one_version(headers)? {
            Some(version) => Some(version.into()),
            None => query_parameter(query, VERSION),
        };
        let names: &[&'static str] = match generation {
            Generation::V1 => {
                self.check_version(version.as_deref())?;
                &[EXTENSIONS]
            }
            #[cfg(feature = "compat-0-3")]
            Generation::V03 => {
                self.check_older_version(version.as_deref())?;
                &[EXTENSIONS_03, EXTENSIONS]
            }
        };
        let activated = self.negotiate(headers, names)?;
        let echo = HeaderValue::from_str(&activated.join(", ")).ok().filter(|_| !activated.is_empty());
        let echo = echo.map(|value| (HeaderName::from_static(names[0]), value));
        let principal = extensions.get::<Principal>().cloned().unwrap_or_default();
        let call = Call {
            caller: Caller { principal, tenant: None },
            activated: activated.iter().map(|uri| (*uri).to_owned()).collect(),
            extensions: Arc::new(extensions),
            last_event_id: text("last-event-id").map(str::to_owned),
            wire: Wire::V1,
        };
        Ok(Passed { call, echo })
    }

    /// The extensions that both sides know. One that the card requires must be among them (spec 3.3.4).
    fn negotiate(&self, headers: &HeaderMap, names: &[&str]) -> Result<Vec<&str>, A2aError> {
        let named: Vec<&str> = names
            .iter()
            .flat_map(|name| headers.get_all(*name))
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
pub(crate) fn echo(headers: &mut HeaderMap, echo: Option<Echo>) {
    if let Some((name, value)) = echo {
        headers.insert(name, value);
    }
}

impl Gate {
    /// The version that the headers tell. A call has one, however often it says it.
    fn one_version<'h>(&self, headers: &'h HeaderMap) -> Result<Option<&'h str>, A2aError> {
        let values = headers.get_all(VERSION).iter().map(|value| value.to_str().unwrap_or("?"));
        // What was sent in two lines may have been put into one on the way.
        let mut versions = values.flat_map(|value| value.split(',')).map(str::trim);
        let first = versions.next();
        match versions.find(|version| Some(*version) != first) {
            Some(other) => {
                let first = first.unwrap_or_default();
                let mut error = self.not_supported(first);
                error.message = format!("the call names two versions, `{first}` and `{other}`; send one");
                Err(error)
            }
            None => Ok(first),
        }
    }

    /// Checks the version that a 1.0 operation was called with.
    ///
    /// None, or an empty one, is 0.3 (spec 3.6.2), unless lenient. The patch number does not count.
    fn check_version(&self, version: Option<&str>) -> Result<(), A2aError> {
        let Some(version) = said(version) else {
            if self.lenient_version {
                return Ok(());
            }
            let mut error = self.not_supported("0.3");
            error.message =
                "the call names no version, which means 0.3; send the header `A2A-Version: 1.0`".to_owned();
            return Err(error);
        };
        if is_one_of(version, &VERSIONS) {
            return Ok(());
        }
        let error = self.not_supported(version);
        #[cfg(feature = "compat-0-3")]
        if self.legacy && is_one_of(version, &compat::VERSIONS) {
            let mut error = error;
            error.message = format!(
                "this is a call of protocol 1.0, and names version `{version}`; send `A2A-Version: 1.0`, or call as \
                 0.3 has it, such as `message/send`"
            );
            return Err(error);
        }
        Err(error)
    }

    /// Checks the version that an operation of 0.3 was called with. None is what its clients send.
    #[cfg(feature = "compat-0-3")]
    fn check_older_version(&self, version: Option<&str>) -> Result<(), A2aError> {
        let Some(version) = said(version).filter(|version| !is_one_of(version, &compat::VERSIONS)) else {
            return Ok(());
        };
        let mut error = self.not_supported(version);
        if is_one_of(version, &VERSIONS) {
            error.message = format!(
                "this is a call of protocol 0.3, and names version `{version}`; call as 1.0 has it, such as \
                 `SendMessage`, or send `A2A-Version: 0.3`"
            );
        }
        Err(error)
    }

    fn not_supported(&self, version: &str) -> A2aError {
        let served: &[&str] = if self.legacy { &["1.0", "0.3"] } else { &VERSIONS };
        A2aError::version_not_supported(version, served)
    }
}

fn said(version: Option<&str>) -> Option<&str> {
    version.map(str::trim).filter(|version| !version.is_empty())
}

/// Whether a version is one of these, each `Major.Minor`. Its patch number does not count.
pub(crate) fn is_one_of(version: &str, known: &[&str]) -> bool {
    let mut numbers = version.trim().split('.');
    let major_minor = (numbers.next(), numbers.next());
    let known = known.iter().any(|known| {
        let mut known = known.split('.');
        major_minor == (known.next(), known.next())
    });
    known && numbers.next().is_none_or(|patch| patch.parse::<u32>().is_ok()) && numbers.next().is_none()
}

/// Whether a request says that it is of 1.0, or of a later version that reads the same as far as it goes.
#[cfg(feature = "compat-0-3")]
pub(crate) fn names_v1(headers: &HeaderMap, query: Option<&str>) -> bool {
    let header = headers.get(VERSION).and_then(|value| value.to_str().ok()).map(Cow::from);
    header.or_else(|| query_parameter(query, VERSION)).is_some_and(|version| {
        // What was sent in two lines may have been put into one on the way.
        let first = version.split(',').next().unwrap_or_default();
        let mut numbers = first.trim().split('.');
        numbers.next() == Some("1") && numbers.all(|number| number.parse::<u32>().is_ok())
    })
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
        let gate = |lenient_version| Gate { lenient_version, legacy: true, extensions: Vec::new() };
        for served in ["1.0", " 1.0 ", "1.0.0", "1.0.7"] {
            assert_eq!(gate(false).check_version(Some(served)), Ok(()), "{served}");
        }
        for refused in ["99.0", "0.3", "0.3.0", "2", "1", "1.1", "x", "1.0.x", "1.0.0.0"] {
            let kind = gate(true).check_version(Some(refused)).map_err(|error| error.kind);
            assert_eq!(kind, Err(ErrorKind::VersionNotSupported), "{refused}");
        }
        for missing in [None, Some(""), Some("  ")] {
            assert!(gate(false).check_version(missing).is_err());
            assert!(gate(true).check_version(missing).is_ok());
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
