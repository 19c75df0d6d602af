//! How long calls may take, and errors that come late.

use crate::{BINDINGS, builder, desk, desk_with, serve, to};
use a2a_sdk::Binding;
use a2a_sdk::protocol::{ErrorKind, ListTasksRequest, StreamResponse, TaskState};
use a2a_tests::store::{Op, SECRET, Tested};
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

async fn sends_are_limited(binding: Binding) {
    let server = serve(desk()).await;
    let patient = builder().bindings([binding]).timeout(Duration::from_secs(2));
    let hasty = patient.clone().send_timeout(Duration::from_secs(1));
    let hasty = hasty.connect(&server.url()).await.unwrap();
    let error = hasty.send_message(to("wait", "")).await.unwrap_err();
    assert!(error.is_timeout() && error.is_retryable(), "{binding:?} {error}");
    let tasks = hasty.list_tasks(ListTasksRequest::default()).await.unwrap().tasks;
    assert_eq!(tasks[0].status.state, TaskState::Working, "{binding:?}");
    // Without one, it is not cut by what limits the other calls.
    let patient = patient.connect(&server.url()).await.unwrap();
    let mut sending = Box::pin(patient.send_message(to("wait", "")));
    let early = tokio::time::timeout(Duration::from_millis(2500), &mut sending).await;
    assert!(early.is_err(), "{binding:?}");
    let working = patient.list_tasks(ListTasksRequest::default()).await.unwrap();
    for task in working.tasks {
        patient.cancel_task(&task.id).await.unwrap();
    }
    let sent = sending.await.unwrap().into_task().unwrap();
    assert_eq!(sent.status.state, TaskState::Canceled, "{binding:?}");
}

#[tokio::test]
async fn a_send_that_waits_has_a_limit_of_its_own_and_its_task_goes_on() {
    join_all(BINDINGS.map(sends_are_limited)).await;
}

#[tokio::test]
async fn a_connection_that_does_not_come_about_has_a_limit() {
    // Its queue is full, so nobody answers.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    for _ in 0..8 {
        let connecting = tokio::net::TcpStream::connect(address);
        waiting.push(tokio::time::timeout(Duration::from_millis(100), connecting).await);
    }
    assert!(waiting.iter().any(Result::is_err), "the queue has no end");
    let builder = builder().connect_timeout(Duration::from_millis(300)).timeout(Duration::from_secs(3600));
    let url = format!("http://{address}");
    let connecting = builder.connect(&url);
    let error = tokio::time::timeout(Duration::from_secs(20), connecting).await.unwrap().unwrap_err();
    assert!(error.is_timeout() || error.is_transport(), "{error}");
    assert!(error.is_retryable(), "{error}");
}

async fn errors_come_late(binding: Binding, resume: bool) {
    let permits = Arc::new(Semaphore::new(0));
    let (store, faults) = Tested::new();
    let server = serve(desk_with(&permits).store(store)).await;
    let client = builder().bindings([binding]).resume(resume).connect(&server.url()).await.unwrap();
    let mut stream = client.send_streaming_message(to("step", "")).await.unwrap();
    permits.add_permits(1);
    while !matches!(stream.next().await, Some(Ok(StreamResponse::ArtifactUpdate(_)))) {}
    faults.set(|op| op == Op::Read);
    permits.add_permits(1);
    let error = stream.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::Internal), "{binding:?} {error}");
    assert!(error.a2a().unwrap().metadata().contains_key("incident"), "{binding:?}");
    assert!(!format!("{error:?}").contains(SECRET), "{binding:?}");
    assert!(stream.next().await.is_none());
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream_reaches_the_caller_over_every_binding() {
    let cases = BINDINGS.into_iter().flat_map(|binding| [(binding, false), (binding, true)]);
    join_all(cases.map(|(binding, resume)| errors_come_late(binding, resume))).await;
}
