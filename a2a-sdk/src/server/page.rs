//! Page tokens of lists: a place in the order, and what was filtered by.

use crate::protocol::{A2aError, ListTasksRequest, Timestamp};
use crate::store::Cursor;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::hash::{DefaultHasher, Hash, Hasher};

/// spec 3.1.4: how many tasks a page holds where the request does not say, and at most.
pub(super) const DEFAULT_PAGE: i32 = 50;
pub(super) const MAX_PAGE: i32 = 100;

/// The token of the page behind that place.
pub(super) fn token(cursor: &Cursor, request: &ListTasksRequest) -> String {
    let place = format!("{}.{:x}.{}", cursor.status_at.unix_millis(), filters(request), cursor.id);
    URL_SAFE_NO_PAD.encode(place)
}

/// The place that the request's token stands for.
pub(super) fn after(request: &ListTasksRequest) -> Result<Option<Cursor>, A2aError> {
    let Some(token) = &request.page_token else { return Ok(None) };
    let refused = |text: &str| A2aError::invalid_field("pageToken", text);
    let place = parse(token).ok_or_else(|| refused("no token of this agent"))?;
    if place.1 != filters(request) {
        return Err(refused("the token is of a list with other filters"));
    }
    Ok(Some(place.0))
}

fn parse(token: &str) -> Option<(Cursor, u64)> {
    let place = String::from_utf8(URL_SAFE_NO_PAD.decode(token).ok()?).ok()?;
    let (millis, rest) = place.split_once('.')?;
    let (filters, id) = rest.split_once('.')?;
    let status_at = Timestamp::from_unix_millis(millis.parse().ok()?);
    Some((Cursor { status_at, id: id.into() }, u64::from_str_radix(filters, 16).ok()?))
}

/// A fingerprint of what the list is filtered by; the same in every process.
fn filters(request: &ListTasksRequest) -> u64 {
    let mut hasher = DefaultHasher::new();
    request.context_id.hash(&mut hasher);
    request.status.hash(&mut hasher);
    request.status_timestamp_after.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_token_gives_its_place_and_fits_its_filters_alone() {
        let cursor = Cursor { status_at: Timestamp::from_unix_millis(1_700_000_000_123), id: "a.b".into() };
        let mut request =
            ListTasksRequest { context_id: Some("c".to_owned()), ..ListTasksRequest::default() };
        request.page_token = Some(token(&cursor, &request));
        assert_eq!(after(&request).unwrap(), Some(cursor));
        request.context_id = None;
        assert_eq!(after(&request).unwrap_err().violations()[0].field, "pageToken");
    }

    #[test]
    fn what_is_no_token_is_refused() {
        for token in ["zzz", "", "%%%", "MTIz", "LS4uLg"] {
            let request =
                ListTasksRequest { page_token: Some(token.to_owned()), ..ListTasksRequest::default() };
            assert!(after(&request).is_err(), "{token}");
        }
    }
}
