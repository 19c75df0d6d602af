//! Answers to `ask_json` and `require_auth` that nobody gives who means well.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{ErrorKind, Message, Part, Task, TaskState};
use a2a_sdk::{Client, Context, File, Principal, SkillError};
use a2a_tests::{answer, at_once, state, to};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Asks for data and for leave.
#[a2a_sdk::agent]
struct Asks;

#[derive(Deserialize, JsonSchema)]
struct Dates {
    from: String,
    nights: u8,
}

/// Asks for dates, and panics at none.
#[a2a_sdk::skill]
async fn stay(ctx: Context) -> Result<String, SkillError> {
    let dates: Dates = ctx.ask_json("From when?").await?;
    assert!(dates.nights > 0, "no nights are none of ours");
    let again: Dates = ctx.ask_json("And then?").await?;
    Ok(format!("{} {}, {} {}", dates.from, dates.nights, again.from, again.nights))
}

/// Wants leave, and then says what came of it.
#[a2a_sdk::skill]
async fn guarded(text: String, ctx: Context) -> Result<String, SkillError> {
    let granted = ctx.require_auth("grant it").await?.text();
    Ok(format!("{text}: {granted}"))
}

/// Answers at once.
#[a2a_sdk::skill]
async fn quick(text: String) -> String {
    text
}

fn client() -> Client {
    Asks::agent().client().unwrap()
}

async fn send(client: &Client, message: Message) -> Task {
    client.send_message(message).await.unwrap().into_task().unwrap()
}

fn data(task: &Task, value: Value) -> Message {
    Message::user(Part::data(value)).with_task_id(&task.id)
}

fn nested(depth: usize) -> String {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
}

#[tokio::test]
async fn an_answer_of_any_other_shape_is_asked_for_again_and_the_question_stays_small() {
    let client = client();
    let task = send(&client, to("stay", "go")).await;
    let huge = "x".repeat(2_000_000);
    // What is no message does not reach the skill.
    client.send_message(Message::user(Vec::new()).with_task_id(&task.id)).await.unwrap_err();
    let answers = [
        answer(&task, ""),
        answer(&task, &nested(100)),
        answer(&task, &nested(100_000)),
        answer(&task, &huge),
        answer(&task, "{\"from\": \"May\", \"nights\": 2} and more"),
        answer(&task, "{\"from\": \"May\", \"from\": \"June\", \"nights\": 2}"),
        data(&task, Value::Null),
        data(&task, json!({ "from": "May", "nights": -1 })),
        data(&task, json!({ "from": "May", "nights": 2.5 })),
        data(&task, json!({ "from": "May", "nights": 1e300 })),
        data(&task, json!({ "from": "May", "nights": huge })),
        data(&task, json!({ "from": { &huge: huge }, "nights": 2 })),
        Message::user(Part::raw("{}").with_media_type("application/json")).with_task_id(&task.id),
        Message::user(Part::data(json!([])).with_media_type("application/json")).with_task_id(&task.id),
        Message::user(Part::url("https://example.com/dates.json")).with_task_id(&task.id),
    ];
    for message in answers {
        let asked = send(&client, message).await;
        let said = asked.status.message.unwrap();
        assert_eq!((asked.status.state, said.parts.len()), (TaskState::InputRequired, 2));
        assert!(
            said.text().starts_with("message.parts") && said.text().ends_with("From when?"),
            "{}",
            said.text()
        );
        assert!(said.text().len() < 2_100, "{}", said.text().len());
        assert!(said.metadata[a2a_sdk::SKILLS_EXTENSION]["answerSchema"].is_object());
    }
    let next = send(&client, data(&task, json!({ "from": "May", "nights": 2 }))).await;
    assert_eq!(next.status.message.unwrap().text(), "And then?");
}

/// Looks at a picture, and asks about it.
#[a2a_sdk::skill]
async fn look(_picture: File, ctx: Context) -> Result<String, SkillError> {
    let what = ctx.ask("What of it?").await?.text();
    let nights = ctx.ask_json::<Dates>("And when?").await?.nights;
    Ok(format!("{what} {nights}"))
}

#[tokio::test]
async fn an_answer_may_name_its_media_type_whatever_the_arguments_read() {
    let client = client();
    let picture = || Part::raw("x").with_media_type("image/png");
    let task = send(&client, to("look", picture())).await;
    let text = Part::text("all").with_media_type("text/plain; charset=utf-8");
    send(&client, Message::user(text).with_task_id(&task.id)).await;
    let dates = Part::data(json!({ "from": "May", "nights": 2 })).with_media_type("application/json");
    let done = send(&client, Message::user(dates.clone()).with_task_id(&task.id)).await;
    assert_eq!((done.status.state, &*done.text()), (TaskState::Completed, "all 2"));

    // For text and data alone, and only in answers.
    let asked = send(&client, to("stay", "go")).await;
    for message in [Message::user(picture()).with_task_id(&asked.id), to("quick", dates)] {
        let refused = client.send_message(message).await.unwrap_err();
        assert_eq!(refused.kind(), Some(ErrorKind::ContentTypeNotSupported));
    }
}

#[tokio::test]
async fn of_two_answers_at_once_each_is_taken_for_one_question() {
    let client = client();
    let task = send(&client, to("stay", "go")).await;
    let (one, two) = (json!({ "from": "May", "nights": 1 }), json!({ "from": "June", "nights": 2 }));
    let (first, second) =
        tokio::join!(client.send_message(data(&task, one)), client.send_message(data(&task, two)));
    first.unwrap();
    second.unwrap();
    let done = client.get_task(&*task.id).await.unwrap();
    assert_eq!(done.status.state, TaskState::Completed);
    assert!(["May 1, June 2", "June 2, May 1"].contains(&&*done.text()), "{}", done.text());
}

#[tokio::test]
async fn an_answer_that_breaks_the_skill_ends_its_task_alone() {
    let client = client();
    let (task, other) = (send(&client, to("stay", "go")).await, send(&client, to("stay", "go")).await);
    let failed = send(&client, data(&task, json!({ "from": "May", "nights": 0 }))).await;
    assert_eq!(failed.status.state, TaskState::Failed);
    assert!(!failed.status.message.unwrap().text().contains("none of ours"));
    let next = send(&client, data(&other, json!({ "from": "May", "nights": 1 }))).await;
    assert_eq!(next.status.state, TaskState::InputRequired);
}

#[tokio::test]
async fn only_the_caller_answers_and_a_canceled_question_takes_no_answer() {
    let client = client();
    let (ada, bob) =
        (client.clone().with_principal(Principal::new("ada")), client.with_principal(Principal::new("bob")));
    for skill in ["stay", "guarded"] {
        let task = send(&ada, to(skill, "go")).await;
        let answer = data(&task, json!({ "from": "May", "nights": 1 }));
        let foreign = bob.send_message(answer.clone()).await.unwrap_err();
        assert_eq!(foreign.kind(), Some(ErrorKind::TaskNotFound));
        assert_eq!(ada.get_task(&*task.id).await.unwrap(), task, "it changed nothing");
        assert_eq!(ada.cancel_task(&*task.id).await.unwrap().status.state, TaskState::Canceled);
        let late = ada.send_message(answer).await.unwrap_err();
        assert_eq!(late.kind(), Some(ErrorKind::UnsupportedOperation));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_that_wait_for_leave_hold_up_nobody_and_each_gets_its_own() {
    const WAITING: usize = 500;
    let client = client();
    let mut waiting = Vec::new();
    for n in 0..WAITING {
        waiting.push(send(&client, to("guarded", n.to_string())).await);
    }
    assert!(waiting.iter().all(|task| state(task.status.state) == "AUTH_REQUIRED"));
    for n in 0..WAITING {
        let done = send(&client, to("quick", n.to_string())).await;
        assert_eq!((done.status.state, done.text()), (TaskState::Completed, n.to_string()));
    }
    let answers = waiting.iter().enumerate().map(|(n, task)| {
        let (client, message) = (client.clone(), answer(task, &format!("leave {n}")));
        tokio::spawn(async move { client.send_message(message).await.unwrap().into_task().unwrap() })
    });
    for (n, answered) in answers.collect::<Vec<_>>().into_iter().enumerate() {
        assert_eq!(answered.await.unwrap().text(), format!("{n}: leave {n}"));
    }
    let refused = client.send_message(at_once(answer(&waiting[0], "again"))).await.unwrap_err();
    assert_eq!(refused.kind(), Some(ErrorKind::UnsupportedOperation));
}
