//! Push notification configurations.

use super::json::Member;
use super::object::json_object;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a task's updates are posted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskPushNotificationConfig {
    /// The tenant of the task.
    pub tenant: Option<String>,
    /// The id of the configuration; the server makes one where the caller gives none.
    pub id: Option<String>,
    /// The task.
    pub task_id: Option<String>,
    /// The address to post to.
    pub url: String,
    /// Sent back with each notification, so that the receiver knows it. Redacted in `Debug`.
    pub token: Option<Secret>,
    /// How the receiver wants to be authenticated to.
    pub authentication: Option<AuthenticationInfo>,
}

json_object!(TaskPushNotificationConfig {
    tenant: Optional = "tenant",
    id: Optional = "id",
    task_id: Optional = "taskId",
    url: Required = "url",
    token: Optional = "token",
    authentication: Optional = "authentication",
});

/// How a webhook wants to be authenticated to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuthenticationInfo {
    /// The scheme of the `Authorization` header, such as `Bearer`.
    pub scheme: String,
    /// The credentials, sent after the scheme. Redacted in `Debug`.
    pub credentials: Option<Secret>,
}

json_object!(AuthenticationInfo { scheme: Required = "scheme", credentials: Optional = "credentials" });

/// Text that `Debug` does not show.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The text itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Member for Secret {
    fn is_unset(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

/// A configuration, and the generation of the protocol that it came in: what is posted is of the same.
#[derive(Clone, Debug, PartialEq)]
#[cfg(any(feature = "server", all(feature = "client", feature = "compat-0-3")))]
pub(crate) struct PushConfig {
    pub(crate) config: TaskPushNotificationConfig,
    pub(crate) wire: Wire,
}

/// The generation of the protocol that a configuration came in.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg(any(feature = "server", all(feature = "client", feature = "compat-0-3")))]
pub(crate) enum Wire {
    #[default]
    V1,
    /// Protocol 0.3, and 0.2 before it.
    #[cfg(feature = "compat-0-3")]
    V03 {
        /// All schemes of authentication that it named; the configuration itself holds the one that is used.
        schemes: Vec<String>,
    },
}

#[cfg(any(feature = "server", all(feature = "client", feature = "compat-0-3")))]
impl From<TaskPushNotificationConfig> for PushConfig {
    fn from(config: TaskPushNotificationConfig) -> Self {
        Self { config, wire: Wire::V1 }
    }
}
