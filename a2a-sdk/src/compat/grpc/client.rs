//! What a client writes and reads.

use super::{
    read_config, read_message, read_metadata, text, write_inner_config, write_message, write_metadata,
};
use crate::compat::Bytes;
use crate::compat::push::parse_name;
use crate::grpc::convert::Convert;
use crate::grpc::v03;
use crate::protocol::{
    A2aError, Artifact, ErrorKind, ListTaskPushNotificationConfigsResponse, PushConfig, SendMessageRequest,
    SendMessageResponse, StreamResponse, Task, TaskArtifactUpdateEvent, TaskPushNotificationConfig,
    TaskState, TaskStatus, TaskStatusUpdateEvent, Timestamp,
};
use tonic::{Code, Status};

const BYTES: Bytes = Bytes::Encoded;

pub(crate) fn write_send(request: &SendMessageRequest) -> v03::SendMessageRequest {
    let configuration = &request.configuration;
    let push = configuration.task_push_notification_config.clone();
    v03::SendMessageRequest {
        request: Some(write_message(&request.message, BYTES)),
        configuration: Some(v03::SendMessageConfiguration {
            accepted_output_modes: configuration.accepted_output_modes.clone(),
            push_notification: push.map(|config| write_inner_config(&PushConfig::from(config))),
            history_length: configuration.history_length.unwrap_or_default(),
            blocking: !configuration.return_immediately,
        }),
        metadata: write_metadata(&request.metadata),
    }
}

fn missing(member: &str) -> A2aError {
    A2aError::invalid_field(member, "is required")
}

pub(crate) fn read_task(task: v03::Task) -> Result<Task, A2aError> {
    if task.id.is_empty() {
        return Err(missing("id"));
    }
    Ok(Task {
        id: task.id,
        context_id: task.context_id,
        status: read_status(task.status)?,
        artifacts: task.artifacts.into_iter().map(read_artifact).collect::<Result<_, _>>()?,
        history: task
            .history
            .into_iter()
            .map(|message| read_message(message, BYTES, "history"))
            .collect::<Result<_, _>>()?,
        metadata: read_metadata(task.metadata, "metadata")?,
    })
}

fn read_status(status: Option<v03::TaskStatus>) -> Result<TaskStatus, A2aError> {
    let status = status.ok_or_else(|| missing("status"))?;
    let message = status.update.map(|message| read_message(message, BYTES, "status.message")).transpose()?;
    Ok(TaskStatus {
        state: TaskState::read(status.state)?,
        message: message.map(Box::new),
        timestamp: status.timestamp.map(Timestamp::read).transpose()?,
    })
}

fn read_artifact(artifact: v03::Artifact) -> Result<Artifact, A2aError> {
    let parts = artifact.parts.into_iter().map(|part| super::read_part(part, BYTES, "artifact.parts"));
    Ok(Artifact {
        artifact_id: artifact.artifact_id,
        name: text(artifact.name),
        description: text(artifact.description),
        parts: parts.collect::<Result<_, _>>()?,
        metadata: read_metadata(artifact.metadata, "artifact.metadata")?,
        extensions: artifact.extensions,
    })
}

pub(crate) fn read_answer(answer: v03::SendMessageResponse) -> Result<SendMessageResponse, A2aError> {
    use v03::send_message_response::Payload;

    Ok(match answer.payload.ok_or_else(|| missing("task"))? {
        Payload::Task(task) => SendMessageResponse::Task(read_task(task)?),
        Payload::Msg(message) => SendMessageResponse::Message(read_message(message, BYTES, "message")?),
    })
}

pub(crate) fn read_event(event: v03::StreamResponse) -> Result<StreamResponse, A2aError> {
    use v03::stream_response::Payload;

    Ok(match event.payload.ok_or_else(|| missing("task"))? {
        Payload::Task(task) => StreamResponse::Task(read_task(task)?),
        Payload::Msg(message) => StreamResponse::Message(read_message(message, BYTES, "message")?),
        Payload::StatusUpdate(update) => StreamResponse::StatusUpdate(TaskStatusUpdateEvent {
            task_id: update.task_id,
            context_id: update.context_id,
            status: read_status(update.status)?,
            metadata: read_metadata(update.metadata, "metadata")?,
        }),
        Payload::ArtifactUpdate(update) => StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent {
            task_id: update.task_id,
            context_id: update.context_id,
            artifact: read_artifact(update.artifact.ok_or_else(|| missing("artifact"))?)?,
            append: update.append,
            last_chunk: update.last_chunk,
            metadata: read_metadata(update.metadata, "metadata")?,
        }),
    })
}

pub(crate) fn read_named_config(
    config: v03::TaskPushNotificationConfig,
) -> Result<TaskPushNotificationConfig, A2aError> {
    let (task_id, id) = match parse_name(&config.name) {
        Some((task, id)) => (Some(task.to_owned()), id.map(str::to_owned)),
        None => (None, None),
    };
    let inner = config.push_notification_config.ok_or_else(|| missing("pushNotificationConfig"))?;
    let mut config = read_config(inner, task_id, "pushNotificationConfig.")?.config;
    config.id = config.id.or(id);
    Ok(config)
}

pub(crate) fn read_configs(
    page: v03::ListTaskPushNotificationConfigResponse,
) -> Result<ListTaskPushNotificationConfigsResponse, A2aError> {
    let configs = page.configs.into_iter().map(read_named_config);
    Ok(ListTaskPushNotificationConfigsResponse {
        configs: configs.collect::<Result<_, _>>()?,
        next_page_token: page.next_page_token,
    })
}

/// A status that tells of its error by details, as those of 1.0 do, where it only names it in its text.
pub(crate) fn named(status: Status) -> Status {
    const NAMES: [(&str, ErrorKind); 9] = [
        ("TaskNotFoundError", ErrorKind::TaskNotFound),
        ("TaskNotCancelableError", ErrorKind::TaskNotCancelable),
        ("PushNotificationNotSupportedError", ErrorKind::PushNotificationNotSupported),
        ("UnsupportedOperationError", ErrorKind::UnsupportedOperation),
        ("ContentTypeNotSupportedError", ErrorKind::ContentTypeNotSupported),
        ("InvalidAgentResponseError", ErrorKind::InvalidAgentResponse),
        ("AuthenticatedExtendedCardNotConfiguredError", ErrorKind::ExtendedAgentCardNotConfigured),
        ("InvalidParamsError", ErrorKind::InvalidParams),
        ("InvalidRequestError", ErrorKind::InvalidRequest),
    ];
    if !status.details().is_empty() || status.code() == Code::Unavailable {
        return status;
    }
    match NAMES.iter().find(|(name, _)| status.message().contains(name)) {
        Some((_, kind)) => crate::grpc::status_of(&A2aError::new(*kind, status.message())),
        None => status,
    }
}
