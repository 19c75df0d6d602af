//! Tries that are made again while the store fails.

use crate::store::StoreError;
use std::time::Duration;

/// How often a call of the store is tried, and how long the first pause is; each is twice the last.
const TRIES: u32 = 6;
const PAUSE: Duration = Duration::from_millis(50);

/// The tries of one call.
pub(crate) struct Tries {
    left: u32,
    pause: Duration,
}

impl Tries {
    pub(crate) fn new() -> Self {
        Self { left: TRIES, pause: PAUSE }
    }

    /// Takes the outcome of a try: `None`, after a pause, where there is to be another one.
    pub(crate) async fn over<T>(&mut self, outcome: Result<T, StoreError>) -> Option<Result<T, StoreError>> {
        self.left -= 1;
        match outcome {
            Err(StoreError::Unavailable(error)) if self.left > 0 => {
                tracing::warn!(error = &*error as &dyn std::error::Error, "the store failed, trying again");
                tokio::time::sleep(self.pause).await;
                self.pause *= 2;
                None
            }
            other => Some(other),
        }
    }
}
