//! The keys of an attribute, by name.

use crate::attr::{self, Entry};
use crate::details::{callable, extensions, on_crash, provider};
use crate::errors::Errors;
use crate::model::Kind;
use crate::security::{self, Scheme};
use crate::values::{self, modes, path, paths, text, texts, url};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Path};

/// What the keys say. Each is there at most once, and right.
#[derive(Default)]
pub(crate) struct Keys {
    pub(crate) krate: Option<Path>,
    pub(crate) id: Option<Expr>,
    pub(crate) name: Option<Expr>,
    pub(crate) description: Option<Expr>,
    pub(crate) tags: Option<Vec<Expr>>,
    pub(crate) examples: Option<Vec<Expr>>,
    pub(crate) input_modes: Option<Vec<Expr>>,
    pub(crate) output_modes: Option<Vec<Expr>>,
    pub(crate) agent: Option<Path>,
    pub(crate) version: Option<Expr>,
    pub(crate) provider: Option<(Expr, Expr)>,
    pub(crate) documentation_url: Option<Expr>,
    pub(crate) icon_url: Option<Expr>,
    pub(crate) url: Option<Expr>,
    pub(crate) skills: Option<Vec<Path>>,
    pub(crate) schemes: Option<Vec<Scheme>>,
    pub(crate) extensions: Option<Vec<Expr>>,
    pub(crate) extended_card: Option<Expr>,
    /// The schemes that a skill needs, each with its scopes.
    pub(crate) needs: Option<Vec<(Expr, Vec<Expr>)>>,
}

pub(crate) const SKILL: [&str; 11] = [
    "id",
    "name",
    "description",
    "tags",
    "examples",
    "input_modes",
    "output_modes",
    "security",
    "on_crash",
    "agent",
    "crate",
];
pub(crate) const AGENT: [&str; 16] = [
    "name",
    "description",
    "version",
    "provider",
    "documentation_url",
    "icon_url",
    "url",
    "skills",
    "tags",
    "examples",
    "input_modes",
    "output_modes",
    "security",
    "extensions",
    "extended_card",
    "crate",
];
impl Keys {
    /// Reads the keys of an attribute.
    pub(crate) fn read(kind: Kind, tokens: TokenStream, errors: &mut Errors) -> Self {
        let known: &[&str] = match kind {
            Kind::Skill => &SKILL,
            Kind::Agent => &AGENT,
        };
        let mut keys = Self::default();
        let mut seen: Vec<String> = Vec::new();
        for entry in attr::parse(tokens, errors) {
            let key = entry.key.to_string();
            if seen.contains(&key) {
                errors.at(&entry.key, format!("`{key}` is given twice"), "leave one of them out");
                continue;
            }
            if known.contains(&key.as_str()) {
                keys.set(kind, &key, &entry, errors);
            } else {
                foreign(kind, &entry, known, errors);
            }
            seen.push(key);
        }
        keys
    }

    fn set(&mut self, kind: Kind, key: &str, entry: &Entry, errors: &mut Errors) {
        match key {
            "crate" => self.krate = path(entry, "::a2a_sdk", errors),
            "id" => self.id = text(entry, errors),
            "name" => self.name = text(entry, errors),
            "description" => self.description = text(entry, errors),
            "tags" => self.tags = texts(entry, errors),
            "examples" => self.examples = texts(entry, errors),
            "input_modes" => self.input_modes = modes(entry, errors),
            "output_modes" => self.output_modes = modes(entry, errors),
            "agent" => self.agent = path(entry, "travel_core::travel", errors),
            "version" => self.version = text(entry, errors),
            "provider" => self.provider = provider(entry, errors),
            "documentation_url" => self.documentation_url = url(entry, errors),
            "icon_url" => self.icon_url = url(entry, errors),
            "url" => self.url = url(entry, errors),
            "skills" => self.skills = paths(entry, errors),
            "security" if kind == Kind::Agent => self.schemes = security::schemes(entry, errors),
            "security" => self.needs = security::needs(entry, errors),
            "extensions" => self.extensions = extensions(entry, errors),
            "extended_card" => self.extended_card = callable(entry, errors),
            "on_crash" => on_crash(entry, errors),
            // Only known keys come here, and `a_known_key_is_read` sees to it that all are above.
            _ => {}
        }
    }

    /// The path of the SDK.
    pub(crate) fn krate(&self) -> TokenStream {
        match &self.krate {
            Some(path) => path.to_token_stream(),
            None => quote!(::a2a_sdk),
        }
    }
}

/// A key of the other attribute, or of none.
fn foreign(kind: Kind, entry: &Entry, known: &[&str], errors: &mut Errors) {
    let key = &entry.key;
    let name = key.to_string();
    match kind {
        Kind::Skill if AGENT.contains(&name.as_str()) => {
            errors.at(key, format!("`{key}` is a key of `#[agent]`"), "move it there");
        }
        Kind::Agent if name == "id" => {
            errors.at(key, "an agent's id is the name of its fn", "rename the fn, or write `name = \"..\"`");
        }
        Kind::Agent if name == "agent" || name == "on_crash" => {
            errors.at(key, format!("`{key}` is a key of `#[skill]`"), "leave it out");
        }
        _ => values::unknown(entry, known, errors),
    }
}
