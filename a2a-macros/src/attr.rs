//! What stands in the parentheses of an attribute: keys with values, `key = expr` or `key(..)`.

use crate::errors::{Errors, message};
use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Ident, Lit, Token, token};

/// A key with its value.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

/// The value of a key.
pub(crate) enum Value {
    /// `key = expr`
    Expr(Expr),
    /// `key(..)`
    Entries(Vec<Entry>),
    /// `key`
    Nothing,
}

/// Keys whose values are lists.
const LISTS: [&str; 6] = ["tags", "examples", "input_modes", "output_modes", "extensions", "security"];

/// Reads the keys; a mistake costs its own key only.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Vec<Entry> {
    let mut entries = Vec::new();
    let parser = |input: ParseStream<'_>| {
        read(input, &mut entries, errors);
        Ok(())
    };
    // What `read` cannot read it reports itself, and it reads to the end.
    let _: syn::Result<()> = parser.parse2(tokens);
    entries
}

fn read(input: ParseStream<'_>, entries: &mut Vec<Entry>, errors: &mut Errors) {
    while !input.is_empty() {
        match entry(input, errors) {
            Ok(entry) => entries.push(entry),
            Err(error) => errors.push(error),
        }
        if input.is_empty() {
            break;
        }
        if !input.peek(Token![,]) {
            // After a mistake that has been told, the next key is as good a place to go on as any.
            if errors.is_empty() {
                errors.at_span(input.span(), "expected `,`", "separate the keys by commas");
            }
            skip(input);
        }
        let _: syn::Result<Token![,]> = input.parse();
    }
}

fn entry(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Entry> {
    if !input.peek(Ident::peek_any) {
        let text = message("expected a key", "write `key = value`, such as `name = \"..\"`");
        return Err(syn::Error::new(input.span(), text));
    }
    let key = input.call(Ident::parse_any)?;
    let value = if input.peek(Token![=]) {
        let equals: Token![=] = input.parse()?;
        if input.is_empty() || input.peek(Token![,]) {
            let text = message(
                &format!("`{key}` has no value"),
                &format!("write `{key} = ..`, or leave the key out"),
            );
            return Err(syn::Error::new_spanned(equals, text));
        }
        let span = input.span();
        Value::Expr(input.parse().map_err(|error: syn::Error| {
            let text =
                message(&error.to_string(), &format!("write a value after `{key} =`, or leave the key out"));
            syn::Error::new(if input.is_empty() { span } else { error.span() }, text)
        })?)
    } else if input.peek(token::Paren) {
        let inner;
        syn::parenthesized!(inner in input);
        if inner.peek(Lit) {
            let value: TokenStream = inner.parse()?;
            let form = if LISTS.contains(&key.to_string().as_str()) {
                format!("{key} = [{value}]")
            } else {
                format!("{key} = {value}")
            };
            let text = message(&format!("`{key}` has a value, not keys"), &format!("write `{form}`"));
            return Err(syn::Error::new_spanned(key, text));
        }
        let mut entries = Vec::new();
        read(&inner, &mut entries, errors);
        Value::Entries(entries)
    } else {
        Value::Nothing
    };
    Ok(Entry { key, value })
}

/// Goes on to the next comma.
fn skip(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _: syn::Result<proc_macro2::TokenTree> = input.parse();
    }
}

/// The known key that was probably meant.
pub(crate) fn did_you_mean<'a>(key: &str, known: &[&'a str]) -> Option<&'a str> {
    let same_words = |known: &str| known.replace('_', "") == key.replace('_', "").to_lowercase();
    if let Some(known) = known.iter().find(|known| same_words(known)) {
        return Some(known);
    }
    // Half typed.
    let mut begun = known.iter().filter(|known| key.len() > 1 && known.starts_with(key));
    if let (Some(known), None) = (begun.next(), begun.next()) {
        return Some(known);
    }
    let allowed = (key.len() / 3).max(1);
    known
        .iter()
        .map(|known| (distance(key, known), *known))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// How many letters are to be put, taken or changed to make one word the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (line, a) in one.chars().enumerate() {
        let mut left = line + 1;
        let mut next = vec![left];
        for (b, pair) in other.chars().zip(row.windows(2)) {
            let (diagonal, above) = match pair {
                [diagonal, above] => (*diagonal, *above),
                _ => continue,
            };
            left = (diagonal + usize::from(a != b)).min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

/// The place of a value, for errors about it.
pub(crate) fn span_of(entry: &Entry) -> Span {
    entry.key.span()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> (Vec<String>, Vec<String>) {
        let mut errors = Errors::default();
        let entries = parse(text.parse().expect("tokens"), &mut errors);
        (entries.iter().map(|entry| entry.key.to_string()).collect(), errors.texts())
    }

    #[test]
    fn both_forms_are_read() {
        let (keys, errors) = keys("name = \"x\", provider(url = \"u\"), crate = a::b, tags = [\"a\"],");
        assert_eq!(keys, ["name", "provider", "crate", "tags"]);
        assert!(errors.is_empty());
    }

    #[test]
    fn a_mistake_costs_its_own_key_only() {
        let (keys, errors) = keys("tags = , name = \"x\"");
        assert_eq!(keys, ["name"]);
        assert_eq!(errors, ["`tags` has no value\nhelp: write `tags = ..`, or leave the key out"]);
    }

    #[test]
    fn a_missing_comma_is_told() {
        let (keys, errors) = keys("name = \"x\" tags = [], id = \"y\"");
        assert_eq!(keys, ["name", "id"]);
        assert_eq!(errors, ["expected `,`\nhelp: separate the keys by commas"]);
    }

    #[test]
    fn near_misses_are_suggested() {
        let known = ["name", "description", "input_modes", "tags"];
        assert_eq!(did_you_mean("descripton", &known), Some("description"));
        assert_eq!(did_you_mean("inputModes", &known), Some("input_modes"));
        assert_eq!(did_you_mean("tag", &known), Some("tags"));
        assert_eq!(did_you_mean("inp", &known), Some("input_modes"));
        assert_eq!(did_you_mean("colour", &known), None);
    }

    #[test]
    fn distances_are_counted_in_letters() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
    }
}
