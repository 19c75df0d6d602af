//! An agent that runs elsewhere.

use super::binding::Interface;
use super::card::Known;
use super::error::ClientError;
use super::http::Http;
#[cfg(feature = "compat-0-3")]
use super::older;
use super::operation::Operation;
use super::source::{Opening, Source};
use super::stream::EventStream;
use super::{jsonrpc, rest, resume};
use crate::agent::Binding;
use crate::protocol::AgentCard;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock};

/// What all handles of a remote agent share.
#[derive(Debug)]
pub(super) struct Remote {
    http: Http,
    bindings: Vec<Binding>,
    /// The tenant that is spoken to, in place of that of the interface.
    tenant: Option<String>,
    known: RwLock<Arc<Known>>,
}

impl Remote {
    pub(super) fn new(http: Http, bindings: Vec<Binding>, tenant: Option<String>, known: Known) -> Self {
        Self { http, bindings, tenant, known: RwLock::new(Arc::new(known)) }
    }

    pub(super) fn resumes(&self) -> bool {
        self.http.settings.resume
    }

    fn known(&self) -> Arc<Known> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn card(&self) -> Arc<AgentCard> {
        Arc::clone(&self.known().card)
    }

    pub(super) fn binding(&self) -> Option<Binding> {
        let known = self.known();
        known.interfaces.get(known.current.load(Ordering::Relaxed)).map(|interface| interface.binding)
    }

    pub(super) async fn refresh_card(&self) -> Result<Arc<AgentCard>, ClientError> {
        if let Some(known) = self.known().refresh(&self.http, &self.bindings).await? {
            *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(known);
        }
        Ok(self.card())
    }

    /// Calls an operation that has one answer.
    pub(super) async fn call<O: Operation>(&self, request: O) -> Result<O::Answer, ClientError> {
        let settings = &self.http.settings;
        let limit = if request.waits() { settings.send_timeout } else { Some(settings.timeout) };
        let answer = self.over(|interface| {
            let mut request = request.clone();
            self.address(request.tenant(), &interface);
            async move {
                let url = &interface.url;
                #[cfg(feature = "compat-0-3")]
                if interface.older {
                    return older::call(&self.http, interface.binding, url, request).await;
                }
                match interface.binding {
                    Binding::JsonRpc => jsonrpc::call(&self.http, url, &request).await,
                    Binding::HttpJson => rest::call(&self.http, url, request).await,
                    #[cfg(feature = "grpc")]
                    Binding::Grpc => super::grpc::call(&self.http, url, request).await,
                    #[cfg(not(feature = "grpc"))]
                    Binding::Grpc => Err(ClientError::unusable("gRPC is not compiled in")),
                }
            }
        });
        let Some(limit) = limit else { return answer.await };
        match tokio::time::timeout(limit, answer).await {
            Ok(answer) => answer,
            Err(_) => Err(ClientError::timeout(format!("{} took longer than {limit:?}", O::NAME))),
        }
    }

    /// Opens a connection of a stream.
    pub(super) async fn open(&self, opening: Opening) -> Result<Source, ClientError> {
        self.over(|interface| {
            let mut opening = opening.clone();
            self.address(opening.tenant(), &interface);
            async move {
                let url = &interface.url;
                #[cfg(feature = "compat-0-3")]
                if interface.older {
                    return older::open(&self.http, interface.binding, url, &opening).await;
                }
                match interface.binding {
                    Binding::JsonRpc => jsonrpc::open(&self.http, url, &opening).await,
                    Binding::HttpJson => rest::open(&self.http, url, &opening).await,
                    #[cfg(feature = "grpc")]
                    Binding::Grpc => super::grpc::open(&self.http, url, &opening).await,
                    #[cfg(not(feature = "grpc"))]
                    Binding::Grpc => Err(ClientError::unusable("gRPC is not compiled in")),
                }
            }
        })
        .await
    }

    /// Opens a stream that goes on when its connection breaks.
    pub(super) async fn stream(self: &Arc<Self>, opening: Opening) -> Result<EventStream, ClientError> {
        let source = self.open(opening.clone()).await?;
        Ok(resume::stream(Arc::clone(self), source, opening))
    }

    /// Makes a call over the interface that is in use, and over the others where that cannot be reached.
    async fn over<T, F: Future<Output = Result<T, ClientError>>>(
        &self,
        call: impl Fn(Interface) -> F,
    ) -> Result<T, ClientError> {
        let known = self.known();
        let (count, first) = (known.interfaces.len(), known.current.load(Ordering::Relaxed));
        let mut failed = None;
        for at in (0..count).map(|n| (first + n) % count) {
            match call(known.interfaces[at].clone()).await {
                // Nothing was sent, so nothing is sent twice.
                Err(error) if error.is_before_sending() => {
                    tracing::debug!(interface = %known.interfaces[at].url, %error, "cannot be reached");
                    failed.get_or_insert(error);
                }
                answered => {
                    known.current.store(at, Ordering::Relaxed);
                    return answered;
                }
            }
        }
        Err(failed.unwrap_or_else(|| ClientError::no_interface("the card offers no interface")))
    }

    /// Says which tenant is meant, unless the request does.
    fn address(&self, tenant: &mut Option<String>, interface: &Interface) {
        if tenant.is_none() {
            *tenant = self.tenant.clone().or_else(|| interface.tenant.clone());
        }
    }
}
