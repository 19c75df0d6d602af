//! Who may be addressed: a guard of servers that only this machine should reach.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, Uri, header};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

/// Refuses a request whose `Host` is not this machine.
///
/// A page in a browser can let its own name point at a loopback address, and reach a local server that way. Such a
/// request carries that name (DNS rebinding).
pub(super) async fn only_local(
    State(public): State<Arc<Option<String>>>,
    request: Request,
    next: Next,
) -> Response {
    let named = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    let authority = named.or_else(|| request.uri().authority().map(http::uri::Authority::as_str));
    match authority.map(host_of) {
        Some(host)
            if is_local(host)
                || (*public).as_deref().is_some_and(|public| public.eq_ignore_ascii_case(host)) =>
        {
            next.run(request).await
        }
        named => {
            tracing::warn!(host = named.unwrap_or_default(), "refused a request for another host");
            let text = "this server listens on loopback and is not known by that host; \
                        set the public URL to serve it under another name\n";
            (StatusCode::MISDIRECTED_REQUEST, text).into_response()
        }
    }
}

/// The host of a URL.
pub(super) fn host_of_url(url: &str) -> Option<String> {
    Some(url.parse::<Uri>().ok()?.authority().map(|authority| host_of(authority.as_str()))?.to_owned())
}

/// The host of an authority, without its port.
fn host_of(authority: &str) -> &str {
    match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => authority.rsplit_once(':').map_or(authority, |(host, _)| host),
    }
}

fn is_local(host: &str) -> bool {
    if let Ok(address) = host.parse::<IpAddr>() {
        return match address {
            IpAddr::V4(address) => address.is_loopback() || address == Ipv4Addr::UNSPECIFIED,
            IpAddr::V6(address) => address.is_loopback() || address == Ipv6Addr::UNSPECIFIED,
        };
    }
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    host == "localhost" || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_this_machine_are_known_in_all_their_forms() {
        for host in [
            "localhost:8080",
            "LOCALHOST",
            "127.0.0.1:1",
            "[::1]:8080",
            "[::1]",
            "agent.localhost",
            "127.8.8.8",
        ] {
            assert!(is_local(host_of(host)), "{host}");
        }
        for host in ["evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", ""]
        {
            assert!(!is_local(host_of(host)), "{host}");
        }
    }

    #[test]
    fn a_url_has_a_host() {
        assert_eq!(host_of_url("https://agents.example/x").as_deref(), Some("agents.example"));
        assert_eq!(host_of_url("http://[::1]:8080").as_deref(), Some("::1"));
        assert_eq!(host_of_url("/x"), None);
    }
}
