//! A moment in time.

use super::json::Member;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const SECOND: i64 = 1_000;
const DAY: i64 = 86_400 * SECOND;

/// A moment in UTC, to the millisecond, from year 1 to year 9999.
///
/// On the wire it is RFC 3339 with three digits of fraction and `Z` (spec 5.6.1). Any offset and any number of digits is
/// read; what is finer than a millisecond is cut off, so that a timestamp is the same before and after it was sent.
///
/// ```
/// use a2a_sdk::protocol::Timestamp;
///
/// let moment: Timestamp = "2026-03-01T13:00:00.5+01:00".parse()?;
/// assert_eq!(moment.to_string(), "2026-03-01T12:00:00.500Z");
/// # Ok::<(), a2a_sdk::protocol::InvalidTimestamp>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The first moment of year 1, the earliest that the protocol can say.
    pub const MIN: Self = Self(-62_135_596_800_000);

    /// The last millisecond of year 9999, the latest that the protocol can say.
    pub const MAX: Self = Self(253_402_300_799_999);

    /// The moment that many milliseconds after 1970 began; [`Timestamp::MIN`] or [`Timestamp::MAX`] where that is out of
    /// range.
    pub const fn from_unix_millis(millis: i64) -> Self {
        if millis < Self::MIN.0 {
            Self::MIN
        } else if millis > Self::MAX.0 {
            Self::MAX
        } else {
            Self(millis)
        }
    }

    /// Milliseconds since 1970 began, negative before.
    pub const fn unix_millis(self) -> i64 {
        self.0
    }

    /// The present moment, by the clock of the system.
    pub fn now() -> Self {
        SystemTime::now().into()
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let millis = match time.duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            // Rounded down, like the moments after 1970.
            Err(before) => {
                let before = before.duration().as_nanos().div_ceil(1_000_000);
                i64::try_from(before).map_or(i64::MIN, |millis| -millis)
            }
        };
        Self::from_unix_millis(millis)
    }
}

impl TryFrom<Timestamp> for SystemTime {
    type Error = InvalidTimestamp;

    fn try_from(timestamp: Timestamp) -> Result<Self, InvalidTimestamp> {
        let distance = Duration::from_millis(timestamp.0.unsigned_abs());
        let time =
            if timestamp.0 < 0 { UNIX_EPOCH.checked_sub(distance) } else { UNIX_EPOCH.checked_add(distance) };
        time.ok_or(InvalidTimestamp(()))
    }
}

impl Timestamp {
    /// Its text. Every status has a time, so this is written without the machinery of formatting.
    fn with_text<T>(self, give: impl FnOnce(&str) -> T) -> T {
        let (days, millis) = (self.0.div_euclid(DAY), self.0.rem_euclid(DAY));
        let (year, month, day) = date(days);
        let (seconds, millis) = (millis / SECOND, millis % SECOND);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let mut text = *b"0000-00-00T00:00:00.000Z";
        for (number, end, digits) in [
            (year, 4, 4),
            (month, 7, 2),
            (day, 10, 2),
            (hour, 13, 2),
            (minute, 16, 2),
            (second, 19, 2),
            (millis, 23, 3),
        ] {
            let mut rest = number;
            for digit in text[end - digits..end].iter_mut().rev() {
                *digit = b'0' + (rest % 10).unsigned_abs() as u8;
                rest /= 10;
            }
        }
        // Digits and punctuation are always text.
        give(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_text(|text| f.write_str(text))
    }
}

/// A text or a moment that is no timestamp of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a timestamp is RFC 3339 from year 1 to year 9999, such as 2026-03-01T12:00:00.000Z")]
pub struct InvalidTimestamp(());

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        parse(text.as_bytes()).ok_or(InvalidTimestamp(()))
    }
}

fn parse(text: &[u8]) -> Option<Timestamp> {
    let (date, rest) = text.split_at_checked(10)?;
    let (time, rest) = rest.split_at_checked(9)?;
    let (
        &[b'T' | b't', ref time @ ..],
        &[_, _, _, _, b'-', _, _, b'-', _, _],
        &[_, _, _, b':', _, _, b':', _, _],
    ) = (time, date, time)
    else {
        return None;
    };
    let (year, month, day) = (digits(&date[..4])?, digits(&date[5..7])?, digits(&date[8..])?);
    let (hour, minute, second) = (digits(&time[..2])?, digits(&time[3..5])?, digits(&time[6..])?);
    // A leap second (`:60`) is the first second of the next minute.
    let valid = year >= 1 && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    if !valid || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (millis, zone) = fraction(rest)?;
    let seconds = hour * 3600 + minute * 60 + second - offset(zone)?;
    let moment = days_since_1970(year, month, day) * DAY + seconds * SECOND + millis;
    (Timestamp::MIN.0..=Timestamp::MAX.0).contains(&moment).then_some(Timestamp(moment))
}

/// The value of a run of digits and nothing else.
fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0')))
}

/// The milliseconds of a fraction, if there is one, and what follows it.
fn fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let [b'.', rest @ ..] = text else {
        return Some((0, text));
    };
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 {
        return None;
    }
    let (fraction, zone) = rest.split_at(count);
    let padded = fraction.iter().copied().chain([b'0'; 3]).take(3);
    let millis = padded.fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
    Some((millis, zone))
}

/// The seconds that a zone is ahead of UTC.
fn offset(zone: &[u8]) -> Option<i64> {
    match zone {
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), rest @ ..] => {
            let &[_, _, b':', _, _] = rest else {
                return None;
            };
            let (hours, minutes) = (digits(&rest[..2])?, digits(&rest[3..])?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let seconds = hours * 3600 + minutes * 60;
            Some(if *sign == b'-' { -seconds } else { seconds })
        }
        _ => None,
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

// Both directions count in years that begin in March, so that the leap day comes last, and in cycles of 400 years, which
// are 146 097 days each. The numbers below are the days from the March of year 0 to 1970, and the days before a month.
const DAYS_TO_1970: i64 = 719_468;
const CYCLE: i64 = 146_097;

fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let in_year = (153 * month + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + in_year - DAYS_TO_1970
}

fn date(days: i64) -> (i64, i64, i64) {
    let days = days + DAYS_TO_1970;
    let (cycle, day) = (days.div_euclid(CYCLE), days.rem_euclid(CYCLE));
    let year = (day - day / 1_460 + day / 36_524 - day / (CYCLE - 1)) / 365;
    let in_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (cycle * 400 + year + i64::from(month <= 2), month, day)
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.with_text(|text| serializer.serialize_str(text))
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Timestamp;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a timestamp of RFC 3339")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
                text.parse().map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

impl Member for Timestamp {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn printed(text: &str) -> String {
        text.parse::<Timestamp>().unwrap().to_string()
    }

    #[test]
    fn any_offset_and_fraction_is_read() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
            ("2024-02-29t23:59:59.9z", "2024-02-29T23:59:59.900Z"),
            ("2026-03-01T13:00:00.123456789+01:00", "2026-03-01T12:00:00.123Z"),
            ("2026-03-01T00:00:00-05:30", "2026-03-01T05:30:00.000Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z"),
            ("1969-12-31T23:59:59.9995Z", "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(printed(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_timestamp_is_refused() {
        for text in [
            "",
            "now",
            "2026-03-01",
            "2026-03-01T12:00:00",
            "2026-03-01 12:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:61Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00+1:00",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00ZZ",
            "+026-01-01T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "２０２６-01-01T00:00:00Z",
        ] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_day_survives_printing_and_parsing() {
        let mut day = Timestamp::MIN.0;
        while day < Timestamp::MAX.0 {
            let moment = Timestamp::from_unix_millis(day + 7);
            assert_eq!(moment.to_string().parse(), Ok(moment));
            day += 11 * DAY;
        }
        assert_eq!(Timestamp::MAX.to_string(), "9999-12-31T23:59:59.999Z");
        assert_eq!(Timestamp::from_unix_millis(i64::MAX), Timestamp::MAX);
        assert_eq!(Timestamp::from_unix_millis(i64::MIN), Timestamp::MIN);
    }

    #[test]
    fn the_clock_of_the_system_converts_both_ways() {
        for millis in [-1, 0, 1, 1_772_366_400_123] {
            let moment = Timestamp::from_unix_millis(millis);
            assert_eq!(Timestamp::from(SystemTime::try_from(moment).unwrap()), moment);
        }
        assert_eq!(Timestamp::from(UNIX_EPOCH - Duration::from_micros(1)).unix_millis(), -1);
        assert!(Timestamp::now().unix_millis() > 1_700_000_000_000);
    }
}
