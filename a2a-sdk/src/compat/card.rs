//! Cards: one document that both generations read.

use serde_json::{Map, Value, json};

use crate::protocol::AgentCard;
#[cfg(feature = "server")]
use crate::protocol::AgentInterface;
#[cfg(feature = "client")]
use crate::protocol::{A2aError, SecurityScheme, check_depth, decode, from_json};
#[cfg(feature = "client")]
use serde::Deserialize as _;

/// What 0.3 calls the version in a card, where it is a whole one.
#[cfg(feature = "server")]
const FULL_VERSION: &str = "0.3.0";

/// The wrapper of each security scheme in 1.0, and its type in 0.3.
const SCHEMES: [(&str, &str); 5] = [
    ("apiKeySecurityScheme", "apiKey"),
    ("httpAuthSecurityScheme", "http"),
    ("oauth2SecurityScheme", "oauth2"),
    ("openIdConnectSecurityScheme", "openIdConnect"),
    ("mtlsSecurityScheme", "mutualTLS"),
];

/// The flows of OAuth that 0.3 knows; the first that a card offers is the one that 1.0 is told of.
const FLOWS: [&str; 4] = ["authorizationCode", "clientCredentials", "password", "implicit"];

/// The card with the members of 0.3 beside those of 1.0, where it names an interface of 0.3; else as it is.
#[cfg(feature = "server")]
pub(crate) fn hybrid(card: &AgentCard) -> Value {
    let mut json = serde_json::to_value(card).unwrap_or_default();
    let older: Vec<&AgentInterface> =
        card.supported_interfaces.iter().filter(|interface| is_older(&interface.protocol_version)).collect();
    let (Some(first), Some(members)) = (older.first(), json.as_object_mut()) else { return json };
    members.insert("protocolVersion".to_owned(), json!(FULL_VERSION));
    members.insert("url".to_owned(), json!(first.url));
    members.insert("preferredTransport".to_owned(), json!(first.protocol_binding));
    let others = older.iter().skip(1).chain(older.first());
    let interfaces = others.map(|other| json!({ "url": other.url, "transport": other.protocol_binding }));
    members.insert("additionalInterfaces".to_owned(), interfaces.collect());
    if card.capabilities.extended_agent_card == Some(true) {
        members.insert("supportsAuthenticatedExtendedCard".to_owned(), json!(true));
    }
    // A client of 1.0 that sees the member of 0.3 alone must not guess.
    members["capabilities"]["extendedAgentCard"] =
        json!(card.capabilities.extended_agent_card.unwrap_or(false));
    let mut unknown = Vec::new();
    if let Some(schemes) = members.get_mut("securitySchemes").and_then(Value::as_object_mut) {
        for (name, scheme) in schemes.iter_mut() {
            let older = older_scheme(scheme);
            // Clients of 0.3 want to know the type of each scheme, also of one that none of them can do.
            if older.get("flows").and_then(Value::as_object).is_some_and(Map::is_empty) {
                unknown.push(name.clone());
            }
            if let Some(scheme) = scheme.as_object_mut() {
                scheme.extend(older);
            }
        }
    }
    older_requirements(members, &unknown);
    if let Some(skills) = members.get_mut("skills").and_then(Value::as_array_mut) {
        for skill in skills.iter_mut().filter_map(Value::as_object_mut) {
            older_requirements(skill, &unknown);
        }
    }
    json
}

/// Whether a version is one of 0.2 or 0.3.
pub(crate) fn is_older(version: &str) -> bool {
    let mut numbers = version.split('.');
    let major_minor = (numbers.next(), numbers.next());
    super::VERSIONS.iter().any(|known| {
        let mut known = known.split('.');
        major_minor == (known.next(), known.next())
    })
}

/// The members that a scheme has in 0.3. Of OAuth without a flow that 0.3 knows, no flow is left.
#[cfg(feature = "server")]
fn older_scheme(scheme: &Value) -> Map<String, Value> {
    let found = SCHEMES.iter().find_map(|(wrapper, kind)| Some((scheme.get(wrapper)?.as_object()?, kind)));
    let Some((inner, kind)) = found else { return Map::new() };
    let mut older = inner.clone();
    older.insert("type".to_owned(), json!(kind));
    if let Some(location) = older.remove("location") {
        older.insert("in".to_owned(), location);
    }
    if let Some(flows) = older.get_mut("flows").and_then(Value::as_object_mut) {
        flows.retain(|flow, _| FLOWS.contains(&flow.as_str()));
        for flow in flows.values_mut().filter_map(Value::as_object_mut) {
            flow.remove("pkceRequired");
            flow.entry("scopes").or_insert_with(|| json!({}));
        }
    }
    older
}

/// Adds `security` beside `securityRequirements`, without those that need a scheme that 0.3 cannot say.
#[cfg(feature = "server")]
fn older_requirements(members: &mut Map<String, Value>, unknown: &[String]) {
    let Some(requirements) = members.get("securityRequirements").and_then(Value::as_array) else { return };
    let security: Vec<Value> = requirements
        .iter()
        .map(|requirement| requirement.get("schemes").and_then(Value::as_object).cloned().unwrap_or_default())
        .filter(|schemes| !schemes.keys().any(|name| unknown.contains(name)))
        .map(|schemes| {
            let scopes = |scopes: &Value| scopes.get("list").cloned().unwrap_or_else(|| json!([]));
            schemes.iter().map(|(name, list)| (name.clone(), scopes(list))).collect::<Map<_, _>>().into()
        })
        .collect();
    if !security.is_empty() {
        members.insert("security".to_owned(), security.into());
    }
}

/// Reads a card of either generation.
#[cfg(feature = "client")]
pub(crate) fn read_card(json: &[u8]) -> Result<AgentCard, A2aError> {
    check_depth(json)?;
    match decode::<Value>(json) {
        Ok(card) => from_json(modern(card).to_string().as_bytes()),
        // It says what is wrong.
        Err(_) => from_json(json),
    }
}

/// A card as 1.0 has it, of whatever generation it is.
///
/// What only 0.3 says is said in the words of 1.0, its interfaces as those of their version. A scheme that cannot be
/// said is left out: it is of no use to a client that does not know it.
#[cfg(feature = "client")]
fn modern(mut card: Value) -> Value {
    let Some(members) = card.as_object_mut() else { return card };
    let has_interfaces =
        members.get("supportedInterfaces").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    if !has_interfaces {
        let interfaces = interfaces(members);
        members.insert("supportedInterfaces".to_owned(), interfaces.into());
    }
    let extended = members.get("supportsAuthenticatedExtendedCard").cloned();
    if let (Some(extended), Some(capabilities)) =
        (extended, members.get_mut("capabilities").and_then(Value::as_object_mut))
    {
        capabilities.entry("extendedAgentCard").or_insert(extended);
    }
    if let Some(schemes) = members.get_mut("securitySchemes").and_then(Value::as_object_mut) {
        schemes.retain(|_, scheme| modern_scheme(scheme));
    }
    modern_requirements(members);
    if let Some(skills) = members.get_mut("skills").and_then(Value::as_array_mut) {
        skills.iter_mut().filter_map(Value::as_object_mut).for_each(modern_requirements);
    }
    card
}

/// Where an agent of 0.3 is reached: first where it prefers to be.
#[cfg(feature = "client")]
fn interfaces(members: &Map<String, Value>) -> Vec<Value> {
    let text = |name: &str| members.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let version = text("protocolVersion").filter(|version| is_older(version)).unwrap_or("0.3");
    let version = version.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
    let interface = |url: &str, binding: &str| json!({ "url": url, "protocolBinding": binding, "protocolVersion": version });
    let mut all = Vec::new();
    if let Some(url) = text("url") {
        all.push(interface(url, text("preferredTransport").unwrap_or("JSONRPC")));
    }
    for other in members.get("additionalInterfaces").and_then(Value::as_array).into_iter().flatten() {
        if let (Some(url), Some(binding)) = (other["url"].as_str(), other["transport"].as_str()) {
            let other = interface(url, binding);
            if !all.contains(&other) {
                all.push(other);
            }
        }
    }
    all
}

/// Wraps a scheme of 0.3 as 1.0 has it, and tells whether that can be. One that is in both forms is left.
#[cfg(feature = "client")]
fn modern_scheme(scheme: &mut Value) -> bool {
    let Some(members) = scheme.as_object() else { return false };
    let known = |name: &&str| SCHEMES.iter().any(|(wrapper, _)| *wrapper == *name);
    if members.keys().any(|name| known(&name.as_str())) {
        return true;
    }
    let kind = members.get("type").and_then(Value::as_str);
    let Some((wrapper, _)) = SCHEMES.iter().find(|(_, known)| Some(*known) == kind) else { return false };
    let mut inner = members.clone();
    inner.remove("type");
    if let Some(location) = inner.remove("in") {
        inner.insert("location".to_owned(), location);
    }
    if let Some(flows) = inner.get_mut("flows").and_then(Value::as_object_mut) {
        // Some peers write what they do not offer, as null.
        let first = FLOWS.iter().find(|flow| flows.get(**flow).is_some_and(Value::is_object));
        flows.retain(|flow, _| Some(&flow.as_str()) == first);
    }
    *scheme = json!({ *wrapper: inner });
    SecurityScheme::deserialize(&*scheme).is_ok()
}

#[cfg(feature = "client")]
fn modern_requirements(members: &mut Map<String, Value>) {
    if members.contains_key("securityRequirements") {
        return;
    }
    let Some(security) = members.get("security").and_then(Value::as_array) else { return };
    let wrap = |requirement: &Value| {
        let schemes = requirement.as_object().into_iter().flatten();
        let schemes: Map<String, Value> =
            schemes.map(|(name, scopes)| (name.clone(), json!({ "list": scopes }))).collect();
        json!({ "schemes": schemes })
    };
    let requirements: Vec<Value> = security.iter().map(wrap).collect();
    members.insert("securityRequirements".to_owned(), requirements.into());
}
