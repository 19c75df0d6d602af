//! The keys whose values have a form of their own.

use crate::attr::{Entry, Value, span_of};
use crate::errors::Errors;
use crate::values::{expr, is_scheme, literal, members, text, ungrouped, url};
use syn::{Expr, ExprLit, Lit};

/// Who runs the agent: both members, or neither.
pub(crate) fn provider(entry: &Entry, errors: &mut Errors) -> Option<(Expr, Expr)> {
    const FORM: &str = "write `provider(organization = \"Acme\", url = \"https://acme.example\")`";
    let Value::Entries(list) = &entry.value else {
        errors.at_span(span_of(entry), "`provider` has two keys", FORM);
        return None;
    };
    let (mut organization, mut address) = (None, None);
    let known = members(list, &["organization", "url"], errors);
    for (key, member) in &known {
        match *key {
            "organization" => organization = text(member, errors),
            _ => address = url(member, errors),
        }
    }
    for needed in ["organization", "url"] {
        if !list.iter().any(|member| member.key == needed) {
            errors.at_span(span_of(entry), format!("`provider` lacks `{needed}`"), FORM);
        }
    }
    organization.zip(address)
}

/// The extensions of the protocol that an agent declares: texts are URIs, the rest are values of the type.
pub(crate) fn extensions(entry: &Entry, errors: &mut Errors) -> Option<Vec<Expr>> {
    const FORM: &str = "[\"https://acme.example/ext/v1\"]";
    let Expr::Array(array) = expr(entry, FORM, errors)? else {
        errors.at_span(span_of(entry), "`extensions` is a list", format!("write `extensions = {FORM}`"));
        return None;
    };
    let mut list: Vec<Expr> = Vec::new();
    for elem in &array.elems {
        let elem = ungrouped(elem);
        if let Some(uri) = literal(elem) {
            if !uri.split_once(':').is_some_and(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty()) {
                let help = "write one, such as \"https://acme.example/ext/v1\" or \"urn:acme:ext:v1\"";
                errors.at(elem, format!("`{uri}` is not a URI"), help);
                continue;
            }
            if list.iter().any(|known| literal(known).as_ref() == Some(&uri)) {
                errors.at(elem, format!("`{uri}` is in `extensions` already"), "leave one of them out");
                continue;
            }
        } else if let Expr::Lit(_) = elem {
            errors.at(
                elem,
                "an extension is a URI, or an expression of type `AgentExtension`",
                format!("write `extensions = {FORM}`"),
            );
            continue;
        }
        list.push(elem.clone());
    }
    Some(list)
}

/// A fn: a path, or a closure.
pub(crate) fn callable(entry: &Entry, errors: &mut Errors) -> Option<Expr> {
    let key = &entry.key;
    match expr(entry, "path::to::a_fn", errors)? {
        literal @ Expr::Lit(_) => {
            errors.at(
                literal,
                format!("`{key}` is a fn"),
                format!(
                    "write `{key} = path::to::a_fn`, of type `fn(&Principal, AgentCard) -> Option<AgentCard>`"
                ),
            );
            None
        }
        other => Some(other.clone()),
    }
}

/// What becomes of a task whose process ended: read, and refused until tasks can outlive their process.
pub(crate) fn on_crash(entry: &Entry, errors: &mut Errors) {
    let key = &entry.key;
    let right = match &entry.value {
        Value::Entries(members) => match members.as_slice() {
            [Entry { key, value: Value::Nothing }] => key == "fail",
            [Entry { key, value: Value::Expr(Expr::Lit(ExprLit { lit: Lit::Int(times), .. })) }] => {
                key == "retry" && times.base10_parse::<u8>().is_ok_and(|times| times > 0)
            }
            _ => false,
        },
        Value::Expr(_) | Value::Nothing => false,
    };
    if right {
        errors.at(
            key,
            "`on_crash` needs a store whose tasks outlive the process, and there is none yet",
            "leave it out: tasks are kept in memory, and none is left after a crash",
        );
    } else {
        errors.at(
            key,
            "`on_crash` says what becomes of a task whose process ended",
            "its forms are `on_crash(fail)` and `on_crash(retry = 3)`; leave it out, it needs a store that there is not yet",
        );
    }
}
