//! The rules for a card.

use super::Report;
use super::rules::LAYERS;
use super::wire::{Terms, Wire, whole};
use crate::Binding;
use crate::card::{Finding, lint};
use crate::protocol::AgentCard;
use http::{HeaderMap, Method, StatusCode, header};

const WELL_KNOWN: &str = "/.well-known/agent-card.json";

/// Reads the card at its well-known place (spec 8.2).
pub(super) async fn read(wire: &Wire, report: &mut Report) -> Option<AgentCard> {
    let headers = wire.headers(Terms { credentials: false, ..wire.terms() });
    let response = wire.send(Method::GET, WELL_KNOWN, headers, "").await;
    let (status, is_json) = (response.status(), is_json(response.headers()));
    let card = serde_json::from_slice(&whole(response.into_body()).await).ok();
    let card = card.filter(|_| status == StatusCode::OK && is_json);
    if card.is_none() {
        report.add(None, "8.2", format!("no card is at {WELL_KNOWN}, but HTTP {}", status.as_u16()), LAYERS);
    }
    card
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with("application/json"))
}

/// What a card must have (spec 4.4.1), and what makes it useful.
pub(super) fn check(card: &AgentCard, report: &mut Report) {
    for (member, value) in [("name", &card.name), ("version", &card.version)] {
        if value.trim().is_empty() {
            report.add(
                None,
                "4.4.1",
                format!("the card has no {member}"),
                format!("give it one: `.{member}(..)`"),
            );
        }
    }
    if card.supported_interfaces.is_empty() {
        report.add(None, "4.4.6", "the card names no interface", "set the agent's URL, with a port for gRPC");
    }
    for interface in &card.supported_interfaces {
        let has_scheme = interface.url.starts_with("https://") || interface.url.starts_with("http://");
        if !has_scheme && interface.protocol_binding != Binding::Grpc.as_str() {
            let text = format!("the card says that the agent is at `{}`, which is no URL", interface.url);
            report.add(None, "4.4.6", text, "set one: `.url(\"https://..\")`");
        }
    }
    let names = card.security_requirements.iter().flat_map(|requirement| requirement.schemes.keys());
    for name in names.filter(|name| !card.security_schemes.contains_key(*name)) {
        let text = format!("the card requires the security scheme `{name}` and does not describe it");
        report.add(None, "4.5", text, "describe it: `.security(name, scheme)`");
    }
    for finding in lint(card) {
        let Finding { skill, text, help } = finding;
        let whose = skill.map_or_else(|| "the agent".to_owned(), |id| format!("skill `{id}`"));
        report.add(
            None,
            if whose == "the agent" { "4.4.1" } else { "4.4.5" },
            format!("{whose}: {text}"),
            help,
        );
    }
}
