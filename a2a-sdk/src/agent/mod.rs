//! An agent: what its card says, the skills it has, the values it holds.

mod binding;
#[cfg(feature = "server")]
mod built;
mod card;
mod check;
mod registry;
#[cfg(feature = "server")]
mod run;
#[cfg(feature = "server")]
mod settings;

pub use binding::Binding;
#[cfg(feature = "server")]
pub use built::BuiltAgent;
#[cfg(feature = "server")]
pub(crate) use built::Engine;

use crate::protocol::{
    AgentCard, AgentExtension, AgentProvider, SecurityRequirement, SecurityScheme, StringList,
};
use crate::skill::{Location, Principal, SkillEntry, States};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Makes the card of a caller out of the public one.
pub(crate) type ExtendedCard = Arc<dyn Fn(&Principal, AgentCard) -> Option<AgentCard> + Send + Sync>;

/// An agent, before it is built.
///
/// `#[agent]` makes one: `greeter::agent()`. Code can make one as well:
///
/// ```
/// use a2a_sdk::{Agent, Request, Run, SkillEntry};
///
/// async fn shout(text: String) -> String {
///     text.to_uppercase()
/// }
///
/// let agent = Agent::builder("shouter").description("Says it louder.").version("1.0.0").skill(
///     SkillEntry::new("shout", |request: &Request| Ok(Run::new(shout(request.extract()?))))
///         .description("Says it louder.")
///         .argument::<String>()
///         .reply::<String, _>(),
/// );
/// ```
pub struct Agent {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) description: String,
    pub(crate) version: Option<String>,
    pub(crate) provider: Option<AgentProvider>,
    pub(crate) documentation_url: Option<String>,
    pub(crate) icon_url: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) skills: Vec<SkillEntry>,
    /// The skill for messages that name none.
    pub(crate) default_skill: Option<SkillEntry>,
    pub(crate) states: States,
    pub(crate) streaming: bool,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) binding_urls: Vec<(Binding, String)>,
    /// Whether protocol 0.3 is served as well.
    pub(crate) legacy: bool,
    pub(crate) extensions: Vec<AgentExtension>,
    pub(crate) security_schemes: BTreeMap<String, SecurityScheme>,
    pub(crate) security_requirements: Vec<SecurityRequirement>,
    pub(crate) extended_card: Option<ExtendedCard>,
    pub(crate) home: Option<Home>,
    #[cfg(feature = "server")]
    pub(crate) settings: settings::Settings,
}

/// Where an annotated agent stands: skills join it by that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    pub(crate) module: &'static str,
    pub(crate) key: &'static str,
    /// Whether the agent lists its skills itself.
    pub(crate) explicit: bool,
    pub(crate) location: Location,
}

impl Agent {
    /// An agent of that id, without any skill yet.
    pub fn builder(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            name: None,
            description: String::new(),
            version: None,
            provider: None,
            documentation_url: None,
            icon_url: None,
            url: None,
            skills: Vec::new(),
            default_skill: None,
            states: States::default(),
            streaming: true,
            bindings: Binding::ALL.to_vec(),
            binding_urls: Vec::new(),
            legacy: true,
            extensions: Vec::new(),
            security_schemes: BTreeMap::new(),
            security_requirements: Vec::new(),
            extended_card: None,
            home: None,
            #[cfg(feature = "server")]
            settings: settings::Settings::default(),
        }
    }

    /// Names it for people. Without a name, the words of its id are one.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Says what it does.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets its version.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Says who runs it, and where they are found.
    #[must_use]
    pub fn provider(mut self, organization: impl Into<String>, url: impl Into<String>) -> Self {
        self.provider = Some(AgentProvider { organization: organization.into(), url: url.into() });
        self
    }

    /// Says where its documentation is.
    #[must_use]
    pub fn documentation_url(mut self, url: impl Into<String>) -> Self {
        self.documentation_url = Some(url.into());
        self
    }

    /// Says where its picture is.
    #[must_use]
    pub fn icon_url(mut self, url: impl Into<String>) -> Self {
        self.icon_url = Some(url.into());
        self
    }

    /// Says where it is reached from outside.
    #[must_use]
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Gives it a skill.
    #[must_use]
    pub fn skill(mut self, entry: SkillEntry) -> Self {
        self.skills.push(entry);
        self
    }

    /// Gives it the skill that answers messages which name none. It is in the card as any other.
    #[must_use]
    pub fn default_skill(mut self, entry: SkillEntry) -> Self {
        self.default_skill = Some(entry);
        self
    }

    /// Gives it a value, for skills that take `State<T>`. One of each type: a second takes the first one's place.
    #[must_use]
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }

    /// Sets whether it streams: it does, unless set. Without, the card says so, and streaming calls are refused.
    #[must_use]
    pub fn streaming(mut self, streaming: bool) -> Self {
        self.streaming = streaming;
        self
    }

    /// Declares an extension of the protocol. Callers must name one that is `required` with every call.
    ///
    /// Which extensions a call uses is what both sides know; skills see it with
    /// [`Request::activated_extensions`](crate::Request::activated_extensions).
    #[must_use]
    pub fn extension(mut self, extension: AgentExtension) -> Self {
        self.extensions.push(extension);
        self
    }

    /// Declares that callers may authenticate with that scheme alone, under that name (spec 4.5).
    ///
    /// Declaring is not enforcing: an agent that declares security is not built without a
    /// [`layer`](Self::layer), which is what checks callers. Of several schemes, any one is enough. A second scheme of
    /// the same name takes the first one's place.
    #[must_use]
    pub fn security(mut self, name: impl Into<String>, scheme: SecurityScheme) -> Self {
        let name = name.into();
        if self.security_schemes.insert(name.clone(), scheme).is_none() {
            let schemes = BTreeMap::from([(name, StringList::default())]);
            self.security_requirements.push(SecurityRequirement { schemes });
        }
        self
    }

    /// Gives authenticated callers another card: made out of the public one for each of them, or none.
    ///
    /// The card declares that there is one (spec 3.1.11). A caller whom no layer knows is answered with 401, one
    /// without a card with 403.
    #[must_use]
    pub fn extended_card(
        mut self,
        card: impl Fn(&Principal, AgentCard) -> Option<AgentCard> + Send + Sync + 'static,
    ) -> Self {
        self.extended_card = Some(Arc::new(card));
        self
    }

    /// Says where it stands. Written by `#[agent]`.
    #[doc(hidden)]
    #[must_use]
    pub fn __home(
        mut self,
        module: &'static str,
        key: &'static str,
        explicit: bool,
        location: Location,
    ) -> Self {
        self.home = Some(Home { module, key, explicit, location });
        self
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent")
            .field("id", &self.id)
            .field("default_skill", &self.default_skill)
            .field("skills", &self.skills)
            .finish_non_exhaustive()
    }
}
