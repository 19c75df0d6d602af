//! What an agent's card says.

use super::{Agent, Binding};
use crate::protocol::{AgentCapabilities, AgentCard, AgentExtension, AgentInterface, Metadata};
use crate::skill::{SKILLS_EXTENSION, SkillEntry, words};
use serde_json::{Value, json};

/// Where an agent is said to be where nothing says otherwise.
const DEFAULT_URL: &str = "http://127.0.0.1:8080";

/// The versions that the card declares, `Major.Minor`. Clients take the first that they speak.
const PROTOCOL_VERSIONS: [&str; 2] = ["1.0", "0.3"];

impl Agent {
    /// The card of the agent, without serving it.
    ///
    /// Where the agent has no [`url`](Agent::url), the card says `http://127.0.0.1:8080`.
    ///
    /// # Errors
    /// When the agent cannot be built.
    pub fn card(&self) -> crate::Result<AgentCard> {
        let skills = self.checked_skills()?;
        let url = self.url.as_deref().unwrap_or_else(|| self.assumed_url());
        Ok(self.card_of(&skills, url, &self.bindings))
    }

    pub(crate) fn assumed_url(&self) -> &'static str {
        tracing::warn!(
            agent = self.id,
            "the card says {DEFAULT_URL}; set the public URL to say where the agent is"
        );
        DEFAULT_URL
    }

    /// Our extension, and those that the agent declares itself.
    pub(crate) fn extensions_of(&self, skills: &[SkillEntry]) -> Vec<AgentExtension> {
        [skills_extension(skills)].into_iter().chain(self.extensions.iter().cloned()).collect()
    }

    /// Where the agent is reached, the preferred binding first.
    fn interfaces(&self, url: &str, here: &[Binding]) -> Vec<AgentInterface> {
        let urls = self.bindings.iter().filter_map(|binding| {
            let said = self.binding_urls.iter().find(|(known, _)| known == binding);
            let url = match (said, binding) {
                (Some((_, url)), _) => url.clone(),
                (None, binding) if !here.contains(binding) => return None,
                (None, Binding::Grpc) => authority_of(url)?,
                // Clients join paths to it, so it ends without a slash.
                (None, Binding::JsonRpc | Binding::HttpJson) => url.trim_end_matches('/').to_owned(),
            };
            Some((binding, url))
        });
        let urls: Vec<_> = urls.collect();
        let versions = PROTOCOL_VERSIONS.iter().take(if self.legacy { 2 } else { 1 });
        let interfaces = versions.flat_map(|version| {
            urls.iter().map(|(binding, url)| AgentInterface {
                url: url.clone(),
                protocol_binding: binding.as_str().to_owned(),
                tenant: None,
                protocol_version: (*version).to_owned(),
            })
        });
        interfaces.collect()
    }

    #[cfg(feature = "push")]
    fn pushes(&self) -> bool {
        self.settings.webhooks.is_some()
    }

    #[cfg(not(feature = "push"))]
    fn pushes(&self) -> bool {
        false
    }

    /// The card of the agent where these bindings are at that URL.
    pub(crate) fn card_of(&self, skills: &[SkillEntry], url: &str, here: &[Binding]) -> AgentCard {
        let mut card = AgentCard {
            name: self.name.clone().unwrap_or_else(|| words(&self.id)),
            description: self.description.clone(),
            supported_interfaces: self.interfaces(url, here),
            provider: self.provider.clone(),
            version: self.version.clone().unwrap_or_else(|| "0.0.0".to_owned()),
            documentation_url: self.documentation_url.clone(),
            icon_url: self.icon_url.clone(),
            capabilities: AgentCapabilities {
                streaming: Some(self.streaming),
                push_notifications: Some(self.pushes()),
                extended_agent_card: Some(self.extended_card.is_some()),
                extensions: self.extensions_of(skills),
            },
            security_schemes: self.security_schemes.clone(),
            security_requirements: self.security_requirements.clone(),
            skills: skills.iter().map(SkillEntry::card).collect(),
            ..AgentCard::default()
        };
        for skill in &card.skills {
            join(&mut card.default_input_modes, &skill.input_modes);
            join(&mut card.default_output_modes, &skill.output_modes);
        }
        // A skill says its modes only where they differ from the agent's.
        for skill in &mut card.skills {
            if same(&skill.input_modes, &card.default_input_modes) {
                skill.input_modes.clear();
            }
            if same(&skill.output_modes, &card.default_output_modes) {
                skill.output_modes.clear();
            }
        }
        card
    }
}

/// The `host:port` of a URL, which is how gRPC says where something is. A URL with a path has none: the paths of gRPC
/// begin at the root.
fn authority_of(url: &str) -> Option<String> {
    let url: http::Uri = url.parse().ok()?;
    let port = match (url.port_u16(), url.scheme_str()) {
        (Some(port), _) => port,
        (None, Some("https")) => 443,
        (None, Some("http")) => 80,
        (None, _) => return None,
    };
    (url.path() == "/" && url.query().is_none()).then_some(())?;
    Some(format!("{}:{port}", url.host()?))
}

/// Our extension: how to name a skill, and what the data of each looks like.
fn skills_extension(skills: &[SkillEntry]) -> AgentExtension {
    let schemas = skills.iter().map(|skill| {
        let mut schemas = serde_json::Map::new();
        schemas.extend(skill.input_schema().map(|schema| ("input".to_owned(), schema)));
        schemas.extend(skill.output_schema().map(|schema| ("output".to_owned(), schema)));
        (skill.id().to_owned(), Value::Object(schemas))
    });
    let mut params = Metadata::default();
    params.insert("skills".to_owned(), schemas.collect());
    params
        .insert("select".to_owned(), json!({ "message.metadata": { SKILLS_EXTENSION: { "skill": "ID" } } }));
    AgentExtension {
        uri: SKILLS_EXTENSION.to_owned(),
        description: Some(
            "A message names the skill it is for in its metadata; without a name the agent decides."
                .to_owned(),
        ),
        required: false,
        params,
    }
}

fn join(all: &mut Vec<String>, modes: &[String]) {
    for mode in modes {
        if !all.contains(mode) {
            all.push(mode.clone());
        }
    }
}

fn same(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().all(|mode| other.contains(mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_authority_has_a_port_and_no_scheme() {
        for (url, authority) in [
            ("http://127.0.0.1:8080", Some("127.0.0.1:8080")),
            ("http://[::1]:8080", Some("[::1]:8080")),
            ("https://agents.example", Some("agents.example:443")),
            ("https://agents.example:8443", Some("agents.example:8443")),
            ("http://agents.example", Some("agents.example:80")),
            ("https://agents.example/travel", None),
            ("https://agents.example/?a", None),
            ("agents.example", None),
            ("", None),
        ] {
            assert_eq!(authority_of(url).as_deref(), authority, "{url}");
        }
    }
}
