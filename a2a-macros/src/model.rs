//! The meaning of an attribute with its item, checked.

use crate::attr::{self, Entry};
use crate::doc;
use crate::errors::Errors;
use crate::item::{self, Function, Item};
use crate::signature;
use crate::values::{self, modes, path, paths, provider, text, texts, url};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Expr, Ident, Path};

/// Which attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Skill,
    Agent,
}

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
}

const SKILL: [&str; 9] =
    ["id", "name", "description", "tags", "examples", "input_modes", "output_modes", "agent", "crate"];
const AGENT: [&str; 13] = [
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
    "crate",
];
/// Keys that later releases give a meaning.
const RESERVED: [&str; 4] = ["security", "extensions", "extended_card", "on_crash"];

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
                keys.set(&key, &entry, errors);
            } else if RESERVED.contains(&key.as_str()) {
                errors.at(&entry.key, format!("`{key}` is not supported yet"), "leave it out");
            } else {
                foreign(kind, &entry, known, errors);
            }
            seen.push(key);
        }
        keys
    }

    fn set(&mut self, key: &str, entry: &Entry, errors: &mut Errors) {
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
        Kind::Agent if name == "agent" => {
            errors.at(key, "`agent` is a key of `#[skill]`", "leave it out");
        }
        _ => values::unknown(entry, known, errors),
    }
}

/// An annotated fn or struct that is all right.
pub(crate) struct Model<'a> {
    pub(crate) kind: Kind,
    pub(crate) keys: Keys,
    pub(crate) ident: &'a Ident,
    pub(crate) item: &'a Item,
    pub(crate) docs: Vec<&'a Expr>,
}

impl<'a> Model<'a> {
    /// Checks an item with the keys of its attribute; what is wrong goes to `errors`.
    pub(crate) fn new(kind: Kind, keys: Keys, item: &'a Item, errors: &mut Errors) -> Option<Self> {
        match item {
            Item::Fn(function) => check_fn(function, &keys, errors),
            Item::Struct(item) if kind == Kind::Agent => check_struct(item, &keys, errors),
            Item::Struct(item) => errors.at(
                item.struct_token,
                "`#[skill]` goes on an async fn",
                "write `async fn`, its doc comment is the description",
            ),
            Item::Other(keyword) => misplaced(kind, keyword.as_ref(), errors),
        }
        let (ident, _, attrs) = item.head()?;
        let docs = doc::docs(attrs);
        if keys.description.is_none() && !doc::says_something(&docs) {
            let (what, text) = match kind {
                Kind::Skill => ("a skill", "Prices a trip."),
                Kind::Agent => ("an agent", "Plans trips."),
            };
            errors.at(
                ident,
                format!("{what} needs a description, callers choose by it"),
                format!("write a doc comment above it, such as `/// {text}`"),
            );
        }
        errors.is_empty().then_some(Self { kind, keys, ident, item, docs })
    }

    /// The id: the name, without the mark of a raw identifier.
    pub(crate) fn id(&self) -> String {
        self.ident.unraw().to_string()
    }
}

/// Tells of a second attribute of these macros.
pub(crate) fn is_annotated_again(item: &Item, errors: &mut Errors) -> bool {
    let Some((_, _, attrs)) = item.head() else { return false };
    let ours = |attr: &&syn::Attribute| {
        let segments = &attr.path().segments;
        let last = segments.last().map(|segment| segment.ident.to_string());
        matches!(last.as_deref(), Some("agent" | "skill")) && segments.len() <= 2
    };
    for attr in attrs.iter().filter(ours) {
        errors.at(
            attr,
            "one attribute is enough, an agent's fn is a skill as well",
            "remove this one; `#[agent]` takes `tags`, `examples` and the modes too",
        );
    }
    !errors.is_empty()
}

fn check_fn(function: &Function, keys: &Keys, errors: &mut Errors) {
    let ident = &function.sig.ident;
    signature::check(function, errors);
    signature::check_name(ident, errors);
    for path in keys.skills.iter().flatten().filter(|path| path.is_ident(ident)) {
        errors.at(path, "the agent's own fn is one of its skills anyway", "leave it out");
    }
}

fn check_struct(item: &syn::ItemStruct, keys: &Keys, errors: &mut Errors) {
    if item::has_generics(&item.generics) {
        errors.at(&item.generics, "an agent cannot be generic", "remove the generics");
    }
    if !item::is_empty(item) {
        errors.at(
            &item.fields,
            "an agent holds its values as state, not in fields",
            format!("write `struct {};` and give values with `.state(value)`", item.ident),
        );
    }
    let of_skills = [
        ("tags", &keys.tags),
        ("examples", &keys.examples),
        ("input_modes", &keys.input_modes),
        ("output_modes", &keys.output_modes),
    ];
    for (key, value) in of_skills {
        if value.is_some() {
            errors.at(
                item.struct_token,
                format!("an agent without a fn is no skill and has no `{key}`"),
                format!("leave `{key}` out, or write it at the skills"),
            );
        }
    }
}

/// Tells that the attribute stands on the wrong thing.
fn misplaced(kind: Kind, keyword: Option<&proc_macro2::TokenTree>, errors: &mut Errors) {
    let name = match kind {
        Kind::Skill => "skill",
        Kind::Agent => "agent",
    };
    let word = keyword.map(ToString::to_string).unwrap_or_default();
    let what = match word.as_str() {
        "impl" | "trait" | "enum" | "mod" | "union" | "type" | "use" | "static" | "const" | "extern" => {
            format!("`#[{name}]` goes on an async fn, not on `{word}`")
        }
        _ => format!("`#[{name}]` goes on an async fn"),
    };
    let help = match (word.as_str(), kind) {
        ("impl" | "trait", _) => {
            "write plain async fns, and take what the methods share as an argument of type `State<T>`"
        }
        (_, Kind::Agent) => "write `async fn`, or `struct Travel;` for an agent without free text",
        (_, Kind::Skill) => "write `async fn`, its doc comment is the description",
    };
    match keyword {
        Some(token) => errors.at(token, what, help),
        None => errors.at_span(proc_macro2::Span::call_site(), what, help),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(kind: Kind, keys: &str, item: &str) -> Vec<String> {
        let mut errors = Errors::default();
        let keys = Keys::read(kind, keys.parse().expect("tokens"), &mut errors);
        let item = Item::read(&item.parse().expect("tokens"));
        let model = Model::new(kind, keys, &item, &mut errors);
        assert_eq!(model.is_none(), !errors.is_empty());
        errors.texts()
    }

    const GOOD: &str = "#[doc = \" Prices.\"] async fn price(text: String) -> String { text }";

    #[test]
    fn a_known_key_is_read() {
        let value = |key: &str| match key {
            "tags" | "examples" => format!("{key} = [\"a\"]"),
            "input_modes" | "output_modes" => format!("{key} = [\"text/plain\"]"),
            "agent" | "crate" => format!("{key} = a::b"),
            "skills" => format!("{key} = [a::b]"),
            "provider" => "provider(organization = \"a\", url = \"https://a.example\")".to_owned(),
            key if key.ends_with("url") => format!("{key} = \"https://a.example\""),
            key => format!("{key} = \"a\""),
        };
        for (kind, keys) in [(Kind::Skill, &SKILL[..]), (Kind::Agent, &AGENT[..])] {
            for key in keys {
                assert_eq!(errors(kind, &value(key), GOOD), Vec::<String>::new(), "{key}");
                // A key that `set` forgot would not mind a wrong value.
                assert_eq!(errors(kind, &format!("{key} = 1"), GOOD).len(), 1, "{key}");
            }
        }
    }

    #[test]
    fn all_mistakes_are_told_at_once() {
        let told = errors(Kind::Skill, "nme = \"x\", tags = []", "fn price(&self, a: &str) {}");
        assert_eq!(told.len(), 6, "{told:?}");
        assert!(told.iter().all(|text| text.contains("\nhelp: ")));
    }

    #[test]
    fn reserved_keys_say_so() {
        assert_eq!(
            errors(Kind::Skill, "on_crash(fail)", GOOD),
            ["`on_crash` is not supported yet\nhelp: leave it out"]
        );
    }

    #[test]
    fn nothing_but_fns_and_structs_will_do() {
        for item in ["impl X {}", "trait X {}", "enum X {}", "mod x {}", "pub(crate) static X: u8 = 1;"] {
            assert_eq!(errors(Kind::Agent, "", item).len(), 1, "{item}");
        }
    }

    #[test]
    fn borrowed_arguments_are_found_inside() {
        for item in [
            "async fn a(x: Option<&str>) {}",
            "async fn a(x: Cow<'_, str>) {}",
            "async fn a((x, y): (u8, &u8)) {}",
        ] {
            assert_eq!(errors(Kind::Skill, "description = \"x\"", item).len(), 1, "{item}");
        }
    }
}
