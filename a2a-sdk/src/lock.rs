//! Locks held for a few instructions.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock. What it guards is whole even where a panic has poisoned it: no section of this crate that holds one
/// calls code of the user, or leaves what it changes half-changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
