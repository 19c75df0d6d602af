//! What is on the wire, below what a well-behaved client would send.

use crate::{Server, client, desk, sent, serve, state, text, to};
use a2a_sdk::grpc::v1;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode};
use prost::Message as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tonic::Code;
use tonic_types::StatusExt as _;

const SEND: &str = "/lf.a2a.v1.A2AService/SendMessage";
const GRPC: &str = "application/grpc";

/// What came back for raw bytes over HTTP/2: status, headers and trailers as one, and the body.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn post(server: &Server, path: &str, content_type: &str, body: &[u8]) -> Answer {
    post_with(server, path, &[("content-type", content_type)], body).await
}

async fn post_with(server: &Server, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let connection = TcpStream::connect(server.address).await.unwrap();
    let (client, connection) = h2::client::handshake(connection).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut client = client.ready().await.unwrap();
    let mut request = Request::builder()
        .method(Method::POST)
        .uri(format!("http://{}{path}", server.address))
        .header("a2a-version", "1.0")
        .header("te", "trailers");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(()).unwrap();
    let (response, mut sending) = client.send_request(request, false).unwrap();
    sending.send_data(Bytes::copy_from_slice(body), true).unwrap();
    let (head, mut receiving) = response.await.unwrap().into_parts();
    let mut headers = head.headers;
    let mut body = Vec::new();
    while let Some(chunk) = receiving.data().await {
        let chunk = chunk.unwrap();
        receiving.flow_control().release_capacity(chunk.len()).unwrap();
        body.extend_from_slice(&chunk);
    }
    headers.extend(receiving.trailers().await.unwrap().unwrap_or_default());
    connection.abort();
    Answer { status: head.status, headers, body }
}

/// A message of gRPC, with its five bytes in front.
fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    [&[0][..], &length, message].concat()
}

async fn is_alive(server: &Server) {
    sent(&mut client(server).await, to("echo", "still here")).await;
}

#[tokio::test]
async fn bytes_that_are_no_message_are_an_error_and_no_end() {
    let server = serve(desk()).await;
    for (what, body) in [
        ("nothing", vec![]),
        ("half a prefix", vec![0, 0]),
        ("less than it says", [&[0, 0, 0, 0, 9][..], b"abc"].concat()),
        ("an unknown compression", [&[1, 0, 0, 0, 3][..], b"abc"].concat()),
        ("no flag at all", [&[9, 0, 0, 0, 3][..], b"abc"].concat()),
        ("no protobuf", framed(&[0xff; 40])),
        ("text that is not UTF-8", framed(&[0x0a, 2, 0xff, 0xfe])),
        ("json", framed(br#"{"message":{}}"#)),
    ] {
        for method in ["SendMessage", "SendStreamingMessage", "GetTask", "SubscribeToTask"] {
            let path = format!("/lf.a2a.v1.A2AService/{method}");
            let answer = post(&server, &path, GRPC, &body).await;
            assert_eq!(answer.status, StatusCode::OK, "{what}");
            let status = tonic::Status::from_header_map(&answer.headers).unwrap();
            assert_eq!(status.code(), Code::InvalidArgument, "{what}: {status:?}");
            let info = status.get_details_error_info().unwrap();
            assert_eq!((&*info.reason, &*info.domain), ("PARSE_ERROR", "a2a-protocol.org"), "{what}");
        }
        is_alive(&server).await;
    }
    let answer = post(&server, SEND, GRPC, &[0, 0xff, 0xff, 0xff, 0xff]).await;
    assert_eq!(answer.header("grpc-status"), "11", "more than anybody reads: {:?}", answer.headers);
    is_alive(&server).await;
}

#[tokio::test]
async fn a_call_ends_at_its_deadline_and_its_task_goes_on() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let body = framed(&to("wait", "for it").encode_to_vec());
    let headers = [("content-type", GRPC), ("grpc-timeout", "500m")];
    let answer = post_with(&server, SEND, &headers, &body).await;
    assert_eq!((answer.status, answer.header("grpc-status")), (StatusCode::OK, "4"));
    let listed = client.list_tasks(v1::ListTasksRequest::default()).await.unwrap().into_inner();
    let id = listed.tasks[0].id.clone();
    assert_eq!(state(&listed.tasks[0]), v1::TaskState::Working);
    let canceled = client.cancel_task(v1::CancelTaskRequest { id, ..Default::default() }).await.unwrap();
    // Its skill was there to be told.
    assert_eq!(text(&canceled.into_inner().artifacts[0].parts[0]), "stopped");
    for timeout in ["1000u", "10n", "0S"] {
        let headers = [("content-type", GRPC), ("grpc-timeout", timeout)];
        assert_eq!(post_with(&server, SEND, &headers, &body).await.header("grpc-status"), "4", "{timeout}");
    }
    // Enough time is as good as no limit, and so is what is no limit.
    for timeout in ["99999999H", "1minute", "", "-1S"] {
        let headers = [("content-type", GRPC), ("grpc-timeout", timeout)];
        let answer = post_with(&server, SEND, &headers, &framed(&to("echo", "Hi").encode_to_vec())).await;
        assert_eq!((answer.status, answer.header("grpc-status")), (StatusCode::OK, "0"), "{timeout}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_that_stops_coming_is_given_up() {
    let server = serve(desk()).await;
    let connection = TcpStream::connect(server.address).await.unwrap();
    let (client, connection) = h2::client::handshake(connection).await.unwrap();
    tokio::spawn(connection);
    let mut client = client.ready().await.unwrap();
    let request = Request::post(format!("http://{}{SEND}", server.address))
        .header("content-type", GRPC)
        .header("a2a-version", "1.0")
        .body(())
        .unwrap();
    let begun = tokio::time::Instant::now();
    let (response, mut sending) = client.send_request(request, false).unwrap();
    sending.send_data(Bytes::from_static(&[0, 0, 0, 0, 9, b'a']), false).unwrap();
    let limit = std::time::Duration::from_secs(300);
    let answer = tokio::time::timeout(limit, response).await.unwrap().unwrap();
    let status = tonic::Status::from_header_map(answer.headers()).unwrap();
    assert_eq!((status.code(), status.message()), (Code::InvalidArgument, "the body did not come in time"));
    assert!(begun.elapsed().as_secs() >= 30, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_message_nested_without_end_is_refused() {
    let server = serve(desk()).await;
    // Lists of lists, from the inside out, as the data of a part.
    let wrap = |tag: u8, inner: &[u8]| {
        let mut length = Vec::new();
        let mut rest = inner.len();
        while rest > 0x7f {
            length.push(u8::try_from(rest & 0x7f).unwrap() | 0x80);
            rest >>= 7;
        }
        length.push(u8::try_from(rest).unwrap());
        [&[tag << 3 | 2][..], &length, inner].concat()
    };
    let mut value = vec![];
    for _ in 0..5_000 {
        value = wrap(6, &wrap(1, &value));
    }
    let message = wrap(2, &wrap(5, &wrap(4, &value)));
    let answer = post(&server, SEND, GRPC, &framed(&message)).await;
    assert!(!["", "0"].contains(&answer.header("grpc-status")), "{:?}", answer.headers);
    is_alive(&server).await;
}

#[tokio::test]
async fn unknown_methods_and_services_are_unimplemented() {
    let server = serve(desk()).await;
    for path in [
        "/lf.a2a.v1.A2AService/Nothing",
        "/other.Service/Call",
        "/a2a.v1.A2AService/ListTask",
        "/x",
        "/x/y/z",
    ] {
        for content_type in [GRPC, "application/grpc+proto"] {
            let answer = post(&server, path, content_type, &framed(&[])).await;
            assert_eq!((answer.status, answer.header("grpc-status")), (StatusCode::OK, "12"), "{path}");
            assert_eq!(answer.header("content-type"), GRPC, "{path}");
        }
    }
}

#[tokio::test]
async fn other_bindings_keep_their_own_answers() {
    let server = serve(desk()).await;
    let answer = post(&server, "/other.Service/Call", "application/json", b"{}").await;
    assert_eq!((answer.status, answer.header("grpc-status")), (StatusCode::NOT_FOUND, ""));
    for content_type in ["application/json", "application/grpc-web", "text/plain"] {
        let answer = post(&server, SEND, content_type, b"{}").await;
        assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{content_type}");
    }
    let answer =
        post(&server, "/", "application/json", br#"{"jsonrpc":"2.0","id":1,"method":"ListTasks"}"#).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(String::from_utf8(answer.body).unwrap().contains(r#""totalSize":0"#));
}

#[tokio::test]
async fn one_port_speaks_http_1_and_grpc() {
    let server = serve(desk()).await;
    let task = sent(&mut client(&server).await, to("echo", "over gRPC")).await;

    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{{"id":"{}"}}}}"#, task.id);
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "POST / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nA2A-Version: 1.0\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("over gRPC") && answer.contains("TASK_STATE_COMPLETED"), "{answer}");
}
