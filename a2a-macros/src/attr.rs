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

/// Keys whose readers know their form better: what is not that form is told there.
const FORMED: [&str; 2] = ["provider", "security"];

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
            let help = match key.to_string().as_str() {
                "examples" => {
                    "write `examples = [\"..\", r#\"{\"to\": \"Oslo\"}\"#]`, each entry is a text, also one that is JSON".to_owned()
                }
                name if LISTS.contains(&name) => {
                    format!("write `{key} = [\"..\", \"..\"]`, with a comma between two entries")
                }
                _ => format!("write a value after `{key} =`, or leave the key out"),
            };
            let text = message(&error.to_string(), &help);
            syn::Error::new(if input.is_empty() { span } else { error.span() }, text)
        })?)
    } else if input.peek(token::Paren) {
        let inner;
        syn::parenthesized!(inner in input);
        if inner.peek(Lit) {
            let value: TokenStream = inner.parse()?;
            if FORMED.iter().any(|formed| key == formed) {
                return Ok(Entry { key, value: Value::Nothing });
            }
            let text = message(
                &format!("`{key}` has a value, not keys"),
                &format!("write `{}`", form(&key, &value)),
            );
            return Err(syn::Error::new_spanned(key, text));
        }
        let mut entries = Vec::new();
        read(&inner, &mut entries, errors);
        Value::Entries(entries)
    } else if (input.peek(Token![:]) && !input.peek(Token![::])) || input.peek(token::Bracket) {
        let _: Option<Token![:]> = input.parse()?;
        let value = rest(input);
        if FORMED.iter().any(|formed| key == formed) {
            return Ok(Entry { key, value: Value::Nothing });
        }
        let text =
            message("a key and its value are joined by `=`", &format!("write `{}`", form(&key, &value)));
        return Err(syn::Error::new_spanned(key, text));
    } else {
        Value::Nothing
    };
    Ok(Entry { key, value })
}

/// The key with the value that somebody gave it in another way.
fn form(key: &Ident, value: &TokenStream) -> String {
    let is_list = value.to_string().starts_with('[');
    match LISTS.iter().any(|list| key == list) && !is_list {
        true => format!("{key} = [{value}]"),
        false if value.is_empty() => format!("{key} = .."),
        false => format!("{key} = {value}"),
    }
}

/// Goes on to the next comma.
fn skip(input: ParseStream<'_>) {
    rest(input);
}

/// What comes before the next comma.
fn rest(input: ParseStream<'_>) -> TokenStream {
    let mut rest = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        match input.parse::<proc_macro2::TokenTree>() {
            Ok(token) => rest.extend([token]),
            Err(_) => break,
        }
    }
    rest
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
    fn a_value_joined_in_another_way_is_told_with_what_to_type() {
        for (text, help) in [
            ("name: \"x\", id = \"y\"", "name = \"x\""),
            ("tags[\"x\"], id = \"y\"", "tags = [\"x\"]"),
            ("tags: \"x\", id = \"y\"", "tags = [\"x\"]"),
            ("name:, id = \"y\"", "name = .."),
        ] {
            let (keys, errors) = keys(text);
            assert_eq!(keys, ["id"], "{text}");
            assert_eq!(errors, [format!("a key and its value are joined by `=`\nhelp: write `{help}`")]);
        }
    }

    #[test]
    fn lists_that_cannot_be_read_are_told_with_their_form() {
        for (text, form) in [
            ("examples = [{\"to\": \"Oslo\"}]", "each entry is a text, also one that is JSON"),
            ("tags = [\"a\" \"b\"]", "write `tags = [\"..\", \"..\"]`, with a comma"),
        ] {
            let (_, errors) = keys(text);
            assert!(errors.len() == 1 && errors[0].contains(form), "{errors:?}");
        }
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
