//! The Agent Card: what an agent says of itself.

use super::object::json_object;
use super::{Metadata, SecurityRequirement, SecurityScheme};
use std::collections::BTreeMap;

/// What an agent says of itself: who it is, what it can do, and where it is reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentCard {
    /// A name for people.
    pub name: String,
    /// What the agent does.
    pub description: String,
    /// Where it is reached; the first is preferred.
    pub supported_interfaces: Vec<AgentInterface>,
    /// Who runs it.
    pub provider: Option<AgentProvider>,
    /// Its version.
    pub version: String,
    /// Where its documentation is.
    pub documentation_url: Option<String>,
    /// Which parts of the protocol it serves.
    pub capabilities: AgentCapabilities,
    /// The security schemes it knows, by name.
    pub security_schemes: BTreeMap<String, SecurityScheme>,
    /// What a caller must satisfy; any one of them is enough.
    pub security_requirements: Vec<SecurityRequirement>,
    /// Media types that its skills read, unless they say otherwise.
    pub default_input_modes: Vec<String>,
    /// Media types that its skills give, unless they say otherwise.
    pub default_output_modes: Vec<String>,
    /// What it can do.
    pub skills: Vec<AgentSkill>,
    /// Signatures of this card.
    pub signatures: Vec<AgentCardSignature>,
    /// Where its picture is.
    pub icon_url: Option<String>,
}

json_object!(AgentCard {
    name: Always = "name",
    description: Always = "description",
    supported_interfaces: Always = "supportedInterfaces",
    provider: Optional = "provider",
    version: Always = "version",
    documentation_url: Explicit = "documentationUrl",
    capabilities: Always = "capabilities",
    security_schemes: Implicit = "securitySchemes",
    security_requirements: Implicit = "securityRequirements",
    default_input_modes: Always = "defaultInputModes",
    default_output_modes: Always = "defaultOutputModes",
    skills: Always = "skills",
    signatures: Implicit = "signatures",
    icon_url: Explicit = "iconUrl",
});

/// An address of an agent, and the binding spoken there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentInterface {
    /// The address.
    pub url: String,
    /// `JSONRPC`, `GRPC`, `HTTP+JSON`, or the URI of another.
    pub protocol_binding: String,
    /// The tenant to send with each request.
    pub tenant: Option<String>,
    /// The version spoken, `Major.Minor`.
    pub protocol_version: String,
}

json_object!(AgentInterface {
    url: Required = "url",
    protocol_binding: Required = "protocolBinding",
    tenant: Optional = "tenant",
    protocol_version: Always = "protocolVersion",
});

/// Who runs an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentProvider {
    /// The address of the organization.
    pub url: String,
    /// Its name.
    pub organization: String,
}

json_object!(AgentProvider { url: Always = "url", organization: Always = "organization" });

/// Which optional parts of the protocol an agent serves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentCapabilities {
    /// Whether it streams.
    pub streaming: Option<bool>,
    /// Whether it posts updates to webhooks.
    pub push_notifications: Option<bool>,
    /// The extensions it knows.
    pub extensions: Vec<AgentExtension>,
    /// Whether authenticated callers get a larger card.
    pub extended_agent_card: Option<bool>,
}

json_object!(AgentCapabilities {
    streaming: Explicit = "streaming",
    push_notifications: Explicit = "pushNotifications",
    extensions: Implicit = "extensions",
    extended_agent_card: Explicit = "extendedAgentCard",
});

/// An extension of the protocol that an agent knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentExtension {
    /// Its name.
    pub uri: String,
    /// How the agent uses it.
    pub description: Option<String>,
    /// Whether callers must use it.
    pub required: bool,
    /// What it is set to here.
    pub params: Metadata,
}

json_object!(AgentExtension {
    uri: Implicit = "uri",
    description: Optional = "description",
    required: Implicit = "required",
    params: Implicit = "params",
});

/// Something an agent can do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentSkill {
    /// Unique within the agent.
    pub id: String,
    /// A name for people.
    pub name: String,
    /// What it does, for callers to choose by.
    pub description: String,
    /// Keywords.
    pub tags: Vec<String>,
    /// Messages it answers well.
    pub examples: Vec<String>,
    /// Media types it reads, where they differ from the card's.
    pub input_modes: Vec<String>,
    /// Media types it gives, where they differ from the card's.
    pub output_modes: Vec<String>,
    /// What a caller must satisfy to use it.
    pub security_requirements: Vec<SecurityRequirement>,
}

json_object!(AgentSkill {
    id: Required = "id",
    name: Always = "name",
    description: Always = "description",
    tags: Always = "tags",
    examples: Implicit = "examples",
    input_modes: Implicit = "inputModes",
    output_modes: Implicit = "outputModes",
    security_requirements: Implicit = "securityRequirements",
});

/// A signature of a card, in the form of RFC 7515.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentCardSignature {
    /// The protected header, base64url.
    pub protected: String,
    /// The signature, base64url.
    pub signature: String,
    /// The unprotected header.
    pub header: Metadata,
}

json_object!(AgentCardSignature {
    protected: Required = "protected",
    signature: Required = "signature",
    header: Implicit = "header",
});
