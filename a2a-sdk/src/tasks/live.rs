//! The runs in this process.

use crate::protocol::{Message, Metadata};
use crate::store::Seq;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

/// What is said to a running task from outside. The store has it already; this is how its writer learns of it.
#[derive(Debug)]
pub(crate) enum Signal {
    /// A message, and the number of the newest entry once it was accepted.
    Message(Arc<Message>, Seq),
    Cancel(Metadata),
}

/// A run, as others see it.
#[derive(Debug, Default)]
pub(crate) struct Live {
    inbox: Mutex<Inbox>,
}

#[derive(Debug, Default)]
struct Inbox {
    signals: Vec<Signal>,
    waker: Option<Waker>,
    closed: bool,
    abort: Option<AbortHandle>,
}

impl Live {
    /// Tells the writer. `false` where it has left: the task is parked or finished.
    pub(crate) fn signal(&self, signal: Signal) -> bool {
        let mut inbox = lock(&self.inbox);
        if inbox.closed {
            return false;
        }
        inbox.signals.push(signal);
        let waker = inbox.waker.take();
        drop(inbox);
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }

    /// Takes what was said; if nothing was, `waker` is woken by the next signal.
    pub(super) fn take(&self, waker: &Waker) -> Vec<Signal> {
        let mut inbox = lock(&self.inbox);
        if inbox.signals.is_empty() {
            match &mut inbox.waker {
                Some(known) => known.clone_from(waker),
                none => *none = Some(waker.clone()),
            }
        }
        std::mem::take(&mut inbox.signals)
    }

    /// Leaves, unless something was said that nobody has taken.
    pub(super) fn close_if_idle(&self) -> Result<(), Vec<Signal>> {
        let mut inbox = lock(&self.inbox);
        if inbox.signals.is_empty() {
            inbox.closed = true;
            Ok(())
        } else {
            Err(std::mem::take(&mut inbox.signals))
        }
    }

    fn close(&self) {
        let mut inbox = lock(&self.inbox);
        inbox.closed = true;
        inbox.signals.clear();
    }

    pub(super) fn owned_by(&self, abort: AbortHandle) {
        lock(&self.inbox).abort = Some(abort);
    }
}

/// The runs of one agent in this process, by task.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    runs: Mutex<HashMap<Arc<str>, Arc<Live>>>,
    emptied: Notify,
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
        live.close();
        let mut runs = lock(&self.runs);
        if runs.get(id).is_some_and(|known| Arc::ptr_eq(known, live)) {
            runs.remove(id);
        }
        if runs.is_empty() {
            self.emptied.notify_waiters();
        }
    }

    pub(super) fn abort(&self) {
        let runs: Vec<_> = lock(&self.runs).values().cloned().collect();
        for live in runs {
            let abort = lock(&live.inbox).abort.take();
            if let Some(abort) = abort {
                abort.abort();
            }
        }
    }

    pub(super) async fn drain(&self, limit: Duration) -> usize {
        let emptied = async {
            loop {
                let emptied = self.emptied.notified();
                if lock(&self.runs).is_empty() {
                    return;
                }
                emptied.await;
            }
        };
        drop(tokio::time::timeout(limit, emptied).await);
        lock(&self.runs).len()
    }
}

/// What these locks guard is whole even where a panic has poisoned them.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
