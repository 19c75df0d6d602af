//! The messages of the package `a2a.v1`.

mod card;
#[cfg(feature = "client")]
mod client;

#[cfg(feature = "client")]
pub(crate) use card::read_card;
pub(crate) use card::write_card;
#[cfg(feature = "client")]
pub(crate) use client::*;

use super::part::{decoded, encoded, wrapped};
use super::push::{self, parse_name};
use super::request::said;
use super::{Bytes, Event, Form};
use crate::grpc::convert::Convert;
use crate::grpc::v03;
use crate::protocol::{
    A2aError, Artifact, Message, Metadata, Part, PartContent, PushConfig, Role, SendMessageConfiguration,
    SendMessageRequest, Task, TaskPushNotificationConfig, TaskStatus, Timestamp, Wire,
};
use prost_types::Struct;

pub(crate) use super::error::grpc_status as status_of;

/// Reads what the two sends take.
pub(crate) fn read_send(
    request: v03::SendMessageRequest,
    bytes: Bytes,
) -> Result<(SendMessageRequest, Wire), A2aError> {
    let message = request.request.ok_or_else(|| A2aError::invalid_field("message", "is required"))?;
    let message = read_message(message, bytes, "message")?;
    let metadata = read_metadata(request.metadata, "metadata")?;
    let mut wire = Wire::V03 { schemes: Vec::new() };
    let configuration = match request.configuration {
        // Nothing said is: wait.
        None => SendMessageConfiguration::default(),
        Some(configuration) => {
            let push = match configuration.push_notification {
                Some(config) => {
                    let config = read_config(config, None, "configuration.pushNotification.")?;
                    wire = config.wire;
                    Some(config.config)
                }
                None => None,
            };
            SendMessageConfiguration {
                accepted_output_modes: configuration.accepted_output_modes,
                task_push_notification_config: push,
                history_length: said(Some(configuration.history_length)),
                return_immediately: !configuration.blocking,
            }
        }
    };
    Ok((SendMessageRequest { tenant: None, message, configuration, metadata }, wire))
}

fn read_message(message: v03::Message, bytes: Bytes, path: &str) -> Result<Message, A2aError> {
    let at = |member: &str| if path.is_empty() { member.to_owned() } else { format!("{path}.{member}") };
    if message.message_id.is_empty() {
        return Err(A2aError::invalid_field(at("messageId"), "must not be empty"));
    }
    let role = match v03::Role::try_from(message.role) {
        Ok(v03::Role::User) => Role::User,
        Ok(v03::Role::Agent) => Role::Agent,
        Ok(v03::Role::Unspecified) | Err(_) => {
            return Err(A2aError::invalid_field(at("role"), "expected ROLE_USER or ROLE_AGENT"));
        }
    };
    if message.content.is_empty() {
        return Err(A2aError::invalid_field(at("content"), "must not be empty"));
    }
    let parts = message.content.into_iter().enumerate();
    let parts = parts.map(|(index, part)| read_part(part, bytes, &at(&format!("content[{index}]"))));
    Ok(Message {
        message_id: message.message_id,
        context_id: text(message.context_id),
        task_id: text(message.task_id),
        role,
        parts: parts.collect::<Result<_, _>>()?,
        metadata: read_metadata(message.metadata, &at("metadata"))?,
        extensions: message.extensions,
        reference_task_ids: Vec::new(),
    })
}

fn read_part(part: v03::Part, bytes: Bytes, path: &str) -> Result<Part, A2aError> {
    use v03::file_part::File;
    use v03::part::Part as Content;

    let mut metadata = read_metadata(part.metadata, &format!("{path}.metadata"))?;
    let none = |names: &str| A2aError::invalid_field(path, format!("holds none of {names}"));
    let mut part = match part.part.ok_or_else(|| none("`text`, `file`, `data`"))? {
        Content::Text(text) => Part::text(text),
        Content::File(file) => {
            let content = match file.file.ok_or_else(|| none("`fileWithUri`, `fileWithBytes`"))? {
                File::FileWithUri(uri) => PartContent::Url(uri),
                File::FileWithBytes(raw) => PartContent::Raw(decoded(raw, Form::Proto(bytes))),
            };
            Part { filename: text(file.name), media_type: text(file.mime_type), ..Part::new(content) }
        }
        Content::Data(data) => {
            let data = read_metadata(data.data, &format!("{path}.data"))?;
            Part::new(PartContent::Data(super::part::unwrapped(data.0, &mut metadata, Form::Kind)))
        }
    };
    part.metadata = metadata;
    Ok(part)
}

fn read_metadata(metadata: Option<Struct>, path: &str) -> Result<Metadata, A2aError> {
    let Some(metadata) = metadata else { return Ok(Metadata::default()) };
    Metadata::read(metadata).map_err(|wrong| {
        let error = A2aError::from(wrong);
        A2aError::invalid_field(path, error.violations().first().map_or("", |wrong| &wrong.description))
    })
}

fn text(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

fn read_config(
    config: v03::PushNotificationConfig,
    task_id: Option<String>,
    path: &str,
) -> Result<PushConfig, A2aError> {
    if config.url.is_empty() {
        return Err(A2aError::invalid_field(format!("{path}url"), "must not be empty"));
    }
    let authentication = config.authentication.map_or((Vec::new(), None), |authentication| {
        (authentication.schemes, text(authentication.credentials).map(Into::into))
    });
    let token = text(config.token).map(Into::into);
    Ok(push::config(task_id, text(config.id), config.url, token, authentication))
}

/// Reads what CreateTaskPushNotificationConfig takes.
pub(crate) fn read_create(
    request: v03::CreateTaskPushNotificationConfigRequest,
) -> Result<PushConfig, A2aError> {
    let task_id = read_task_name("parent", &request.parent)?;
    let config = request.config.and_then(|config| config.push_notification_config);
    let config = config.ok_or_else(|| A2aError::invalid_field("config", "is required"))?;
    let mut config = read_config(config, Some(task_id), "config.pushNotificationConfig.")?;
    config.config.id = config.config.id.or(text(request.config_id));
    Ok(config)
}

/// The task in a name, `tasks/{task}`.
pub(crate) fn read_task_name(field: &str, name: &str) -> Result<String, A2aError> {
    match parse_name(name) {
        Some((task, None)) => Ok(task.to_owned()),
        _ => Err(A2aError::invalid_field(field, "expected `tasks/{task}`")),
    }
}

/// The task and the configuration in a name, `tasks/{task}/pushNotificationConfigs/{id}`.
pub(crate) fn read_config_name(name: &str) -> Result<(String, String), A2aError> {
    match parse_name(name) {
        Some((task, Some(id))) => Ok((task.to_owned(), id.to_owned())),
        _ => Err(A2aError::invalid_field("name", "expected `tasks/{task}/pushNotificationConfigs/{id}`")),
    }
}

pub(crate) fn write_task(task: &Task, bytes: Bytes) -> v03::Task {
    v03::Task {
        id: task.id.clone(),
        context_id: task.context_id.clone(),
        status: Some(write_status(&task.status, bytes)),
        artifacts: task.artifacts.iter().map(|artifact| write_artifact(artifact, bytes)).collect(),
        history: task.history.iter().map(|message| write_message(message, bytes)).collect(),
        metadata: write_metadata(&task.metadata),
    }
}

fn write_status(status: &TaskStatus, bytes: Bytes) -> v03::TaskStatus {
    v03::TaskStatus {
        state: status.state as i32,
        update: status.message.as_ref().map(|message| write_message(message, bytes)),
        timestamp: status.timestamp.as_ref().map(Timestamp::write),
    }
}

fn write_artifact(artifact: &Artifact, bytes: Bytes) -> v03::Artifact {
    v03::Artifact {
        artifact_id: artifact.artifact_id.clone(),
        name: artifact.name.clone().unwrap_or_default(),
        description: artifact.description.clone().unwrap_or_default(),
        parts: artifact.parts.iter().map(|part| write_part(part, bytes)).collect(),
        metadata: write_metadata(&artifact.metadata),
        extensions: artifact.extensions.clone(),
    }
}

pub(crate) fn write_message(message: &Message, bytes: Bytes) -> v03::Message {
    v03::Message {
        message_id: message.message_id.clone(),
        context_id: message.context_id.clone().unwrap_or_default(),
        task_id: message.task_id.clone().unwrap_or_default(),
        role: message.role as i32,
        content: message.parts.iter().map(|part| write_part(part, bytes)).collect(),
        metadata: write_metadata(&message.metadata),
        extensions: message.extensions.clone(),
    }
}

fn write_part(part: &Part, bytes: Bytes) -> v03::Part {
    use v03::file_part::File;
    use v03::part::Part as Content;

    let file = |file: File| {
        Content::File(v03::FilePart {
            file: Some(file),
            mime_type: part.media_type.clone().unwrap_or_default(),
            name: part.filename.clone().unwrap_or_default(),
        })
    };
    let data = wrapped(part);
    let metadata = data.as_ref().map_or(&part.metadata, |(_, metadata)| metadata);
    let metadata = write_metadata(metadata);
    let content = match &part.content {
        PartContent::Text(text) => Content::Text(text.clone()),
        PartContent::Raw(raw) => file(File::FileWithBytes(encoded(raw, Form::Proto(bytes)))),
        PartContent::Url(url) => file(File::FileWithUri(url.clone())),
        PartContent::Data(_) => {
            let object = data.map(|(object, _)| Metadata(object).write());
            Content::Data(v03::DataPart { data: object })
        }
    };
    v03::Part { part: Some(content), metadata }
}

fn write_metadata(metadata: &Metadata) -> Option<Struct> {
    (!metadata.is_empty()).then(|| metadata.write())
}

pub(crate) fn write_event(event: Event<'_>, bytes: Bytes) -> v03::StreamResponse {
    use v03::stream_response::Payload;

    let payload = match event {
        Event::Task(task) => Payload::Task(write_task(task, bytes)),
        Event::Message(message) => Payload::Msg(write_message(message, bytes)),
        Event::StatusUpdate(update, last) => Payload::StatusUpdate(v03::TaskStatusUpdateEvent {
            task_id: update.task_id.clone(),
            context_id: update.context_id.clone(),
            status: Some(write_status(&update.status, bytes)),
            r#final: last,
            metadata: write_metadata(&update.metadata),
        }),
        Event::ArtifactUpdate(update) => Payload::ArtifactUpdate(v03::TaskArtifactUpdateEvent {
            task_id: update.task_id.clone(),
            context_id: update.context_id.clone(),
            artifact: Some(write_artifact(&update.artifact, bytes)),
            append: update.append,
            last_chunk: update.last_chunk,
            metadata: write_metadata(&update.metadata),
        }),
    };
    v03::StreamResponse { payload: Some(payload) }
}

pub(crate) fn write_config(config: &PushConfig) -> v03::TaskPushNotificationConfig {
    v03::TaskPushNotificationConfig {
        name: push::name(&config.config),
        push_notification_config: Some(write_inner_config(config)),
    }
}

fn write_inner_config(config: &PushConfig) -> v03::PushNotificationConfig {
    let authentication = push::schemes(config).map(|(schemes, credentials)| v03::AuthenticationInfo {
        schemes,
        credentials: credentials.map(|secret| secret.expose().to_owned()).unwrap_or_default(),
    });
    let TaskPushNotificationConfig { id, url, token, .. } = &config.config;
    v03::PushNotificationConfig {
        id: id.clone().unwrap_or_default(),
        url: url.clone(),
        token: token.as_ref().map(|token| token.expose().to_owned()).unwrap_or_default(),
        authentication,
    }
}
