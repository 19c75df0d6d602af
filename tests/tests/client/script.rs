//! A server that does what a test tells it, byte by byte.

use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// `GET /path`
    pub(crate) line: String,
    /// The lines of the head, in lower case.
    pub(crate) head: Vec<String>,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The id of a JSON-RPC request.
    pub(crate) fn id(&self) -> u64 {
        serde_json::from_str::<serde_json::Value>(&self.body).unwrap()["id"].as_u64().unwrap()
    }
}

pub(crate) enum Step {
    Bytes(Vec<u8>),
    /// Waits until the client lets go of the connection, and says so.
    UntilClosed,
}

/// A server that is gone when it is dropped.
pub(crate) struct Script {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    pub(crate) closed: Arc<Notify>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Script {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Script {
    /// One connection for each request, answered by `answer`, which gets the number of the request and the URL.
    pub(crate) async fn run(
        answer: impl Fn(usize, &Seen, &str) -> Vec<Step> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (seen, closed) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Notify::new()));
        let task = tokio::spawn({
            let (seen, closed, url, answer) =
                (Arc::clone(&seen), Arc::clone(&closed), url.clone(), Arc::new(answer));
            async move {
                while let Ok((mut socket, _)) = listener.accept().await {
                    let (seen, closed, url) = (Arc::clone(&seen), Arc::clone(&closed), url.clone());
                    let answer = Arc::clone(&answer);
                    tokio::spawn(async move {
                        let Some(request) = read(&mut socket).await else { return };
                        let number = {
                            let mut seen = seen.lock().unwrap();
                            seen.push(request.clone());
                            seen.len() - 1
                        };
                        for step in answer(number, &request, &url) {
                            match step {
                                Step::Bytes(bytes) => drop(socket.write_all(&bytes).await),
                                Step::UntilClosed => {
                                    let mut byte = [0];
                                    while matches!(socket.read(&mut byte).await, Ok(1)) {}
                                    closed.notify_one();
                                }
                            }
                        }
                        let _ = socket.shutdown().await;
                    });
                }
            }
        });
        Self { url, seen, closed, task }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

async fn read(socket: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = text.lines();
    let line = lines.next()?.trim_end_matches(" HTTP/1.1").to_owned();
    let head: Vec<String> = lines.map(str::to_lowercase).collect();
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    while bytes.len() < end + length.unwrap_or(0) {
        if socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(Seen { line, head, body: String::from_utf8_lossy(&bytes[end..]).into_owned() })
}

/// A whole answer.
pub(crate) fn answer(status: &str, content_type: &str, body: &str) -> Vec<Step> {
    with_header(status, &format!("content-type: {content_type}"), body)
}

pub(crate) fn with_header(status: &str, header: &str, body: &str) -> Vec<Step> {
    let text = format!(
        "HTTP/1.1 {status}\r\n{header}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    vec![Step::Bytes(text.into())]
}

pub(crate) fn json(body: &str) -> Vec<Step> {
    answer("200 OK", "application/json", body)
}

/// A stream that ends in an orderly way, in chunks of that size.
pub(crate) fn events(body: &str, chunk: usize) -> Vec<Step> {
    let mut steps = cut_events(body, chunk);
    steps.push(Step::Bytes(b"0\r\n\r\n".to_vec()));
    steps
}

/// A stream whose connection breaks after these events.
pub(crate) fn cut_events(body: &str, chunk: usize) -> Vec<Step> {
    let mut text: Vec<u8> = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\
        transfer-encoding: chunked\r\nconnection: close\r\n\r\n"
        .to_vec();
    for chunk in body.as_bytes().chunks(chunk) {
        text.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        text.extend_from_slice(chunk);
        text.extend_from_slice(b"\r\n");
    }
    vec![Step::Bytes(text)]
}

/// A card with these interfaces: binding and address.
pub(crate) fn card(interfaces: &[(&str, &str)]) -> String {
    let interfaces: Vec<String> = interfaces
        .iter()
        .map(|(binding, url)| {
            format!(r#"{{"url":"{url}","protocolBinding":"{binding}","protocolVersion":"1.0"}}"#)
        })
        .collect();
    let interfaces = interfaces.join(",");
    format!(
        r#"{{"name":"scripted","description":"d","version":"1","capabilities":{{"streaming":true}},"supportedInterfaces":[{interfaces}],"skills":[],"defaultInputModes":[],"defaultOutputModes":[]}}"#
    )
}

pub(crate) fn is_card(seen: &Seen) -> bool {
    seen.line.ends_with("agent-card.json")
}

/// A task in that state, as JSON.
pub(crate) fn task(state: &str) -> String {
    format!(r#"{{"id":"t","contextId":"c","status":{{"state":"TASK_STATE_{state}"}}}}"#)
}

/// A stream response: the task entered that state.
pub(crate) fn status(state: &str) -> String {
    format!(
        r#"{{"statusUpdate":{{"taskId":"t","contextId":"c","status":{{"state":"TASK_STATE_{state}"}}}}}}"#
    )
}

/// A stream response: a chunk with that text.
pub(crate) fn chunk(text: &str) -> String {
    format!(
        r#"{{"artifactUpdate":{{"taskId":"t","contextId":"c","append":true,"artifact":{{"artifactId":"a","parts":[{{"text":"{text}"}}]}}}}}}"#
    )
}
