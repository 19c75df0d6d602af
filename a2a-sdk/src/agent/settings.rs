//! How an agent runs, as its builder sets it.

use super::Agent;
use crate::clock::Clock;
use crate::store::{Retention, Store};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How an agent runs.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) clock: Clock,
    pub(crate) retention: Retention,
    pub(crate) store: Option<Arc<dyn Store>>,
    pub(crate) grace: Duration,
    pub(crate) drain: Duration,
    pub(crate) heartbeat: Duration,
    pub(crate) body_limit: usize,
    pub(crate) lenient_version: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            clock: Clock::system(),
            retention: Retention::default(),
            store: None,
            grace: Duration::from_secs(10),
            drain: Duration::from_secs(10),
            heartbeat: Duration::from_secs(15),
            body_limit: 16 * 1024 * 1024,
            lenient_version: false,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("retention", &self.retention).finish_non_exhaustive()
    }
}

impl Agent {
    /// Sets where it reads the time. Meant for tests; see [`Clock::virtual_from`].
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.settings.clock = clock;
        self
    }

    /// Sets how long finished tasks are kept in memory.
    #[must_use]
    pub fn retention(mut self, retention: Retention) -> Self {
        self.settings.retention = retention;
        self
    }

    /// Sets where tasks are kept. Without one they are kept in memory.
    ///
    /// The store brings its own clock and retention; those of the agent no longer count.
    #[must_use]
    pub fn store(mut self, store: impl Store) -> Self {
        self.settings.store = Some(Arc::new(store));
        self
    }

    /// Sets how long a skill that takes [`Cancel`](crate::Cancel) may go on after a cancellation: 10 seconds
    /// unless set.
    #[must_use]
    pub fn cancel_grace(mut self, grace: Duration) -> Self {
        self.settings.grace = grace;
        self
    }

    /// Sets how long a server that stops waits for requests and tasks that run: 10 seconds unless set.
    #[must_use]
    pub fn drain(mut self, drain: Duration) -> Self {
        self.settings.drain = drain;
        self
    }

    /// Sets how long a stream may be silent before a comment is sent, so that proxies keep it: 15 seconds unless set.
    #[must_use]
    pub fn heartbeat(mut self, heartbeat: Duration) -> Self {
        self.settings.heartbeat = heartbeat;
        self
    }

    /// Sets how large the body of a request may be, in bytes: 16 MiB unless set. A larger one is answered with 413.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.settings.body_limit = bytes;
        self
    }

    /// Serves calls that name no version as 1.0. By the protocol they are 0.3 (spec 3.6.2), and refused.
    #[must_use]
    pub fn lenient_version(mut self, lenient: bool) -> Self {
        self.settings.lenient_version = lenient;
        self
    }
}
