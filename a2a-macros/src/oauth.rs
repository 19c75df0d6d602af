//! The flows of OAuth 2.0.

use crate::attr::{Entry, Value};
use crate::errors::Errors;
use crate::security::{Built, Fields, string};
use crate::values::{expr, members, ungrouped, url};
use quote::{ToTokens, quote};
use syn::Expr;

/// Those that the protocol does not advise against.
pub(crate) const FLOWS: [&str; 3] = ["authorization_code", "client_credentials", "device_code"];

/// The flow of an OAuth 2.0 scheme.
pub(crate) fn flow(entry: &Entry, errors: &mut Errors) -> Option<Built> {
    let (variant, ty, needed): (_, _, &[&'static str]) = match entry.key.to_string().as_str() {
        "authorization_code" => {
            ("AuthorizationCode", "AuthorizationCodeOAuthFlow", &["authorization_url", "token_url"])
        }
        "device_code" => ("DeviceCode", "DeviceCodeOAuthFlow", &["device_authorization_url", "token_url"]),
        _ => ("ClientCredentials", "ClientCredentialsOAuthFlow", &["token_url"]),
    };
    let entries = match &entry.value {
        Value::Entries(entries) => entries.as_slice(),
        Value::Expr(_) | Value::Nothing => &[],
    };
    let coded = variant == "AuthorizationCode";
    let mut known = [needed, &["refresh_url", "scopes"]].concat();
    known.extend(coded.then_some("pkce"));
    let mut urls = Fields::default();
    let (mut scopes, mut pkce) = (Vec::new(), false);
    for (key, member) in members(entries, &known, errors) {
        match (key, &member.value) {
            ("scopes", _) => scopes = self::scopes(member, errors),
            ("pkce", Value::Nothing) => pkce = true,
            ("pkce", _) => errors.at(&member.key, "`pkce` has no value", "write `pkce`, or leave it out"),
            _ => urls.texts.extend(url(member, errors).map(|url| (key, url))),
        }
    }
    let mut fields = vec![urls.optional("refresh_url", "refresh_url")];
    for key in needed.iter().copied() {
        match urls.texts.iter().find(|(known, _)| *known == key) {
            Some((_, url)) => fields.push((key, string(url))),
            // A url that is there and wrong was told.
            None if entries.iter().any(|member| member.key == key) => return None,
            None => {
                let flow = &entry.key;
                let form: Vec<_> = needed.iter().map(|key| format!("{key} = \"..\"")).collect();
                let help = format!("write `{flow}({})`", form.join(", "));
                errors.at(flow, format!("`{flow}` lacks `{key}`"), help);
                return None;
            }
        }
    }
    let scopes = scopes.iter().map(|(scope, text)| {
        let (scope, text) = (string(scope), string(text));
        quote!((#scope, #text))
    });
    // Without a type an empty list has none.
    fields.push((
        "scopes",
        quote!(::core::iter::Iterator::collect(::core::iter::IntoIterator::into_iter([#(#scopes),*]))),
    ));
    fields.extend(coded.then(|| ("pkce_required", pkce.to_token_stream())));
    Some(Built { outer: "OAuthFlows", variant, ty, fields, flow: None })
}

/// Scopes, each with what it allows.
fn scopes(entry: &Entry, errors: &mut Errors) -> Vec<(Expr, Expr)> {
    const FORM: &str = "write `scopes = [(\"trips:read\", \"Reads trips.\")]`";
    let Some(Expr::Array(array)) = expr(entry, "[(\"..\", \"..\")]", errors) else {
        errors.at(&entry.key, "`scopes` is a list of names, each with what it allows", FORM);
        return Vec::new();
    };
    let mut scopes = Vec::new();
    for elem in &array.elems {
        let pair = match ungrouped(elem) {
            Expr::Tuple(tuple) => {
                tuple.elems.first().zip(tuple.elems.get(1)).filter(|_| tuple.elems.len() == 2)
            }
            _ => None,
        };
        match pair {
            Some((scope, text)) => scopes.push((scope.clone(), text.clone())),
            None => errors.at(elem, "a scope is a name with what it allows", FORM),
        }
    }
    scopes
}
