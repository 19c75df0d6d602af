//! How long a caller waits, as it says in a header.

use http::HeaderMap;
use std::time::Duration;

/// The header of gRPC's own protocol: up to eight digits and a unit.
const TIMEOUT: &str = "grpc-timeout";

/// How long the caller waits. What cannot be read limits nothing, as if it were not there.
pub(super) fn of(headers: &HeaderMap) -> Option<Duration> {
    read(headers.get(TIMEOUT)?.to_str().ok()?)
}

fn read(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(count * 60 * 60),
        "M" => Duration::from_secs(count * 60),
        "S" => Duration::from_secs(count),
        "m" => Duration::from_millis(count),
        "u" => Duration::from_micros(count),
        "n" => Duration::from_nanos(count),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_digits_and_a_unit() {
        for (text, seconds) in [
            ("1S", Some(1.0)),
            ("2H", Some(7200.0)),
            ("3M", Some(180.0)),
            ("4m", Some(0.004)),
            ("5u", Some(0.000_005)),
            ("6n", Some(0.000_000_006)),
            ("99999999H", Some(99_999_999.0 * 3600.0)),
            ("0S", Some(0.0)),
            ("100000000S", None),
            ("S", None),
            ("", None),
            ("1", None),
            ("1s", None),
            ("-1S", None),
            ("+1S", None),
            ("1.5S", None),
            ("1é", None),
        ] {
            assert_eq!(read(text).map(|limit| limit.as_secs_f64()), seconds, "{text}");
        }
    }
}
