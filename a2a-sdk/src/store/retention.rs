//! How many tasks are kept in memory, and for how long.

use std::time::Duration;

/// How many tasks the in-memory store keeps, and for how long.
///
/// The defaults keep 100,000 finished tasks for 24 hours, and the log of a finished task, which readers that come
/// back replay, for 60 seconds. A finished task whose answer is still on its way to a caller is not let go.
///
/// A task that is not finished is never let go. There may be 100,000 of them; then the one that has waited longest for
/// its caller ends as `FAILED` when a new one comes, and where none waits the new one is refused
/// ([`ErrorKind::ResourceExhausted`](crate::protocol::ErrorKind::ResourceExhausted)).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Retention {
    /// How many finished tasks at most; the oldest go first.
    pub max_finished: usize,
    /// How long after its end a task is kept.
    pub max_age: Duration,
    /// How long after its end a task keeps its log.
    pub log_for: Duration,
    /// How many finished tasks keep their log at most; the oldest lose it first.
    pub max_finished_logs: usize,
    /// How many tasks that are not finished at most, of all callers together.
    pub max_unfinished: usize,
    /// How many entries a log keeps at most; a reader that is further behind is dropped.
    pub max_log_entries: usize,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            max_finished: 100_000,
            max_age: Duration::from_secs(24 * 60 * 60),
            log_for: Duration::from_secs(60),
            max_finished_logs: 10_000,
            max_unfinished: 100_000,
            max_log_entries: 10_000,
        }
    }
}

impl Retention {
    /// Sets how many finished tasks are kept at most.
    #[must_use]
    pub fn max_finished(mut self, count: usize) -> Self {
        self.max_finished = count;
        self
    }

    /// Sets how long after its end a task is kept.
    #[must_use]
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = age;
        self
    }

    /// Sets how long after its end a task keeps its log.
    #[must_use]
    pub fn log_for(mut self, age: Duration) -> Self {
        self.log_for = age;
        self
    }

    /// Sets how many finished tasks keep their log at most.
    #[must_use]
    pub fn max_finished_logs(mut self, count: usize) -> Self {
        self.max_finished_logs = count;
        self
    }

    /// Sets how many tasks that are not finished there are at most, of all callers together. With 0 there is none.
    #[must_use]
    pub fn max_unfinished(mut self, count: usize) -> Self {
        self.max_unfinished = count;
        self
    }

    /// Sets how many entries a log keeps at most.
    #[must_use]
    pub fn max_log_entries(mut self, count: usize) -> Self {
        self.max_log_entries = count;
        self
    }
}
