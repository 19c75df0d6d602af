//! The card, as a file at its well-known place (spec 8.2, 8.6).

use super::App;
#[cfg(feature = "compat-0-3")]
use super::gate;
#[cfg(feature = "compat-0-3")]
use crate::compat;
#[cfg(feature = "compat-0-3")]
use crate::protocol::AgentInterface;
use crate::protocol::{AgentCard, Timestamp};
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use serde::Serialize;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

/// How long a client may keep the card.
const CACHE_CONTROL: &str = "public, max-age=60";

/// The card of an agent, ready to be sent.
pub(super) struct CardFile {
    pub(super) card: AgentCard,
    json: Document,
    /// The same with the members of 0.3, for who does not say that it reads 1.0.
    #[cfg(feature = "compat-0-3")]
    hybrid: Option<Document>,
}

/// A form of the card.
struct Document {
    json: Bytes,
    etag: String,
    /// When it was made, as HTTP writes it.
    last_modified: String,
}

impl CardFile {
    pub(super) fn new(card: &AgentCard) -> Self {
        #[cfg(feature = "compat-0-3")]
        let hybrid = {
            let older = |interface: &AgentInterface| compat::is_older(&interface.protocol_version);
            card.supported_interfaces.iter().any(older).then(|| Document::new(&compat::hybrid(card)))
        };
        Self {
            card: card.clone(),
            json: Document::new(card),
            #[cfg(feature = "compat-0-3")]
            hybrid,
        }
    }

    /// The form for that request, and whether it depends on the version that the request names.
    #[cfg_attr(not(feature = "compat-0-3"), expect(unused_variables, reason = "there is one form"))]
    fn form(&self, headers: &HeaderMap, query: Option<&str>) -> (&Document, bool) {
        #[cfg(feature = "compat-0-3")]
        if let Some(hybrid) = &self.hybrid {
            let pure = gate::names_v1(headers, query);
            return (if pure { &self.json } else { hybrid }, true);
        }
        (&self.json, false)
    }
}

impl Document {
    fn new(card: &impl Serialize) -> Self {
        // A card is made of texts, numbers and lists, which are always JSON.
        let json = serde_json::to_vec(card).unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        hasher.write(&json);
        let etag = format!("\"{:016x}\"", hasher.finish());
        Self { json: json.into(), etag, last_modified: http_date(Timestamp::now()) }
    }

    /// Whether the client has this card already.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        match text(header::IF_NONE_MATCH) {
            Some(tags) => tags
                .split(',')
                .map(str::trim)
                .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.etag),
            // A date that is not ours is of another card: what counts is whether it changed, not when.
            None => text(header::IF_MODIFIED_SINCE) == Some(&self.last_modified),
        }
    }
}

pub(super) async fn card(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Response {
    let (card, varies) = app.card.form(&headers, uri.query());
    let mut response = if card.is_known(&headers) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        let mut response = Response::new(Body::from(card.json.clone()));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHE_CONTROL));
    if varies {
        headers.insert(header::VARY, HeaderValue::from_static("A2A-Version"));
    }
    for (name, text) in [(header::ETAG, &card.etag), (header::LAST_MODIFIED, &card.last_modified)] {
        if let Ok(value) = HeaderValue::from_str(text) {
            headers.insert(name, value);
        }
    }
    response
}

/// The date of RFC 9110, 5.6.7.
fn http_date(at: Timestamp) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    // 1970 began on a Thursday.
    let day = DAYS[at.unix_millis().div_euclid(86_400_000).rem_euclid(7) as usize];
    let text = at.to_string();
    let mut numbers = text.split(['-', 'T', '.']);
    let mut next = || numbers.next().unwrap_or_default();
    let (year, month, date, time) = (next(), next(), next(), next());
    let month =
        month.parse::<usize>().ok().and_then(|month| MONTHS.get(month.checked_sub(1)?)).unwrap_or(&"Jan");
    format!("{day}, {date} {month} {year} {time} GMT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_http() {
        let at = |seconds: i64| http_date(Timestamp::from_unix_millis(seconds * 1000));
        assert_eq!(at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(at(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
    }

    #[test]
    fn a_client_that_has_the_card_is_told_so() {
        let file = Document::new(&AgentCard::default());
        let known = |name: header::HeaderName, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_str(value).unwrap_or(HeaderValue::from_static("")));
            file.is_known(&headers)
        };
        assert!(known(header::IF_NONE_MATCH, &file.etag));
        assert!(known(header::IF_NONE_MATCH, &format!("\"x\", W/{}", file.etag)));
        assert!(known(header::IF_NONE_MATCH, "*"));
        assert!(!known(header::IF_NONE_MATCH, "\"x\""));
        assert!(known(header::IF_MODIFIED_SINCE, &file.last_modified));
        assert!(!known(header::IF_MODIFIED_SINCE, "Thu, 01 Jan 1970 00:00:00 GMT"));
    }
}
