//! An agent that is ready to be called.

use super::settings::Settings;
use super::{Agent, Binding};
use crate::client::Client;
use crate::error::Error;
use crate::protocol::AgentCard;
use crate::server::gate::Gate;
use crate::server::operations::{Capabilities, Operations};
use crate::server::{self, App, Listener, Until};
use crate::skill::SkillEntry;
use crate::store::MemoryStore;
use crate::tasks::{self, Skills, Tasks};
use std::fmt;
use std::sync::Arc;
use tokio::net::{TcpListener, ToSocketAddrs};

/// An agent that was checked and is ready to be called.
///
/// [`Agent::build`] makes one. Clones, routers and clients of it share its tasks; when the last of them is gone, what
/// still runs is dropped.
#[derive(Clone)]
pub struct BuiltAgent {
    engine: Arc<Engine>,
    /// The bindings that this handle serves.
    bindings: Vec<Binding>,
}

/// What all handles of an agent share.
pub(crate) struct Engine {
    agent: Agent,
    skills: Vec<SkillEntry>,
    tasks: Arc<Tasks>,
    pub(crate) operations: Operations,
}

impl Engine {
    /// The card, as it stands without a server.
    pub(crate) fn card(&self) -> AgentCard {
        self.agent.card_of(
            &self.skills,
            self.agent.url.as_deref().unwrap_or_else(|| self.agent.assumed_url()),
            &self.agent.bindings,
        )
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.tasks.abort();
    }
}

impl Agent {
    /// Checks the agent and makes it ready to be called.
    ///
    /// # Errors
    /// When it has no skills, two of the same id, a skill that joins no agent, or lacks a state. The error names all
    /// of that at once, with file and line.
    pub fn build(self) -> crate::Result<BuiltAgent> {
        let skills = self.checked_skills()?;
        let Settings { clock, retention, store, grace, check_input_modes, max_streams, .. } =
            self.settings.clone();
        let extended_card = self.extended_card.clone();
        let store = store.unwrap_or_else(|| Arc::new(MemoryStore::new(clock, retention)));
        let front = self.default_skill.as_ref().map(|skill| skill.id().to_owned());
        let settings = tasks::Settings { grace };
        let states = Arc::new(self.states.clone());
        let tasks = Tasks::new(store, Skills::new(skills.clone(), front), states, settings);
        #[cfg(feature = "push")]
        let tasks = match self.settings.webhooks.clone() {
            Some(policy) => tasks.with_webhooks(policy)?,
            None => tasks,
        };
        let tasks = Arc::new(tasks);
        let capabilities =
            Capabilities { streaming: self.streaming, check_input_modes, max_streams, extended_card };
        let operations = Operations::new(Arc::clone(&tasks), capabilities);
        tracing::debug!(agent = self.id, skills = skills.len(), "built");
        let bindings = self.bindings.clone();
        Ok(BuiltAgent { engine: Arc::new(Engine { agent: self, skills, tasks, operations }), bindings })
    }

    /// A client of the agent in this process, without any port: for tests, and for agents that call each other.
    ///
    /// # Errors
    /// When the agent cannot be built.
    pub fn client(self) -> crate::Result<Client> {
        Ok(self.build()?.client())
    }

    /// The routes of the agent, for a host's own axum app. They can be nested under a prefix: with `nest_service`, so
    /// that they are also reached with a slash at the end, which `nest` does not do.
    ///
    /// Set [`url`](Agent::url) to where they are reached, prefix included: the card says it.
    ///
    /// # Errors
    /// When the agent cannot be built.
    pub fn router(self) -> crate::Result<axum::Router> {
        Ok(self.build()?.router())
    }

    /// Serves the agent at that address until the process is told to stop (Ctrl-C or SIGTERM).
    ///
    /// # Errors
    /// When the agent cannot be built, or the address cannot be listened on.
    pub async fn serve(self, address: impl ToSocketAddrs + fmt::Display) -> crate::Result<()> {
        self.build()?.serve(address).await
    }
}

impl BuiltAgent {
    /// The card, as it stands without a server: see [`Agent::card`].
    pub fn card(&self) -> AgentCard {
        self.engine.card()
    }

    /// A client in this process.
    pub fn client(&self) -> Client {
        Client::in_process(Arc::clone(&self.engine))
    }

    /// The same agent, served over these of its bindings alone: for a listener, or a router, of their own.
    ///
    /// Say with [`Agent::binding_url`] where each is reached; a card names a binding that is elsewhere only then.
    ///
    /// ```no_run
    /// # /// Says it back.
    /// # #[a2a_sdk::agent]
    /// # async fn echo(text: String) -> String { text }
    /// use a2a_sdk::Binding::{Grpc, HttpJson, JsonRpc};
    ///
    /// # async fn serve() -> a2a_sdk::Result<()> {
    /// let agent = echo::agent().binding_url(Grpc, "127.0.0.1:50051").url("http://127.0.0.1:8080").build()?;
    /// let (http, grpc) = (agent.only([JsonRpc, HttpJson]), agent.only([Grpc]));
    /// let (http, grpc) = tokio::join!(http.serve("127.0.0.1:8080"), grpc.serve("127.0.0.1:50051"));
    /// http.and(grpc)
    /// # }
    /// ```
    #[must_use]
    pub fn only(&self, bindings: impl IntoIterator<Item = Binding>) -> Self {
        let bindings = bindings.into_iter().filter(|binding| self.bindings.contains(binding));
        Self { engine: Arc::clone(&self.engine), bindings: bindings.collect() }
    }

    /// The routes, for a host's own axum app.
    pub fn router(&self) -> axum::Router {
        server::router(self.app(&self.card()), &self.engine.agent.settings.layers)
    }

    /// Serves the agent at that address until the process is told to stop (Ctrl-C or SIGTERM). Told once more, it does
    /// not wait for what runs.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    pub async fn serve(&self, address: impl ToSocketAddrs + fmt::Display) -> crate::Result<()> {
        self.serve_until_told(listen(address).await?).await
    }

    /// Serves until a signal; a second one ends what the first still waits for.
    pub(super) async fn serve_until_told(&self, listener: TcpListener) -> crate::Result<()> {
        self.serve_until(listener, Until { stop: stop_signal(), hurry: stop_signal() }).await
    }

    /// Serves the agent on that listener until `stop` is over.
    ///
    /// Then no new connections are taken, streams end, and what runs has the drain time to end.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn serve_on(
        &self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> crate::Result<()> {
        self.serve_until(listener, Until { stop, hurry: std::future::pending() }).await
    }

    async fn serve_until(
        &self,
        listener: TcpListener,
        until: Until<impl Future<Output = ()>, impl Future<Output = ()>>,
    ) -> crate::Result<()> {
        let failed = |error| Error::io("the listener failed", error);
        let url = self.url_on(&listener).map_err(failed)?;
        tracing::info!(agent = self.engine.agent.id, url, "serving");
        if cfg!(panic = "abort") {
            tracing::warn!(
                "compiled with `panic = \"abort\"`: a skill that panics ends the server, not its task alone"
            );
        }
        let app = self.app(&self.card_at(&url));
        let routes = server::router(Arc::clone(&app), &self.engine.agent.settings.layers);
        let listener = Listener {
            tcp: listener,
            #[cfg(feature = "tls")]
            tls: self.tls()?,
        };
        server::serve(&app, routes, &self.engine.tasks, listener, &url, until).await.map_err(failed)
    }

    #[cfg(feature = "tls")]
    pub(super) fn tls(&self) -> crate::Result<Option<tokio_rustls::TlsAcceptor>> {
        let files = self.engine.agent.settings.tls.as_ref();
        let acceptor = files.map(|(certificate, key)| server::acceptor(certificate, key));
        acceptor.transpose().map_err(|error| Error::io("TLS cannot be served", error))
    }

    /// Where the agent is reached on that listener: what it says itself, else the address.
    pub(super) fn url_on(&self, listener: &TcpListener) -> std::io::Result<String> {
        if let Some(url) = &self.engine.agent.url {
            return Ok(url.clone());
        }
        let mut address = listener.local_addr()?;
        if address.ip().is_unspecified() {
            let local =
                if address.is_ipv4() { [127, 0, 0, 1].into() } else { std::net::Ipv6Addr::LOCALHOST.into() };
            address.set_ip(local);
            tracing::warn!(
                "the card says http://{address}; set the public URL for callers on other machines"
            );
        }
        Ok(format!("{}://{address}", self.scheme()))
    }

    /// What URLs of the agent's own listener begin with.
    pub(super) fn scheme(&self) -> &'static str {
        #[cfg(feature = "tls")]
        if self.engine.agent.settings.tls.is_some() {
            return "https";
        }
        "http"
    }

    pub(super) fn agent(&self) -> &Agent {
        &self.engine.agent
    }

    pub(super) fn skills(&self) -> &[SkillEntry] {
        &self.engine.skills
    }

    fn card_at(&self, url: &str) -> AgentCard {
        self.engine.agent.card_of(&self.engine.skills, url, &self.bindings)
    }

    fn app(&self, card: &AgentCard) -> Arc<App> {
        let Settings { body_limit, heartbeat, lenient_version, drain, .. } = self.engine.agent.settings;
        let legacy = self.engine.agent.legacy;
        let gate = Gate { lenient_version, legacy, extensions: card.capabilities.extensions.clone() };
        let settings = server::Settings {
            body_limit,
            heartbeat,
            drain,
            bindings: self.bindings.clone(),
            #[cfg(feature = "compat-0-3")]
            legacy,
            #[cfg(feature = "compat-0-3")]
            legacy_bytes: self.engine.agent.settings.legacy_bytes,
        };
        App::new(Arc::clone(&self.engine), card, gate, settings)
    }
}

impl fmt::Debug for BuiltAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BuiltAgent").field(&self.engine.agent).finish()
    }
}

pub(super) async fn listen(address: impl ToSocketAddrs + fmt::Display) -> crate::Result<TcpListener> {
    let what = format!("cannot listen on {address}");
    TcpListener::bind(address).await.map_err(|error| Error::io(what, error))
}

/// Is over when the process is told to stop.
async fn stop_signal() {
    let interrupt = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!(%error, "Ctrl-C is not heard");
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                let terminate = std::pin::pin!(terminate.recv());
                futures_util::future::select(std::pin::pin!(interrupt), terminate).await;
                return;
            }
            Err(error) => tracing::warn!(%error, "SIGTERM is not heard"),
        }
    }
    interrupt.await;
}
