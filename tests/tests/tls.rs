//! TLS with a certificate of one's own: every binding over it, and what is wrong with it told clearly.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::Agent;
use a2a_tests::http::{Server, serve};
use bytes::Bytes;
use http::{Method, Request};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Says it back.
#[a2a_sdk::agent]
async fn echo(text: String) -> String {
    text
}

/// A certificate for `localhost`, in files that go with it.
struct Files {
    folder: PathBuf,
    certificate: CertificateDer<'static>,
}

impl Files {
    fn new(name: &str) -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let folder =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tls-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("cert.pem"), made.cert.pem()).unwrap();
        std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
        std::fs::write(folder.join("garbled.pem"), "-----BEGIN CERTIFICATE-----\nnonsense\n").unwrap();
        std::fs::write(folder.join("empty.pem"), "").unwrap();
        Self { folder, certificate: made.cert.der().clone() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn agent(&self) -> Agent {
        echo::agent().tls(self.path("cert.pem"), self.path("key.pem"))
    }

    async fn connect(&self, server: &Server, protocols: &[&str]) -> std::io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap();
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        let name = ServerName::try_from("localhost").unwrap();
        let connection = TcpStream::connect(server.address).await?;
        let connecting = TlsConnector::from(Arc::new(config)).connect(name, connection);
        tokio::time::timeout(Duration::from_secs(20), connecting).await.unwrap()
    }

    /// An HTTP/1.1 request, and the whole answer.
    async fn http1(&self, server: &Server, head: &str, body: &str) -> String {
        let mut connection = self.connect(server, &["http/1.1"]).await.unwrap();
        assert_eq!(connection.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
        let length = body.len();
        let request = format!(
            "{head}\r\nHost: localhost\r\nConnection: close\r\nA2A-Version: 1.0\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn body_of(answer: &str) -> Value {
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

fn call() -> String {
    let message = json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "hi" }] });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": { "message": message } })
        .to_string()
}

async fn is_alive(files: &Files, server: &Server) {
    let answer = body_of(&files.http1(server, "POST / HTTP/1.1", &call()).await);
    assert_eq!(answer["result"]["task"]["artifacts"][0]["parts"][0]["text"], "hi");
}

#[tokio::test]
async fn http_1_1_is_spoken_where_it_is_chosen() {
    let files = Files::new("http1");
    let server = serve(files.agent()).await;
    is_alive(&files, &server).await;
    let list = body_of(&files.http1(&server, "GET /tasks HTTP/1.1", "").await);
    assert_eq!(list["totalSize"], 1);
}

#[tokio::test]
async fn http_2_is_chosen_first_and_carries_every_binding() {
    let files = Files::new("http2");
    let server = serve(files.agent()).await;
    let connection = files.connect(&server, &["http/1.1", "h2"]).await.unwrap();
    assert_eq!(connection.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let (mut client, connection) = h2::client::handshake(connection).await.unwrap();
    let connection = tokio::spawn(connection);
    let call = call();
    for (method, path, kind, body) in [
        (Method::POST, "/", "application/json", call.as_bytes()),
        (Method::GET, "/tasks", "application/json", b""),
        (Method::GET, "/.well-known/agent-card.json", "application/json", b""),
        (Method::POST, "/lf.a2a.v1.A2AService/ListTasks", "application/grpc", &[0; 5]),
    ] {
        client = client.ready().await.unwrap();
        let request = Request::builder().method(method).uri(format!("https://localhost{path}"));
        let request =
            request.header("content-type", kind).header("a2a-version", "1.0").header("te", "trailers");
        let (response, mut sending) = client.send_request(request.body(()).unwrap(), false).unwrap();
        sending.send_data(Bytes::copy_from_slice(body), true).unwrap();
        let (head, mut receiving) = response.await.unwrap().into_parts();
        assert_eq!(head.status, 200, "{path}");
        let mut length = 0;
        while let Some(chunk) = receiving.data().await {
            length += chunk.unwrap().len();
        }
        assert!(length > 5, "{path}");
        let trailers = receiving.trailers().await.unwrap().unwrap_or_default();
        let status = trailers.get("grpc-status").map(|value| value.to_str().unwrap());
        assert_eq!(status, kind.ends_with("grpc").then_some("0"), "{path}");
    }
    connection.abort();
}

#[tokio::test]
async fn a_client_that_names_no_protocol_is_served() {
    let files = Files::new("none");
    let server = serve(files.agent()).await;
    let mut connection = files.connect(&server, &[]).await.unwrap();
    let head = "GET /tasks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nA2A-Version: 1.0\r\n\r\n";
    connection.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn the_card_says_https() {
    let files = Files::new("card");
    let server = serve(files.agent()).await;
    let card = body_of(&files.http1(&server, "GET /.well-known/agent-card.json HTTP/1.1", "").await);
    let urls: Vec<&str> = card["supportedInterfaces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|interface| interface["url"].as_str().unwrap())
        .collect();
    let url = format!("https://{}", server.address);
    // Those of 1.0, and the same of 0.3.
    assert_eq!(urls, [&*url, &*url, &*server.address.to_string()].repeat(2));
}

#[tokio::test]
async fn files_that_cannot_be_used_are_named_when_serving_begins() {
    let files = Files::new("files");
    for (certificate, key, named, why) in [
        ("missing.pem", "key.pem", "missing.pem", ""),
        ("cert.pem", "missing.pem", "missing.pem", ""),
        ("garbled.pem", "key.pem", "garbled.pem", ""),
        ("cert.pem", "garbled.pem", "garbled.pem", ""),
        ("empty.pem", "key.pem", "empty.pem", "no certificate"),
        ("cert.pem", "empty.pem", "empty.pem", ""),
        ("key.pem", "key.pem", "key.pem", "no certificate"),
        ("cert.pem", "cert.pem", "cert.pem", ""),
    ] {
        let agent = echo::agent().tls(files.path(certificate), files.path(key)).build().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let error = agent.serve_on(listener, std::future::pending()).await.unwrap_err();
        let report = format!("{error:?}");
        assert!(report.contains("TLS cannot be served"), "{report}");
        assert!(report.contains(named) && report.contains(why), "{certificate} {key}: {report}");
    }
}

#[tokio::test]
async fn a_key_of_another_certificate_is_refused() {
    let (files, others) = (Files::new("one"), Files::new("other"));
    let agent = echo::agent().tls(files.path("cert.pem"), others.path("key.pem")).build().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let error = agent.serve_on(listener, std::future::pending()).await.unwrap_err();
    assert!(format!("{error:?}").contains("key.pem"), "{error:?}");
}

#[tokio::test]
async fn who_sends_nonsense_or_nothing_or_plain_http_harms_nobody() {
    let files = Files::new("nonsense");
    let server = serve(files.agent()).await;
    let mut open = Vec::new();
    for first in
        [&b"GET /tasks HTTP/1.1\r\nHost: localhost\r\n\r\n"[..], b"\0\0\0\0", b"\x16\x03\x01\xff\xff", b""]
    {
        let mut connection = TcpStream::connect(server.address).await.unwrap();
        connection.write_all(first).await.unwrap();
        open.push(connection);
    }
    // While they are open, and once they are gone.
    is_alive(&files, &server).await;
    let mut answer = Vec::new();
    drop(open[0].read_to_end(&mut answer).await);
    assert!(!answer.starts_with(b"HTTP/"), "plain HTTP gets no answer in HTTP");
    drop(open);
    is_alive(&files, &server).await;
    assert!(files.connect(&server, &["nonsense"]).await.is_err());
    is_alive(&files, &server).await;
}

#[tokio::test]
async fn a_stream_is_sent_as_it_comes_over_tls() {
    let files = Files::new("stream");
    let server = serve(files.agent()).await;
    let body = call().replace("SendMessage", "SendStreamingMessage");
    let answer = files.http1(&server, "POST / HTTP/1.1", &body).await;
    assert!(answer.contains("text/event-stream") && answer.contains("TASK_STATE_COMPLETED"), "{answer}");
}

#[tokio::test]
async fn a_certificate_and_its_key_go_together_on_the_command_line() {
    for option in ["--tls-cert", "--tls-key"] {
        let error = echo::agent().run_with(["agent", "serve", option, "file.pem"]).await.unwrap_err();
        assert!(format!("{error:?}").contains("--tls-cert and --tls-key go together"), "{error:?}");
    }
    let arguments =
        ["agent", "serve", "--listen", "127.0.0.1:0", "--tls-cert", "no.pem", "--tls-key", "no.pem"];
    let error = echo::agent().run_with(arguments).await.unwrap_err();
    assert!(format!("{error:?}").contains("no.pem"), "{error:?}");
}
