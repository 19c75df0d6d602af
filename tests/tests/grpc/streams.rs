//! The two calls that stream.

use crate::{all, at_once, client, desk, sent, serve, to, told};
use a2a_sdk::grpc::v1;
use std::time::Duration;
use tonic::{Code, Request};

#[tokio::test]
async fn a_stream_is_the_task_then_its_chunks_then_its_end() {
    let server = serve(desk()).await;
    let stream = client(&server).await.send_streaming_message(to("count", "3")).await.unwrap();
    let events = all(stream.into_inner()).await;
    let events: Vec<&str> = events.iter().map(String::as_str).filter(|event| *event != "status 2").collect();
    assert_eq!(events, ["task 1", "artifact 0", "artifact +1", "artifact +2", "artifact +!", "status 3"]);
}

#[tokio::test]
async fn a_direct_answer_is_a_stream_of_one() {
    let server = serve(desk()).await;
    let stream = client(&server).await.send_streaming_message(to("direct", "Hi")).await.unwrap();
    assert_eq!(all(stream.into_inner()).await, ["message Hi"]);
}

#[tokio::test]
async fn a_burst_arrives_whole_and_in_order() {
    let server = serve(desk()).await;
    let stream = client(&server).await.send_streaming_message(to("count", "5000")).await.unwrap();
    let events = all(stream.into_inner()).await;
    let chunks: Vec<&str> = events.iter().filter_map(|event| event.strip_prefix("artifact ")).collect();
    assert_eq!(chunks.len(), 5001);
    for (n, chunk) in chunks[..5000].iter().enumerate() {
        assert_eq!(chunk.trim_start_matches('+'), n.to_string());
    }
    assert_eq!(events.last().unwrap(), "status 3");
}

#[tokio::test]
async fn a_subscription_starts_with_the_task_and_ends_with_it() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let task = sent(&mut client, at_once(to("wait", ""))).await;
    let subscribe = v1::SubscribeToTaskRequest { id: task.id.clone(), ..Default::default() };
    let mut one = client.subscribe_to_task(subscribe.clone()).await.unwrap().into_inner();
    let other = client.subscribe_to_task(subscribe.clone()).await.unwrap().into_inner();
    assert!(told(&one.message().await.unwrap().unwrap()).starts_with("task "));

    client.cancel_task(v1::CancelTaskRequest { id: task.id.clone(), ..Default::default() }).await.unwrap();
    assert_eq!(all(one).await.last().unwrap(), "status 5");
    assert_eq!(all(other).await.last().unwrap(), "status 5");
    let refused = client.subscribe_to_task(subscribe.clone()).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);

    // A caller that comes back says what it has seen, and gets the rest.
    let mut back = Request::new(subscribe);
    back.metadata_mut().insert("last-event-id", format!("{}:1", task.id).parse().unwrap());
    let rest = all(client.subscribe_to_task(back).await.unwrap().into_inner()).await;
    assert_eq!(rest.last().unwrap(), "status 5");
    assert!(rest.iter().all(|event| !event.starts_with("task")), "{rest:?}");
}

#[tokio::test]
async fn a_stream_that_is_dropped_stops_nothing() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let mut stream = client.send_streaming_message(to("hello", "Hi")).await.unwrap().into_inner();
    let first = stream.message().await.unwrap().unwrap();
    let Some(v1::stream_response::Payload::Task(task)) = first.payload else { panic!() };
    drop(stream);
    let mut answer = to("hello", "Ada");
    answer.message.as_mut().unwrap().task_id = task.id;
    assert_eq!(crate::text(&sent(&mut client, answer).await.artifacts[0].parts[0]), "Hello, Ada!");
}

#[tokio::test]
async fn a_server_that_stops_ends_its_streams() {
    let mut server = serve(desk().drain(Duration::from_millis(500))).await;
    let mut client = client(&server).await;
    let mut stream = client.send_streaming_message(to("wait", "")).await.unwrap().into_inner();
    stream.message().await.unwrap().unwrap();
    server.stop();
    let end = loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the stream ended as if the task had"),
            Err(status) => break status,
        }
    };
    assert_eq!((end.code(), end.message()), (Code::Unavailable, "the server is stopping"));
    drop((stream, client));
    tokio::time::timeout(Duration::from_secs(10), server.stopped()).await.unwrap();
}
