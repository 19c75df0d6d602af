//! How many unfinished tasks and open streams there may be, and what becomes of the next one.
#![allow(clippy::unwrap_used, reason = "tests")]

mod three;

use a2a_sdk::protocol::{ErrorKind, ListTasksRequest, Message, Task, TaskState, Timestamp};
use a2a_sdk::store::Retention;
use a2a_sdk::{
    Agent, BearerTokens, Client, Clock, Context, Principal, Reply, SKILLS_EXTENSION, SkillError, State,
};
use a2a_tests::http::{request, serve_built};
use a2a_tests::{Gate, answer, at_once, lines, next_line, to};
use serde_json::json;
use std::time::Duration;
use three::{BINDINGS, V1, call, message};

/// Has only so much room.
#[a2a_sdk::agent]
struct Crowded;

/// Completes.
#[a2a_sdk::skill]
async fn done(text: String) -> String {
    text
}

/// Asks, and lives on until it is answered.
#[a2a_sdk::skill]
async fn ask(ctx: Context, State(gate): State<Gate>) -> Result<String, SkillError> {
    let _living = gate.live();
    Ok(ctx.ask("which?").await?.text())
}

/// Asks, and is called again with the answer.
#[a2a_sdk::skill]
async fn parks(text: String) -> Reply {
    if text == "x" { Reply::ask("which?") } else { Reply::parts([text.into()]) }
}

/// Waits for authorization.
#[a2a_sdk::skill]
async fn authorized() -> Result<String, SkillError> {
    Err(SkillError::auth_required("log in"))
}

/// Works until the gate opens.
#[a2a_sdk::skill]
async fn works(State(gate): State<Gate>) -> &'static str {
    gate.pass().await;
    "worked"
}

/// Decides while it runs.
#[a2a_sdk::skill]
async fn either(text: String) -> Reply {
    if text == "direct" { Reply::message(text) } else { Reply::parts([text.into()]) }
}

/// Answers without a task.
#[a2a_sdk::skill]
async fn direct(text: String) -> Message {
    Message::agent(text)
}

fn agent(retention: Retention) -> (Agent, Gate) {
    let gate = Gate::default();
    (Crowded::agent().state(gate.clone()).retention(retention), gate)
}

fn with_room_for(count: usize) -> (Agent, Gate) {
    agent(Retention::default().max_unfinished(count))
}

async fn make(client: &Client, skill: &str) -> Task {
    client.send_message(to(skill, "x")).await.unwrap().into_task().unwrap()
}

async fn state_of(client: &Client, task: &Task) -> TaskState {
    client.get_task(&task.id).await.unwrap().status.state
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), future).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_tasks_that_have_waited_longest_make_room_for_new_ones() {
    for first in ["ask", "parks", "authorized"] {
        let (agent, gate) = with_room_for(2);
        let client = agent.clock(Clock::virtual_from(Timestamp::from_unix_millis(0))).client().unwrap();
        let oldest = make(&client, first).await;
        let mut stream = client.subscribe_to_task(&oldest.id).await.unwrap();
        assert!(next_line(&mut stream).await.starts_with("task "));
        tokio::time::advance(Duration::from_millis(1)).await;
        let newer = make(&client, "parks").await;

        assert_eq!(make(&client, "done").await.status.state, TaskState::Completed);
        let ended = client.get_task(&oldest.id).await.unwrap();
        assert_eq!(ended.status.state, TaskState::Failed);
        let told = ended.status.message.unwrap();
        assert!(told.text().starts_with("no answer came"), "{}", told.text());
        assert_eq!((told.task_id, told.context_id), (Some(ended.id), Some(ended.context_id)));
        assert_eq!(
            ended.history.last().unwrap().text(),
            if first == "authorized" { "log in" } else { "which?" }
        );
        let last = soon(next_line(&mut stream)).await;
        assert!(last.starts_with("FAILED no answer came"), "{last}");
        assert_eq!(soon(next_line(&mut stream)).await, "end");
        soon(async {
            while gate.living() > 0 {
                tokio::task::yield_now().await;
            }
        })
        .await;

        // The other one goes on as if nothing had been.
        assert_eq!(state_of(&client, &newer).await, TaskState::InputRequired);
        let refused = client.send_message(answer(&oldest, "late")).await.unwrap_err();
        assert_eq!(refused.kind(), Some(ErrorKind::UnsupportedOperation));
        let answered = client.send_message(answer(&newer, "this")).await.unwrap().into_task().unwrap();
        assert_eq!((answered.id, answered.status.state), (newer.id, TaskState::Completed));
    }
}

#[tokio::test]
async fn where_none_waits_the_new_task_is_refused_before_it_is_made() {
    let (agent, gate) = with_room_for(2);
    let built = agent.build().unwrap();
    let client = built.client();
    let server = serve_built(built).await;
    let mut working = Vec::new();
    for _ in 0..2 {
        working.push(client.send_message(at_once(to("works", "x"))).await.unwrap().into_task().unwrap());
    }
    for skill in ["done", "either"] {
        for (binding, code) in BINDINGS.into_iter().zip([-32603, 429, 8]) {
            for method in ["SendMessage", "SendStreamingMessage"] {
                let mut message = message("x");
                message["metadata"] = json!({ SKILLS_EXTENSION: { "skill": skill } });
                let params = json!({ "message": message });
                let refused = call(server.address, binding, V1, method, &params).await.unwrap_err();
                assert_eq!(
                    (refused.code, refused.reason.as_str()),
                    (code, "RESOURCE_EXHAUSTED"),
                    "{binding:?}"
                );
                assert!(refused.message.ends_with("try again later"), "{}", refused.message);
            }
        }
    }
    assert_eq!(client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size, 2);
    // What makes no task needs no room.
    for skill in ["direct", "either"] {
        assert_eq!(client.send_message(to(skill, "direct")).await.unwrap().text(), "direct");
    }
    let error = client.send_message(to("done", "x")).await.unwrap_err();
    assert!(error.is_retryable());

    gate.open();
    soon(gate.passed()).await;
    soon(async {
        while state_of(&client, &working[0]).await != TaskState::Completed
            && state_of(&client, &working[1]).await != TaskState::Completed
        {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(make(&client, "done").await.status.state, TaskState::Completed);
    gate.open();
}

#[tokio::test]
async fn thousands_that_wait_are_held_to_the_bound_and_the_newest_are_kept() {
    let (agent, _) = with_room_for(10);
    let client = agent.client().unwrap();
    for _ in 0..500 {
        make(&client, "ask").await;
    }
    let waiting = ListTasksRequest { status: TaskState::InputRequired, ..ListTasksRequest::default() };
    let failed = ListTasksRequest { status: TaskState::Failed, ..ListTasksRequest::default() };
    assert_eq!(client.list_tasks(waiting).await.unwrap().total_size, 10);
    assert_eq!(client.list_tasks(failed).await.unwrap().total_size, 490);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_answer_is_whole_though_no_finished_task_is_kept() {
    for kept in [0, 1, 2] {
        let (agent, gate) = agent(Retention::default().max_finished(kept));
        let client = agent.client().unwrap();
        let calls: Vec<_> = (0..100)
            .map(|n| {
                let (client, gate) = (client.clone(), gate.clone());
                tokio::spawn(async move {
                    let skill = ["done", "either", "works", "ask"][n % 4];
                    if skill == "works" {
                        gate.open();
                    }
                    if n % 8 < 4 {
                        let mut lines =
                            lines(client.send_streaming_message(to(skill, "hi")).await.unwrap()).await;
                        return lines.pop().unwrap();
                    }
                    let task = client.send_message(to(skill, "hi")).await.unwrap().into_task().unwrap();
                    a2a_tests::state(task.status.state).to_owned()
                })
            })
            .collect();
        for (n, call) in calls.into_iter().enumerate() {
            let ended = soon(async {
                loop {
                    // `open` is remembered once, and several skills may wait for it.
                    gate.open();
                    if call.is_finished() {
                        return call.await.unwrap();
                    }
                    tokio::task::yield_now().await;
                }
            })
            .await;
            let expected = if n % 4 == 3 { "INPUT_REQUIRED" } else { "COMPLETED" };
            assert!(ended.starts_with(expected) || ended == format!("task {expected}"), "{n}: {ended}");
        }
        // Nobody reads them any more: the next that ends finds them gone.
        make(&client, "done").await;
        make(&client, "done").await;
        let done = ListTasksRequest { status: TaskState::Completed, ..ListTasksRequest::default() };
        let left = client.list_tasks(done).await.unwrap().total_size;
        assert!(left <= i32::try_from(kept).unwrap(), "{left} of {kept}");
    }
}

#[tokio::test]
async fn a_cancellation_is_answered_though_no_finished_task_is_kept() {
    let (agent, _) = agent(Retention::default().max_finished(0));
    let client = agent.client().unwrap();
    for skill in ["ask", "parks"] {
        let task = make(&client, skill).await;
        assert_eq!(client.cancel_task(&task.id).await.unwrap().status.state, TaskState::Canceled);
    }
}

#[tokio::test]
async fn a_caller_has_as_many_open_streams_as_it_may_and_the_next_is_refused() {
    let (agent, _) = agent(Retention::default());
    let agent =
        agent.max_streams(2).layer(BearerTokens::new(["a", "b"].map(|name| (name, Principal::new(name)))));
    let server = serve_built(agent.build().unwrap()).await;
    let headers = |name: &str| format!("{V1}Authorization: Bearer {name}\r\n");
    let mut to_park = message("x");
    to_park["metadata"] = json!({ "skill": "parks" });
    let parked =
        call(server.address, BINDINGS[0], &headers("a"), "SendMessage", &json!({ "message": to_park })).await;
    let id = json!({ "id": parked.unwrap()["task"]["id"] });
    let open = async || {
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "SubscribeToTask", "params": id }).to_string();
        let headers = format!("{}Content-Type: application/json\r\n", headers("a"));
        request(server.address, "POST", "/", &headers, body.as_bytes()).await
    };
    let mut streams = vec![open().await, open().await];
    for stream in &mut streams {
        assert_eq!(stream.event().await.unwrap().data["result"]["task"]["id"], id["id"]);
    }
    for (binding, code) in BINDINGS.into_iter().zip([-32603, 429, 8]) {
        for (method, params) in
            [("SubscribeToTask", &id), ("SendStreamingMessage", &json!({ "message": to_park }))]
        {
            let refused = call(server.address, binding, &headers("a"), method, params).await.unwrap_err();
            assert_eq!(
                (refused.reason.as_str(), refused.code),
                ("RESOURCE_EXHAUSTED", code),
                "{binding:?} {method}"
            );
        }
    }
    let stream = json!({ "message": to_park });
    let other = call(server.address, BINDINGS[0], &headers("b"), "SendStreamingMessage", &stream).await;
    assert!(other.is_ok(), "others have streams of their own");
    streams.pop();
    // The server learns that a connection is gone when it next looks at it.
    soon(async {
        while open().await.header("content-type") != "text/event-stream" {
            tokio::task::yield_now().await;
        }
    })
    .await;
}
