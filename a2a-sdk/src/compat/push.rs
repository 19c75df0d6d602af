//! Configurations of push notifications: one level deeper than in 1.0, with a list of schemes.

use super::{As03, Form, Read};
use crate::protocol::json::Member;
use crate::protocol::object::json_read;
use crate::protocol::{A2aError, AuthenticationInfo, PushConfig, Secret, TaskPushNotificationConfig, Wire};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// Where updates are posted, as it is read.
#[derive(Debug)]
pub(super) struct Config {
    id: Option<String>,
    url: String,
    token: Option<Secret>,
    authentication: Option<Authentication>,
}

json_read!(Config {
    id: Optional = "id",
    url: Required = "url",
    token: Optional = "token",
    authentication: Optional = "authentication"
});

#[derive(Debug)]
struct Authentication {
    schemes: Vec<String>,
    credentials: Option<Secret>,
}

json_read!(Authentication { schemes: Implicit = "schemes", credentials: Optional = "credentials" });

impl Member for Config {}
impl Member for Authentication {}

/// The scheme to use, of several that will do: one that can be done with credentials alone.
pub(super) fn preferred(schemes: &[String]) -> Option<&String> {
    let named = |name: &str| schemes.iter().find(|scheme| scheme.eq_ignore_ascii_case(name));
    named("Bearer").or_else(|| named("Basic")).or_else(|| schemes.first())
}

/// A configuration of the core, of its parts in 0.3.
pub(super) fn config(
    task_id: Option<String>,
    id: Option<String>,
    url: String,
    token: Option<Secret>,
    (schemes, credentials): (Vec<String>, Option<Secret>),
) -> PushConfig {
    let scheme = match preferred(&schemes) {
        Some(scheme) => Some(scheme.clone()),
        // Credentials without a word about how to send them.
        None => credentials.is_some().then(|| "Bearer".to_owned()),
    };
    let authentication = scheme.map(|scheme| AuthenticationInfo { scheme, credentials });
    let config = TaskPushNotificationConfig { tenant: None, id, task_id, url, token, authentication };
    PushConfig { config, wire: Wire::V03 { schemes } }
}

/// The schemes of a configuration: those it came with, or its one.
pub(super) fn schemes(config: &PushConfig) -> Option<(Vec<String>, Option<&Secret>)> {
    let authentication = config.config.authentication.as_ref()?;
    let schemes = match &config.wire {
        Wire::V03 { schemes } if !schemes.is_empty() => schemes.clone(),
        _ => vec![authentication.scheme.clone()],
    };
    Some((schemes, authentication.credentials.as_ref()))
}

/// `tasks/{task}/pushNotificationConfigs/{id}`.
pub(super) fn name(config: &TaskPushNotificationConfig) -> String {
    let (task, id) = (config.task_id.as_deref(), config.id.as_deref());
    format!("tasks/{}/pushNotificationConfigs/{}", task.unwrap_or_default(), id.unwrap_or_default())
}

/// The task, and the configuration where there is one, in a name of that form.
pub(crate) fn parse_name(name: &str) -> Option<(&str, Option<&str>)> {
    let rest = name.strip_prefix("tasks/")?;
    match rest.split_once("/pushNotificationConfigs/") {
        Some((task, id)) if !task.is_empty() && !id.is_empty() => Some((task, Some(id))),
        Some(_) => None,
        None => (!rest.is_empty()).then_some((rest, None)),
    }
}

impl Config {
    pub(super) fn core(self, task_id: Option<String>) -> PushConfig {
        let Authentication { schemes, credentials } =
            self.authentication.unwrap_or(Authentication { schemes: Vec::new(), credentials: None });
        config(task_id, self.id, self.url, self.token, (schemes, credentials))
    }
}

/// What `tasks/pushNotificationConfig/set` takes and gives.
#[derive(Debug)]
pub(crate) struct ConfigSet {
    task_id: String,
    push_notification_config: Config,
}

json_read!(ConfigSet {
    task_id: Required = "taskId",
    push_notification_config: Required = "pushNotificationConfig"
});

impl Read for ConfigSet {
    type Core = PushConfig;

    fn core(self, _: Form) -> Result<PushConfig, A2aError> {
        Ok(self.push_notification_config.core(Some(self.task_id)))
    }
}

/// The body of a request to make one over HTTP+JSON, in any of the shapes that clients send.
#[derive(Debug)]
pub(crate) struct ConfigBody {
    config_id: Option<String>,
    config: Option<Named>,
    push_notification_config: Option<Config>,
    name: Option<String>,
    task_id: Option<String>,
}

json_read!(ConfigBody {
    config_id: Optional = "configId",
    config: Optional = "config",
    push_notification_config: Optional = "pushNotificationConfig",
    name: Optional = "name",
    task_id: Optional = "taskId"
});

#[derive(Debug)]
struct Named {
    name: Option<String>,
    push_notification_config: Config,
}

json_read!(Named { name: Optional = "name", push_notification_config: Required = "pushNotificationConfig" });

impl Member for Named {}

impl Read for ConfigBody {
    type Core = PushConfig;

    /// The task is what the body says, which the path may say otherwise.
    fn core(self, _: Form) -> Result<PushConfig, A2aError> {
        let (name, config) = match (self.config, self.push_notification_config) {
            (Some(named), None) => (named.name.or(self.name), named.push_notification_config),
            (None, Some(config)) => (self.name, config),
            _ => {
                let text = "expected either `config` or `pushNotificationConfig` in the body";
                return Err(A2aError::invalid_params(text));
            }
        };
        let named = name.as_deref().and_then(parse_name);
        let task_id = named.map(|(task, _)| task.to_owned()).or(self.task_id);
        let mut config = config.core(task_id);
        let id = self.config_id.or_else(|| named.and_then(|(_, id)| id).map(str::to_owned));
        config.config.id = config.config.id.or(id);
        Ok(config)
    }
}

/// A page of configurations, as it is read: an array over JSON-RPC.
#[derive(Debug)]
pub(crate) struct ConfigList {
    configs: Vec<ConfigBody>,
    next_page_token: String,
}

json_read!(ConfigList { configs: Always = "configs", next_page_token: Implicit = "nextPageToken" });

impl Read for ConfigList {
    type Core = (Vec<PushConfig>, String);

    fn core(self, form: Form) -> Result<Self::Core, A2aError> {
        let configs = self.configs.into_iter().map(|config| config.core(form)).collect::<Result<_, _>>()?;
        Ok((configs, self.next_page_token))
    }
}

/// Where updates are posted, without the task.
struct Inner<'a>(&'a PushConfig);

impl Serialize for Inner<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TaskPushNotificationConfig { id, url, token, .. } = &self.0.config;
        let mut map = serializer.serialize_map(None)?;
        if let Some(id) = id.as_deref().filter(|id| !id.is_empty()) {
            map.serialize_entry("id", id)?;
        }
        map.serialize_entry("url", url)?;
        if let Some(token) = token {
            map.serialize_entry("token", token)?;
        }
        if let Some((schemes, credentials)) = schemes(self.0) {
            map.serialize_entry("authentication", &AsAuthentication(schemes, credentials))?;
        }
        map.end()
    }
}

struct AsAuthentication<'a>(Vec<String>, Option<&'a Secret>);

impl Serialize for AsAuthentication<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schemes", &self.0)?;
        if let Some(credentials) = self.1 {
            map.serialize_entry("credentials", credentials)?;
        }
        map.end()
    }
}

impl Serialize for As03<'_, PushConfig> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, config) = *self;
        let mut map = serializer.serialize_map(None)?;
        match form {
            Form::Kind => map.serialize_entry("taskId", &config.config.task_id)?,
            Form::Proto(_) => map.serialize_entry("name", &name(&config.config))?,
        }
        map.serialize_entry("pushNotificationConfig", &Inner(config))?;
        map.end()
    }
}

/// A configuration as a send brings it along.
pub(super) struct Inline<'a>(pub(super) &'a PushConfig);

impl Serialize for Inline<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Inner(self.0).serialize(serializer)
    }
}
