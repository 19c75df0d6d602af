//! What time it is.

use crate::protocol::Timestamp;
use tokio::time::Instant;

/// Where an agent reads the time.
///
/// The default is the system's clock. In a test, [`Clock::virtual_from`] follows tokio's clock instead: pause it with
/// `tokio::time::pause`, turn it with `tokio::time::advance`, and timestamps, retention and timers move together.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    origin: Option<(Timestamp, Instant)>,
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock that shows `start` now, and goes on as tokio's clock does.
    ///
    /// ```
    /// # use a2a_sdk::{Clock, protocol::Timestamp};
    /// # use std::time::Duration;
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() {
    /// let clock = Clock::virtual_from(Timestamp::from_unix_millis(0));
    /// tokio::time::advance(Duration::from_secs(60)).await;
    /// assert_eq!(clock.now().unix_millis(), 60_000);
    /// # }
    /// ```
    pub fn virtual_from(start: Timestamp) -> Self {
        Self { origin: Some((start, Instant::now())) }
    }

    /// The time, to the millisecond.
    pub fn now(&self) -> Timestamp {
        match self.origin {
            None => Timestamp::from_unix_millis(Timestamp::now().unix_millis()),
            Some((start, since)) => {
                let passed = i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX);
                Timestamp::from_unix_millis(start.unix_millis().saturating_add(passed))
            }
        }
    }
}
