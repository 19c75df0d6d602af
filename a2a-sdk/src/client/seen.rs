//! Which events of a stream were seen.

use super::source::Item;
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// How many events are remembered whose ids have no order.
const REMEMBERED: usize = 1024;

/// Which events were seen, as far as they have ids.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) last: Option<String>,
    /// What stands for the last events whose ids have no order.
    others: VecDeque<u64>,
}

impl Seen {
    pub(super) fn add(&mut self, item: &Item, task_id: &str) {
        let Some(id) = &item.id else { return };
        if number(id, task_id).is_none() {
            if self.others.len() == REMEMBERED {
                self.others.pop_front();
            }
            self.others.push_back(fingerprint(item));
        }
        self.last = Some(id.clone());
    }

    /// Ids of the form `{task}:{number}` have an order. Others may begin anew with each connection, so that only the same
    /// event under the same id is one that was seen.
    pub(super) fn has(&self, item: &Item, task_id: &str) -> bool {
        let Some(id) = &item.id else { return false };
        match number(id, task_id) {
            Some(new) => {
                self.last.as_deref().and_then(|last| number(last, task_id)).is_some_and(|last| new <= last)
            }
            None => self.others.contains(&fingerprint(item)),
        }
    }
}

fn number(id: &str, task_id: &str) -> Option<u64> {
    id.strip_prefix(task_id)?.strip_prefix(':')?.parse().ok()
}

fn fingerprint(item: &Item) -> u64 {
    let mut hasher = DefaultHasher::new();
    item.id.hash(&mut hasher);
    serde_json::to_vec(&item.event).unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}
