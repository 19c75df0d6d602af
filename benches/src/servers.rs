//! The SDK's server beside a bare axum handler that parses the same request and gives the same answer.

use crate::http::Connection;
use crate::process::Server;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use futures_util::stream;
use serde::Deserialize;
use serde_json::Value;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Requests, or streams, that are measured, after a tenth of them to warm up.
const SENDS: usize = 20_000;
const EVENTS: usize = 100_000;

/// Says it back.
#[a2a_sdk::agent]
async fn echo(text: String) -> String {
    text
}

mod streaming {
    use futures_util::{Stream, stream};

    /// Counts.
    #[a2a_sdk::agent]
    pub(super) async fn count(text: String) -> impl Stream<Item = String> {
        let count: usize = text.parse().unwrap_or(0);
        stream::iter((0..count).map(|n| format!("chunk {n} ")))
    }
}

fn body(method: &str, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"message":{{"messageId":"0190a4f2-0000-7000-8000-000000000000","role":"ROLE_USER","parts":[{{"text":"{text}"}}]}}}}}}"#
    )
}

/// CPU time of a `SendMessage`, as a multiple of the floor.
pub(crate) fn send() {
    let request = body("SendMessage", "hello");
    let [floor, ours] = ["floor", "echo"].map(|kind| {
        let server = Server::start(kind);
        let mut connection = Connection::open(server.address, &request);
        (0..SENDS / 10).for_each(|_| _ = connection.call());
        let before = server.cpu();
        (0..SENDS).for_each(|_| _ = connection.call());
        (server.cpu() - before).as_secs_f64() / SENDS as f64
    });
    println!(
        "send: {:.2} x the floor ({:.1} us beside {:.1} us of CPU)",
        ours / floor,
        ours * 1e6,
        floor * 1e6
    );
}

/// CPU time of an event of a stream, as a multiple of the floor, for streams of several lengths.
pub(crate) fn stream() {
    for chunks in [25, 100, 400] {
        let [floor, ours] = [format!("floor-{chunks}"), "count".to_owned()].map(|kind| {
            let server = Server::start(&kind);
            let mut connection =
                Connection::open(server.address, &body("SendStreamingMessage", &chunks.to_string()));
            let streams = EVENTS / chunks;
            (0..streams / 10 + 1).for_each(|_| _ = connection.call());
            let events = String::from_utf8_lossy(connection.answer()).matches("data: ").count();
            let before = server.cpu();
            (0..streams).for_each(|_| _ = connection.call());
            (server.cpu() - before).as_secs_f64() / (streams * events) as f64
        });
        println!(
            "stream of {chunks}: {:.2} x the floor per event ({:.2} us beside {:.2} us of CPU)",
            ours / floor,
            ours * 1e6,
            floor * 1e6
        );
    }
}

/// Serves until killed, and prints the address first.
pub(crate) fn serve(kind: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        println!("{}", listener.local_addr().expect("it has an address"));
        let never = std::future::pending();
        match kind {
            "echo" => echo::agent()
                .build()
                .expect("it is complete")
                .serve_on(listener, never)
                .await
                .expect("it serves"),
            "count" => {
                let agent = streaming::count::agent().build().expect("it is complete");
                agent.serve_on(listener, never).await.expect("it serves");
            }
            floor if floor.starts_with("grpc-") => crate::grpc::serve_floor(floor, listener).await,
            floor => serve_floor(floor, listener).await,
        }
    });
}

/// Parses a request, and gives an answer that was made before: what no server can do without.
async fn serve_floor(kind: &str, listener: TcpListener) {
    let chunks: usize = kind.strip_prefix("floor-").and_then(|chunks| chunks.parse().ok()).unwrap_or(0);
    // Three events besides the chunks: the task, that it works, and that it is done.
    let answers = Arc::new(canned(chunks));
    let handler = move |request: Request| {
        let answers = Arc::clone(&answers);
        async move {
            let body = to_bytes(request.into_body(), 1 << 20).await.expect("a whole body");
            let envelope: Envelope = serde_json::from_slice(&body).expect("a request");
            std::hint::black_box(&envelope);
            if chunks == 0 {
                let mut response = Response::new(Body::from(answers[0].clone()));
                response.headers_mut().insert("content-type", "application/json".parse().expect("a header"));
                return response;
            }
            let answers = (0..answers.len()).map(move |n| answers[n].clone());
            let mut response =
                Response::new(Body::from_stream(stream::iter(answers.map(Ok::<_, Infallible>))));
            response.headers_mut().insert("content-type", "text/event-stream".parse().expect("a header"));
            response
        }
    };
    let listener = axum::serve::ListenerExt::tap_io(listener, |connection| _ = connection.set_nodelay(true));
    axum::serve(listener, Router::new().route("/", post(handler))).await.expect("it serves");
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "parsing it is what is measured")]
struct Envelope {
    jsonrpc: String,
    id: Value,
    method: String,
    params: Value,
}

/// The answers that the SDK gives to the same request.
fn canned(chunks: usize) -> Vec<Bytes> {
    let task = r#"{"id":"0190a4f2-0000-7000-8000-000000000000","contextId":"0190a4f2-0000-7000-8000-000000000001","status":{"state":"TASK_STATE_COMPLETED","timestamp":"2026-01-01T00:00:00.000Z"},"artifacts":[{"artifactId":"artifact-1","parts":[{"text":"hello"}]}],"history":[{"messageId":"0190a4f2-0000-7000-8000-000000000000","contextId":"0190a4f2-0000-7000-8000-000000000001","taskId":"0190a4f2-0000-7000-8000-000000000000","role":"ROLE_USER","parts":[{"text":"hello"}]}],"metadata":{"urn:x-a2a-rust:skills:v1":{"skill":"echo"}}}"#;
    if chunks == 0 {
        return vec![Bytes::from(format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"task":{task}}}}}"#))];
    }
    let frame = |result: String| {
        let id = "id: 0190a4f2-0000-7000-8000-000000000000:1";
        Bytes::from(format!("{id}\ndata: {{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{result}}}\n\n"))
    };
    let ids = r#""taskId":"0190a4f2-0000-7000-8000-000000000000","contextId":"0190a4f2-0000-7000-8000-000000000001""#;
    let mut frames = vec![frame(format!(r#"{{"task":{task}}}"#))];
    for n in 0..chunks {
        frames.push(frame(format!(
            r#"{{"artifactUpdate":{{{ids},"artifact":{{"artifactId":"artifact-1","parts":[{{"text":"chunk {n} "}}]}},"append":true}}}}"#
        )));
    }
    for state in ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"] {
        frames.push(frame(format!(
            r#"{{"statusUpdate":{{{ids},"status":{{"state":"{state}","timestamp":"2026-01-01T00:00:00.000Z"}}}}}}"#
        )));
    }
    frames
}
