//! What a skill says through its context, as it is on the wire of all three bindings, and what it is told there.
#![allow(clippy::unwrap_used, reason = "tests")]

mod three;

use a2a_sdk::protocol::{Artifact, ListTasksRequest, Part, Task, TaskState};
use a2a_sdk::{
    Agent, Client, Context, File, Principal, Progress, Reply, SKILLS_EXTENSION, SkillError, State,
};
use a2a_tests::http::serve;
use a2a_tests::{Gate, answer, at_once, lines, next_line, to};
use futures_util::{Stream, stream};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use three::{BINDINGS, V1, call, message, plain};

/// Says things in many ways.
#[a2a_sdk::agent]
struct Says;

#[derive(Deserialize, JsonSchema)]
struct Dates {
    from: String,
    nights: u8,
}

/// Asks for dates.
#[a2a_sdk::skill]
async fn dates(ctx: Context) -> Result<String, SkillError> {
    let dates: Dates = ctx.ask_json("From when?").await?;
    Ok(format!("{} for {}", dates.from, dates.nights))
}

/// Wants to be authorized, twice.
#[a2a_sdk::skill]
async fn guarded(ctx: Context) -> Result<String, SkillError> {
    let first = ctx.require_auth("grant it at https://calendar.example").await?.text();
    let second = ctx.require_auth("and once more").await?.text();
    Ok(format!("{first}, {second}"))
}

/// Waits at the gate, wants to be authorized, and then asks.
#[a2a_sdk::skill]
async fn late(ctx: Context, State(gate): State<Gate>) -> Result<String, SkillError> {
    gate.pass().await;
    let granted = ctx.require_auth("grant it").await?.text();
    let said = ctx.ask("what else?").await?.text();
    Ok(format!("granted by `{granted}`, heard `{said}`"))
}

/// Learns at the gate that it may go on.
#[a2a_sdk::skill]
async fn told(ctx: Context, State(gate): State<Gate>) -> Result<String, SkillError> {
    tokio::select! {
        _ = ctx.require_auth("grant it") => return Err(SkillError::failed("nobody was to answer")),
        () = gate.pass() => {}
    }
    ctx.progress("granted").await?;
    Ok("done".to_owned())
}

/// Tells how far it is.
#[a2a_sdk::skill]
async fn reads(ctx: Context) -> Result<(), SkillError> {
    ctx.progress(Progress::new("half").fraction(0.5)).await?;
    ctx.progress(Progress::new("all").fraction(3.0)).await?;
    ctx.progress("plain").await
}

/// Writes artifacts of all kinds, two of them at the same time.
#[a2a_sdk::skill]
async fn writes(ctx: Context) -> Result<(), SkillError> {
    let mut text =
        ctx.artifact("text").description("Words.").metadata([("lang", "en")].into()).extension("urn:x");
    let mut data = ctx.artifact("data");
    text.write("a").await?;
    data.write_json(&json!({ "n": 1 })).await?;
    text.finish_with("b").await?;
    data.finish_with_json(&[1, 2]).await?;
    ctx.artifact("file").finish_with(File::new("f.txt", "text/plain", "F")).await?;
    ctx.artifact("open").write("left").await
}

/// Replies with several artifacts, one of which has an id of its own.
#[a2a_sdk::skill]
async fn several() -> Reply {
    let named = |id: &str, name: &str, part| Artifact {
        artifact_id: id.to_owned(),
        name: Some(name.to_owned()),
        parts: vec![part],
        ..Artifact::default()
    };
    Reply::artifacts([named("", "one", Part::text("1")), named("mine", "two", Part::data(2))])
}

/// Fails midway.
#[a2a_sdk::skill]
async fn breaks() -> impl Stream<Item = Result<&'static str, SkillError>> {
    stream::iter([Ok("one "), Ok("two "), Err(SkillError::failed("out of words")), Ok("never")])
}

/// Fails midway with an error that is nobody's business.
#[a2a_sdk::skill]
async fn leaks() -> impl Stream<Item = Result<&'static str, std::io::Error>> {
    stream::iter([Ok("one "), Err(std::io::Error::other("a secret"))])
}

/// Tells what came with the message.
#[a2a_sdk::skill]
async fn came(ctx: Context) -> Result<String, SkillError> {
    let told: Vec<String> = ctx.referenced_tasks().await?.iter().map(Task::text).collect();
    let metadata = ctx.metadata();
    let of = |key: &str| metadata.get(key).and_then(Value::as_str).unwrap_or("-").to_owned();
    Ok(format!("{:?} {told:?} {} {} {}", ctx.references(), of("request"), of("message"), of("both")))
}

/// Says it back.
#[a2a_sdk::skill]
async fn echo(text: String) -> String {
    text
}

fn agent() -> Agent {
    Says::agent().state(Gate::default())
}

fn client() -> Client {
    agent().client().unwrap()
}

async fn send(client: &Client, message: impl Into<a2a_sdk::protocol::SendMessageRequest>) -> Task {
    client.send_message(message).await.unwrap().into_task().unwrap()
}

/// The events of a skill over each of the bindings, as the descriptors read them.
async fn streamed(skill: &str) -> [Vec<Value>; 3] {
    let server = serve(agent()).await;
    let mut message = message("hi");
    message["metadata"] = json!({ SKILLS_EXTENSION: { "skill": skill } });
    let mut all = Vec::new();
    for binding in BINDINGS {
        let method = "SendStreamingMessage";
        let events = call(server.address, binding, V1, method, &json!({ "message": message })).await.unwrap();
        all.push(plain(method, &events).as_array().unwrap().clone());
    }
    all.try_into().unwrap()
}

fn states(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["statusUpdate"]["status"]["state"].as_str()).collect()
}

#[tokio::test]
async fn a_question_for_data_carries_its_schema_and_is_asked_again_with_the_misfit() {
    let client = client();
    let task = send(&client, to("dates", "hi")).await;
    let question = task.status.message.as_ref().unwrap();
    assert_eq!((task.status.state, &*question.text()), (TaskState::InputRequired, "From when?"));
    assert_eq!(question.extensions, [SKILLS_EXTENSION]);
    let schema = &question.metadata[SKILLS_EXTENSION]["answerSchema"];
    assert_eq!(schema["$defs"]["Dates"]["required"], json!(["from", "nights"]), "{schema}");

    let wrong = Part::data(json!({ "from": "May", "nights": "two" }));
    let task = send(&client, a2a_sdk::Message::user(wrong).with_task_id(&task.id)).await;
    let again = task.status.message.as_ref().unwrap();
    let expected = "message.parts[0].data.nights: invalid type: string \"two\", expected u8\nFrom when?";
    assert_eq!((task.status.state, &*again.text()), (TaskState::InputRequired, expected));
    assert_eq!((&again.metadata, &again.extensions), (&question.metadata, &question.extensions));
    assert_ne!(again.message_id, question.message_id);

    let task = send(&client, answer(&task, "tomorrow")).await;
    let text = task.status.message.as_ref().unwrap().text();
    assert!(text.starts_with("message.parts[0].text: ") && text.ends_with("\nFrom when?"), "{text}");

    let task = send(&client, answer(&task, r#"{"from": "May", "nights": 2}"#)).await;
    assert_eq!((task.status.state, &*task.text()), (TaskState::Completed, "May for 2"));
}

#[tokio::test]
async fn an_authorization_is_waited_for_as_often_as_it_is_asked_for() {
    let client = client();
    let task = send(&client, to("guarded", "hi")).await;
    let asked = task.status.message.as_ref().unwrap();
    assert_eq!(task.status.state, TaskState::AuthRequired);
    assert_eq!(asked.text(), "grant it at https://calendar.example");
    let task = send(&client, answer(&task, "granted")).await;
    assert_eq!(
        (task.status.state, task.status.message.as_ref().unwrap().text()),
        (TaskState::AuthRequired, "and once more".to_owned())
    );
    let task = send(&client, answer(&task, "again")).await;
    assert_eq!((task.status.state, &*task.text()), (TaskState::Completed, "granted, again"));
    let said: Vec<String> = task.history.iter().map(a2a_sdk::Message::text).collect();
    assert_eq!(said, ["hi", "grant it at https://calendar.example", "granted", "and once more", "again"]);
}

#[tokio::test]
async fn a_message_from_before_does_not_tell_that_something_was_authorized() {
    let gate = Gate::default();
    let client = Says::agent().state(gate.clone()).client().unwrap();
    let task = send(&client, at_once(to("late", "hi"))).await;
    gate.reached().await;
    let mut events = client.subscribe_to_task(&task.id).await.unwrap();
    assert_eq!(next_line(&mut events).await, "task WORKING");
    send(&client, at_once(answer(&task, "hurry"))).await;
    gate.open();
    assert_eq!(next_line(&mut events).await, "AUTH_REQUIRED grant it");
    send(&client, at_once(answer(&task, "here"))).await;
    let mut rest = Vec::new();
    while rest.last().is_none_or(|line| line != "end") {
        rest.push(next_line(&mut events).await);
    }
    let done = "artifact-1= granted by `here`, heard `hurry`";
    assert_eq!(rest, ["WORKING", done, "COMPLETED", "end"], "the question is answered by what was there");
}

#[tokio::test]
async fn a_skill_that_learns_by_itself_goes_on_without_a_message() {
    let gate = Gate::default();
    let client = Says::agent().state(gate.clone()).client().unwrap();
    let task = send(&client, to("told", "hi")).await;
    assert_eq!(task.status.state, TaskState::AuthRequired);
    let events = client.subscribe_to_task(&task.id).await.unwrap();
    gate.open();
    let seen = lines(events).await;
    assert_eq!(seen, ["task AUTH_REQUIRED", "WORKING granted", "artifact-1= done", "COMPLETED"]);
}

#[tokio::test]
async fn a_task_that_waits_for_an_authorization_is_canceled_at_once() {
    let client = client();
    let task = send(&client, to("guarded", "hi")).await;
    let canceled = client.cancel_task(&*task.id).await.unwrap();
    assert_eq!(canceled.status.state, TaskState::Canceled);
}

#[tokio::test]
async fn progress_is_a_number_beside_the_text() {
    for events in streamed("reads").await {
        let told: Vec<(Value, Value)> = events
            .iter()
            .filter_map(|event| event["statusUpdate"]["status"].get("message"))
            .map(|message| {
                (
                    message["parts"][0]["text"].clone(),
                    message["metadata"][SKILLS_EXTENSION]["progress"].clone(),
                )
            })
            .collect();
        let told: Vec<_> = told.iter().map(|(text, done)| (text.as_str().unwrap(), done.as_f64())).collect();
        assert_eq!(told, [("half", Some(0.5)), ("all", Some(1.0)), ("plain", None)]);
    }
}

#[tokio::test]
async fn artifacts_keep_their_marks_also_where_two_are_written_at_once() {
    for events in streamed("writes").await {
        let updates = events.iter().map(|event| &event["artifactUpdate"]).filter(|update| !update.is_null());
        let seen: Vec<Value> = updates
            .map(|update| {
                let artifact = &update["artifact"];
                let set = |name: &str| update[name].as_bool().unwrap_or(false);
                let mut part = artifact["parts"][0].clone();
                part.as_object_mut().unwrap().remove("mediaType");
                json!([artifact["artifactId"], artifact["name"], part, set("append"), set("lastChunk")])
            })
            .collect();
        let expected = [
            json!(["artifact-1", "text", { "text": "a" }, false, false]),
            json!(["artifact-2", "data", { "data": { "n": 1.0 } }, false, false]),
            json!(["artifact-1", null, { "text": "b" }, true, true]),
            json!(["artifact-2", null, { "data": [1.0, 2.0] }, true, true]),
            json!(["artifact-3", "file", { "raw": "Rg==", "filename": "f.txt" }, false, true]),
            json!(["artifact-4", "open", { "text": "left" }, false, false]),
        ];
        assert_eq!(seen, expected);
        let first = events.iter().find(|event| !event["artifactUpdate"].is_null()).unwrap();
        let artifact = &first["artifactUpdate"]["artifact"];
        assert_eq!(
            (&artifact["description"], &artifact["metadata"], &artifact["extensions"]),
            (&json!("Words."), &json!({ "lang": "en" }), &json!(["urn:x"]))
        );
    }
}

#[tokio::test]
async fn a_reply_may_be_several_artifacts() {
    let task = send(&client(), to("several", "hi")).await;
    let seen: Vec<_> =
        task.artifacts.iter().map(|artifact| (&*artifact.artifact_id, artifact.name.as_deref())).collect();
    assert_eq!(seen, [("artifact-1", Some("one")), ("mine", Some("two"))]);
    for events in streamed("several").await {
        assert_eq!(states(&events), ["TASK_STATE_COMPLETED"]);
        let ids: Vec<_> = events
            .iter()
            .filter_map(|event| event["artifactUpdate"]["artifact"]["artifactId"].as_str())
            .collect();
        assert_eq!(ids, ["artifact-1", "mine"]);
    }
}

#[tokio::test]
async fn a_stream_that_fails_midway_keeps_what_was_sent() {
    for events in streamed("breaks").await {
        let texts: Vec<_> = events
            .iter()
            .filter_map(|event| event["artifactUpdate"]["artifact"]["parts"][0]["text"].as_str())
            .collect();
        assert_eq!(texts, ["one ", "two "]);
        assert_eq!(states(&events), ["TASK_STATE_WORKING", "TASK_STATE_FAILED"]);
        let last = &events.last().unwrap()["statusUpdate"]["status"]["message"]["parts"][0]["text"];
        assert_eq!(last, "out of words");
    }
    let task = send(&client(), to("breaks", "hi")).await;
    assert_eq!((task.status.state, &*task.artifacts[0].text()), (TaskState::Failed, "one two "));
}

#[tokio::test]
async fn a_stream_that_fails_by_itself_tells_nobody_why() {
    for events in streamed("leaks").await {
        assert_eq!(states(&events), ["TASK_STATE_WORKING", "TASK_STATE_FAILED"]);
        let last = &events.last().unwrap()["statusUpdate"]["status"]["message"];
        let text = last["parts"][0]["text"].as_str().unwrap();
        assert!(
            text.contains(last["metadata"]["incidentId"].as_str().unwrap()) && !text.contains("secret"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_skill_reads_the_tasks_a_message_refers_to_where_they_are_its_callers() {
    let client = client();
    let of = |id: &'static str| client.clone().with_principal(Principal::new(id));
    let (ada, bob) = (of("ada"), of("bob"));
    let (one, two) = (send(&ada, to("echo", "one")).await, send(&ada, to("echo", "two")).await);
    let foreign = send(&bob, to("echo", "bob's")).await;
    let mut message = to("came", "hi");
    message.reference_task_ids =
        vec![two.id.clone(), "missing".to_owned(), foreign.id.clone(), one.id.clone()];
    let ids = format!("{:?}", message.reference_task_ids);
    let task = send(&ada, message).await;
    assert_eq!(task.text(), format!(r#"{ids} ["two", "one"] - - -"#));
    let theirs = ada.list_tasks(ListTasksRequest::default()).await.unwrap().tasks.len();
    assert_eq!(theirs, 3, "reading changes nothing");
}

#[tokio::test]
async fn the_metadata_of_message_and_request_come_together() {
    let mut message = to("came", "hi");
    message.metadata.insert("message".to_owned(), json!("m"));
    message.metadata.insert("both".to_owned(), json!("message's"));
    let mut request = a2a_sdk::protocol::SendMessageRequest::new(message);
    request.metadata = [("request", "r"), ("both", "request's")].into();
    assert_eq!(send(&client(), request).await.text(), "[] [] r m message's");
}
