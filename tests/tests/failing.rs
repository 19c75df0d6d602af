//! What callers see of a store that fails, and what becomes of their tasks.
#![allow(clippy::unwrap_used, reason = "tests")]

mod three;

use a2a_sdk::protocol::{ListTasksRequest, Task, TaskState};
use a2a_sdk::{Agent, Client, Context, Reply, SKILLS_EXTENSION, SkillError, State};
use a2a_tests::http::{self, Server, serve_built};
use a2a_tests::store::{Faults, Op, SECRET, Tested};
use a2a_tests::{Gate, answer, at_once, lines, next_line, to};
use serde_json::{Value, json};
use std::time::Duration;
use three::{BINDINGS, Refused, V1, call, message};

/// Depends on its store.
#[a2a_sdk::agent]
struct Dependent;

/// Completes.
#[a2a_sdk::skill]
async fn done(text: String) -> String {
    text
}

/// Decides while it runs.
#[a2a_sdk::skill]
async fn either(text: String) -> Reply {
    Reply::parts([text.into()])
}

/// Writes two chunks, with the gate between them.
#[a2a_sdk::skill]
async fn chunks(ctx: Context, State(gate): State<Gate>) -> Result<Reply, SkillError> {
    let _living = gate.live();
    ctx.progress("now").await?;
    let mut artifact = ctx.artifact("a");
    artifact.write("1").await?;
    gate.pass().await;
    artifact.finish_with("2").await?;
    Ok(Reply::parts([]))
}

/// Asks.
#[a2a_sdk::skill]
async fn ask(ctx: Context) -> Result<String, SkillError> {
    Ok(ctx.ask("which?").await?.text())
}

/// Asks, and is called again.
#[a2a_sdk::skill]
async fn parks(text: String) -> Reply {
    if text == "hi" { Reply::ask("which?") } else { Reply::parts([text.into()]) }
}

fn agent() -> (Agent, Gate, Faults) {
    let (gate, (store, faults)) = (Gate::default(), Tested::new());
    (Dependent::agent().state(gate.clone()).store(store), gate, faults)
}

async fn served() -> (Server, Client, Gate, Faults) {
    let (agent, gate, faults) = agent();
    let built = agent.build().unwrap();
    let client = built.client();
    (serve_built(built).await, client, gate, faults)
}

fn params(skill: &str) -> Value {
    let mut message = message("hi");
    message["metadata"] = json!({ SKILLS_EXTENSION: { "skill": skill } });
    json!({ "message": message })
}

async fn make(client: &Client, skill: &str) -> Task {
    client.send_message(to(skill, "hi")).await.unwrap().into_task().unwrap()
}

/// An error that tells an incident and nothing else.
fn assert_internal(refused: &Refused, code: i64) {
    assert_eq!((refused.reason.as_str(), refused.code), ("INTERNAL", code), "{refused:?}");
    let incident = refused.message.strip_prefix("internal error, incident ").unwrap();
    assert_eq!(incident.len(), 36, "{refused:?}");
}

/// The end of a task whose operator finds more under an incident.
fn assert_failed(task: &Task) {
    assert_eq!(task.status.state, TaskState::Failed);
    let message = task.status.message.as_ref().unwrap();
    let incident = message.metadata.get("incidentId").unwrap().as_str().unwrap();
    assert!(message.text().contains(incident) && !message.text().contains(SECRET), "{}", message.text());
}

fn is(state: TaskState) -> impl Fn(Op) -> bool + Copy {
    move |op| op == Op::Append(Some(state))
}

fn is_append(op: Op) -> bool {
    matches!(op, Op::Append(_))
}

#[tokio::test]
async fn a_task_that_cannot_be_made_is_an_internal_error_and_leaves_nothing() {
    let (server, client, _, faults) = served().await;
    faults.set(|op| op == Op::Create);
    for (binding, code) in BINDINGS.into_iter().zip([-32603, 500, 13]) {
        for skill in ["done", "either"] {
            for method in ["SendMessage", "SendStreamingMessage"] {
                let refused = call(server.address, binding, V1, method, &params(skill)).await.unwrap_err();
                assert_internal(&refused, code);
            }
        }
    }
    assert_eq!(client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size, 0);
    faults.heal();
    assert_eq!(make(&client, "done").await.status.state, TaskState::Completed);
}

const CHUNKS: [&str; 5] = ["task SUBMITTED", "WORKING now", "artifact-1= 1", "artifact-1+! 2", "COMPLETED"];

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_for_a_moment_is_tried_again_and_nothing_is_lost() {
    for count in 1..6 {
        let (agent, gate, faults) = agent();
        let client = agent.client().unwrap();
        faults.next(count, is_append);
        gate.open();
        let told = lines(client.send_streaming_message(to("chunks", "hi")).await.unwrap()).await;
        assert_eq!(told, CHUNKS, "{count}");
        faults.next(count, |op| op == Op::Read);
        gate.open();
        let told = lines(client.send_streaming_message(to("chunks", "hi")).await.unwrap()).await;
        assert_eq!(told, CHUNKS, "{count}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_whose_events_are_not_taken_ends_as_failed() {
    for refused in [TaskState::Completed, TaskState::Working] {
        let (agent, gate, faults) = agent();
        let client = agent.client().unwrap();
        faults.set(is(refused));
        gate.open();
        let task = make(&client, "chunks").await;
        assert_failed(&task);
        assert_eq!(client.get_task(&task.id).await.unwrap(), task);
        assert_eq!(gate.living(), 0);
        gate.open();
        let told = lines(client.send_streaming_message(to("chunks", "hi")).await.unwrap()).await;
        assert!(told.last().unwrap().starts_with("FAILED the agent failed"), "{told:?}");
        faults.heal();
        assert_eq!(make(&client, "done").await.status.state, TaskState::Completed);
    }
}

#[tokio::test]
async fn a_caller_is_not_kept_waiting_by_a_store_that_takes_nothing() {
    let (server, client, _, faults) = served().await;
    faults.set(is_append);
    let waiting = BINDINGS.map(|binding| {
        let address = server.address;
        tokio::spawn(async move { call(address, binding, V1, "SendMessage", &params("done")).await })
    });
    for (waiting, code) in waiting.into_iter().zip([-32603, 500, 13]) {
        assert_internal(&waiting.await.unwrap().unwrap_err(), code);
    }
    let listed = client.list_tasks(ListTasksRequest::default()).await.unwrap();
    let ids: Vec<_> = listed.tasks.into_iter().map(|task| task.id).collect();
    assert_eq!(ids.len(), 3);
    let mut streams = Vec::new();
    for id in &ids {
        streams.push(client.subscribe_to_task(id).await.unwrap());
    }
    // What could not be told then is told when the store is back, to everybody.
    faults.heal();
    for (id, stream) in ids.iter().zip(streams) {
        let told = tokio::time::timeout(Duration::from_secs(20), lines(stream)).await.unwrap();
        assert!(told.last().unwrap().starts_with("FAILED the agent failed"), "{told:?}");
        assert_failed(&client.get_task(id).await.unwrap());
    }
    assert_eq!(make(&client, "done").await.status.state, TaskState::Completed);
}

#[tokio::test]
async fn a_stream_that_cannot_go_on_ends_with_an_error() {
    let (server, client, gate, faults) = served().await;
    let path = ["SendStreamingMessage", "/message:stream"];
    for rest in [false, true] {
        let params = params("chunks");
        let mut stream = if rest {
            let body = params.to_string();
            http::request(server.address, "POST", path[1], V1, body.as_bytes()).await
        } else {
            server.stream(path[0], params, "").await
        };
        let mut seen = Vec::new();
        while !seen.last().is_some_and(|event: &Value| event.to_string().contains("artifactUpdate")) {
            seen.push(stream.event().await.unwrap().data);
        }
        gate.reached().await;
        faults.set(|op| op == Op::Read);
        gate.open();
        let last = stream.event().await.unwrap();
        assert_eq!(last.id, "", "an error is no entry of the log");
        let (error, code, details) = match rest {
            true => (&last.data["error"], 500, "details"),
            false => (&last.data["error"], -32603, "data"),
        };
        assert_eq!(last.data["id"], if rest { Value::Null } else { json!(1) });
        assert_eq!(error["code"], code);
        assert_eq!(error["status"], if rest { json!("INTERNAL") } else { Value::Null });
        assert_eq!(error[details][0]["reason"], "INTERNAL", "{error}");
        assert!(!error.to_string().contains(SECRET));
        assert!(stream.event().await.is_none());
        faults.heal();
    }
    // Over gRPC, and in process.
    let address = server.address;
    let streaming = tokio::spawn(async move {
        call(address, three::Binding::Grpc, V1, "SendStreamingMessage", &params("chunks")).await
    });
    gate.reached().await;
    let mut local = client.send_streaming_message(to("chunks", "hi")).await.unwrap();
    gate.reached().await;
    while next_line(&mut local).await != CHUNKS[2] {}
    faults.set(|op| op == Op::Read);
    gate.open();
    gate.open();
    gate.passed().await;
    gate.open();
    assert_internal(&streaming.await.unwrap().unwrap_err(), 13);
    let error = local.next().await.unwrap().unwrap_err();
    assert!(error.to_string().starts_with("internal error, incident "), "{error}");
    assert!(local.next().await.is_none());
    faults.heal();
    assert_eq!(make(&client, "done").await.status.state, TaskState::Completed);
}

#[tokio::test(start_paused = true)]
async fn a_message_that_was_accepted_is_read_once_the_store_can() {
    for (skill, op) in [("ask", Op::Read), ("parks", Op::Release)] {
        let (agent, _, faults) = agent();
        let client = agent.client().unwrap();
        if skill == "parks" {
            faults.next(3, move |now| now == op);
        }
        let task = make(&client, skill).await;
        assert_eq!(task.status.state, TaskState::InputRequired);
        if skill == "ask" {
            faults.next(3, move |now| now == op);
        }
        let answered = client.send_message(answer(&task, "this")).await.unwrap().into_task().unwrap();
        assert_eq!(answered.status.state, TaskState::Completed);
        assert_eq!(answered.artifacts[0].text(), "this");
        assert_eq!(answered.id, task.id);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancellation_that_fails_can_be_made_again() {
    for skill in ["parks", "ask"] {
        let (agent, _, faults) = agent();
        let client = agent.client().unwrap();
        let task = make(&client, skill).await;
        faults.set(is_append);
        let error = client.cancel_task(&task.id).await.unwrap_err();
        assert!(error.to_string().starts_with("internal error, incident "), "{skill} {error}");
        faults.heal();
        if skill == "parks" {
            let canceled = client.cancel_task(&task.id).await.unwrap();
            assert_eq!(canceled.status.state, TaskState::Canceled);
        } else {
            // It has been accepted: its writer sees to it.
            let told = lines(client.subscribe_to_task(&task.id).await.unwrap()).await;
            assert_eq!(told, ["task INPUT_REQUIRED", "CANCELED"]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_read_or_said_while_the_store_fails_is_an_internal_error() {
    let (agent, gate, faults) = agent();
    let client = agent.client().unwrap();
    let task = client.send_message(at_once(to("chunks", "hi"))).await.unwrap().into_task().unwrap();
    faults.set(|op| matches!(op, Op::Get | Op::Say));
    let errors = [
        client.get_task(&task.id).await.unwrap_err(),
        client.cancel_task(&task.id).await.unwrap_err(),
        client.send_message(answer(&task, "more")).await.unwrap_err(),
        client.subscribe_to_task(&task.id).await.unwrap_err(),
    ];
    for error in errors {
        assert!(error.to_string().starts_with("internal error, incident "), "{error}");
        assert!(!format!("{error:?}").contains(SECRET));
    }
    faults.heal();
    gate.open();
    let ended = lines(client.subscribe_to_task(&task.id).await.unwrap()).await;
    assert_eq!(ended.last().unwrap(), "COMPLETED");
}
