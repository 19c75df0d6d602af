//! Finding and keeping an agent's card (spec 8).

use super::binding::Interface;
use super::error::ClientError;
use super::fault;
use super::http::{Http, Outbound, media_type, read};
use crate::agent::Binding;
use crate::protocol::{A2aError, AgentCard};
use http::StatusCode;
use http::header::{ETAG, HeaderValue, IF_NONE_MATCH};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use url::Url;

/// Where agents have it; the second is that of protocol 0.2.
const WELL_KNOWN: &[&str] = if cfg!(feature = "compat-0-3") {
    &["/.well-known/agent-card.json", "/.well-known/agent.json"]
} else {
    &["/.well-known/agent-card.json"]
};

/// A card, where it is from, and what of it is spoken here.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) card: Arc<AgentCard>,
    /// Where the card is read again; there is none for one that was handed over.
    pub(super) url: Option<Url>,
    etag: Option<HeaderValue>,
    /// Those of the interfaces that are spoken here, the preferred one first.
    pub(super) interfaces: Vec<Interface>,
    /// The one that is in use.
    pub(super) current: AtomicUsize,
}

impl Known {
    /// Takes a card in, and chooses among its interfaces.
    pub(super) fn new(
        card: AgentCard,
        url: Option<Url>,
        etag: Option<HeaderValue>,
        http: &Http,
        bindings: &[Binding],
    ) -> Result<Self, ClientError> {
        let interfaces = Interface::choose(&card, url.as_ref(), bindings, http.settings.legacy)?;
        for interface in interfaces.iter().filter(|_| http.has_credentials()) {
            if !http.trusts(&interface.url) {
                tracing::warn!(
                    interface = %interface.url,
                    "no credentials are sent there: it is another origin than the client was made for"
                );
            }
        }
        if interfaces.first().is_some_and(|interface| interface.older) {
            tracing::warn!(
                agent = card.name,
                "the agent speaks protocol 0.3 alone: there is no list of tasks, and what 0.3 cannot carry is dropped"
            );
        }
        Ok(Self { card: Arc::new(card), url, etag, interfaces, current: AtomicUsize::new(0) })
    }

    /// Reads the card again; `None` where it is still the same.
    pub(super) async fn refresh(
        &self,
        http: &Http,
        bindings: &[Binding],
    ) -> Result<Option<Self>, ClientError> {
        let Some(url) = &self.url else { return Ok(None) };
        match get(http, url, self.etag.as_ref()).await? {
            Got::Same => Ok(None),
            Got::Card(card, etag) => Self::new(*card, Some(url.clone()), etag, http, bindings).map(Some),
        }
    }

    /// Finds the card of the agent at that address.
    pub(super) async fn find(http: &Http, base: &Url, bindings: &[Binding]) -> Result<Self, ClientError> {
        let mut failed = None;
        for url in places(base) {
            match get(http, &url, None).await {
                Ok(Got::Card(card, etag)) => return Self::new(*card, Some(url), etag, http, bindings),
                Ok(Got::Same) => {
                    failed.get_or_insert_with(|| {
                        ClientError::protocol(format!("{url} answered 304 to nothing"))
                    });
                }
                // Something else than a card may be at the first place.
                Err(error)
                    if matches!(error.status(), Some(404 | 405 | 410)) || error.is_protocol_violation() =>
                {
                    failed.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(failed.unwrap_or_else(|| ClientError::unusable(format!("{base} has no place for a card"))))
    }
}

/// Where a card may be: the address itself where it is one of a file, else below it, else at its origin.
fn places(base: &Url) -> Vec<Url> {
    let mut base = base.clone();
    base.set_fragment(None);
    if base.path().ends_with(".json") {
        return vec![base];
    }
    base.set_query(None);
    let prefix = base.path().trim_end_matches('/').to_owned();
    let at = |path: &str| {
        let mut url = base.clone();
        url.set_path(path);
        url
    };
    let prefixes = if prefix.is_empty() { vec![""] } else { vec![prefix.as_str(), ""] };
    let places =
        WELL_KNOWN.iter().flat_map(|place| prefixes.iter().map(move |prefix| format!("{prefix}{place}")));
    places.map(|path| at(&path)).collect()
}

enum Got {
    Card(Box<AgentCard>, Option<HeaderValue>),
    Same,
}

async fn get(http: &Http, url: &Url, etag: Option<&HeaderValue>) -> Result<Got, ClientError> {
    let mut outbound =
        Outbound::get("AgentCard", url.clone()).accept("application/json, application/a2a+json");
    if let Some(etag) = etag {
        outbound.headers.insert(IF_NONE_MATCH, etag.clone());
    }
    let fetched = async {
        let response = http.send(outbound).await?;
        let status = response.status();
        if status == StatusCode::NOT_MODIFIED && etag.is_some() {
            return Ok(Got::Same);
        }
        let (media_type, etag) = (media_type(response.headers()), response.headers().get(ETAG).cloned());
        let body = read(response, "the card", http.settings.max_card).await?;
        if !status.is_success() {
            return Err(fault::http(status, &media_type, &body));
        }
        let card = parse(&body)
            .map_err(|error| ClientError::protocol(format!("what is at {url} is no card: {error}")))?;
        Ok(Got::Card(Box::new(card), etag))
    };
    match tokio::time::timeout(http.settings.timeout, fetched).await {
        Ok(got) => got,
        Err(_) => Err(ClientError::timeout(format!("the card at {url} did not come in time"))),
    }
}

/// Reads a card of either generation.
#[cfg(feature = "compat-0-3")]
pub(super) fn parse(json: &[u8]) -> Result<AgentCard, A2aError> {
    crate::compat::read_card(json)
}

#[cfg(not(feature = "compat-0-3"))]
pub(super) fn parse(json: &[u8]) -> Result<AgentCard, A2aError> {
    crate::protocol::from_json(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_looked_for_where_agents_have_it() {
        let places = |base: &str| {
            let base = Url::parse(base).unwrap_or_else(|error| panic!("{error}"));
            super::places(&base).iter().map(Url::to_string).collect::<Vec<_>>()
        };
        let first = |base: &str| {
            places(base).into_iter().filter(|url| url.ends_with("agent-card.json")).collect::<Vec<_>>()
        };
        assert_eq!(first("https://x.example"), ["https://x.example/.well-known/agent-card.json"]);
        assert_eq!(places("https://x.example/"), places("https://x.example"));
        for prefixed in
            ["https://x.example/agents/x", "https://x.example/agents/x/", "https://x.example/agents/x?a#b"]
        {
            assert_eq!(
                first(prefixed),
                [
                    "https://x.example/agents/x/.well-known/agent-card.json",
                    "https://x.example/.well-known/agent-card.json"
                ]
            );
        }
        assert_eq!(places("https://x.example/a/card.json?v=1"), ["https://x.example/a/card.json?v=1"]);
    }
}
