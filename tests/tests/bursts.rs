//! Many events, and many streams: nothing is lost, and nothing stays behind.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{ListTasksRequest, StreamResponse, Timestamp};
use a2a_sdk::{Agent, Clock, Context, SkillError, State};
use a2a_tests::http::serve_built;
use a2a_tests::store::Tested;
use a2a_tests::{Gate, at_once, line, next_line, to};
use futures_util::{Stream, StreamExt, stream};
use std::time::Duration;

/// Says much.
#[a2a_sdk::agent]
struct Bursts;

/// So many numbers, all at once.
#[a2a_sdk::skill]
async fn count(text: String, State(gate): State<Gate>) -> Result<impl Stream<Item = String>, SkillError> {
    let living = gate.live();
    let end: usize = text.parse()?;
    Ok(stream::iter(0..end).map(move |n| {
        let _living = &living;
        format!("{n};")
    }))
}

/// So many numbers; half of them before the gate, half of them behind it.
#[a2a_sdk::skill]
async fn halves(text: String, ctx: Context, State(gate): State<Gate>) -> Result<(), SkillError> {
    let end: usize = text.parse()?;
    let mut page = ctx.artifact("page");
    for n in 0..end {
        if n == end / 2 {
            let _living = gate.live();
            gate.pass().await;
        }
        page.write(format!("{n};")).await?;
    }
    page.finish().await
}

/// Like `count`, with a pause after each number.
#[a2a_sdk::skill]
async fn drip(text: String, State(gate): State<Gate>) -> Result<impl Stream<Item = String>, SkillError> {
    let living = gate.live();
    let end: usize = text.parse()?;
    Ok(stream::iter(0..end)
        .then(move |n| {
            let living = gate.live();
            let _first = &living;
            async move {
                tokio::task::yield_now().await;
                drop(living);
                format!("{n};")
            }
        })
        .chain(stream::once(async move {
            drop(living);
            "end".to_owned()
        })))
}

fn agent() -> (Agent, Gate) {
    let gate = Gate::default();
    (Bursts::agent().state(gate.clone()), gate)
}

fn expected(end: usize) -> String {
    (0..end).map(|n| format!("{n};")).collect()
}

/// The text that the events of one artifact make together.
fn text(events: &[StreamResponse]) -> String {
    let chunks = events.iter().map(|event| match event {
        StreamResponse::Task(task) => task.text(),
        StreamResponse::ArtifactUpdate(update) => update.artifact.text(),
        _ => String::new(),
    });
    chunks.collect()
}

const BURSTS: [usize; 5] = [1, 33, 129, 257, 5000];

#[tokio::test]
async fn a_fast_reader_gets_each_event_of_a_burst_in_order() {
    let client = agent().0.client().unwrap();
    for burst in BURSTS {
        let stream = client.send_streaming_message(to("count", burst.to_string())).await.unwrap();
        let events = stream.all().await.unwrap();
        assert_eq!(events.len(), burst + 4, "task, working, chunks, last chunk, completed");
        assert_eq!(text(&events), expected(burst));
    }
}

#[tokio::test]
async fn a_reader_that_begins_when_all_is_over_gets_each_event_of_a_burst_in_order() {
    let client = agent().0.client().unwrap();
    for burst in BURSTS {
        let stream = client.send_streaming_message(to("count", burst.to_string())).await.unwrap();
        let done = async {
            loop {
                let tasks = client.list_tasks(ListTasksRequest::default()).await.unwrap().tasks;
                if tasks.iter().all(|task| task.status.state.is_terminal()) {
                    break;
                }
                tokio::task::yield_now().await;
            }
        };
        done.await;
        let events = stream.all().await.unwrap();
        assert_eq!((events.len(), text(&events)), (burst + 4, expected(burst)));
    }
}

#[tokio::test]
async fn a_reader_that_comes_midway_gets_the_task_as_it_stands_and_each_later_event() {
    for burst in BURSTS {
        let (agent, gate) = agent();
        let client = agent.client().unwrap();
        let first = client.send_streaming_message(to("halves", burst.to_string())).await.unwrap();
        gate.reached().await;
        let id = client.list_tasks(ListTasksRequest::default()).await.unwrap().tasks[0].id.clone();
        let late = client.subscribe_to_task(&id).await.unwrap();
        gate.open();
        let (first, late) = tokio::join!(first.all(), late.all());
        let (first, late) = (first.unwrap(), late.unwrap());
        assert_eq!((text(&first), text(&late)), (expected(burst), expected(burst)));
        let tail = late.len() - 1;
        assert_eq!(tail, burst - burst / 2 + 2, "chunks of the second half, last chunk, completed");
        assert_eq!(late[1..], first[first.len() - tail..], "all see the same in the same order");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_the_wire_a_burst_is_whole_for_a_fast_and_a_slow_reader() {
    let (agent, gate) = agent();
    let built = agent.build().unwrap();
    let client = built.client();
    let server = serve_built(built).await;
    for burst in BURSTS {
        let params =
            serde_json::to_value(a2a_sdk::protocol::SendMessageRequest::new(to("count", burst.to_string())))
                .unwrap();
        let slow = server.stream("SendStreamingMessage", params.clone(), "").await;
        let fast = server.stream("SendStreamingMessage", params, "").await.events().await;
        // The slow one has not read anything when both tasks are over.
        while gate.living() > 0 {
            tokio::task::yield_now().await;
        }
        let slow = slow.events().await;
        for events in [&fast, &slow] {
            assert_eq!(events.len(), burst + 4);
            let chunks = events.iter().filter_map(|event| {
                event.data["result"]["artifactUpdate"]["artifact"]["parts"][0]["text"].as_str()
            });
            assert_eq!(chunks.collect::<String>(), expected(burst));
        }
    }
    drop(client);
}

#[tokio::test]
async fn a_thousand_streams_at_once_are_all_whole_and_leave_nothing_behind() {
    const STREAMS: usize = 1000;
    const EVENTS: usize = 100;
    let (agent, gate) = agent();
    let clock = Clock::virtual_from(Timestamp::from_unix_millis(1_700_000_000_000));
    let built = agent.clock(clock).build().unwrap();
    let client = built.client();
    let server = std::sync::Arc::new(serve_built(built).await);
    let params =
        serde_json::to_value(a2a_sdk::protocol::SendMessageRequest::new(to("halves", EVENTS.to_string())))
            .unwrap();
    let mut readers = Vec::new();
    for _ in 0..STREAMS {
        let mut stream = server.stream("SendStreamingMessage", params.clone(), "").await;
        readers.push(tokio::spawn(async move {
            let mut text = String::new();
            let mut last = serde_json::Value::Null;
            while let Some(event) = stream.event().await {
                let chunk = &event.data["result"]["artifactUpdate"]["artifact"]["parts"][0]["text"];
                text.push_str(chunk.as_str().unwrap_or_default());
                last = event.data;
            }
            (text, last["result"]["statusUpdate"]["status"]["state"].clone())
        }));
    }
    let open = client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size;
    assert_eq!(open as usize, STREAMS, "all of them at the same time");
    for _ in 0..STREAMS {
        gate.open();
        // A permit that is not yet taken would swallow the next one.
        gate.passed().await;
    }
    for reader in readers {
        let (text, last) = reader.await.unwrap();
        assert_eq!((text, last.as_str()), (expected(EVENTS), Some("TASK_STATE_COMPLETED")));
    }
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(24 * 60 * 60 + 1)).await;
    let left = client.list_tasks(ListTasksRequest::default()).await.unwrap();
    assert_eq!((left.total_size, left.tasks.len()), (0, 0), "the store is as empty as at the start");
    assert_eq!(gate.living(), 0);
}

#[tokio::test(start_paused = true)]
async fn skills_are_dropped_when_their_tasks_are_over_and_tasks_when_their_time_has_come() {
    let gate = Gate::default();
    let clock = Clock::virtual_from(Timestamp::from_unix_millis(1_700_000_000_000));
    let client = Bursts::agent().state(gate.clone()).clock(clock).client().unwrap();
    let streams = (0..1000).map(|_| {
        let client = client.clone();
        async move { client.send_streaming_message(to("drip", "100")).await.unwrap().all().await.unwrap() }
    });
    for events in futures_util::future::join_all(streams).await {
        assert_eq!(text(&events), expected(100) + "end");
        assert_eq!(line(events.last().unwrap()), "COMPLETED");
    }
    assert_eq!(gate.living(), 0);
    assert_eq!(client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size, 1000);
    tokio::time::advance(Duration::from_secs(24 * 60 * 60 + 1)).await;
    assert_eq!(client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size, 0);
}

#[tokio::test]
async fn a_client_that_leaves_midway_stops_nothing() {
    let (agent, gate) = agent();
    let built = agent.build().unwrap();
    let client = built.client();
    let server = serve_built(built).await;
    let params =
        serde_json::to_value(a2a_sdk::protocol::SendMessageRequest::new(to("halves", "100"))).unwrap();
    let mut stream = server.stream("SendStreamingMessage", params, "").await;
    let first = stream.event().await.unwrap();
    gate.reached().await;
    drop(stream);
    let id = first.data["result"]["task"]["id"].as_str().unwrap();
    let rest = client.subscribe_to_task(id).await.unwrap();
    gate.open();
    assert_eq!(text(&rest.all().await.unwrap()), expected(100));
    assert_eq!(client.get_task(id).await.unwrap().text(), expected(100));
}

#[tokio::test]
async fn a_client_that_leaves_a_blocking_send_stops_nothing() {
    let (agent, gate) = agent();
    let client = agent.client().unwrap();
    let mut sending = Box::pin(client.send_message(to("halves", "10")));
    tokio::select! {
        _ = &mut sending => panic!("it waits at the gate"),
        () = gate.reached() => {}
    }
    drop(sending);
    let id = client.list_tasks(ListTasksRequest::default()).await.unwrap().tasks[0].id.clone();
    let rest = client.subscribe_to_task(&id).await.unwrap();
    gate.open();
    rest.all().await.unwrap();
    assert_eq!(client.get_task(&id).await.unwrap().text(), expected(10));
}

#[tokio::test]
async fn two_readers_of_one_task_do_not_need_each_other() {
    let (agent, gate) = agent();
    let client = agent.client().unwrap();
    let task = client.send_message(at_once(to("halves", "40"))).await.unwrap().into_task().unwrap();
    gate.reached().await;
    let one = client.subscribe_to_task(&task.id).await.unwrap();
    let other = client.subscribe_to_task(&task.id).await.unwrap();
    drop(one);
    gate.open();
    assert_eq!(text(&other.all().await.unwrap()), expected(40));
}

#[tokio::test]
async fn a_thousand_readers_that_leave_are_forgotten_and_the_task_goes_on() {
    const READERS: usize = 1000;
    let (agent, gate) = agent();
    let (store, _) = Tested::new();
    let readers = store.readers();
    let built = agent.store(store).build().unwrap();
    let client = built.client();
    let server = serve_built(built).await;
    let task = client.send_message(at_once(to("halves", "2"))).await.unwrap().into_task().unwrap();
    gate.reached().await;
    let count = async |count: usize| {
        tokio::time::timeout(Duration::from_secs(20), async {
            while readers.count() != count {
                tokio::task::yield_now().await;
            }
        })
        .await
        .unwrap_or_else(|_| panic!("{} readers, not {count}", readers.count()));
    };
    for on_the_wire in [false, true] {
        let (mut local, mut remote) = (Vec::new(), Vec::new());
        for _ in 0..READERS {
            if on_the_wire {
                let params = serde_json::json!({ "id": task.id });
                let mut stream = server.stream("SubscribeToTask", params, "").await;
                assert!(stream.event().await.is_some());
                remote.push(stream);
            } else {
                let mut stream = client.subscribe_to_task(&task.id).await.unwrap();
                assert_eq!(next_line(&mut stream).await, "task WORKING");
                let waiting = tokio::spawn(async move { next_line(&mut stream).await });
                local.push(waiting);
            }
        }
        count(READERS).await;
        local.iter().for_each(tokio::task::JoinHandle::abort);
        drop((local, remote));
        count(0).await;
    }
    gate.open();
    let rest = client.subscribe_to_task(&task.id).await;
    if let Ok(rest) = rest {
        rest.all().await.unwrap();
    }
    assert_eq!(client.get_task(&task.id).await.unwrap().text(), expected(2));
    assert_eq!(gate.living(), 0);
    count(0).await;
}
