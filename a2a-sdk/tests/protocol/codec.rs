//! The Rust type of each message, by name.

use crate::table::TABLE;
use a2a_sdk::protocol::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Debug;

/// Decodes a message, encodes it again, and checks that what was encoded decodes to the same message.
pub(crate) fn recode(message: &str, json: &Value) -> Result<Value, A2aError> {
    let (_, recode) = CODECS.iter().find(|(name, _)| *name == message).unwrap();
    recode(&json.to_string())
}

fn recode_as<T: DeserializeOwned + Serialize + PartialEq + Debug>(json: &str) -> Result<Value, A2aError> {
    let decoded: T = from_json(json.as_bytes())?;
    let encoded = serde_json::to_string(&decoded).unwrap();
    assert_eq!(from_json::<T>(encoded.as_bytes()).as_ref(), Ok(&decoded), "{encoded}");
    Ok(serde_json::from_str(&encoded).unwrap())
}

type Recode = fn(&str) -> Result<Value, A2aError>;

macro_rules! codecs {
    ($($type:ident)*; $($rest:tt)*) => { &[$((stringify!($type), recode_as::<$type> as Recode),)* $($rest)*] };
}

const CODECS: &[(&str, Recode)] = codecs!(
    AgentCapabilities AgentCard AgentCardSignature AgentExtension AgentInterface AgentProvider AgentSkill Artifact
    AuthenticationInfo AuthorizationCodeOAuthFlow CancelTaskRequest ClientCredentialsOAuthFlow
    DeleteTaskPushNotificationConfigRequest DeviceCodeOAuthFlow GetExtendedAgentCardRequest
    GetTaskPushNotificationConfigRequest GetTaskRequest ImplicitOAuthFlow ListTaskPushNotificationConfigsRequest
    ListTaskPushNotificationConfigsResponse ListTasksRequest ListTasksResponse Message MutualTlsSecurityScheme
    OAuth2SecurityScheme OAuthFlows OpenIdConnectSecurityScheme Part PasswordOAuthFlow SecurityRequirement SecurityScheme
    SendMessageConfiguration SendMessageRequest SendMessageResponse StreamResponse StringList SubscribeToTaskRequest Task
    TaskArtifactUpdateEvent TaskPushNotificationConfig TaskStatus TaskStatusUpdateEvent;
    ("APIKeySecurityScheme", recode_as::<ApiKeySecurityScheme>),
    ("HTTPAuthSecurityScheme", recode_as::<HttpAuthSecurityScheme>),
);

#[test]
fn every_message_of_the_table_has_a_type() {
    let mut names: Vec<&str> = CODECS.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    assert!(names.into_iter().eq(TABLE.messages.keys().copied()));
}
