//! Listening, and stopping.

use super::first::First;
use super::{App, host};
use crate::tasks::Tasks;
use axum::Router;
use futures_util::future::{Either, select};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// How often a store lets go of what its retention no longer keeps, also while nobody calls.
const SWEEP: Duration = Duration::from_secs(10);

/// How long a client may take to send the head of a request, or to make a TLS connection.
const HEAD: Duration = Duration::from_secs(30);

/// How often a silent HTTP/2 connection is asked whether it lives, and how long it may take to say so.
const PING: Duration = Duration::from_secs(30);
const PONG: Duration = Duration::from_secs(20);

/// How many connections there may be.
const CONNECTIONS: usize = 10_000;

/// How long nothing is accepted after accepting failed, for want of file descriptors for instance.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Where connections come from, and what is done to them first.
pub(crate) struct Listener {
    pub(crate) tcp: TcpListener,
    #[cfg(feature = "tls")]
    pub(crate) tls: Option<tokio_rustls::TlsAcceptor>,
}

/// When a server stops.
pub(crate) struct Until<S, H> {
    pub(crate) stop: S,
    /// When it no longer waits for what runs.
    pub(crate) hurry: H,
}

/// Serves until `stop` is over, then stops: no new connections, streams end, what runs has the drain time.
pub(crate) async fn serve(
    app: &App,
    mut routes: Router,
    tasks: &Tasks,
    listener: Listener,
    public_url: &str,
    until: Until<impl Future<Output = ()>, impl Future<Output = ()>>,
) -> io::Result<()> {
    if listener.tcp.local_addr()?.ip().is_loopback() {
        let public = Arc::new(host::host_of_url(public_url));
        routes = routes.layer(axum::middleware::from_fn_with_state(public, host::only_local));
    }
    let mut connections = Connections::new(routes);
    {
        let mut stop = pin!(until.stop);
        let mut accepting = pin!(connections.accept(&listener));
        let mut sweeping = pin!(async {
            loop {
                tokio::time::sleep(SWEEP).await;
                tasks.store.sweep();
            }
        });
        poll_fn(|cx| {
            let (Poll::Pending, Poll::Pending) = (accepting.as_mut().poll(cx), sweeping.as_mut().poll(cx));
            stop.as_mut().poll(cx)
        })
        .await;
    }
    drop(listener);
    tracing::info!("stopping: no new connections, streams end");
    app.close_streams();
    let deadline = tokio::time::Instant::now() + app.settings.drain;
    let drained = async {
        if tokio::time::timeout_at(deadline, connections.drain()).await.is_err() {
            tracing::warn!("stopped with connections still open");
        }
        let left = tasks.drain(deadline.saturating_duration_since(tokio::time::Instant::now())).await;
        if left > 0 {
            tracing::warn!(left, "stopped with tasks still running; they are dropped");
        }
    };
    if let Either::Right(_) = select(pin!(drained), pin!(until.hurry)).await {
        tracing::warn!("told to stop once more: what still runs is dropped");
    }
    tasks.abort();
    Ok(())
}

/// The connections of a server. They are cut when this is dropped.
struct Connections {
    routes: Router,
    builder: Arc<auto::Builder<TokioExecutor>>,
    graceful: GracefulShutdown,
    running: JoinSet<()>,
}

impl Connections {
    fn new(routes: Router) -> Self {
        let mut builder = auto::Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD);
        builder.http2().timer(TokioTimer::new()).keep_alive_interval(Some(PING)).keep_alive_timeout(PONG);
        Self {
            routes,
            builder: Arc::new(builder),
            graceful: GracefulShutdown::new(),
            running: JoinSet::new(),
        }
    }

    /// Takes connections for ever.
    async fn accept(&mut self, listener: &Listener) -> std::convert::Infallible {
        loop {
            let (connection, peer) = accepted(|| listener.tcp.accept()).await;
            if self.running.len() >= CONNECTIONS {
                tracing::warn!(%peer, "refused a connection: there are {CONNECTIONS}");
            } else {
                tracing::debug!(%peer, "connected");
                self.take(connection, listener);
            }
            // Those that are over are let go.
            while self.running.try_join_next().is_some() {}
        }
    }

    #[cfg_attr(not(feature = "tls"), expect(unused_variables, reason = "it tells about TLS"))]
    fn take(&mut self, connection: TcpStream, listener: &Listener) {
        // Without it the small last frame of a stream waits for an acknowledgement, 40 ms long.
        if let Err(error) = connection.set_nodelay(true) {
            tracing::debug!(%error, "the connection keeps its delay");
        }
        #[cfg(feature = "tls")]
        if let Some(tls) = listener.tls.clone() {
            let (builder, routes, watcher) =
                (Arc::clone(&self.builder), self.routes.clone(), self.graceful.watcher());
            self.running.spawn(async move {
                match tokio::time::timeout(HEAD, tls.accept(connection)).await {
                    Ok(Ok(connection)) => run(&builder, routes, watcher, connection).await,
                    Ok(Err(error)) => tracing::debug!(%error, "no TLS connection came about"),
                    Err(_) => tracing::debug!("no TLS connection came about in time"),
                }
            });
            return;
        }
        let (builder, routes, watcher) =
            (Arc::clone(&self.builder), self.routes.clone(), self.graceful.watcher());
        self.running.spawn(async move { run(&builder, routes, watcher, connection).await });
    }

    /// Waits until all connections have ended by themselves.
    async fn drain(mut self) {
        self.graceful.shutdown().await;
        while self.running.join_next().await.is_some() {}
    }
}

async fn run(
    builder: &auto::Builder<TokioExecutor>,
    routes: Router,
    watcher: hyper_util::server::graceful::Watcher,
    connection: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
) {
    let service = TowerToHyperService::new(routes);
    let connection = builder.serve_connection(TokioIo::new(First::new(connection, HEAD)), service);
    if let Err(error) = watcher.watch(connection.into_owned()).await {
        tracing::debug!(%error, "a connection broke");
    }
}

/// The next connection. An error of one of them, or of accepting, ends nothing.
async fn accepted<C, F>(mut accept: impl FnMut() -> F) -> C
where
    F: Future<Output = io::Result<C>>,
{
    loop {
        match accept().await {
            Ok(connection) => return connection,
            Err(error) if is_of_one(&error) => tracing::debug!(%error, "a connection was gone at once"),
            Err(error) => {
                tracing::error!(%error, "cannot accept connections; trying again");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Whether an error of accepting is about the one connection alone.
fn is_of_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn accepting_goes_on_after_errors_and_pauses_where_all_would_fail() {
        // Too many open files, of the process and of the system.
        let (full, all_full) = (|| io::Error::from_raw_os_error(24), || io::Error::from_raw_os_error(23));
        let aborted = || io::Error::from(io::ErrorKind::ConnectionAborted);
        for (errors, pauses) in [
            (vec![], 0),
            (vec![aborted(), aborted()], 0),
            (vec![full(), full(), all_full()], 3),
            (vec![full(), aborted()], 1),
        ] {
            let mut outcomes = errors.into_iter().map(Err).chain([Ok("connected")]);
            let begun = Instant::now();
            let connection = accepted(|| std::future::ready(outcomes.next().unwrap())).await;
            assert_eq!((connection, begun.elapsed()), ("connected", pauses * ACCEPT_PAUSE));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn half_a_head_and_then_silence_ends_the_connection() {
        for sent in ["POST / HTTP/1.1\r\nHost: x\r\nContent-Ty", "GET /", "G", ""] {
            let connections = Connections::new(Router::new());
            let (mut client, server) = duplex(1024);
            let serving = tokio::spawn({
                let (builder, watcher) = (Arc::clone(&connections.builder), connections.graceful.watcher());
                async move { run(&builder, Router::new(), watcher, server).await }
            });
            let begun = Instant::now();
            client.write_all(sent.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            client.read_to_end(&mut answer).await.unwrap();
            serving.await.unwrap();
            let waited = begun.elapsed();
            assert!(waited >= HEAD && waited < 2 * HEAD, "{sent:?} {waited:?}");
        }
    }
}
