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
