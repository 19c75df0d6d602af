//! The runs in this process.

use crate::lock::lock;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::task::Waker;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

/// A run, as others see it.
///
/// What is said to a task is stored first, while its writer holds it; this only tells the writer to look.
#[derive(Debug, Default)]
pub(crate) struct Live(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    said: bool,
    /// Whether the skill waits for its caller, so that nothing is lost by ending it.
    waits: bool,
    waker: Option<Waker>,
    abort: Option<AbortHandle>,
    /// Whether the task has ended without its writer.
    over: bool,
}

impl Live {
    /// Tells the writer that something was said.
    pub(crate) fn signal(&self) {
        let mut state = lock(&self.0);
        state.said = true;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Whether something was said; if nothing was, `waker` is woken when something is.
    pub(super) fn take(&self, waker: &Waker) -> bool {
        let mut state = lock(&self.0);
        if !state.said {
            match &mut state.waker {
                Some(known) => known.clone_from(waker),
                none => *none = Some(waker.clone()),
            }
        }
        std::mem::take(&mut state.said)
    }

    pub(super) fn owned_by(&self, abort: AbortHandle) {
        let mut state = lock(&self.0);
        if state.over {
            drop(state);
            abort.abort();
        } else {
            state.abort = Some(abort);
        }
    }

    /// Ends the run.
    fn end(&self) {
        let mut state = lock(&self.0);
        state.over = true;
        let abort = state.abort.take();
        drop(state);
        if let Some(abort) = abort {
            abort.abort();
        }
    }
}

/// The runs of one agent in this process, by task.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    runs: Mutex<HashMap<Arc<str>, Arc<Live>>>,
    quieter: Notify,
    /// The tasks whose end the store does not take, each with the incident that the log tells of.
    lost: Mutex<HashMap<Arc<str>, Arc<str>>>,
    one_more_lost: Notify,
}

impl Registry {
    pub(super) fn find(&self, id: &str) -> Option<Arc<Live>> {
        lock(&self.runs).get(id).cloned()
    }

    pub(super) fn add(&self, id: &Arc<str>, live: &Arc<Live>) {
        lock(&self.runs).insert(Arc::clone(id), Arc::clone(live));
    }

    /// Forgets a run, unless a newer one has taken its place.
    pub(super) fn remove(&self, id: &str, live: &Arc<Live>) {
        let mut runs = lock(&self.runs);
        if runs.get(id).is_some_and(|known| Arc::ptr_eq(known, live)) {
            runs.remove(id);
            lock(&self.lost).remove(id);
        }
        drop(runs);
        self.quieter.notify_waiters();
    }

    /// Notes that the store does not take the end of a task.
    pub(super) fn lose(&self, id: &Arc<str>, incident: &str) {
        lock(&self.lost).insert(Arc::clone(id), incident.into());
        self.one_more_lost.notify_waiters();
    }

    /// Waits until the store does not take the end of that task, and gives the incident.
    pub(super) async fn lost(&self, id: &str) -> Arc<str> {
        loop {
            let one_more = self.one_more_lost.notified();
            if let Some(incident) = lock(&self.lost).get(id) {
                return Arc::clone(incident);
            }
            one_more.await;
        }
    }

    /// Notes whether a run waits for its caller.
    pub(super) fn waits(&self, live: &Live, waits: bool) {
        let before = std::mem::replace(&mut lock(&live.0).waits, waits);
        if waits && !before {
            self.quieter.notify_waiters();
        }
    }

    pub(super) fn abort(&self) {
        let runs: Vec<_> = lock(&self.runs).values().cloned().collect();
        for live in runs {
            live.end();
        }
    }

    /// Ends the run of a task that has ended without it.
    pub(super) fn end(&self, id: &str) {
        if let Some(live) = self.find(id) {
            live.end();
        }
    }

    /// Waits until no run is at work, or that long; gives how many are.
    pub(super) async fn drain(&self, limit: Duration) -> usize {
        let quiet = async {
            loop {
                let quieter = self.quieter.notified();
                if self.at_work() == 0 {
                    return;
                }
                quieter.await;
            }
        };
        drop(tokio::time::timeout(limit, quiet).await);
        self.at_work()
    }

    fn at_work(&self) -> usize {
        lock(&self.runs).values().filter(|live| !lock(&live.0).waits).count()
    }
}
