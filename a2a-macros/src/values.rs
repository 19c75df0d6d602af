//! The kinds of values that keys have, each checked; the tokens are kept, so that errors can point at them.

use crate::attr::{Entry, Value, did_you_mean};
use crate::errors::Errors;
use crate::media;
use quote::ToTokens;
use syn::{Expr, ExprLit, Lit, Path};

/// A value of the key, told apart by what is typed for it.
pub(crate) fn expr<'a>(entry: &'a Entry, form: &str, errors: &mut Errors) -> Option<&'a Expr> {
    let key = &entry.key;
    match &entry.value {
        Value::Expr(expr) => Some(ungrouped(expr)),
        Value::Entries(_) => {
            errors.at(key, format!("`{key}` has a value, not keys"), format!("write `{key} = {form}`"));
            None
        }
        Value::Nothing => {
            errors.at(key, format!("`{key}` has no value"), format!("write `{key} = {form}`"));
            None
        }
    }
}

/// An expression out of the invisible groups that `macro_rules!` puts around it.
pub(crate) fn ungrouped(mut expr: &Expr) -> &Expr {
    while let Expr::Group(group) = expr {
        expr = &group.expr;
    }
    expr
}

/// The text of a literal.
pub(crate) fn literal(expr: &Expr) -> Option<String> {
    match ungrouped(expr) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// Whether it can be a text: a literal, or what only the compiler can evaluate, such as `env!(..)` or a constant.
fn may_be_text(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Str(_)),
        Expr::Macro(_)
        | Expr::Path(_)
        | Expr::Field(_)
        | Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Block(_) => true,
        _ => false,
    }
}

/// A text that is not empty.
pub(crate) fn text(entry: &Entry, errors: &mut Errors) -> Option<Expr> {
    let key = &entry.key;
    let expr = expr(entry, "\"..\"", errors)?;
    if !may_be_text(expr) {
        errors.at(expr, format!("`{key}` is a text"), format!("write `{key} = \"..\"`"));
        return None;
    }
    if literal(expr).is_some_and(|text| text.trim().is_empty()) {
        errors.at(expr, format!("`{key}` is empty"), "write a text, or leave the key out");
        return None;
    }
    Some(expr.clone())
}

/// An absolute URL (RFC 3986, 4.3).
pub(crate) fn url(entry: &Entry, errors: &mut Errors) -> Option<Expr> {
    let expr = text(entry, errors)?;
    if let Some(url) = literal(&expr)
        && !is_absolute(&url)
    {
        let help = match url.trim() {
            path if path.starts_with('/') => {
                format!("write the host as well, \"https://acme.example{path}\"")
            }
            // It has a scheme: what is wrong lies behind it.
            other if other.contains("://") => {
                "write a host and no blanks, such as \"https://acme.example/travel\"".to_owned()
            }
            host if host.contains(char::is_whitespace) => "write \"https://..\", without blanks".to_owned(),
            host => format!("write \"https://{host}\""),
        };
        errors.at(&expr, format!("`{url}` is not an absolute url"), help);
        return None;
    }
    Some(expr)
}

fn is_absolute(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    is_scheme(scheme)
        && !host.is_empty()
        && !url.contains(|sign: char| sign.is_whitespace() || sign.is_control())
}

/// The part of a URI before its colon (RFC 3986, 3.1).
pub(crate) fn is_scheme(scheme: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    scheme.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && scheme.bytes().all(sign)
}

/// A list of texts, none empty, none twice.
pub(crate) fn texts(entry: &Entry, errors: &mut Errors) -> Option<Vec<Expr>> {
    let key = &entry.key;
    let expr = expr(entry, "[\"..\"]", errors)?;
    let Expr::Array(array) = expr else {
        let inside =
            if literal(expr).is_some() { expr.to_token_stream().to_string() } else { "\"..\"".to_owned() };
        errors.at(expr, format!("`{key}` is a list of texts"), format!("write `{key} = [{inside}]`"));
        return None;
    };
    if array.elems.is_empty() {
        errors.at(expr, format!("`{key}` is empty"), "name one at least, or leave the key out");
        return None;
    }
    let mut known: Vec<String> = Vec::new();
    let mut list = Vec::new();
    for elem in &array.elems {
        let elem = ungrouped(elem);
        if !may_be_text(elem) {
            errors.at(elem, format!("`{key}` is a list of texts"), "write \"..\"");
            continue;
        }
        if let Some(text) = literal(elem) {
            if text.trim().is_empty() {
                errors.at(
                    elem,
                    format!("an entry of `{key}` is empty"),
                    "write a text, or leave the entry out",
                );
                continue;
            }
            if known.contains(&text) {
                errors.at(elem, format!("`{text}` is in `{key}` already"), "leave one of them out");
                continue;
            }
            known.push(text);
        }
        list.push(elem.clone());
    }
    Some(list)
}

/// A list of media types.
pub(crate) fn modes(entry: &Entry, errors: &mut Errors) -> Option<Vec<Expr>> {
    if let Value::Nothing = entry.value {
        let key = &entry.key;
        errors.at(key, format!("`{key}` has no value"), format!("write `{key} = [\"text/plain\"]`"));
        return None;
    }
    let list = texts(entry, errors)?;
    for mode in &list {
        let Some(text) = literal(mode) else { continue };
        if let Err((what, help)) = media::check(&text) {
            errors.at(mode, what, help);
        }
    }
    Some(list)
}

/// A path.
pub(crate) fn path(entry: &Entry, form: &str, errors: &mut Errors) -> Option<Path> {
    let key = &entry.key;
    match expr(entry, form, errors)? {
        Expr::Path(path) if path.qself.is_none() => Some(path.path.clone()),
        other => {
            errors.at(other, format!("`{key}` is a path"), format!("write `{key} = {form}`, without quotes"));
            None
        }
    }
}

/// A list of paths, none twice.
pub(crate) fn paths(entry: &Entry, errors: &mut Errors) -> Option<Vec<Path>> {
    let key = &entry.key;
    let expr = expr(entry, "[price, hotels::search]", errors)?;
    let Expr::Array(array) = expr else {
        errors.at(
            expr,
            format!("`{key}` is a list of paths"),
            format!("write `{key} = [price, hotels::search]`"),
        );
        return None;
    };
    let mut list: Vec<Path> = Vec::new();
    for elem in &array.elems {
        match ungrouped(elem) {
            Expr::Path(path) if path.qself.is_none() => {
                let written = path.to_token_stream().to_string();
                if list.iter().any(|known| known.to_token_stream().to_string() == written) {
                    let name = written.replace(' ', "");
                    errors.at(elem, format!("`{name}` is in `{key}` already"), "leave one of them out");
                    continue;
                }
                list.push(path.path.clone());
            }
            other => {
                errors.at(other, format!("`{key}` is a list of paths"), "write the path of a `#[skill]` fn")
            }
        }
    }
    Some(list)
}

/// The keys in parentheses that are known, each once.
pub(crate) fn members<'a, 'b>(
    entries: &'a [Entry],
    known: &[&'b str],
    errors: &mut Errors,
) -> Vec<(&'b str, &'a Entry)> {
    let mut list: Vec<(&'b str, &'a Entry)> = Vec::new();
    for entry in entries {
        match known.iter().find(|key| entry.key == **key) {
            Some(key) if list.iter().any(|(seen, _)| seen == key) => {
                errors.at(&entry.key, format!("`{key}` is given twice"), "leave one of them out");
            }
            Some(key) => list.push((key, entry)),
            None => unknown(entry, known, errors),
        }
    }
    list
}

/// Tells that a key is unknown, and which was probably meant.
pub(crate) fn unknown(entry: &Entry, known: &[&str], errors: &mut Errors) {
    let key = &entry.key;
    let help = match did_you_mean(&key.to_string(), known) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("the keys are `{}`", known.join("`, `")),
    };
    errors.at(key, format!("unknown key `{key}`"), help);
}
