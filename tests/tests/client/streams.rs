//! The two calls that stream, over each binding.

use crate::{BINDINGS, at_once, builder, client, desk, serve, to};
use a2a_sdk::protocol::{SendMessageRequest, StreamResponse, TaskState};

/// The texts of the chunks among these events.
pub(crate) fn chunks(events: &[StreamResponse]) -> Vec<String> {
    let texts = events.iter().filter_map(|event| match event {
        StreamResponse::ArtifactUpdate(update) => Some(update.artifact.text()),
        _ => None,
    });
    texts.filter(|text| !text.is_empty()).collect()
}

#[tokio::test]
async fn a_burst_arrives_whole_and_in_order_over_every_binding() {
    for binding in BINDINGS {
        let server = serve(desk()).await;
        let client = client(&server, binding).await;
        let events = client.send_streaming_message(to("count", "2000")).await.unwrap().all().await.unwrap();
        let expected: Vec<String> = (0..2000).map(|n| n.to_string()).collect();
        assert_eq!(chunks(&events), expected, "{binding:?}");
        assert!(matches!(&events[0], StreamResponse::Task(_)));
        assert!(events.last().unwrap().is_final());
    }
}

#[tokio::test]
async fn a_direct_answer_is_a_stream_of_one_over_every_binding() {
    for binding in BINDINGS {
        let server = serve(desk()).await;
        let client = client(&server, binding).await;
        let events = client.send_streaming_message(to("direct", "Hi")).await.unwrap().all().await.unwrap();
        let [StreamResponse::Message(message)] = &events[..] else { panic!("{events:?}") };
        assert_eq!(message.text(), "Hi");
    }
}

#[tokio::test]
async fn a_conversation_goes_on_where_the_agent_asked_over_every_binding() {
    for binding in BINDINGS {
        let server = serve(desk()).await;
        let client = client(&server, binding).await;
        let events = client.send_streaming_message(to("hello", "Hi")).await.unwrap().all().await.unwrap();
        let Some(StreamResponse::StatusUpdate(last)) = events.last() else { panic!("{events:?}") };
        assert_eq!(last.status.state, TaskState::InputRequired, "{binding:?}");
        let mut answer = SendMessageRequest::from("Ada");
        answer.message.task_id = Some(last.task_id.clone());
        assert_eq!(client.send_message(answer).await.unwrap().text(), "Hello, Ada!");
    }
}

#[tokio::test]
async fn a_subscription_ends_with_its_task_over_every_binding() {
    for binding in BINDINGS {
        let server = serve(desk()).await;
        let client = client(&server, binding).await;
        let task = client.send_message(at_once(to("wait", ""))).await.unwrap().into_task().unwrap();
        let mut events = client.subscribe_to_task(&task.id).await.unwrap();
        let Some(Ok(StreamResponse::Task(first))) = events.next().await else { panic!() };
        assert_eq!(first.id, task.id);
        client.cancel_task(&task.id).await.unwrap();
        let rest = events.all().await.unwrap();
        assert!(rest.last().unwrap().is_final(), "{binding:?}");
    }
}

#[tokio::test]
async fn the_example_prints_what_an_agent_says() {
    let server = serve(desk()).await;
    let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_client-program"))
        .args([&*server.url(), "Ada"])
        .env("no_proxy", "127.0.0.1")
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "Ada");
}

#[tokio::test]
async fn an_event_and_an_answer_have_a_limit_over_every_binding() {
    for binding in BINDINGS {
        let server = serve(desk()).await;
        let builder = builder().bindings([binding]).max_event_bytes(2_000).max_answer_bytes(2_000);
        let client = builder.connect(&server.url()).await.unwrap();
        let large = "x".repeat(5_000);
        let error = client.send_message(large.as_str()).await.unwrap_err();
        assert!(error.is_too_large(), "{binding:?} {error}");
        let error = client.send_streaming_message(large).await.unwrap().all().await.unwrap_err();
        assert!(error.is_too_large(), "{binding:?} {error}");
        assert_eq!(client.send_message("small").await.unwrap().text(), "small");
    }
}

#[test]
fn calls_and_streams_can_be_spawned() {
    fn sent<T: Send>(_: impl FnOnce(a2a_sdk::Client) -> T) {}

    sent(|client| async move { client.send_message("Hi").await });
    sent(|client| async move { client.list_tasks(Default::default()).await });
    sent(|client| async move { client.send_streaming_message("Hi").await?.all().await });
    sent(|_| a2a_sdk::Client::connect("http://x.example"));
}
