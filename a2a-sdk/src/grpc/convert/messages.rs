//! Every message, member by member.

use super::{Always, Convert, Implicit, Maybe, Nested, Plain, Required, Text, Wrong, message, oneof};
use crate::grpc::{convert, v1};
use crate::protocol::*;

message!(Message {
    message_id: Required,
    context_id: Text,
    task_id: Text,
    role: Required,
    parts: Required,
    metadata: Implicit,
    extensions: Plain,
    reference_task_ids: Plain,
});

impl Convert<v1::Part> for Part {
    fn write(&self) -> v1::Part {
        use v1::part::Content;

        let content = match &self.content {
            PartContent::Text(text) => Content::Text(text.clone()),
            PartContent::Raw(bytes) => Content::Raw(bytes.clone()),
            PartContent::Url(url) => Content::Url(url.clone()),
            PartContent::Data(value) => Content::Data(value.write()),
        };
        v1::Part {
            content: Some(content),
            metadata: Implicit::write(&self.metadata),
            filename: Text::write(&self.filename),
            media_type: Text::write(&self.media_type),
        }
    }

    fn read(proto: v1::Part) -> Result<Self, Wrong> {
        use v1::part::Content;

        let content = match proto.content {
            Some(Content::Text(text)) => PartContent::Text(text),
            Some(Content::Raw(bytes)) => PartContent::Raw(bytes),
            Some(Content::Url(url)) => PartContent::Url(url),
            Some(Content::Data(value)) => {
                PartContent::Data(Convert::read(value).map_err(|wrong: Wrong| wrong.within("data"))?)
            }
            None => return Err(Wrong::none(&["text", "raw", "url", "data"])),
        };
        Ok(Self {
            content,
            metadata: Implicit::read(proto.metadata).map_err(|wrong| wrong.within("metadata"))?,
            filename: Text::read(proto.filename)?,
            media_type: Text::read(proto.media_type)?,
        })
    }
}

convert::public!(Part);

message!(TaskStatus { state: Required, message: Maybe, timestamp: Maybe });

message!(Task {
    id: Required,
    context_id: Plain,
    status: Nested,
    artifacts: Plain,
    history: Plain,
    metadata: Implicit,
});

message!(Artifact {
    artifact_id: Required,
    name: Text,
    description: Text,
    parts: Plain,
    metadata: Implicit,
    extensions: Plain,
});

message!(TaskStatusUpdateEvent {
    task_id: Required,
    context_id: Required,
    status: Nested,
    metadata: Implicit,
});

message!(TaskArtifactUpdateEvent {
    task_id: Required,
    context_id: Required,
    artifact: Nested,
    append: Plain,
    last_chunk: Plain,
    metadata: Implicit,
});

oneof!(StreamResponse = stream_response::Payload in payload {
    Task: task = Task,
    Message: message = Message,
    StatusUpdate: status_update = StatusUpdate,
    ArtifactUpdate: artifact_update = ArtifactUpdate,
});

oneof!(SendMessageResponse = send_message_response::Payload in payload {
    Task: task = Task,
    Message: message = Message,
});

message!(TaskPushNotificationConfig {
    tenant: Text,
    id: Text,
    task_id: Text,
    url: Required,
    token: Text,
    authentication: Maybe,
});

message!(AuthenticationInfo { scheme: Required, credentials: Text });

message!(SendMessageRequest { tenant: Text, message: Nested, configuration: Implicit, metadata: Implicit });

message!(SendMessageConfiguration {
    accepted_output_modes: Plain,
    task_push_notification_config: Maybe,
    history_length: Maybe,
    return_immediately: Plain,
});

message!(GetTaskRequest { tenant: Text, id: Required, history_length: Maybe });

message!(ListTasksRequest {
    tenant: Text,
    context_id: Text,
    status: Plain,
    page_size: Maybe,
    page_token: Text,
    history_length: Maybe,
    status_timestamp_after: Maybe,
    include_artifacts: Maybe,
});

message!(ListTasksResponse { tasks: Plain, next_page_token: Plain, page_size: Plain, total_size: Plain });

message!(CancelTaskRequest { tenant: Text, id: Required, metadata: Implicit });

message!(SubscribeToTaskRequest { tenant: Text, id: Required });

message!(GetTaskPushNotificationConfigRequest { tenant: Text, task_id: Required, id: Required });

message!(DeleteTaskPushNotificationConfigRequest { tenant: Text, task_id: Required, id: Required });

message!(ListTaskPushNotificationConfigsRequest {
    tenant: Text,
    task_id: Required,
    page_size: Plain,
    page_token: Text,
});

message!(ListTaskPushNotificationConfigsResponse { configs: Plain, next_page_token: Plain });

message!(GetExtendedAgentCardRequest { tenant: Text });

message!(AgentCard {
    name: Plain,
    description: Plain,
    supported_interfaces: Plain,
    provider: Maybe,
    version: Plain,
    documentation_url: Maybe,
    capabilities: Always,
    security_schemes: Plain,
    security_requirements: Plain,
    default_input_modes: Plain,
    default_output_modes: Plain,
    skills: Plain,
    signatures: Plain,
    icon_url: Maybe,
});

message!(AgentInterface { url: Required, protocol_binding: Required, tenant: Text, protocol_version: Plain });

message!(AgentProvider { url: Plain, organization: Plain });

message!(AgentCapabilities {
    streaming: Maybe,
    push_notifications: Maybe,
    extensions: Plain,
    extended_agent_card: Maybe,
});

message!(AgentExtension { uri: Plain, description: Text, required: Plain, params: Implicit });

message!(AgentSkill {
    id: Required,
    name: Plain,
    description: Plain,
    tags: Plain,
    examples: Plain,
    input_modes: Plain,
    output_modes: Plain,
    security_requirements: Plain,
});

message!(AgentCardSignature { protected: Required, signature: Required, header: Implicit });

message!(SecurityRequirement { schemes: Plain });

message!(StringList { list: Plain });

oneof!(SecurityScheme = security_scheme::Scheme in scheme {
    ApiKey: api_key_security_scheme = ApiKeySecurityScheme,
    HttpAuth: http_auth_security_scheme = HttpAuthSecurityScheme,
    OAuth2: oauth2_security_scheme = Oauth2SecurityScheme,
    OpenIdConnect: open_id_connect_security_scheme = OpenIdConnectSecurityScheme,
    MutualTls: mtls_security_scheme = MtlsSecurityScheme,
});

message!(ApiKeySecurityScheme { description: Text, location: Required, name: Required });

message!(HttpAuthSecurityScheme { description: Text, scheme: Required, bearer_format: Text });

message!(OAuth2SecurityScheme { description: Text, flows: Nested, oauth2_metadata_url: Text });

message!(OpenIdConnectSecurityScheme { description: Text, open_id_connect_url: Required });

message!(MutualTlsSecurityScheme { description: Text });

oneof!(OAuthFlows = o_auth_flows::Flow in flow {
    AuthorizationCode: authorization_code = AuthorizationCode,
    ClientCredentials: client_credentials = ClientCredentials,
    Implicit: implicit = Implicit,
    Password: password = Password,
    DeviceCode: device_code = DeviceCode,
});

message!(AuthorizationCodeOAuthFlow {
    authorization_url: Required,
    token_url: Required,
    refresh_url: Text,
    scopes: Plain,
    pkce_required: Plain,
});

message!(ClientCredentialsOAuthFlow { token_url: Required, refresh_url: Text, scopes: Plain });

message!(ImplicitOAuthFlow { authorization_url: Text, refresh_url: Text, scopes: Plain });

message!(PasswordOAuthFlow { token_url: Text, refresh_url: Text, scopes: Plain });

message!(DeviceCodeOAuthFlow {
    device_authorization_url: Required,
    token_url: Required,
    refresh_url: Text,
    scopes: Plain,
});
