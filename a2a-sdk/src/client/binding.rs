//! Which of an agent's interfaces a client speaks.

use super::error::ClientError;
use crate::agent::Binding;
use crate::protocol::AgentCard;
use url::Url;

/// What is spoken here.
const SPOKEN: &[Binding] =
    if cfg!(feature = "grpc") { Binding::ALL } else { &[Binding::JsonRpc, Binding::HttpJson] };

fn named(name: &str) -> Option<Binding> {
    SPOKEN.iter().copied().find(|binding| binding.as_str().eq_ignore_ascii_case(name))
}

/// An interface of an agent that is spoken here.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interface {
    pub(super) binding: Binding,
    pub(super) url: Url,
    pub(super) tenant: Option<String>,
    /// Whether protocol 0.3 is spoken there.
    pub(super) older: bool,
}

impl Interface {
    /// Those interfaces of a card that are spoken here: in its order, unless there are bindings, and then in theirs.
    /// Those of protocol 0.3 come last, where they are allowed.
    pub(super) fn choose(
        card: &AgentCard,
        from: Option<&Url>,
        bindings: &[Binding],
        legacy: bool,
    ) -> Result<Vec<Self>, ClientError> {
        let mut chosen: Vec<Self> = Vec::new();
        for offered in &card.supported_interfaces {
            let Some(binding) = named(&offered.protocol_binding) else { continue };
            let wanted = bindings.is_empty() || bindings.contains(&binding);
            let Some(url) = address(&offered.url, binding, from).filter(|_| wanted) else { continue };
            let version = offered.protocol_version.trim();
            let older = is_older(version);
            // The numbers after the first are of the same generation.
            if older && legacy || version.split('.').next() == Some("1") {
                chosen.push(Self { binding, url, tenant: offered.tenant.clone(), older });
            }
        }
        chosen.sort_by_key(|interface| {
            (interface.older, bindings.iter().position(|binding| *binding == interface.binding))
        });
        if chosen.is_empty() { Err(none(card, bindings, legacy)) } else { Ok(chosen) }
    }
}

#[cfg(feature = "compat-0-3")]
use crate::compat::is_older;

/// What is not compiled in is not spoken.
#[cfg(not(feature = "compat-0-3"))]
fn is_older(_: &str) -> bool {
    false
}

/// The address of an interface. gRPC has one of the form `host:port` too, which says nothing of TLS.
fn address(text: &str, binding: Binding, from: Option<&Url>) -> Option<Url> {
    let text = text.trim();
    let name = text.strip_prefix("dns:").and_then(|rest| rest.rsplit('/').next());
    let parsed = if binding == Binding::Grpc && (name.is_some() || !text.contains("://")) {
        let authority = name.unwrap_or(text);
        let secure = authority.ends_with(":443") || from.is_some_and(|from| from.scheme() == "https");
        Url::parse(&format!("{}://{authority}", if secure { "https" } else { "http" }))
    } else {
        match (Url::parse(text), from) {
            (Err(url::ParseError::RelativeUrlWithoutBase), Some(from)) => from.join(text),
            (parsed, _) => parsed,
        }
    };
    parsed.ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn none(card: &AgentCard, bindings: &[Binding], legacy: bool) -> ClientError {
    let names =
        |bindings: &[Binding]| bindings.iter().map(|binding| binding.as_str()).collect::<Vec<_>>().join(", ");
    let offers = card.supported_interfaces.iter().map(|offered| {
        format!("{} {} at {}", offered.protocol_binding, offered.protocol_version, offered.url)
    });
    let offers = offers.collect::<Vec<_>>().join(", ");
    let offers = if offers.is_empty() { "nothing".to_owned() } else { offers };
    let spoken = names(if bindings.is_empty() { SPOKEN } else { bindings });
    ClientError::no_interface(format!(
        "this client speaks {spoken} of version 1{}, the card of `{}` offers {offers}",
        if legacy && cfg!(feature = "compat-0-3") { " and 0.3" } else { "" },
        card.name
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::AgentInterface;

    fn card(interfaces: &[(&str, &str, &str)]) -> AgentCard {
        let interface = |(binding, version, url): &(&str, &str, &str)| AgentInterface {
            url: (*url).to_owned(),
            protocol_binding: (*binding).to_owned(),
            tenant: None,
            protocol_version: (*version).to_owned(),
        };
        AgentCard {
            name: "desk".to_owned(),
            supported_interfaces: interfaces.iter().map(interface).collect(),
            ..AgentCard::default()
        }
    }

    #[test]
    fn the_first_interface_of_our_version_is_chosen_unless_the_caller_says_otherwise() {
        let card = card(&[
            ("SOAP", "1.0", "http://a.example"),
            ("JSONRPC", "0.3", "http://b.example"),
            ("HTTP+JSON", "1.0.2", "http://c.example"),
            ("jsonrpc", "1.1", "http://d.example"),
            ("JSONRPC", "1.0", "mailto:e@example"),
        ]);
        let hosts = |bindings: &[Binding], legacy| match Interface::choose(&card, None, bindings, legacy) {
            Ok(chosen) => chosen.iter().filter_map(|one| one.url.host_str().map(str::to_owned)).collect(),
            Err(error) => vec![error.to_string()],
        };
        assert_eq!(hosts(&[], false), ["c.example", "d.example"]);
        assert_eq!(hosts(&[], true), ["c.example", "d.example", "b.example"]);
        assert_eq!(hosts(&[Binding::JsonRpc, Binding::HttpJson], false), ["d.example", "c.example"]);
        assert_eq!(hosts(&[Binding::JsonRpc], false), ["d.example"]);
    }

    #[test]
    fn a_card_that_offers_nothing_for_us_is_told_with_what_it_offers() {
        let error = Interface::choose(&card(&[("JSONRPC", "0.3", "http://b.example")]), None, &[], false);
        let error = error.err().unwrap_or_else(|| panic!());
        assert!(error.is_no_interface());
        let text = error.to_string();
        assert!(text.contains("offers JSONRPC 0.3 at http://b.example"), "{text}");
    }

    #[test]
    fn grpc_has_addresses_of_its_own() {
        let https = Url::parse("https://x.example").ok();
        for (text, from, url) in [
            ("localhost:50051", None, "http://localhost:50051/"),
            ("x.example:443", None, "https://x.example/"),
            ("x.example:8443", https.as_ref(), "https://x.example:8443/"),
            ("dns:///x.example:1", None, "http://x.example:1/"),
            ("https://x.example", None, "https://x.example/"),
        ] {
            let parsed = address(text, Binding::Grpc, from);
            assert_eq!(parsed.as_ref().map(Url::as_str), Some(url), "{text}");
        }
    }
}
