//! Push notification configurations.

use super::json::Member;
use super::object::{json_object, json_read, json_write};
use serde::Serialize;
use serde::de::{self, Deserialize, Deserializer};
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

json_write!(TaskPushNotificationConfig {
    tenant: Optional = "tenant",
    id: Optional = "id",
    task_id: Optional = "taskId",
    url: Required = "url",
    token: Optional = "token",
    authentication: Optional = "authentication"
});

impl Member for TaskPushNotificationConfig {}

/// A configuration as it is read: also with its content one level deeper, as drafts of 1.0 had it.
struct ReadConfig {
    tenant: Option<String>,
    id: Option<String>,
    task_id: Option<String>,
    url: Option<Address>,
    token: Option<Secret>,
    authentication: Option<AuthenticationInfo>,
    push_notification_config: Option<Inner>,
}

json_read!(ReadConfig {
    tenant: Optional = "tenant",
    id: Optional = "id",
    task_id: Optional = "taskId",
    url: Explicit = "url",
    token: Optional = "token",
    authentication: Optional = "authentication",
    push_notification_config: Optional = "pushNotificationConfig"
});

/// The address to post to, which is never empty.
struct Address(String);

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)? {
            empty if empty.is_empty() => Err(de::Error::custom("must not be empty")),
            url => Ok(Self(url)),
        }
    }
}

impl Member for Address {}

struct Inner {
    id: Option<String>,
    url: String,
    token: Option<Secret>,
    authentication: Option<AuthenticationInfo>,
}

json_read!(Inner {
    id: Optional = "id",
    url: Required = "url",
    token: Optional = "token",
    authentication: Optional = "authentication"
});

impl Member for Inner {}

impl<'de> Deserialize<'de> for TaskPushNotificationConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = ReadConfig::deserialize(deserializer)?;
        let ReadConfig { tenant, id, task_id, url, token, authentication, push_notification_config } = read;
        match (url, push_notification_config) {
            (Some(Address(url)), _) => Ok(Self { tenant, id, task_id, url, token, authentication }),
            (None, Some(Inner { id: own, url, token, authentication })) => {
                Ok(Self { tenant, id: own.or(id), task_id, url, token, authentication })
            }
            (None, None) => Err(de::Error::missing_field("url")),
        }
    }
}

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
#[derive(Clone, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
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
