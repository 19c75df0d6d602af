//! Requests over HTTP: what every one of them carries, where it may go, and how much of an answer is read.

use super::error::ClientError;
use super::interceptor::{Interceptor, Outgoing};
use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use http::{Method, StatusCode};
use reqwest::Response;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use url::{Origin, Url};

const VERSION: HeaderName = HeaderName::from_static("a2a-version");
const EXTENSIONS: HeaderName = HeaderName::from_static("a2a-extensions");
pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The version of the protocol that is spoken.
const PROTOCOL_VERSION: HeaderValue = HeaderValue::from_static("1.0");

/// The version, and the header of extensions, where 0.3 is spoken.
const OLDER_VERSION: HeaderValue = HeaderValue::from_static("0.3");
const OLDER_EXTENSIONS: HeaderName = HeaderName::from_static("x-a2a-extensions");

/// How many redirects within one origin are followed.
const REDIRECTS: usize = 5;

/// How much of an error that is no JSON is shown.
const SHOWN: usize = 300;

/// How calls are made.
#[derive(Clone)]
pub(super) struct Settings {
    /// How long a call may take; streams, and sends that wait for the task, are not such calls.
    pub(super) timeout: Duration,
    /// How long a send that waits for the task may take.
    pub(super) send_timeout: Option<Duration>,
    pub(super) extensions: Option<HeaderValue>,
    /// Credentials, which go to the trusted origins alone.
    pub(super) headers: HeaderMap,
    pub(super) interceptors: Vec<Interceptor>,
    pub(super) trusted: Vec<Origin>,
    pub(super) max_card: usize,
    pub(super) max_event: usize,
    pub(super) max_answer: usize,
    pub(super) resume: bool,
    /// Whether protocol 0.3 is spoken where an agent speaks nothing newer.
    pub(super) legacy: bool,
}

/// One request.
#[derive(Clone, Debug)]
pub(super) struct Outbound {
    /// The operation, as interceptors see it.
    pub(super) operation: &'static str,
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Bytes>,
    /// Whether it is one of protocol 0.3.
    pub(super) older: bool,
}

impl Outbound {
    pub(super) fn get(operation: &'static str, url: Url) -> Self {
        Self { operation, method: Method::GET, url, headers: HeaderMap::new(), body: None, older: false }
    }

    #[must_use]
    pub(super) fn accept(mut self, types: &'static str) -> Self {
        self.headers.insert(ACCEPT, HeaderValue::from_static(types));
        self
    }

    /// Says which event was the last that was seen. An id that is no header's text is not said.
    #[must_use]
    pub(super) fn after(mut self, event_id: Option<&str>) -> Self {
        if let Some(value) = event_id.and_then(|id| HeaderValue::from_str(id).ok()) {
            self.headers.insert(LAST_EVENT_ID, value);
        }
        self
    }

    #[must_use]
    pub(super) fn json(mut self, body: Bytes) -> Self {
        self.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        self.body = Some(body);
        self
    }
}

/// A client that is made when it is first needed: reading the root certificates takes its time.
#[cfg(feature = "grpc")]
pub(super) type Later = std::sync::LazyLock<
    Result<reqwest::Client, ClientError>,
    Box<dyn FnOnce() -> Result<reqwest::Client, ClientError> + Send>,
>;

/// What sends requests.
#[derive(Clone)]
pub(super) struct Http {
    pub(super) client: reqwest::Client,
    /// Speaks HTTP/2 from the first byte on, as gRPC without TLS needs it.
    #[cfg(feature = "grpc")]
    pub(super) h2: Arc<Later>,
    pub(super) settings: Arc<Settings>,
}

impl Http {
    /// Whether credentials may go there.
    pub(super) fn trusts(&self, url: &Url) -> bool {
        self.settings.trusted.contains(&url.origin())
    }

    pub(super) fn has_credentials(&self) -> bool {
        !self.settings.headers.is_empty() || !self.settings.interceptors.is_empty()
    }

    /// Sends a request, and follows redirects within its origin.
    pub(super) async fn send(&self, outbound: Outbound) -> Result<Response, ClientError> {
        self.send_by(&self.client, outbound).await
    }

    pub(super) async fn send_by(
        &self,
        client: &reqwest::Client,
        mut outbound: Outbound,
    ) -> Result<Response, ClientError> {
        self.complete(&mut outbound).await?;
        for _ in 0..=REDIRECTS {
            let mut request = client
                .request(outbound.method.clone(), outbound.url.clone())
                .headers(outbound.headers.clone());
            if let Some(body) = &outbound.body {
                request = request.body(body.clone());
            }
            let response = request.send().await.map_err(|error| broken(&outbound.url, error))?;
            let status = response.status();
            // A redirect that turns a POST into a GET would call something else.
            let follows = matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT)
                || matches!(status.as_u16(), 301..=303) && outbound.method == Method::GET;
            let Some(target) = target(&response).filter(|_| status.is_redirection()) else {
                return Ok(response);
            };
            if target.origin() != outbound.url.origin() || !follows {
                let text = format!("{} redirects to {target}, which is not followed", outbound.url);
                return Err(ClientError::http(status.as_u16(), text));
            }
            outbound.url = target;
        }
        Err(ClientError::protocol(format!("{} redirects in circles", outbound.url)))
    }

    /// Adds what every request carries, and the credentials where they may go.
    async fn complete(&self, outbound: &mut Outbound) -> Result<(), ClientError> {
        let settings = &self.settings;
        if self.trusts(&outbound.url) {
            for (name, value) in &settings.headers {
                outbound.headers.insert(name, value.clone());
            }
            for interceptor in &settings.interceptors {
                let call = Outgoing {
                    operation: outbound.operation,
                    url: outbound.url.clone(),
                    headers: std::mem::take(&mut outbound.headers),
                };
                let call = interceptor(call).await.map_err(|error| {
                    let text = format!("an interceptor refused {}: {error}", outbound.operation);
                    ClientError::unusable(text)
                })?;
                outbound.headers = call.headers;
            }
        }
        outbound.headers.insert(VERSION, if outbound.older { OLDER_VERSION } else { PROTOCOL_VERSION });
        if let Some(extensions) = &settings.extensions {
            outbound.headers.entry(EXTENSIONS).or_insert_with(|| extensions.clone());
            if outbound.older {
                outbound.headers.entry(OLDER_EXTENSIONS).or_insert_with(|| extensions.clone());
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").field("timeout", &self.settings.timeout).finish_non_exhaustive()
    }
}

fn target(response: &Response) -> Option<Url> {
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    response.url().join(location).ok()
}

/// The error of a connection that could not be made, or broke.
pub(super) fn broken(url: &Url, error: reqwest::Error) -> ClientError {
    let host = url.host_str().unwrap_or_default();
    // The URL of the error may hold what is not for logs.
    let error = error.without_url();
    if error.is_builder() {
        return ClientError::unusable(format!("the request to {host} cannot be made: {error}"));
    }
    let before_sending = error.is_connect();
    if error.is_timeout() && !before_sending {
        return ClientError::timeout(format!("{host} did not answer in time"));
    }
    let text = if before_sending {
        format!("no connection to {}", url.origin().ascii_serialization())
    } else {
        format!("the connection to {host} broke")
    };
    ClientError::transport(text, before_sending, Some(Box::new(error)))
}

/// Reads an answer, of that many bytes at most.
pub(super) async fn read(
    mut response: Response,
    what: &'static str,
    limit: usize,
) -> Result<Bytes, ClientError> {
    if response.content_length().is_some_and(|length| length > limit as u64) {
        return Err(ClientError::too_large(what, limit));
    }
    let url = response.url().clone();
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&url, error))? {
        if body.len() + chunk.len() > limit {
            return Err(ClientError::too_large(what, limit));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// The media type of an answer, without its parameters, in lower case.
pub(super) fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// What an answer that is no JSON says, for people.
pub(super) fn excerpt(media_type: &str, body: &[u8]) -> String {
    if media_type == "text/html" {
        return String::new();
    }
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * SHOWN)]);
    let text = text.trim();
    let short: String = text.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect();
    short
}
