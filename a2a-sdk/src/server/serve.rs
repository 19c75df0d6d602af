//! Listening, and stopping.

use super::{App, host};
use crate::tasks::Tasks;
use axum::Router;
use axum::serve::ListenerExt;
use std::future::{IntoFuture, poll_fn};
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// How often a store lets go of what its retention no longer keeps, also while nobody calls.
const SWEEP: Duration = Duration::from_secs(10);

/// Serves until `stop` is over, then stops: no new connections, streams end, what runs has the drain time.
pub(crate) async fn serve(
    app: Arc<App>,
    mut routes: Router,
    tasks: Arc<Tasks>,
    listener: TcpListener,
    public_url: &str,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    if address.ip().is_loopback() {
        let public = Arc::new(host::host_of_url(public_url));
        routes = routes.layer(axum::middleware::from_fn_with_state(public, host::only_local));
    }
    let listener = listener.tap_io(|connection| {
        // Without it the small last frame of a stream waits for an acknowledgement, 40 ms long.
        if let Err(error) = connection.set_nodelay(true) {
            tracing::debug!(%error, "the connection keeps its delay");
        }
    });
    let (stopped, stopping) = oneshot::channel::<()>();
    let closing = Arc::clone(&app);
    let graceful = async move {
        stop.await;
        tracing::info!("stopping: no new connections, streams end");
        closing.close_streams();
        _ = stopped.send(());
    };
    let mut server = pin!(axum::serve(listener, routes).with_graceful_shutdown(graceful).into_future());
    let drain = app.settings.drain;
    let mut late = pin!(async {
        // A sender that is gone means that the server has ended by itself.
        drop(stopping.await);
        tokio::time::sleep(drain).await;
    });
    let mut sweeping = pin!(async {
        loop {
            tokio::time::sleep(SWEEP).await;
            tasks.store.sweep();
        }
    });
    let served = poll_fn(|cx| {
        if let Poll::Ready(served) = server.as_mut().poll(cx) {
            return Poll::Ready(served);
        }
        if late.as_mut().poll(cx).is_ready() {
            tracing::warn!("stopped with connections still open");
            return Poll::Ready(Ok(()));
        }
        sweeping.as_mut().poll(cx)
    });
    served.await?;
    let left = tasks.drain(drain).await;
    if left > 0 {
        tracing::warn!(left, "stopped with tasks still running");
    }
    tasks.abort();
    Ok(())
}
