//! The attribute macros of `a2a-sdk`. Use them through `a2a_sdk::agent` and `a2a_sdk::skill`, which document them.

// Their text stands on the re-exports, where its examples can be compiled.
#![allow(missing_docs, reason = "documented where they are re-exported")]

mod agent;
mod attr;
mod details;
mod doc;
mod errors;
mod expand;
mod fallback;
mod item;
mod keys;
mod media;
mod model;
mod oauth;
mod reply;
mod security;
mod signature;
#[cfg(test)]
mod snapshots;
mod values;
mod words;

use errors::Errors;
use item::Item;
use keys::Keys;
use model::{Kind, Model};
use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn agent(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand(Kind::Agent, attr.into(), item.into()).into()
}

#[proc_macro_attribute]
pub fn skill(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand(Kind::Skill, attr.into(), item.into()).into()
}

/// The item as it was, and what belongs beside it.
fn expand(
    kind: Kind,
    attr: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    let mut errors = Errors::default();
    let read = Item::read(&item);
    if model::is_annotated_again(kind, &read, &mut errors) {
        let krate = Keys::read(kind, attr, &mut Errors::default()).krate();
        let single = item::without_skill(item.clone());
        // The agent is what is missed where there is none; else the other attribute makes the companion.
        let (mut tokens, beside) = if kind == Kind::Agent && single.to_string() != item.to_string() {
            (single, fallback::fallback(kind, &krate, &read, errors))
        } else {
            (item, errors.into_tokens())
        };
        tokens.extend(beside);
        return tokens;
    }
    let keys = Keys::read(kind, attr, &mut errors);
    let krate = keys.krate();
    let beside = match Model::new(kind, keys, &read, &mut errors) {
        Some(model) => expand::expand(&model),
        None => fallback::fallback(kind, &krate, &read, errors),
    };
    let mut tokens = item;
    tokens.extend(beside);
    tokens
}
