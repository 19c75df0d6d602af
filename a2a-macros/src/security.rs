//! Security: the schemes that an agent declares, and those that a skill needs.

use crate::attr::{Entry, Value, did_you_mean, span_of};
use crate::errors::Errors;
use crate::oauth::{self, FLOWS};
use crate::values::{literal, members, text, texts, ungrouped, url};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Expr, ExprLit, Lit, LitStr};

/// A scheme with its name.
pub(crate) struct Scheme {
    name: TokenStream,
    form: Form,
}

enum Form {
    /// An expression of the type.
    Expr(Expr),
    /// A variant of `SecurityScheme`.
    Built(Built),
}

/// A type of the protocol's with all its fields, in the variant of an enum.
pub(crate) struct Built {
    pub(crate) outer: &'static str,
    pub(crate) variant: &'static str,
    pub(crate) ty: &'static str,
    pub(crate) fields: Vec<(&'static str, TokenStream)>,
    pub(crate) flow: Option<Box<Built>>,
}

const KINDS: [&str; 7] = ["bearer", "basic", "http", "api_key", "oauth2", "open_id_connect", "mutual_tls"];

impl Scheme {
    /// The code of its name, and of itself.
    pub(crate) fn tokens(&self, krate: &TokenStream) -> (&TokenStream, TokenStream) {
        let scheme = match &self.form {
            Form::Expr(expr) => expr.to_token_stream(),
            Form::Built(built) => built.tokens(krate),
        };
        (&self.name, scheme)
    }
}

impl Built {
    fn scheme(variant: &'static str, ty: &'static str, fields: Vec<(&'static str, TokenStream)>) -> Self {
        Self { outer: "SecurityScheme", variant, ty, fields, flow: None }
    }

    fn tokens(&self, krate: &TokenStream) -> TokenStream {
        let ident = |name: &str| Ident::new(name, Span::call_site());
        let (outer, variant, ty) = (ident(self.outer), ident(self.variant), ident(self.ty));
        let names = self.fields.iter().map(|(name, _)| ident(name));
        let values = self.fields.iter().map(|(_, value)| value);
        let flow = self.flow.as_ref().map(|flow| {
            let flow = flow.tokens(krate);
            quote!(flows: #flow,)
        });
        quote!(#krate::protocol::#outer::#variant(#krate::protocol::#ty { #(#names: #values,)* #flow }))
    }
}

/// The schemes of an agent.
pub(crate) fn schemes(entry: &Entry, errors: &mut Errors) -> Option<Vec<Scheme>> {
    const FORM: &str =
        "write `security(bearer)`, or with details `security(api_key(header = \"x-api-key\"))`";
    let Value::Entries(entries) = &entry.value else {
        errors.at_span(span_of(entry), "`security` lists security schemes", FORM);
        return None;
    };
    if entries.is_empty() {
        errors.at_span(span_of(entry), "`security` is empty", FORM);
    }
    let mut seen: Vec<String> = Vec::new();
    let mut schemes = Vec::new();
    for entry in entries {
        let Some(scheme) = scheme(entry, errors) else { continue };
        let name = scheme.name.to_string();
        if seen.contains(&name) {
            errors.at(
                &entry.key,
                format!("the scheme {} is declared already", name.replace('"', "`")),
                format!("leave one of them out, or write `{}(name = \"..\")`", entry.key),
            );
        }
        seen.push(name);
        schemes.push(scheme);
    }
    Some(schemes)
}

fn scheme(entry: &Entry, errors: &mut Errors) -> Option<Scheme> {
    let kind = entry.key.to_string();
    let members = match &entry.value {
        Value::Expr(expr) => return named(entry, expr, errors),
        Value::Entries(members) => members.as_slice(),
        Value::Nothing => &[],
    };
    let before = errors.len();
    let fields = match kind.as_str() {
        "bearer" => fields(members, &["format"], errors),
        "basic" | "mutual_tls" => fields(members, &[], errors),
        "http" => fields(members, &["scheme"], errors),
        "api_key" => fields(members, &["header", "query", "cookie"], errors),
        "oauth2" => fields(members, &[&FLOWS[..], &["metadata_url"]].concat(), errors),
        "open_id_connect" => fields(members, &["url"], errors),
        _ => {
            let help = match did_you_mean(&kind, &KINDS) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!(
                    "the kinds are `{}`; write `{kind} = ..` for an expression of type `SecurityScheme`",
                    KINDS.join("`, `")
                ),
            };
            errors.at(&entry.key, format!("unknown kind of security scheme `{kind}`"), help);
            return None;
        }
    };
    // What is there and wrong is not lacking.
    let told = errors.len() > before;
    let lacks = |what: &str, form: &str, errors: &mut Errors| {
        if !told {
            errors.at(&entry.key, format!("`{kind}` lacks {what}"), format!("write `{kind}({form})`"));
        }
    };
    let built = match kind.as_str() {
        "bearer" => Built::scheme(
            "HttpAuth",
            "HttpAuthSecurityScheme",
            vec![
                fields.description(),
                ("scheme", string("Bearer")),
                fields.optional("bearer_format", "format"),
            ],
        ),
        "basic" => Built::scheme(
            "HttpAuth",
            "HttpAuthSecurityScheme",
            vec![fields.description(), ("scheme", string("Basic")), ("bearer_format", none())],
        ),
        "http" => {
            let Some(scheme) = fields.texts.iter().find(|(key, _)| *key == "scheme") else {
                lacks("`scheme`", "scheme = \"Digest\"", errors);
                return None;
            };
            let fields = vec![fields.description(), ("scheme", string(&scheme.1)), ("bearer_format", none())];
            Built::scheme("HttpAuth", "HttpAuthSecurityScheme", fields)
        }
        "api_key" => {
            let mut places = fields.texts.iter().filter(|(key, _)| *key != "description");
            let Some((place, name)) = places.next() else {
                lacks("the place of the key", "header = \"x-api-key\"", errors);
                return None;
            };
            if let Some((other, value)) = places.next() {
                errors.at(
                    value,
                    format!("an API key is in one place, not in `{place}` and `{other}`"),
                    "leave one of them out, or declare two schemes",
                );
            }
            let fields = vec![fields.description(), ("location", string(place)), ("name", string(name))];
            Built::scheme("ApiKey", "ApiKeySecurityScheme", fields)
        }
        "open_id_connect" => {
            let Some(url) = fields.texts.iter().find(|(key, _)| *key == "url") else {
                let form = "url = \"https://id.example/.well-known/openid-configuration\"";
                lacks("`url`", form, errors);
                return None;
            };
            let fields = vec![fields.description(), ("open_id_connect_url", string(&url.1))];
            Built::scheme("OpenIdConnect", "OpenIdConnectSecurityScheme", fields)
        }
        "oauth2" => {
            let mut flows = fields.flows.into_iter();
            let Some(flow) = flows.next() else {
                lacks("its flow", "client_credentials(token_url = \"..\")", errors);
                return None;
            };
            if let Some(other) = flows.next() {
                errors.at(&other.key, "a scheme has one flow", "declare two schemes, each with a `name`");
            }
            let flow = oauth::flow(flow, errors)?;
            let ours = Fields { texts: fields.texts, flows: Vec::new() };
            let fields = vec![ours.description(), ours.optional("oauth2_metadata_url", "metadata_url")];
            let flow = Some(Box::new(flow));
            Built { flow, ..Built::scheme("OAuth2", "OAuth2SecurityScheme", fields) }
        }
        _ => Built::scheme("MutualTls", "MutualTlsSecurityScheme", vec![fields.description()]),
    };
    let name = members.iter().find(|member| member.key == "name").and_then(|member| text(member, errors));
    let name = name.map_or_else(|| kind.to_token_stream(), |name| name.to_token_stream());
    Some(Scheme { name, form: Form::Built(built) })
}

/// `name = expression`.
fn named(entry: &Entry, expr: &Expr, errors: &mut Errors) -> Option<Scheme> {
    let name = entry.key.to_string();
    if let Expr::Lit(_) = ungrouped(expr) {
        let help = match (name.as_str(), literal(expr)) {
            ("bearer", Some(format)) => format!("write `bearer(format = \"{format}\")`"),
            ("api_key", Some(header)) => format!("write `api_key(header = \"{header}\")`"),
            _ => format!("write an expression, or one of the kinds, such as `bearer(name = \"{name}\")`"),
        };
        errors.at(expr, format!("`{name}` is no security scheme"), help);
        return None;
    }
    Some(Scheme { name: name.to_token_stream(), form: Form::Expr(expr.clone()) })
}

/// What the parentheses of a kind say, but for the name.
#[derive(Default)]
pub(crate) struct Fields<'a> {
    pub(crate) texts: Vec<(&'static str, Expr)>,
    flows: Vec<&'a Entry>,
}

impl Fields<'_> {
    fn description(&self) -> (&'static str, TokenStream) {
        self.optional("description", "description")
    }

    pub(crate) fn optional(&self, field: &'static str, key: &str) -> (&'static str, TokenStream) {
        match self.texts.iter().find(|(known, _)| *known == key) {
            Some((_, text)) => {
                let text = string(text);
                (field, quote!(::core::option::Option::Some(#text)))
            }
            None => (field, none()),
        }
    }
}

fn fields<'a>(entries: &'a [Entry], keys: &[&'static str], errors: &mut Errors) -> Fields<'a> {
    let known = [keys, &["name", "description"]].concat();
    let mut fields = Fields::default();
    for (key, member) in members(entries, &known, errors) {
        if FLOWS.contains(&key) {
            fields.flows.push(member);
            continue;
        }
        let value = if key.ends_with("url") { url(member, errors) } else { text(member, errors) };
        fields.texts.extend(value.filter(|_| key != "name").map(|value| (key, value)));
    }
    fields
}

/// What a skill needs: schemes by name, each with its scopes.
pub(crate) fn needs(entry: &Entry, errors: &mut Errors) -> Option<Vec<(Expr, Vec<Expr>)>> {
    let entries = match &entry.value {
        Value::Entries(entries) if !entries.is_empty() => entries,
        Value::Expr(_) => {
            let names = texts(entry, errors)?;
            return Some(names.into_iter().map(|name| (name, Vec::new())).collect());
        }
        Value::Entries(_) | Value::Nothing => {
            errors.at(
                &entry.key,
                "`security` names schemes of the agent",
                "write `security = [\"bearer\"]`, or with scopes `security(oauth2 = [\"trips:read\"])`",
            );
            return None;
        }
    };
    let mut list = Vec::new();
    let mut seen = Vec::new();
    for entry in entries {
        let key = entry.key.to_string();
        if seen.contains(&key) {
            errors.at(&entry.key, format!("`{key}` is given twice"), "leave one of them out");
            continue;
        }
        let scopes = match &entry.value {
            Value::Nothing => Vec::new(),
            Value::Expr(_) => texts(entry, errors).unwrap_or_default(),
            Value::Entries(_) => {
                errors.at(
                    &entry.key,
                    "a skill names the scheme, its agent declares what it is",
                    format!("write `{key}`, or with scopes `{key} = [\"trips:read\"]`"),
                );
                continue;
            }
        };
        let name = Lit::Str(LitStr::new(&key, entry.key.span()));
        list.push((Expr::Lit(ExprLit { attrs: Vec::new(), lit: name }), scopes));
        seen.push(key);
    }
    Some(list)
}

/// A text as a `String`.
pub(crate) fn string(text: &(impl ToTokens + ?Sized)) -> TokenStream {
    quote!(::std::string::String::from(#text))
}

fn none() -> TokenStream {
    quote!(::core::option::Option::None)
}
