//! A moment in time.

/// A moment in UTC: nanoseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment that many milliseconds after 1970 began.
    pub const fn from_unix_millis(millis: i64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    /// Milliseconds since 1970 began, rounded down.
    pub const fn unix_millis(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }
}
