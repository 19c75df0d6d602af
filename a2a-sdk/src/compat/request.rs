//! What the operations take.

use super::message::Message;
use super::push::{Config, Inline};
use super::{As03, Form, Read};
use crate::protocol::json::Member;
use crate::protocol::object::json_read;
use crate::protocol::{A2aError, Metadata, PushConfig, SendMessageConfiguration, SendMessageRequest, Wire};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// What the two sends take, in either form.
#[derive(Debug)]
pub(crate) struct Send {
    request: Message,
    configuration: Option<Configuration>,
    metadata: Metadata,
}

// `request` is the name of the message in the package `a2a.v1`.
json_read!(Send {
    request: Required = "message",
    configuration: Optional = "configuration",
    metadata: Implicit = "metadata"
});

#[derive(Debug)]
struct Configuration {
    accepted_output_modes: Vec<String>,
    push_notification: Option<Config>,
    push_notification_config: Option<Config>,
    history_length: Option<i32>,
    blocking: Option<bool>,
}

json_read!(Configuration {
    accepted_output_modes: Implicit = "acceptedOutputModes",
    push_notification: Optional = "pushNotification",
    push_notification_config: Optional = "pushNotificationConfig",
    history_length: Explicit = "historyLength",
    blocking: Explicit = "blocking"
});

impl Member for Configuration {}

impl Send {
    /// The form that a body is in, where it may be in either.
    pub(crate) fn form(&self, proto: Form) -> Form {
        self.request.form(proto)
    }
}

impl Read for Send {
    /// The request, and how the configuration that it brings along is kept.
    type Core = (SendMessageRequest, Wire);

    fn core(self, form: Form) -> Result<Self::Core, A2aError> {
        self.request.check(form, "message")?;
        let (configuration, wire) = match self.configuration {
            Some(configuration) => configuration.core(form),
            None => (SendMessageConfiguration::default(), Wire::V03 { schemes: Vec::new() }),
        };
        let request = SendMessageRequest {
            tenant: None,
            message: self.request.core(form),
            configuration,
            metadata: self.metadata,
        };
        Ok((request, wire))
    }
}

impl Configuration {
    fn core(self, form: Form) -> (SendMessageConfiguration, Wire) {
        let push = self.push_notification.or(self.push_notification_config);
        let (push, wire) = match push.map(|config| config.core(None)) {
            Some(PushConfig { config, wire }) => (Some(config), wire),
            None => (None, Wire::V03 { schemes: Vec::new() }),
        };
        let (history_length, return_immediately) = match form {
            // Nothing said is: wait.
            Form::Kind => (self.history_length, self.blocking == Some(false)),
            // Nothing said cannot be told from zero and from false there.
            Form::Proto(_) => (said(self.history_length), self.blocking != Some(true)),
        };
        let configuration = SendMessageConfiguration {
            accepted_output_modes: self.accepted_output_modes,
            task_push_notification_config: push,
            history_length,
            return_immediately,
        };
        (configuration, wire)
    }
}

/// A length where zero stands for nothing said.
pub(super) fn said(length: Option<i32>) -> Option<i32> {
    length.filter(|length| *length != 0)
}

/// What `tasks/get` takes.
#[derive(Debug)]
pub(crate) struct TaskQuery {
    pub(crate) id: String,
    pub(crate) history_length: Option<i32>,
}

json_read!(TaskQuery { id: Required = "id", history_length: Explicit = "historyLength" });

/// What the other methods about a task take.
#[derive(Debug)]
pub(crate) struct TaskId {
    pub(crate) id: String,
    pub(crate) metadata: Metadata,
}

json_read!(TaskId { id: Required = "id", metadata: Implicit = "metadata" });

/// What the methods about one configuration take: the task's id, and that of the configuration.
#[derive(Debug)]
pub(crate) struct ConfigId {
    pub(crate) id: String,
    pub(crate) push_notification_config_id: Option<String>,
}

json_read!(ConfigId {
    id: Required = "id",
    push_notification_config_id: Optional = "pushNotificationConfigId"
});

impl Serialize for As03<'_, SendMessageRequest> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, request) = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("message", &As03(form, &request.message))?;
        map.serialize_entry("configuration", &As03(form, &request.configuration))?;
        if !request.metadata.is_empty() {
            map.serialize_entry("metadata", &request.metadata)?;
        }
        map.end()
    }
}

impl Serialize for As03<'_, SendMessageConfiguration> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(form, configuration) = *self;
        let mut map = serializer.serialize_map(None)?;
        // Versions before 0.2.6 require it.
        if form == Form::Kind || !configuration.accepted_output_modes.is_empty() {
            map.serialize_entry("acceptedOutputModes", &configuration.accepted_output_modes)?;
        }
        if let Some(config) = &configuration.task_push_notification_config {
            let name = match form {
                Form::Kind => "pushNotificationConfig",
                Form::Proto(_) => "pushNotification",
            };
            map.serialize_entry(name, &Inline(&PushConfig::from(config.clone())))?;
        }
        if let Some(length) = configuration.history_length {
            map.serialize_entry("historyLength", &length)?;
        }
        map.serialize_entry("blocking", &!configuration.return_immediately)?;
        map.end()
    }
}
