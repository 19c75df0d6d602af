//! Push notifications: updates of tasks, posted to the addresses that callers gave.
//!
//! A delivery is one more reader of a task's log: it has a cursor of its own, keeps the order, and no task waits for
//! it.

mod address;
mod configs;
mod deliver;
mod form;
mod guard;
mod names;

pub use guard::WebhookPolicy;

pub(crate) use configs::Page;

use crate::protocol::{A2aError, PushConfig, TaskPushNotificationConfig, Wire};
use crate::store::{Owner, Seq, Store};
use configs::{Configs, Placed};
use deliver::{Delivery, Sender};
use guard::Guard;
use std::fmt;
use std::sync::Arc;

/// The webhooks of one agent.
pub(crate) struct Webhooks {
    store: Arc<dyn Store>,
    configs: Configs,
    guard: Guard,
    sender: Sender,
}

impl Webhooks {
    pub(crate) fn new(store: Arc<dyn Store>, policy: WebhookPolicy) -> crate::Result<Self> {
        let guard = Guard::new(policy);
        let sender = Sender::new(&guard)?;
        Ok(Self { store, configs: Configs::default(), guard, sender })
    }

    /// Checks a configuration before anything is made of it: its address, its texts.
    pub(crate) async fn check(&self, config: &PushConfig, path: &str) -> Result<(), A2aError> {
        check_texts(&config.config, path)?;
        check_schemes(&config.wire, path)?;
        self.guard
            .check(&config.config.url)
            .await
            .map_err(|reason| A2aError::invalid_field(format!("{path}url"), reason.to_string()))
    }

    /// Checks that the task may have one more configuration, or has one of that id.
    pub(crate) fn check_room(
        &self,
        owner: &Owner,
        task_id: &str,
        config: &PushConfig,
    ) -> Result<(), A2aError> {
        self.configs.check_room(owner, task_id, config)
    }

    /// Keeps a checked configuration for a task, and posts what happens to the task after that number.
    pub(crate) async fn register(
        &self,
        owner: &Owner,
        task_id: &Arc<str>,
        after: Option<Seq>,
        config: PushConfig,
    ) -> Result<PushConfig, A2aError> {
        let Placed { config, slot, left } = self.configs.put(owner, task_id, config)?;
        // What the one that it replaces has not delivered goes to the new address, also when the task has ended.
        if let Some(after) = left.or(after) {
            let delivery = Delivery {
                store: Arc::clone(&self.store),
                owner: owner.clone(),
                task_id: Arc::clone(task_id),
                config: config.clone(),
                after,
                posted: slot.posted(),
            };
            slot.run(&self.sender.follow(delivery));
        }
        self.sweep().await;
        Ok(config)
    }

    /// Forgets the configurations of tasks that the store has let go.
    async fn sweep(&self) {
        for (owner, task_id) in self.configs.due() {
            if matches!(self.store.get(&owner, &task_id).await, Ok(None)) {
                self.configs.forget(&task_id);
            }
        }
    }

    pub(crate) fn get(&self, owner: &Owner, task_id: &str, id: &str) -> Option<PushConfig> {
        self.configs.get(owner, task_id, id)
    }

    pub(crate) fn list(&self, owner: &Owner, task_id: &str, after: Option<&str>, limit: usize) -> Page {
        self.configs.list(owner, task_id, after, limit)
    }

    pub(crate) fn delete(&self, owner: &Owner, task_id: &str, id: &str) {
        self.configs.delete(owner, task_id, id);
    }
}

impl fmt::Debug for Webhooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhooks").field("guard", &self.guard).finish_non_exhaustive()
    }
}

/// How long a text of a configuration may be.
const TEXT: usize = 8 * 1024;

/// Texts that become headers must not be able to become more than one.
fn check_texts(config: &TaskPushNotificationConfig, path: &str) -> Result<(), A2aError> {
    let authentication = config.authentication.as_ref();
    let texts = [
        ("url", Some(config.url.as_str())),
        ("id", config.id.as_deref()),
        ("token", config.token.as_ref().map(|token| token.expose())),
        ("authentication.scheme", authentication.map(|authentication| authentication.scheme.as_str())),
        (
            "authentication.credentials",
            authentication.and_then(|authentication| Some(authentication.credentials.as_ref()?.expose())),
        ),
    ];
    for (name, text) in texts {
        let Some(text) = text else { continue };
        if text.chars().any(char::is_control) {
            return Err(A2aError::invalid_field(
                format!("{path}{name}"),
                "control characters are not allowed",
            ));
        }
        if text.len() > TEXT {
            return Err(A2aError::invalid_field(
                format!("{path}{name}"),
                format!("longer than {TEXT} bytes"),
            ));
        }
        if !text.is_ascii() && !matches!(name, "id" | "url") {
            return Err(A2aError::invalid_field(
                format!("{path}{name}"),
                "only ASCII can be sent in a header",
            ));
        }
    }
    Ok(())
}

/// A configuration of 0.3 keeps all the schemes that it came with, so they are bounded as a text is.
#[cfg_attr(not(feature = "compat-0-3"), expect(unused_variables, reason = "1.0 has one scheme"))]
fn check_schemes(wire: &Wire, path: &str) -> Result<(), A2aError> {
    match wire {
        Wire::V1 => Ok(()),
        #[cfg(feature = "compat-0-3")]
        Wire::V03 { schemes } => {
            // One more for each, since there may be many empty ones.
            if schemes.iter().map(|scheme| scheme.len() + 1).sum::<usize>() > TEXT {
                let text = format!("longer than {TEXT} bytes together");
                return Err(A2aError::invalid_field(format!("{path}authentication.schemes"), text));
            }
            Ok(())
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::protocol::AuthenticationInfo;

    #[cfg(feature = "compat-0-3")]
    #[test]
    fn the_schemes_of_0_3_have_a_bound_together() {
        let check = |schemes: Vec<String>| check_schemes(&Wire::V03 { schemes }, "p.");
        assert!(check(vec!["Bearer".to_owned(), "Basic".to_owned()]).is_ok());
        for schemes in [vec!["x".repeat(TEXT)], vec!["x".repeat(TEXT / 2); 2], vec![String::new(); TEXT + 1]]
        {
            assert_eq!(check(schemes).unwrap_err().violations()[0].field, "p.authentication.schemes");
        }
    }

    #[test]
    fn a_text_that_would_break_a_header_is_refused_with_its_path() {
        let mut config = TaskPushNotificationConfig { token: Some("a\r\nX: y".into()), ..Default::default() };
        assert_eq!(check_texts(&config, "p.").unwrap_err().violations()[0].field, "p.token");
        config.token = Some("fine".into());
        assert!(check_texts(&config, "").is_ok());
        config.authentication =
            Some(AuthenticationInfo { scheme: "Bearer".to_owned(), credentials: Some("x\ny".into()) });
        assert_eq!(check_texts(&config, "").unwrap_err().violations()[0].field, "authentication.credentials");
    }
}
