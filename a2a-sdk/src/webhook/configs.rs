//! The configurations of callers, in memory.

use crate::lock::lock;
use crate::protocol::{A2aError, PushConfig, Wire};
use crate::store::{Owner, Seq};
use crate::tasks::new_id;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::task::{AbortHandle, JoinHandle};

/// How many configurations a task may have.
const MAX_PER_TASK: usize = 100;

/// Configurations by task. The owner is part of each: what belongs to another does not exist.
#[derive(Default)]
pub(super) struct Configs(Mutex<Tasks>);

#[derive(Default)]
struct Tasks {
    by_id: HashMap<Arc<str>, OfTask>,
    /// At how many tasks those are looked for that the store has let go.
    sweep_at: usize,
}

/// From how many tasks on a sweep is worth its while.
const SWEEP_FROM: usize = 1024;

struct OfTask {
    owner: Owner,
    /// In the order in which they came.
    configs: Vec<Kept>,
}

struct Kept {
    config: PushConfig,
    slot: Arc<Slot>,
}

/// Where the delivery of one configuration runs. It ends with the configuration.
#[derive(Default)]
pub(super) struct Slot {
    delivery: Mutex<Option<AbortHandle>>,
    posted: Arc<Posted>,
}

/// The newest entry that a delivery has posted; `None` where it has nothing more to post.
#[derive(Debug, Default)]
pub(super) struct Posted(Mutex<Option<Seq>>);

/// What has become of a configuration.
pub(super) struct Placed {
    pub(super) config: PushConfig,
    pub(super) slot: Arc<Slot>,
    /// Behind which entry the one that it has replaced has posted nothing.
    pub(super) left: Option<Seq>,
}

impl Kept {
    fn id(&self) -> Option<&str> {
        self.config.config.id.as_deref()
    }
}

/// The id that a configuration will have, where that is known before it is kept: in 1.0 one that came without an id
/// gets a new one. Before that it gets the id of the task, by which it is then read, replaced and deleted.
#[cfg_attr(not(feature = "compat-0-3"), expect(unused_variables, reason = "1.0 makes ids of its own"))]
fn id_of<'a>(config: &'a PushConfig, task_id: &'a str) -> Option<&'a str> {
    match (&config.config.id, &config.wire) {
        (Some(id), _) => Some(id),
        (None, Wire::V1) => None,
        #[cfg(feature = "compat-0-3")]
        (None, Wire::V03 { .. }) => Some(task_id),
    }
}

/// A page of configurations.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) configs: Vec<PushConfig>,
    /// The id of the last one, if more follow.
    pub(crate) next: Option<String>,
}

impl Posted {
    pub(super) fn set(&self, posted: Option<Seq>) {
        *lock(&self.0) = posted;
    }
}

impl Slot {
    pub(super) fn posted(&self) -> Arc<Posted> {
        Arc::clone(&self.posted)
    }

    pub(super) fn run(&self, delivery: &JoinHandle<()>) {
        *lock(&self.delivery) = Some(delivery.abort_handle());
    }

    /// Ends the delivery, and tells where it was.
    fn stop(&self) -> Option<Seq> {
        if let Some(delivery) = lock(&self.delivery).take() {
            delivery.abort();
        }
        *lock(&self.posted.0)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Configs {
    /// Keeps a configuration; one of the same id is replaced, and its delivery ends.
    pub(super) fn put(
        &self,
        owner: &Owner,
        task_id: &Arc<str>,
        mut config: PushConfig,
    ) -> Result<Placed, A2aError> {
        // spec 3.1.7: the caller's id is kept, and one is made where there is none.
        let id = id_of(&config, task_id).map_or_else(|| new_id().to_string(), str::to_owned);
        config.config.id = Some(id.clone());
        config.config.task_id = Some(task_id.to_string());
        // It is of the tenant that was spoken to, whatever else it says.
        config.config.tenant = owner.tenant.as_deref().map(str::to_owned);
        let slot = Arc::new(Slot::default());
        let kept = Kept { config: config.clone(), slot: Arc::clone(&slot) };
        let mut tasks = lock(&self.0);
        let task = tasks
            .by_id
            .entry(Arc::clone(task_id))
            .or_insert_with(|| OfTask { owner: owner.clone(), configs: Vec::new() });
        match task.configs.iter().position(|known| known.id() == Some(&id)) {
            Some(known) => {
                let replaced = std::mem::replace(&mut task.configs[known], kept);
                return Ok(Placed { config, slot, left: replaced.slot.stop() });
            }
            None if task.configs.len() >= MAX_PER_TASK => return Err(full()),
            None => task.configs.push(kept),
        }
        Ok(Placed { config, slot, left: None })
    }

    /// Whether that configuration would be kept: it is one more, or replaces one.
    pub(super) fn check_room(
        &self,
        owner: &Owner,
        task_id: &str,
        config: &PushConfig,
    ) -> Result<(), A2aError> {
        let id = id_of(config, task_id);
        let tasks = lock(&self.0);
        let Some(task) = tasks.by_id.get(task_id).filter(|task| task.owner == *owner) else { return Ok(()) };
        let known = id.is_some() && task.configs.iter().any(|kept| kept.id() == id);
        if known || task.configs.len() < MAX_PER_TASK { Ok(()) } else { Err(full()) }
    }

    pub(super) fn get(&self, owner: &Owner, task_id: &str, id: &str) -> Option<PushConfig> {
        let tasks = lock(&self.0);
        let task = tasks.by_id.get(task_id).filter(|task| task.owner == *owner)?;
        let kept = task.configs.iter().find(|kept| kept.id() == Some(id))?;
        Some(kept.config.clone())
    }

    pub(super) fn list(&self, owner: &Owner, task_id: &str, after: Option<&str>, limit: usize) -> Page {
        let tasks = lock(&self.0);
        let Some(task) = tasks.by_id.get(task_id).filter(|task| task.owner == *owner) else {
            return Page::default();
        };
        let skip = after.map_or(0, |after| {
            let place = task.configs.iter().position(|kept| kept.id() == Some(after));
            place.map_or(task.configs.len(), |place| place + 1)
        });
        let rest = &task.configs[skip..];
        let configs: Vec<_> = rest.iter().take(limit).map(|kept| kept.config.clone()).collect();
        let next =
            (rest.len() > limit).then(|| configs.last().and_then(|kept| kept.config.id.clone())).flatten();
        Page { configs, next }
    }

    /// All tasks, where there have come to be twice as many as the last time: some may be gone from the store.
    pub(super) fn due(&self) -> Vec<(Owner, Arc<str>)> {
        let mut tasks = lock(&self.0);
        if tasks.by_id.len() < tasks.sweep_at.max(SWEEP_FROM) {
            return Vec::new();
        }
        tasks.sweep_at = tasks.by_id.len() * 2;
        tasks.by_id.iter().map(|(id, task)| (task.owner.clone(), Arc::clone(id))).collect()
    }

    pub(super) fn forget(&self, task_id: &str) {
        lock(&self.0).by_id.remove(task_id);
    }

    /// spec 3.1.10: deleting what is not there is no error.
    pub(super) fn delete(&self, owner: &Owner, task_id: &str, id: &str) {
        let mut tasks = lock(&self.0);
        let Some(task) = tasks.by_id.get_mut(task_id).filter(|task| task.owner == *owner) else { return };
        task.configs.retain(|kept| kept.id() != Some(id));
        if task.configs.is_empty() {
            tasks.by_id.remove(task_id);
        }
    }
}

fn full() -> A2aError {
    A2aError::invalid_field(
        "taskId",
        format!("the task has {MAX_PER_TASK} configurations, and may have no more"),
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::protocol::TaskPushNotificationConfig;

    fn config(id: &str) -> PushConfig {
        TaskPushNotificationConfig {
            id: Some(id.to_owned()),
            url: "https://x/".to_owned(),
            ..Default::default()
        }
        .into()
    }

    #[test]
    fn ids_are_kept_or_made_and_pages_follow_their_order() {
        let (configs, owner, task) = (Configs::default(), Owner::default(), Arc::from("t"));
        for id in ["c", "a", "b"] {
            configs.put(&owner, &task, config(id)).unwrap();
        }
        let made =
            configs.put(&owner, &task, TaskPushNotificationConfig::default().into()).unwrap().config.config;
        assert!(made.id.is_some() && made.task_id.as_deref() == Some("t"));
        let page = configs.list(&owner, "t", None, 2);
        let ids: Vec<_> = page.configs.iter().filter_map(|kept| kept.config.id.as_deref()).collect();
        assert_eq!((ids.as_slice(), page.next.as_deref()), (&["c", "a"][..], Some("a")));
        assert_eq!(configs.list(&owner, "t", Some("a"), 2).next, None);
        configs.delete(&owner, "t", "c");
        configs.delete(&owner, "t", "c");
        assert!(configs.get(&owner, "t", "c").is_none());
    }

    #[test]
    fn one_that_replaces_another_learns_what_is_left_of_it() {
        let (configs, owner, task) = (Configs::default(), Owner::default(), Arc::from("t"));
        let put = || configs.put(&owner, &task, config("c")).unwrap();
        put().slot.posted().set(Some(7));
        let second = put();
        assert_eq!(second.left, Some(7));
        // Everything is posted.
        second.slot.posted().set(None);
        assert_eq!(put().left, None);
    }

    #[test]
    fn another_owner_sees_none_and_deletes_none() {
        let (configs, owner, task) = (Configs::default(), Owner::default(), Arc::from("t"));
        configs.put(&owner, &task, config("c")).unwrap();
        let other = Owner { principal: Some("eve".into()), tenant: None };
        configs.delete(&other, "t", "c");
        assert!(configs.get(&other, "t", "c").is_none());
        assert!(configs.get(&owner, "t", "c").is_some());
    }

    #[test]
    fn a_task_has_a_bound() {
        let (configs, owner, task) = (Configs::default(), Owner::default(), Arc::from("t"));
        for n in 0..MAX_PER_TASK {
            configs.put(&owner, &task, config(&n.to_string())).unwrap();
        }
        assert!(configs.put(&owner, &task, config("more")).is_err());
        assert!(configs.put(&owner, &task, config("0")).is_ok());
        let room = |config: &PushConfig| configs.check_room(&owner, &task, config).is_ok();
        assert!(room(&config("0")) && !room(&config("more")));
        assert!(!room(&TaskPushNotificationConfig::default().into()), "it would get an id of its own");
    }

    #[cfg(feature = "compat-0-3")]
    #[test]
    fn one_of_0_3_without_an_id_takes_the_place_of_the_last_such_one() {
        let (configs, owner, task) = (Configs::default(), Owner::default(), Arc::from("t"));
        let unnamed = PushConfig {
            config: TaskPushNotificationConfig::default(),
            wire: Wire::V03 { schemes: Vec::new() },
        };
        for n in 1..MAX_PER_TASK {
            configs.put(&owner, &task, config(&n.to_string())).unwrap();
        }
        for _ in 0..2 {
            configs.check_room(&owner, &task, &unnamed).unwrap();
            let kept = configs.put(&owner, &task, unnamed.clone()).unwrap().config;
            assert_eq!(kept.config.id.as_deref(), Some("t"));
        }
        assert!(configs.check_room(&owner, &task, &config("more")).is_err(), "the task is full by now");
    }

    #[test]
    fn tasks_that_the_store_has_let_go_are_looked_for_when_there_are_many() {
        let (configs, owner) = (Configs::default(), Owner::default());
        for n in 0..SWEEP_FROM {
            assert!(configs.due().is_empty(), "{n}");
            configs.put(&owner, &Arc::from(n.to_string()), config("c")).unwrap();
        }
        let due = configs.due();
        assert_eq!(due.len(), SWEEP_FROM);
        due.iter().for_each(|(_, task)| configs.forget(task));
        assert!(configs.get(&owner, "0", "c").is_none());
        // Not again before there are twice as many.
        configs.put(&owner, &Arc::from("new"), config("c")).unwrap();
        assert!(configs.due().is_empty());
    }
}
