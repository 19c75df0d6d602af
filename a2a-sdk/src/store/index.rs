//! The order in which tasks are listed, and how many there are of each kind.

use super::{Cursor, ListQuery, Owner};
use crate::protocol::{TaskState, Timestamp};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::sync::Arc;

/// Newest status first, then highest id.
type Key = (Reverse<Timestamp>, Reverse<Arc<str>>);

/// How many states there are, the unspecified one included.
const STATES: usize = 9;

/// Every task by owner, state and time, and once more by conversation.
#[derive(Debug, Default)]
pub(super) struct Index {
    owners: HashMap<Owner, Tasks>,
    /// How many tasks are not finished.
    unfinished: usize,
    /// Those that wait for their callers, of all owners, longest first.
    waiting: BTreeSet<(Timestamp, Arc<str>)>,
}

#[derive(Debug, Default)]
struct Tasks {
    by_state: [BTreeSet<Key>; STATES],
    by_context: BTreeSet<(Arc<str>, u8, Key)>,
    /// How many tasks a conversation has in each state.
    contexts: HashMap<Arc<str>, [u32; STATES]>,
}

/// A task's place in the index.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) context_id: Arc<str>,
    pub(super) id: Arc<str>,
    pub(super) state: TaskState,
    pub(super) status_at: Timestamp,
    /// Whether it waits for its caller.
    pub(super) waits: bool,
}

impl Place {
    fn key(&self) -> Key {
        key(self.status_at, &self.id)
    }

    fn is_unfinished(&self) -> bool {
        !self.state.is_terminal()
    }
}

/// What a query finds: the places of one page, and the count of all pages.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) ids: Vec<Arc<str>>,
    pub(super) next: Option<Cursor>,
    pub(super) total: usize,
}

impl Index {
    pub(super) fn insert(&mut self, owner: &Owner, place: &Place) {
        self.count(place);
        match self.owners.get_mut(owner) {
            Some(tasks) => tasks.insert(place),
            None => self.owners.entry(owner.clone()).or_default().insert(place),
        }
    }

    pub(super) fn remove(&mut self, owner: &Owner, place: &Place) {
        self.uncount(place);
        let Some(tasks) = self.owners.get_mut(owner) else { return };
        tasks.remove(place);
        if tasks.contexts.is_empty() {
            self.owners.remove(owner);
        }
    }

    /// Moves a task to its new place, in the same conversation.
    pub(super) fn replace(&mut self, owner: &Owner, before: &Place, after: &Place) {
        self.uncount(before);
        self.count(after);
        let Some(tasks) = self.owners.get_mut(owner) else { return };
        if (before.state, before.status_at) != (after.state, after.status_at) {
            tasks.insert(after);
            tasks.remove(before);
        }
    }

    /// How many tasks are not finished.
    pub(super) fn unfinished(&self) -> usize {
        self.unfinished
    }

    /// The task that has waited longest for its caller.
    pub(super) fn longest_waiting(&self) -> Option<Arc<str>> {
        self.waiting.first().map(|(_, id)| Arc::clone(id))
    }

    fn count(&mut self, place: &Place) {
        self.unfinished += usize::from(place.is_unfinished());
        if place.waits {
            self.waiting.insert((place.status_at, Arc::clone(&place.id)));
        }
    }

    fn uncount(&mut self, place: &Place) {
        self.unfinished -= usize::from(place.is_unfinished());
        if place.waits {
            self.waiting.remove(&(place.status_at, Arc::clone(&place.id)));
        }
    }

    /// O(log n + page); counting under a time filter is O(matches).
    pub(super) fn find(&self, owner: &Owner, query: &ListQuery) -> Found {
        let Some(tasks) = self.owners.get(owner) else { return Found::default() };
        let slots = match query.state {
            Some(state) => slot(state)..slot(state) + 1,
            None => 0..STATES,
        };
        let mut total = 0;
        let mut found: Vec<Key> = Vec::new();
        for slot in slots {
            // Each state gives as much as the page may need; the merge below takes the newest of all.
            let limit = query.limit.saturating_add(1);
            match &query.context_id {
                None => {
                    let set = &tasks.by_state[slot];
                    total += match oldest(query) {
                        None => set.len(),
                        Some(oldest) => set.range((Unbounded, Included(oldest))).count(),
                    };
                    let from = from(query).map_or(Unbounded, Excluded);
                    found.extend(
                        set.range((from, Unbounded)).take(limit).take_while(|key| fits(key, query)).cloned(),
                    );
                }
                Some(context) => {
                    let Some((context, counts)) = tasks.contexts.get_key_value(context.as_str()) else {
                        continue;
                    };
                    let at = |key: Key| (Arc::clone(context), slot as u8, key);
                    total += match oldest(query) {
                        None => counts[slot] as usize,
                        Some(oldest) => tasks.by_context.range(at(newest_key())..=at(oldest)).count(),
                    };
                    let from =
                        from(query).map_or_else(|| Included(at(newest_key())), |key| Excluded(at(key)));
                    let range = tasks.by_context.range((from, Included(at(oldest_key()))));
                    found.extend(
                        range.map(|(_, _, key)| key).take(limit).take_while(|key| fits(key, query)).cloned(),
                    );
                }
            }
        }
        found.sort_unstable();
        let more = found.len() > query.limit;
        found.truncate(query.limit);
        let next = if more {
            found.last().map(|(at, id)| Cursor { status_at: at.0, id: Arc::clone(&id.0) })
        } else {
            None
        };
        Found { ids: found.into_iter().map(|(_, id)| id.0).collect(), next, total }
    }
}

impl Tasks {
    fn insert(&mut self, place: &Place) {
        let slot = slot(place.state);
        self.by_state[slot].insert(place.key());
        self.by_context.insert((Arc::clone(&place.context_id), slot as u8, place.key()));
        match self.contexts.get_mut(&place.context_id) {
            Some(counts) => counts[slot] += 1,
            None => self.contexts.entry(Arc::clone(&place.context_id)).or_default()[slot] = 1,
        }
    }

    fn remove(&mut self, place: &Place) {
        let slot = slot(place.state);
        self.by_state[slot].remove(&place.key());
        self.by_context.remove(&(Arc::clone(&place.context_id), slot as u8, place.key()));
        if let Some(counts) = self.contexts.get_mut(&place.context_id) {
            counts[slot] = counts[slot].saturating_sub(1);
            if counts.iter().all(|count| *count == 0) {
                self.contexts.remove(&place.context_id);
            }
        }
    }
}

fn key(status_at: Timestamp, id: &Arc<str>) -> Key {
    (Reverse(status_at), Reverse(Arc::clone(id)))
}

fn from(query: &ListQuery) -> Option<Key> {
    query.after.as_ref().map(|cursor| key(cursor.status_at, &cursor.id))
}

/// The last key that the time filter lets through.
fn oldest(query: &ListQuery) -> Option<Key> {
    query.status_at_or_after.map(|at| key(at, &"".into()))
}

fn fits((Reverse(status_at), _): &Key, query: &ListQuery) -> bool {
    query.status_at_or_after.is_none_or(|at| *status_at >= at)
}

fn newest_key() -> Key {
    // No id sorts before this one: ids are made of printable characters.
    key(Timestamp::MAX, &"\u{10ffff}".into())
}

fn oldest_key() -> Key {
    key(Timestamp::MIN, &"".into())
}

fn slot(state: TaskState) -> usize {
    match state {
        TaskState::Unspecified => 0,
        TaskState::Submitted => 1,
        TaskState::Working => 2,
        TaskState::Completed => 3,
        TaskState::Failed => 4,
        TaskState::Canceled => 5,
        TaskState::InputRequired => 6,
        TaskState::Rejected => 7,
        TaskState::AuthRequired => 8,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn place(id: &str, context: &str, state: TaskState, millis: i64) -> Place {
        Place {
            context_id: context.into(),
            id: id.into(),
            state,
            status_at: Timestamp::from_unix_millis(millis),
            waits: state.is_interrupted(),
        }
    }

    #[test]
    fn what_waits_longest_is_found_and_what_goes_on_or_ends_is_not() {
        let (mut index, owner) = (Index::default(), Owner::default());
        let asked = |id, millis| place(id, "c", TaskState::InputRequired, millis);
        for (id, millis) in [("b", 2), ("a", 1), ("c", 3)] {
            index.insert(&owner, &asked(id, millis));
        }
        index.replace(&owner, &asked("a", 1), &place("a", "c", TaskState::Working, 4));
        assert_eq!((index.longest_waiting().as_deref(), index.unfinished()), (Some("b"), 3));
        // Its caller cancels: state and time stay, and it waits no more.
        index.replace(&owner, &asked("b", 2), &Place { waits: false, ..asked("b", 2) });
        assert_eq!((index.longest_waiting().as_deref(), index.unfinished()), (Some("c"), 3));
        index.replace(&owner, &asked("c", 3), &place("c", "c", TaskState::Failed, 5));
        assert_eq!((index.longest_waiting(), index.unfinished()), (None, 2));
        let (ids, total) = walk(&index, ListQuery { limit: 9, ..ListQuery::default() });
        assert_eq!((ids, total), (vec!["c".to_owned(), "a".to_owned(), "b".to_owned()], 3));
    }

    fn walk(index: &Index, mut query: ListQuery) -> (Vec<String>, usize) {
        let mut ids = Vec::new();
        loop {
            let found = index.find(&Owner::default(), &query);
            ids.extend(found.ids.iter().map(|id| id.to_string()));
            let Some(next) = found.next else { return (ids, found.total) };
            query.after = Some(next);
        }
    }

    #[test]
    fn pages_are_newest_first_and_skip_nothing_when_times_are_equal() {
        let mut index = Index::default();
        for n in 0..7 {
            let state = if n % 2 == 0 { TaskState::Working } else { TaskState::Completed };
            index.insert(&Owner::default(), &place(&format!("t{n}"), "c", state, 5));
        }
        index.insert(&Owner::default(), &place("old", "d", TaskState::Failed, 1));
        let (ids, total) = walk(&index, ListQuery { limit: 3, ..ListQuery::default() });
        assert_eq!(ids, ["t6", "t5", "t4", "t3", "t2", "t1", "t0", "old"]);
        assert_eq!(total, 8);
        let only = |context: Option<&str>, state| ListQuery {
            context_id: context.map(str::to_owned),
            state,
            limit: 2,
            ..ListQuery::default()
        };
        assert_eq!(walk(&index, only(Some("c"), None)).1, 7);
        assert_eq!(walk(&index, only(Some("c"), Some(TaskState::Completed))).0, ["t5", "t3", "t1"]);
        assert_eq!(walk(&index, only(None, Some(TaskState::Failed))).0, ["old"]);
        assert_eq!(walk(&index, only(Some("none"), None)), (vec![], 0));
    }

    #[test]
    fn a_time_filter_counts_and_gives_the_same_tasks() {
        let mut index = Index::default();
        for n in 0..5 {
            index.insert(&Owner::default(), &place(&format!("t{n}"), "c", TaskState::Working, n));
        }
        for context in [None, Some("c".to_owned())] {
            let query = ListQuery {
                context_id: context,
                status_at_or_after: Some(Timestamp::from_unix_millis(3)),
                limit: 1,
                ..ListQuery::default()
            };
            assert_eq!(walk(&index, query), (vec!["t4".to_owned(), "t3".to_owned()], 2));
        }
    }

    #[test]
    fn removing_the_last_task_leaves_nothing_behind() {
        let mut index = Index::default();
        let place = place("t", "c", TaskState::Working, 1);
        index.insert(&Owner::default(), &place);
        index.remove(&Owner::default(), &place);
        assert!(index.owners.is_empty());
    }

    #[test]
    fn another_owner_sees_nothing() {
        let mut index = Index::default();
        index.insert(&Owner::default(), &place("t", "c", TaskState::Working, 1));
        let other = Owner { principal: Some("eve".into()), tenant: None };
        assert_eq!(index.find(&other, &ListQuery { limit: 9, ..ListQuery::default() }).total, 0);
    }
}
