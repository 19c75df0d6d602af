//! Messages that nobody means.

use crate::{Server, client, desk, sent, serve, to};
use a2a_sdk::grpc::v1;
use bytes::Bytes;
use http::Request;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use prost::Message as _;
use std::time::Duration;
use tokio::net::TcpStream;
use tonic::{Code, Status};

const CASES: u32 = 300;

/// What is done to the bytes of a good message.
#[derive(Clone, Debug)]
enum Damage {
    Set(usize, u8),
    Remove(usize),
    Insert(usize, Vec<u8>),
    Cut(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        any::<usize>().prop_map(Damage::Remove),
        (any::<usize>(), vec(any::<u8>(), 1..8)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        any::<usize>().prop_map(Damage::Cut),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let length = bytes.len();
        if length == 0 {
            break;
        }
        match damage {
            Damage::Set(at, byte) => bytes[at % length] = *byte,
            Damage::Remove(at) => drop(bytes.remove(at % length)),
            Damage::Insert(at, more) => drop(bytes.splice(at % length..at % length, more.iter().copied())),
            Damage::Cut(at) => bytes.truncate(at % length),
        }
    }
    bytes
}

/// Sends a body to a method over a connection that is open, and gives the status of the answer.
async fn status(
    connection: &h2::client::SendRequest<Bytes>,
    server: &Server,
    method: &str,
    body: Vec<u8>,
) -> Status {
    let mut connection = connection.clone().ready().await.unwrap();
    let request = Request::post(format!("{}/lf.a2a.v1.A2AService/{method}", server.url()))
        .header("content-type", "application/grpc")
        .header("a2a-version", "1.0")
        .body(())
        .unwrap();
    let (response, mut sending) = connection.send_request(request, false).unwrap();
    sending.send_data(body.into(), true).unwrap();
    let (head, mut content) = response.await.unwrap().into_parts();
    if let Some(status) = Status::from_header_map(&head.headers) {
        return status;
    }
    while let Some(chunk) = content.data().await {
        let length = chunk.unwrap().len();
        content.flow_control().release_capacity(length).unwrap();
    }
    let trailers = content.trailers().await.unwrap().unwrap_or_default();
    Status::from_header_map(&trailers).unwrap()
}

#[test]
fn whatever_bytes_come_the_answer_is_the_callers_fault_or_an_answer() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (server, connection) = runtime.block_on(async {
        let server = serve(desk()).await;
        let stream = TcpStream::connect(server.address).await.unwrap();
        let (client, connection) = h2::client::handshake(stream).await.unwrap();
        tokio::spawn(connection);
        (server, client)
    });
    // A message to a skill that ends, so that nothing waits.
    let good = |method: &str| match method {
        "SendMessage" | "SendStreamingMessage" => to("echo", "Hi").encode_to_vec(),
        "ListTasks" => v1::ListTasksRequest { page_size: Some(5), ..Default::default() }.encode_to_vec(),
        _ => v1::GetTaskRequest { id: "none".to_owned(), ..Default::default() }.encode_to_vec(),
    };
    let methods =
        ["SendMessage", "SendStreamingMessage", "ListTasks", "GetTask", "CancelTask", "SubscribeToTask"];
    let framing = prop_oneof![4 => Just(true), 1 => Just(false)];
    let case =
        (prop::sample::select(methods.to_vec()), vec(damage(), 0..6), framing, vec(any::<u8>(), 0..64));
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&case, |(method, damages, framed, raw)| {
        let body = if framed {
            let message = damaged(good(method), &damages);
            let length = u32::try_from(message.len()).unwrap().to_be_bytes();
            [&[0][..], &length, &message].concat()
        } else {
            raw
        };
        let answering = status(&connection, &server, method, body);
        let status = runtime
            .block_on(async { tokio::time::timeout(Duration::from_secs(20), answering).await })
            .map_err(|_| TestCaseError::fail(format!("{method} has no answer")))?;
        let ours = [Code::Internal, Code::Unknown, Code::Unavailable, Code::Unimplemented];
        prop_assert!(!ours.contains(&status.code()), "{method}: {status:?}");
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    runtime.block_on(async { sent(&mut client(&server).await, to("echo", "still here")).await });
}
