//! A client that costs as little as it can: one connection, one request at a time.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

pub(crate) struct Connection {
    stream: TcpStream,
    request: Vec<u8>,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr, body: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("the connection is open");
        let request = format!(
            "POST / HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\na2a-version: 1.0\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        Self { stream, request: request.into_bytes(), buffer: Vec::with_capacity(1 << 16) }
    }

    /// Sends the request and reads the whole answer; gives its length.
    pub(crate) fn call(&mut self) -> usize {
        self.stream.write_all(&self.request).expect("the server reads");
        self.buffer.clear();
        let mut chunk = [0; 1 << 16];
        loop {
            let read = self.stream.read(&mut chunk).expect("the server answers");
            assert!(read > 0, "the server closed: {}", String::from_utf8_lossy(&self.buffer));
            self.buffer.extend_from_slice(&chunk[..read]);
            if self.is_whole() {
                assert!(
                    self.buffer.starts_with(b"HTTP/1.1 200"),
                    "{}",
                    String::from_utf8_lossy(&self.buffer)
                );
                return self.buffer.len();
            }
        }
    }

    pub(crate) fn answer(&self) -> &[u8] {
        &self.buffer
    }

    fn is_whole(&self) -> bool {
        let Some(head) = find(&self.buffer, b"\r\n\r\n") else { return false };
        let headers = String::from_utf8_lossy(&self.buffer[..head]).to_ascii_lowercase();
        match headers
            .split("content-length: ")
            .nth(1)
            .and_then(|rest| rest.lines().next()?.trim().parse::<usize>().ok())
        {
            Some(length) => self.buffer.len() >= head + 4 + length,
            None => self.buffer.ends_with(b"0\r\n\r\n"),
        }
    }
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    text.windows(needle.len()).position(|window| window == needle)
}
