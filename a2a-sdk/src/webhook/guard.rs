//! Which addresses webhooks may have: the guard against making a server call its own network (SSRF).

use super::address::is_public;
use super::names::Names;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use url::{Host, Url};

/// Which addresses the webhooks of callers may have.
///
/// Unless set otherwise: `https` alone, and hosts of the public internet alone. What a name resolves to is checked
/// when the configuration is made and again at each delivery, and the connection goes to the addresses that were
/// checked. Redirects and proxies are never followed.
#[derive(Clone, Debug, Default)]
pub struct WebhookPolicy {
    allow_http: bool,
    allow_loopback: bool,
    allow_hosts: Vec<String>,
}

impl WebhookPolicy {
    /// Only `https`, only the public internet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows `http`, which anybody on the way can read.
    #[must_use]
    pub fn allow_http(mut self) -> Self {
        self.allow_http = true;
        self
    }

    /// Allows this machine, by `http` too. For tests: callers can then make the server call anything on it.
    #[must_use]
    pub fn allow_loopback(mut self) -> Self {
        self.allow_loopback = true;
        self
    }

    /// Allows a host whatever its address, such as a receiver in the same private network.
    #[must_use]
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.allow_hosts.push(host.into().to_ascii_lowercase());
        self
    }
}

/// How long a name may take to resolve when a configuration is made.
const RESOLVE: Duration = Duration::from_secs(5);

/// Why an address is refused.
#[derive(Debug, PartialEq)]
pub(super) enum Refused {
    NotAUrl,
    Scheme,
    Userinfo,
    Fragment,
    Port,
    NoHost,
    Address(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAUrl => f.write_str("expected an absolute URL"),
            Self::Scheme => f.write_str("webhooks must be https"),
            Self::Userinfo => f.write_str("a webhook's URL must not hold a user or a password"),
            Self::Fragment => f.write_str("a webhook's URL must not hold a fragment"),
            Self::Port => f.write_str("nobody listens on port 0"),
            Self::NoHost => f.write_str("the URL names no host"),
            Self::Address(host) => write!(f, "`{host}` is not a host of the public internet"),
        }
    }
}

impl std::error::Error for Refused {}

/// The policy, applied.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    policy: Arc<WebhookPolicy>,
    names: Names,
}

impl Guard {
    pub(super) fn new(policy: WebhookPolicy) -> Self {
        Self { policy: Arc::new(policy), names: Names::System }
    }

    #[cfg(test)]
    pub(super) fn asking(self, names: Names) -> Self {
        Self { names, ..self }
    }

    /// Checks a URL, and what its name resolves to now. A name that does not resolve is not refused: it may later.
    pub(super) async fn check(&self, url: &str) -> Result<(), Refused> {
        let url = self.check_url(url)?;
        if let Some(Host::Domain(name)) = url.host() {
            let port = url.port_or_known_default().unwrap_or(443);
            let lookup = tokio::time::timeout(RESOLVE, self.names.addresses(name, port));
            if let Ok(Ok(addresses)) = lookup.await
                && !addresses.is_empty()
                && self.allowed(name, &addresses).is_empty()
            {
                return Err(Refused::Address(name.to_owned()));
            }
        }
        Ok(())
    }

    /// The addresses of a name that may be called, as they are now.
    pub(super) async fn resolve(&self, name: &str) -> io::Result<Vec<SocketAddr>> {
        let found = self.names.addresses(name, 0).await?;
        match self.allowed(name, &found) {
            none if none.is_empty() => Err(io::Error::other(Refused::Address(name.to_owned()))),
            allowed => Ok(allowed),
        }
    }

    /// Checks what can be seen in a URL alone.
    pub(super) fn check_url(&self, url: &str) -> Result<Url, Refused> {
        let url = Url::parse(url).map_err(|_| Refused::NotAUrl)?;
        let (host, address) = match url.host().ok_or(Refused::NoHost)? {
            Host::Domain(name) => (name.to_owned(), None),
            Host::Ipv4(address) => (address.to_string(), Some(IpAddr::V4(address))),
            Host::Ipv6(address) => (address.to_string(), Some(IpAddr::V6(address))),
        };
        let local = match address {
            Some(address) => address.is_loopback(),
            None => is_local_name(&host),
        };
        match url.scheme() {
            "https" => {}
            "http" if self.policy.allow_http || (local && self.policy.allow_loopback) => {}
            _ => return Err(Refused::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refused::Userinfo);
        }
        if url.port() == Some(0) {
            return Err(Refused::Port);
        }
        if url.fragment().is_some() {
            return Err(Refused::Fragment);
        }
        let refused = match address {
            Some(address) => !self.allows(&host, address),
            None => local && !self.policy.allow_loopback && !self.allows_host(&host),
        };
        if refused { Err(Refused::Address(host)) } else { Ok(url) }
    }

    /// Those of the addresses of a name that may be called.
    fn allowed(&self, host: &str, addresses: &[SocketAddr]) -> Vec<SocketAddr> {
        addresses.iter().copied().filter(|address| self.allows(host, address.ip())).collect()
    }

    fn allows(&self, host: &str, address: IpAddr) -> bool {
        is_public(address) || (self.policy.allow_loopback && address.is_loopback()) || self.allows_host(host)
    }

    fn allows_host(&self, host: &str) -> bool {
        self.policy.allow_hosts.iter().any(|allowed| allowed == host)
    }
}

fn is_local_name(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || host.to_ascii_lowercase().ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(policy: WebhookPolicy, url: &str) -> Result<(), Refused> {
        Guard::new(policy).check_url(url).map(drop)
    }

    #[test]
    fn only_https_to_the_public_internet_is_allowed_unless_set_otherwise() {
        let refused = |url| check(WebhookPolicy::new(), url).err();
        assert_eq!(refused("https://example.com/hook?x=1"), None);
        assert_eq!(refused("https://8.8.8.8/"), None);
        for (url, why) in [
            ("http://example.com/", Refused::Scheme),
            ("ftp://example.com/", Refused::Scheme),
            ("file:///etc/passwd", Refused::NoHost),
            ("/hook", Refused::NotAUrl),
            ("https://a:b@example.com/", Refused::Userinfo),
            ("https://example.com/#x", Refused::Fragment),
            ("https://example.com:0/", Refused::Port),
        ] {
            assert_eq!(refused(url), Some(why), "{url}");
        }
        // The odd spellings are what the URL standard makes of them.
        for url in [
            "https://127.0.0.1/",
            "https://0x7f.1/",
            "https://2130706433/",
            "https://017700000001/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://localhost/",
            "https://LOCALHOST./",
            "https://x.localhost/",
            "https://169.254.169.254/latest",
            "https://0/",
        ] {
            assert!(matches!(refused(url), Some(Refused::Address(_))), "{url}");
        }
    }

    #[test]
    fn the_switches_allow_what_they_say_and_no_more() {
        let local = || WebhookPolicy::new().allow_loopback();
        assert_eq!(check(local(), "http://127.0.0.1:9/x"), Ok(()));
        assert_eq!(check(local(), "http://localhost:9/x"), Ok(()));
        assert_eq!(check(local(), "http://example.com/"), Err(Refused::Scheme));
        assert!(check(local(), "https://10.0.0.1/").is_err());
        assert_eq!(check(WebhookPolicy::new().allow_http(), "http://example.com/"), Ok(()));
        assert!(check(WebhookPolicy::new().allow_http(), "http://127.0.0.1/").is_err());
        assert_eq!(check(WebhookPolicy::new().allow_host("10.0.0.1"), "https://10.0.0.1/"), Ok(()));
    }

    #[test]
    fn of_the_addresses_of_a_name_only_public_ones_are_called() {
        let guard = Guard::new(WebhookPolicy::new());
        let at = |addresses: &[&str]| -> Vec<SocketAddr> {
            addresses.iter().filter_map(|address| format!("{address}:443").parse().ok()).collect()
        };
        let found = at(&["10.0.0.1", "8.8.8.8", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254"]);
        assert_eq!(found.len(), 5);
        assert_eq!(guard.allowed("x.example", &found), at(&["8.8.8.8"]));
        let inner = Guard::new(WebhookPolicy::new().allow_host("x.example"));
        assert_eq!(inner.allowed("x.example", &found), found);
    }

    #[tokio::test]
    async fn a_name_of_this_machine_is_refused_when_it_is_resolved() {
        // The check of the URL alone would not see it in a name such as this one's owner could choose.
        let guard = Guard::new(WebhookPolicy::new());
        assert!(guard.check("https://localhost/").await.is_err());
        let resolved: Vec<SocketAddr> =
            tokio::net::lookup_host(("localhost", 443)).await.into_iter().flatten().collect();
        assert!(guard.allowed("localhost", &resolved).is_empty());
        // One that does not resolve may do so later.
        assert_eq!(guard.check("https://no-such-host.invalid/").await, Ok(()));
    }
}
