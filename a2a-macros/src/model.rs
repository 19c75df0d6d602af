//! The meaning of an attribute with its item, checked.

use crate::doc;
use crate::errors::Errors;
use crate::item::{self, Function, Item};
use crate::keys::Keys;
use crate::signature;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Expr, Ident};

/// Which attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Skill,
    Agent,
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
pub(crate) fn is_annotated_again(kind: Kind, item: &Item, errors: &mut Errors) -> bool {
    const BOTH: (&str, &str) = (
        "one attribute is enough, an agent's fn is a skill as well",
        "remove this one; `#[agent]` takes `tags`, `examples` and the modes too",
    );
    let Some((_, _, attrs)) = item.head() else { return false };
    for attr in attrs {
        let segments = &attr.path().segments;
        let last = segments.last().filter(|_| segments.len() <= 2).map(|last| last.ident.to_string());
        match (kind, last.as_deref()) {
            (Kind::Agent, Some("skill")) => errors.at(attr, BOTH.0, BOTH.1),
            // The one to go is this, whatever their order.
            (Kind::Skill, Some("agent")) => errors.at_span(Span::call_site(), BOTH.0, BOTH.1),
            (Kind::Agent, Some("agent")) | (Kind::Skill, Some("skill")) => {
                errors.at(attr, "the attribute is given twice", "leave one of them out");
            }
            _ => {}
        }
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
        None => errors.at_span(Span::call_site(), what, help),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{AGENT, SKILL};

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
        let value = |kind: Kind, key: &str| match key {
            "security" if kind == Kind::Agent => "security(bearer)".to_owned(),
            "security" => "security = [\"bearer\"]".to_owned(),
            "extensions" => "extensions = [\"urn:a:b\"]".to_owned(),
            "extended_card" => "extended_card = a::b".to_owned(),
            "tags" | "examples" => format!("{key} = [\"a\"]"),
            "input_modes" | "output_modes" => format!("{key} = [\"text/plain\"]"),
            "agent" | "crate" => format!("{key} = a::b"),
            "skills" => format!("{key} = [a::b]"),
            "provider" => "provider(organization = \"a\", url = \"https://a.example\")".to_owned(),
            key if key.ends_with("url") => format!("{key} = \"https://a.example\""),
            key => format!("{key} = \"a\""),
        };
        for (kind, keys) in [(Kind::Skill, &SKILL[..]), (Kind::Agent, &AGENT[..])] {
            for key in keys.iter().filter(|key| **key != "on_crash") {
                assert_eq!(errors(kind, &value(kind, key), GOOD), Vec::<String>::new(), "{key}");
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
    fn crashes_are_not_survived_yet() {
        for form in ["on_crash(fail)", "on_crash(retry = 3)"] {
            let [error] = errors(Kind::Skill, form, GOOD).try_into().expect("one error");
            assert!(error.contains("and there is none yet"), "{error}");
        }
        for form in ["on_crash", "on_crash = 3", "on_crash(retry)", "on_crash(retry = 0)", "on_crash(stop)"] {
            let [error] = errors(Kind::Skill, form, GOOD).try_into().expect("one error");
            assert!(error.contains("its forms are"), "{error}");
        }
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
