//! The card as a message of the package `a2a.v1`.

use super::super::card::is_older;
use super::write_metadata;
#[cfg(feature = "client")]
use super::{read_metadata, text};
use crate::grpc::v03;
#[cfg(feature = "client")]
use crate::protocol::{
    A2aError, AgentCapabilities, AgentExtension, AgentProvider, ApiKeySecurityScheme,
    AuthorizationCodeOAuthFlow, ClientCredentialsOAuthFlow, HttpAuthSecurityScheme, ImplicitOAuthFlow,
    MutualTlsSecurityScheme, OpenIdConnectSecurityScheme, PasswordOAuthFlow, StringList,
};
use crate::protocol::{
    AgentCard, AgentInterface, AgentSkill, OAuth2SecurityScheme, OAuthFlows, SecurityRequirement,
    SecurityScheme,
};
use std::collections::BTreeMap;

/// The card; what 0.3 cannot say of it is left out.
pub(crate) fn write_card(card: &AgentCard) -> v03::AgentCard {
    let schemes: BTreeMap<String, v03::SecurityScheme> = card
        .security_schemes
        .iter()
        .filter_map(|(name, scheme)| {
            Some((name.clone(), v03::SecurityScheme { scheme: Some(write_scheme(scheme)?) }))
        })
        .collect();
    let security = |requirements: &[SecurityRequirement]| -> Vec<v03::Security> {
        let sayable = |requirement: &&SecurityRequirement| {
            requirement.schemes.keys().all(|name| schemes.contains_key(name))
        };
        requirements.iter().filter(sayable).map(write_requirement).collect()
    };
    let older: Vec<&AgentInterface> =
        card.supported_interfaces.iter().filter(|interface| is_older(&interface.protocol_version)).collect();
    let first = older.first();
    v03::AgentCard {
        protocol_version: "0.3.0".to_owned(),
        name: card.name.clone(),
        description: card.description.clone(),
        url: first.map(|first| first.url.clone()).unwrap_or_default(),
        preferred_transport: first.map(|first| first.protocol_binding.clone()).unwrap_or_default(),
        additional_interfaces: older
            .iter()
            .skip(1)
            .chain(first)
            .map(|other| v03::AgentInterface {
                url: other.url.clone(),
                transport: other.protocol_binding.clone(),
            })
            .collect(),
        provider: card.provider.as_ref().map(|provider| v03::AgentProvider {
            url: provider.url.clone(),
            organization: provider.organization.clone(),
        }),
        version: card.version.clone(),
        documentation_url: card.documentation_url.clone().unwrap_or_default(),
        capabilities: Some(v03::AgentCapabilities {
            streaming: card.capabilities.streaming.unwrap_or_default(),
            push_notifications: card.capabilities.push_notifications.unwrap_or_default(),
            extensions: card
                .capabilities
                .extensions
                .iter()
                .map(|extension| v03::AgentExtension {
                    uri: extension.uri.clone(),
                    description: extension.description.clone().unwrap_or_default(),
                    required: extension.required,
                    params: write_metadata(&extension.params),
                })
                .collect(),
        }),
        security: security(&card.security_requirements),
        default_input_modes: card.default_input_modes.clone(),
        default_output_modes: card.default_output_modes.clone(),
        skills: card
            .skills
            .iter()
            .map(|skill| write_skill(skill, security(&skill.security_requirements)))
            .collect(),
        supports_authenticated_extended_card: card.capabilities.extended_agent_card.unwrap_or_default(),
        signatures: card
            .signatures
            .iter()
            .map(|signature| v03::AgentCardSignature {
                protected: signature.protected.clone(),
                signature: signature.signature.clone(),
                header: write_metadata(&signature.header),
            })
            .collect(),
        icon_url: card.icon_url.clone().unwrap_or_default(),
        security_schemes: schemes,
    }
}

fn write_skill(skill: &AgentSkill, security: Vec<v03::Security>) -> v03::AgentSkill {
    v03::AgentSkill {
        id: skill.id.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
        tags: skill.tags.clone(),
        examples: skill.examples.clone(),
        input_modes: skill.input_modes.clone(),
        output_modes: skill.output_modes.clone(),
        security,
    }
}

fn write_requirement(requirement: &SecurityRequirement) -> v03::Security {
    let schemes = requirement.schemes.iter();
    v03::Security {
        schemes: schemes
            .map(|(name, scopes)| (name.clone(), v03::StringList { list: scopes.list.clone() }))
            .collect(),
    }
}

/// `None` where 0.3 has no such scheme.
fn write_scheme(scheme: &SecurityScheme) -> Option<v03::security_scheme::Scheme> {
    use v03::security_scheme::Scheme;

    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Some(match scheme {
        SecurityScheme::ApiKey(key) => Scheme::ApiKeySecurityScheme(v03::ApiKeySecurityScheme {
            description: text(&key.description),
            location: key.location.clone(),
            name: key.name.clone(),
        }),
        SecurityScheme::HttpAuth(http) => Scheme::HttpAuthSecurityScheme(v03::HttpAuthSecurityScheme {
            description: text(&http.description),
            scheme: http.scheme.clone(),
            bearer_format: text(&http.bearer_format),
        }),
        SecurityScheme::OAuth2(OAuth2SecurityScheme { description, flows, oauth2_metadata_url }) => {
            Scheme::Oauth2SecurityScheme(v03::OAuth2SecurityScheme {
                description: text(description),
                flows: Some(v03::OAuthFlows { flow: Some(write_flow(flows)?) }),
                oauth2_metadata_url: text(oauth2_metadata_url),
            })
        }
        SecurityScheme::OpenIdConnect(connect) => {
            Scheme::OpenIdConnectSecurityScheme(v03::OpenIdConnectSecurityScheme {
                description: text(&connect.description),
                open_id_connect_url: connect.open_id_connect_url.clone(),
            })
        }
        SecurityScheme::MutualTls(tls) => {
            Scheme::MtlsSecurityScheme(v03::MutualTlsSecurityScheme { description: text(&tls.description) })
        }
    })
}

fn write_flow(flow: &OAuthFlows) -> Option<v03::o_auth_flows::Flow> {
    use v03::o_auth_flows::Flow;

    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Some(match flow {
        OAuthFlows::AuthorizationCode(flow) => Flow::AuthorizationCode(v03::AuthorizationCodeOAuthFlow {
            authorization_url: flow.authorization_url.clone(),
            token_url: flow.token_url.clone(),
            refresh_url: text(&flow.refresh_url),
            scopes: flow.scopes.clone(),
        }),
        OAuthFlows::ClientCredentials(flow) => Flow::ClientCredentials(v03::ClientCredentialsOAuthFlow {
            token_url: flow.token_url.clone(),
            refresh_url: text(&flow.refresh_url),
            scopes: flow.scopes.clone(),
        }),
        OAuthFlows::Implicit(flow) => Flow::Implicit(v03::ImplicitOAuthFlow {
            authorization_url: text(&flow.authorization_url),
            refresh_url: text(&flow.refresh_url),
            scopes: flow.scopes.clone(),
        }),
        OAuthFlows::Password(flow) => Flow::Password(v03::PasswordOAuthFlow {
            token_url: text(&flow.token_url),
            refresh_url: text(&flow.refresh_url),
            scopes: flow.scopes.clone(),
        }),
        OAuthFlows::DeviceCode(_) => return None,
    })
}

/// Reads a card, as 1.0 has it.
#[cfg(feature = "client")]
pub(crate) fn read_card(card: v03::AgentCard) -> Result<AgentCard, A2aError> {
    let capabilities = card.capabilities.unwrap_or_default();
    let interface = |url: String, binding: String| AgentInterface {
        url,
        protocol_binding: binding,
        tenant: None,
        protocol_version: "0.3".to_owned(),
    };
    let mut interfaces = vec![interface(card.url, card.preferred_transport)];
    for other in card.additional_interfaces {
        let other = interface(other.url, other.transport);
        if !interfaces.contains(&other) {
            interfaces.push(other);
        }
    }
    let schemes = card.security_schemes.into_iter();
    let schemes = schemes.filter_map(|(name, scheme)| Some((name, read_scheme(scheme.scheme?)?)));
    let extensions = capabilities.extensions.into_iter().map(|extension| {
        Ok(AgentExtension {
            uri: extension.uri,
            description: text(extension.description),
            required: extension.required,
            params: read_metadata(extension.params, "capabilities.extensions.params")?,
        })
    });
    Ok(AgentCard {
        name: card.name,
        description: card.description,
        supported_interfaces: interfaces,
        provider: card
            .provider
            .map(|provider| AgentProvider { url: provider.url, organization: provider.organization }),
        version: card.version,
        documentation_url: text(card.documentation_url),
        capabilities: AgentCapabilities {
            streaming: Some(capabilities.streaming),
            push_notifications: Some(capabilities.push_notifications),
            extended_agent_card: Some(card.supports_authenticated_extended_card),
            extensions: extensions.collect::<Result<_, A2aError>>()?,
        },
        security_schemes: schemes.collect(),
        security_requirements: read_security(card.security),
        default_input_modes: card.default_input_modes,
        default_output_modes: card.default_output_modes,
        skills: card.skills.into_iter().map(read_skill).collect(),
        signatures: Vec::new(),
        icon_url: text(card.icon_url),
    })
}

#[cfg(feature = "client")]
fn read_skill(skill: v03::AgentSkill) -> AgentSkill {
    AgentSkill {
        id: skill.id,
        name: skill.name,
        description: skill.description,
        tags: skill.tags,
        examples: skill.examples,
        input_modes: skill.input_modes,
        output_modes: skill.output_modes,
        security_requirements: read_security(skill.security),
    }
}

#[cfg(feature = "client")]
fn read_security(security: Vec<v03::Security>) -> Vec<SecurityRequirement> {
    let read = |requirement: v03::Security| SecurityRequirement {
        schemes: requirement
            .schemes
            .into_iter()
            .map(|(name, scopes)| (name, StringList { list: scopes.list }))
            .collect(),
    };
    security.into_iter().map(read).collect()
}

#[cfg(feature = "client")]
fn read_scheme(scheme: v03::security_scheme::Scheme) -> Option<SecurityScheme> {
    use v03::security_scheme::Scheme;

    Some(match scheme {
        Scheme::ApiKeySecurityScheme(key) => SecurityScheme::ApiKey(ApiKeySecurityScheme {
            description: text(key.description),
            location: key.location,
            name: key.name,
        }),
        Scheme::HttpAuthSecurityScheme(http) => SecurityScheme::HttpAuth(HttpAuthSecurityScheme {
            description: text(http.description),
            scheme: http.scheme,
            bearer_format: text(http.bearer_format),
        }),
        Scheme::Oauth2SecurityScheme(oauth) => SecurityScheme::OAuth2(OAuth2SecurityScheme {
            description: text(oauth.description),
            flows: read_flow(oauth.flows?.flow?),
            oauth2_metadata_url: text(oauth.oauth2_metadata_url),
        }),
        Scheme::OpenIdConnectSecurityScheme(connect) => {
            SecurityScheme::OpenIdConnect(OpenIdConnectSecurityScheme {
                description: text(connect.description),
                open_id_connect_url: connect.open_id_connect_url,
            })
        }
        Scheme::MtlsSecurityScheme(tls) => {
            SecurityScheme::MutualTls(MutualTlsSecurityScheme { description: text(tls.description) })
        }
    })
}

#[cfg(feature = "client")]
fn read_flow(flow: v03::o_auth_flows::Flow) -> OAuthFlows {
    use v03::o_auth_flows::Flow;

    match flow {
        Flow::AuthorizationCode(flow) => OAuthFlows::AuthorizationCode(AuthorizationCodeOAuthFlow {
            authorization_url: flow.authorization_url,
            token_url: flow.token_url,
            refresh_url: text(flow.refresh_url),
            scopes: flow.scopes,
            pkce_required: false,
        }),
        Flow::ClientCredentials(flow) => OAuthFlows::ClientCredentials(ClientCredentialsOAuthFlow {
            token_url: flow.token_url,
            refresh_url: text(flow.refresh_url),
            scopes: flow.scopes,
        }),
        Flow::Implicit(flow) => OAuthFlows::Implicit(ImplicitOAuthFlow {
            authorization_url: text(flow.authorization_url),
            refresh_url: text(flow.refresh_url),
            scopes: flow.scopes,
        }),
        Flow::Password(flow) => OAuthFlows::Password(PasswordOAuthFlow {
            token_url: text(flow.token_url),
            refresh_url: text(flow.refresh_url),
            scopes: flow.scopes,
        }),
    }
}
