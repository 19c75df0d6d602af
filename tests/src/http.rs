//! A served agent, and a small HTTP client that shows what is on the wire.

use a2a_sdk::{Agent, BuiltAgent};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// An agent that is served on a port of its own.
#[derive(Debug)]
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<()>,
}

/// Serves an agent.
pub async fn serve(agent: Agent) -> Server {
    serve_built(agent.build().unwrap()).await
}

/// Serves an agent that the test keeps a handle of.
pub async fn serve_built(agent: BuiltAgent) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let served = tokio::spawn(async move {
        let stop = async { drop(stopped.await) };
        agent.serve_on(listener, stop).await.unwrap();
    });
    Server { address, stop: Some(stop), served }
}

impl Server {
    /// Its address as a URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Tells it to stop.
    pub fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Waits until it has stopped.
    pub async fn stopped(self) {
        self.served.await.unwrap();
    }

    /// Posts a body as JSON, for version 1.0.
    pub async fn post(&self, body: impl AsRef<[u8]>) -> Response {
        self.post_with("", body).await
    }

    /// Posts a body as JSON, for version 1.0, with more header lines.
    pub async fn post_with(&self, headers: &str, body: impl AsRef<[u8]>) -> Response {
        let headers = format!("Content-Type: application/json\r\nA2A-Version: 1.0\r\n{headers}");
        request(self.address, "POST", "/", &headers, body.as_ref()).await
    }

    /// Calls a method, and gives the whole envelope of the answer.
    pub async fn call(&self, method: &str, params: Value) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.post(body.to_string()).await.json().await
    }

    /// Calls a method whose answer is a stream, with more header lines.
    pub async fn stream(&self, method: &str, params: Value, headers: &str) -> Response {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.post_with(headers, body.to_string()).await
    }

    /// Reads a path.
    pub async fn get(&self, path: &str, headers: &str) -> Response {
        request(self.address, "GET", path, headers, b"").await
    }
}

/// An answer whose head has come.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    headers: Vec<(String, String)>,
    body: BufReader<TcpStream>,
    /// What is decoded of the body and not yet taken.
    pending: Vec<u8>,
    over: bool,
}

/// An event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its id; empty where it has none.
    pub id: String,
    /// Its data, which is JSON.
    pub data: Value,
}

/// Sends a request over a connection of its own, and waits for the head of the answer.
///
/// Adds `Host` where `headers` has none.
pub async fn request(address: SocketAddr, method: &str, path: &str, headers: &str, body: &[u8]) -> Response {
    let mut connection = TcpStream::connect(address).await.unwrap();
    let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n{headers}");
    if !headers.to_ascii_lowercase().contains("host:") {
        head.push_str(&format!("Host: {address}\r\n"));
    }
    if !headers.to_ascii_lowercase().contains("content-length:") && method != "GET" {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    head.push_str("\r\n");
    connection.write_all(head.as_bytes()).await.unwrap();
    // A server that refuses a large body closes while it is still being sent.
    drop(connection.write_all(body).await);
    read_head(BufReader::new(connection)).await
}

async fn read_head(mut body: BufReader<TcpStream>) -> Response {
    let mut line = String::new();
    body.read_line(&mut line).await.unwrap();
    let status =
        line.split(' ').nth(1).unwrap_or_else(|| panic!("no status line: `{line}`")).parse().unwrap();
    let mut headers = Vec::new();
    loop {
        line.clear();
        body.read_line(&mut line).await.unwrap();
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    Response { status, headers, body, pending: Vec::new(), over: false }
}

impl Response {
    /// A header, or an empty text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// The whole body.
    pub async fn bytes(mut self) -> Vec<u8> {
        while self.fill().await {}
        self.pending
    }

    /// The whole body, as text.
    pub async fn text(self) -> String {
        String::from_utf8(self.bytes().await).unwrap()
    }

    /// The whole body, as JSON.
    pub async fn json(self) -> Value {
        let bytes = self.bytes().await;
        serde_json::from_slice(&bytes)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&bytes)))
    }

    /// The next event of a stream, `None` at its end. Comments are passed over.
    pub async fn event(&mut self) -> Option<Event> {
        loop {
            let record = self.record().await?;
            let mut event = Event { id: String::new(), data: Value::Null };
            for line in record.lines() {
                if let Some(id) = line.strip_prefix("id: ") {
                    event.id = id.to_owned();
                } else if let Some(data) = line.strip_prefix("data: ") {
                    event.data = serde_json::from_str(data).unwrap();
                } else {
                    assert!(line.starts_with(':'), "a line that is no field: `{line}`");
                }
            }
            if event.data != Value::Null {
                return Some(event);
            }
        }
    }

    /// All events that are left.
    pub async fn events(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.event().await {
            events.push(event);
        }
        events
    }

    /// The next record of a stream: what stands before an empty line.
    pub async fn record(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.pending.windows(2).position(|pair| pair == b"\n\n") {
                let record: Vec<u8> = self.pending.drain(..end + 2).collect();
                return Some(String::from_utf8(record).unwrap().trim_end().to_owned());
            }
            if !self.fill().await {
                assert!(self.pending.is_empty(), "the stream ends within an event");
                return None;
            }
        }
    }

    /// Reads some more of the body; `false` at its end.
    async fn fill(&mut self) -> bool {
        if self.over {
            return false;
        }
        if self.header("transfer-encoding") == "chunked" {
            let mut size = String::new();
            self.body.read_line(&mut size).await.unwrap();
            let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
            self.over = size == 0;
            let start = self.pending.len();
            self.pending.resize(start + size, 0);
            self.body.read_exact(&mut self.pending[start..]).await.unwrap();
            self.body.read_line(&mut String::new()).await.unwrap();
        } else {
            let length: usize = self.header("content-length").parse().unwrap_or(0);
            self.over = true;
            let start = self.pending.len();
            self.pending.resize(start + length, 0);
            self.body.read_exact(&mut self.pending[start..]).await.unwrap();
        }
        true
    }
}
