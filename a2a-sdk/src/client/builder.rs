//! Making a client of an agent that runs elsewhere.

use super::Client;
use super::card::Known;
use super::error::ClientError;
use super::http::{Http, Settings};
use super::interceptor::{InterceptorError, Outgoing};
use super::remote::Remote;
use crate::agent::Binding;
use crate::protocol::AgentCard;
use http::HeaderMap;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

const MIB: usize = 1024 * 1024;

type Customize = Arc<dyn Fn(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send + Sync>;

/// How a [`Client`] of an agent that runs elsewhere is made.
///
/// ```no_run
/// use a2a_sdk::Client;
/// use a2a_sdk::Binding;
/// use std::time::Duration;
///
/// # async fn example() -> Result<(), a2a_sdk::ClientError> {
/// let client = Client::builder()
///     .bearer("the-token")
///     .bindings([Binding::HttpJson, Binding::JsonRpc])
///     .timeout(Duration::from_secs(10))
///     .connect("https://agents.example/travel")
///     .await?;
/// # Ok(())
/// # }
/// ```
///
/// # Credentials
///
/// What [`header`](Self::header), [`bearer`](Self::bearer) and [`interceptor`](Self::interceptor) add goes to the origin
/// of the address that the client is connected to, and nowhere else: not to an interface of the card on another origin,
/// unless [`trust_origin`](Self::trust_origin) names it, and never after a redirect, since none to another origin is
/// followed.
#[derive(Clone)]
pub struct ClientBuilder {
    settings: Settings,
    customize: Vec<Customize>,
    connect_timeout: Duration,
    bindings: Vec<Binding>,
    tenant: Option<String>,
    /// The first thing that was set to what cannot be.
    wrong: Option<ClientError>,
}

impl Default for ClientBuilder {
    fn default() -> Self {
        Self {
            settings: Settings {
                timeout: Duration::from_secs(30),
                send_timeout: None,
                extensions: None,
                headers: HeaderMap::new(),
                interceptors: Vec::new(),
                trusted: Vec::new(),
                max_card: 2 * MIB,
                max_event: 4 * MIB,
                max_answer: 64 * MIB,
                resume: true,
                legacy: true,
            },
            customize: Vec::new(),
            connect_timeout: Duration::from_secs(10),
            bindings: Vec::new(),
            tenant: None,
            wrong: None,
        }
    }
}

impl ClientBuilder {
    /// How long a call may take; 30 seconds unless set. Streams are not cut by it, nor are sends that wait for the task.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.settings.timeout = timeout;
        self
    }

    /// How long a send may take that waits for the task; unless set, as long as the task takes.
    #[must_use]
    pub fn send_timeout(mut self, timeout: Duration) -> Self {
        self.settings.send_timeout = Some(timeout);
        self
    }

    /// How long making a connection may take; 10 seconds unless set.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// The bindings to use, the preferred one first. Unless set, all that are compiled in, in the order of the card.
    #[must_use]
    pub fn bindings(mut self, bindings: impl IntoIterator<Item = Binding>) -> Self {
        self.bindings = bindings.into_iter().collect();
        self
    }

    /// Sends a header with each call, such as an API key.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
            (Ok(name), Ok(mut value)) => {
                value.set_sensitive(true);
                self.settings.headers.insert(name, value);
            }
            _ => self.is_wrong(format!("`{name}` is no header, or its value is none")),
        }
        self
    }

    /// Sends a bearer token with each call.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header(AUTHORIZATION.as_str(), &format!("Bearer {token}"))
    }

    /// Sees each call before it is sent, and adds to its headers: for credentials that change. Those that were added
    /// first see a call first. One that fails stops the call.
    ///
    /// ```
    /// use a2a_sdk::Client;
    ///
    /// async fn token() -> Result<String, std::io::Error> {
    ///     Ok("fresh".to_owned())
    /// }
    ///
    /// let builder = Client::builder().interceptor(|mut call| async move {
    ///     let token = token().await?;
    ///     call.headers.insert("authorization", format!("Bearer {token}").parse()?);
    ///     Ok(call)
    /// });
    /// ```
    #[must_use]
    pub fn interceptor<F, R>(mut self, interceptor: F) -> Self
    where
        F: Fn(Outgoing) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Outgoing, InterceptorError>> + Send + 'static,
    {
        self.settings.interceptors.push(Arc::new(move |call| Box::pin(interceptor(call))));
        self
    }

    /// Lets credentials go to that origin too, such as `https://api.example`.
    #[must_use]
    pub fn trust_origin(mut self, origin: &str) -> Self {
        match web(origin) {
            Ok(url) => self.settings.trusted.push(url.origin()),
            Err(error) => self.wrong = self.wrong.or(Some(error)),
        }
        self
    }

    /// The tenant that calls are for, in place of the one that the card names for its interface.
    #[must_use]
    pub fn tenant(mut self, tenant: impl Into<String>) -> Self {
        self.tenant = Some(tenant.into());
        self
    }

    /// The extensions of the protocol to use, by their URIs.
    #[must_use]
    pub fn extensions<T: AsRef<str>>(mut self, uris: impl IntoIterator<Item = T>) -> Self {
        let uris: Vec<T> = uris.into_iter().collect();
        let list = uris.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
        match HeaderValue::from_str(&list) {
            Ok(list) => self.settings.extensions = (!list.is_empty()).then_some(list),
            Err(_) => self.is_wrong(format!("`{list}` are no URIs")),
        }
        self
    }

    /// Whether a stream whose connection breaks goes on over a new one; so it does unless set.
    #[must_use]
    pub fn resume(mut self, resume: bool) -> Self {
        self.settings.resume = resume;
        self
    }

    /// Whether protocol 0.3, and 0.2 before it, is spoken with an agent that speaks nothing newer: it is, with a warning
    /// in the log, unless set.
    ///
    /// There is no list of tasks then, and what 0.3 cannot carry is dropped, such as tenants and the media types of text.
    /// Who needs these turns it off, and gets an error from [`connect`](Self::connect) instead.
    #[must_use]
    pub fn allow_legacy(mut self, allow: bool) -> Self {
        self.settings.legacy = allow;
        self
    }

    /// How large an event of a stream may be; 4 MiB unless set.
    #[must_use]
    pub fn max_event_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_event = bytes;
        self
    }

    /// How large a card may be; 2 MiB unless set.
    #[must_use]
    pub fn max_card_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_card = bytes;
        self
    }

    /// How large any other answer may be; 64 MiB unless set.
    #[must_use]
    pub fn max_answer_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_answer = bytes;
        self
    }

    /// Sets up the HTTP client: root certificates, a client certificate, a proxy. Redirects stay with this crate.
    ///
    /// It is called once for each HTTP client that is made, of which gRPC has one of its own.
    ///
    /// ```
    /// let builder = a2a_sdk::Client::builder().http_client(|http| http.no_proxy().user_agent("travel/2.1"));
    /// ```
    #[must_use]
    pub fn http_client(
        mut self,
        customize: impl Fn(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send + Sync + 'static,
    ) -> Self {
        self.customize.push(Arc::new(customize));
        self
    }

    /// Reads the card of the agent at that address and makes a client of it.
    ///
    /// An address that ends in `.json` is one of a card. Else the card is at `/.well-known/agent-card.json` below it, or
    /// at its origin.
    ///
    /// # Errors
    /// When the address is none, there is no card, or the card offers nothing that this client speaks.
    pub async fn connect(mut self, url: &str) -> Result<Client, ClientError> {
        let base = web(url)?;
        self.settings.trusted.push(base.origin());
        let (http, bindings, tenant) = self.build()?;
        let known = Known::find(&http, &base, &bindings).await?;
        Ok(Client::remote(Remote::new(http, bindings, tenant, known)))
    }

    /// Makes a client of an agent whose card is known.
    ///
    /// Credentials then go to no origin but those that [`trust_origin`](Self::trust_origin) names.
    ///
    /// # Errors
    /// When the card offers nothing that this client speaks.
    pub fn from_card(self, card: AgentCard) -> Result<Client, ClientError> {
        let (http, bindings, tenant) = self.build()?;
        let known = Known::new(card, None, None, &http, &bindings)?;
        Ok(Client::remote(Remote::new(http, bindings, tenant, known)))
    }

    fn build(self) -> Result<(Http, Vec<Binding>, Option<String>), ClientError> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let make = {
            let (connect_timeout, customize) = (self.connect_timeout, self.customize);
            move |builder: reqwest::ClientBuilder| {
                let builder = builder
                    .connect_timeout(connect_timeout)
                    // A peer that is gone is noticed, though nothing else ends a silent stream.
                    .tcp_keepalive(Duration::from_secs(30))
                    .tcp_nodelay(true);
                let builder = customize.iter().fold(builder, |builder, customize| customize(builder));
                // What came after a redirect would go to whom the redirect names.
                builder.redirect(Policy::none()).build().map_err(|error| {
                    ClientError::transport("the HTTP client cannot be made", false, Some(Box::new(error)))
                })
            }
        };
        let http = Http {
            client: make(reqwest::Client::builder())?,
            #[cfg(feature = "grpc")]
            h2: Arc::new(super::http::Later::new(Box::new(move || {
                make(reqwest::Client::builder().http2_prior_knowledge())
            }))),
            settings: Arc::new(self.settings),
        };
        Ok((http, self.bindings, self.tenant))
    }

    fn is_wrong(&mut self, text: String) {
        self.wrong.get_or_insert_with(|| ClientError::unusable(text));
    }
}

/// The address of something on the web.
fn web(text: &str) -> Result<Url, ClientError> {
    let wrong = |why: &str| ClientError::unusable(format!("`{text}` is no address of an agent: {why}"));
    let url = Url::parse(text.trim()).map_err(|error| wrong(&error.to_string()))?;
    match url.scheme() {
        "http" | "https" if !url.username().is_empty() || url.password().is_some() => {
            // Not shown: there is a password in it.
            Err(ClientError::unusable("an address must not hold a user or a password; use `header`"))
        }
        "http" | "https" => Ok(url),
        _ => Err(wrong("expected http or https")),
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("bindings", &self.bindings)
            .field("tenant", &self.tenant)
            .finish_non_exhaustive()
    }
}
