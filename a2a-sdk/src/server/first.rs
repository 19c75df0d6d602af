//! Connections on which nothing comes.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// What an HTTP/2 connection begins with.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection that breaks if its client does not show in time which HTTP it speaks. From there on, the limits of
/// that HTTP hold.
pub(super) struct First<C> {
    connection: C,
    /// How much of the preface has come, and the time until which the rest must.
    waits: Option<(usize, Pin<Box<Sleep>>)>,
}

impl<C> First<C> {
    pub(super) fn new(connection: C, limit: Duration) -> Self {
        Self { connection, waits: Some((0, Box::pin(tokio::time::sleep(limit)))) }
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for First<C> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { connection, waits } = self.get_mut();
        let before = buffer.filled().len();
        let Some((seen, timer)) = waits else { return Pin::new(connection).poll_read(cx, buffer) };
        match Pin::new(connection).poll_read(cx, buffer) {
            Poll::Ready(result) => {
                let came = buffer.filled().get(before..).unwrap_or_default();
                let expected = PREFACE.get(*seen..).unwrap_or_default();
                *seen += came.len();
                if !expected.starts_with(came) || *seen >= PREFACE.len() {
                    *waits = None;
                }
                Poll::Ready(result)
            }
            Poll::Pending => {
                ready!(timer.as_mut().poll(cx));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl<C: AsyncWrite + Unpin> AsyncWrite for First<C> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().connection).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().connection).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().connection).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().connection).poll_shutdown(cx)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    const LIMIT: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn silence_and_half_a_preface_end_the_connection() {
        for sent in [&b""[..], b"PRI * HT"] {
            let (mut client, server) = duplex(64);
            client.write_all(sent).await.unwrap();
            let mut server = First::new(server, LIMIT);
            let mut came = vec![0; sent.len()];
            server.read_exact(&mut came).await.unwrap();
            assert_eq!(server.read_u8().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_shows_what_it_speaks_has_time() {
        for sent in [&b"G"[..], PREFACE] {
            let (mut client, server) = duplex(64);
            client.write_all(sent).await.unwrap();
            let mut server = First::new(server, LIMIT);
            server.read_exact(&mut vec![0; sent.len()]).await.unwrap();
            tokio::time::sleep(2 * LIMIT).await;
            client.write_u8(7).await.unwrap();
            assert_eq!(server.read_u8().await.unwrap(), 7);
        }
    }
}
