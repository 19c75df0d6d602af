//! Skills that ask, and callers that answer.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{ErrorKind, ListTasksRequest, Message, Role, StreamResponse, Task, TaskState};
use a2a_sdk::{Client, Context, Reply, SkillError, State};
use a2a_tests::{Gate, answer, at_once, lines, next_line, to};

/// Asks in every way there is.
#[a2a_sdk::agent]
struct Asks;

/// Asks one thing after another.
#[a2a_sdk::skill]
async fn book(wish: String, ctx: Context) -> Result<String, SkillError> {
    let people = ctx.ask("For how many?").await?.text();
    let time = ctx.ask("When?").await?.text();
    Ok(format!("{wish} for {people} at {time}"))
}

/// Asks by ending, until it knows enough.
#[a2a_sdk::skill]
async fn order(text: String, ctx: Context) -> Reply {
    let said: Vec<String> = ctx.history().iter().map(Message::text).collect();
    if said.len() < 5 { Reply::ask(format!("{text}?")) } else { Reply::text(said.join("|")) }
}

/// Waits at the gate, then takes the next message without asking.
#[a2a_sdk::skill]
async fn listen(ctx: Context, State(gate): State<Gate>) -> Result<String, SkillError> {
    gate.pass().await;
    Ok(format!("heard {}", ctx.next_message().await?.text()))
}

/// Waits at the gate, then asks.
#[a2a_sdk::skill]
async fn busy(ctx: Context, State(gate): State<Gate>) -> Result<String, SkillError> {
    gate.pass().await;
    Ok(format!("heard {}", ctx.ask("What?").await?.text()))
}

/// Waits at the gate and listens to nobody.
#[a2a_sdk::skill]
async fn deaf(State(gate): State<Gate>) -> &'static str {
    gate.pass().await;
    "done"
}

/// Asks, loses its patience at the gate, and asks something else.
#[a2a_sdk::skill]
async fn impatient(ctx: Context, State(gate): State<Gate>) -> Result<String, SkillError> {
    tokio::select! {
        _ = ctx.ask("First?") => return Ok("the first question was answered".to_owned()),
        () = gate.pass() => {}
    }
    Ok(format!("second: {}", ctx.ask("Second?").await?.text()))
}

/// Asks two things at the same time.
#[a2a_sdk::skill]
async fn both(ctx: Context) -> Result<String, SkillError> {
    let (one, two) = tokio::join!(ctx.ask("One?"), ctx.ask("Two?"));
    Ok(format!("{} {}", one?.text(), two?.text()))
}

/// Collects so many messages.
#[a2a_sdk::skill]
async fn collect(text: String, ctx: Context) -> Result<String, SkillError> {
    let mut all = Vec::new();
    for _ in 0..text.parse::<usize>()? {
        all.push(ctx.ask("more?").await?.text());
    }
    Ok(all.join(","))
}

/// Tells what it sees of the conversation.
#[a2a_sdk::skill]
async fn remember(ctx: Context) -> Result<String, SkillError> {
    let earlier = ctx.context().tasks().await?;
    let texts: Vec<String> = earlier.iter().map(Task::text).collect();
    Ok(format!("{}: {}", ctx.context().id(), texts.join("|")))
}

fn client() -> (Client, Gate) {
    let gate = Gate::default();
    (Asks::agent().state(gate.clone()).client().unwrap(), gate)
}

async fn send(client: &Client, message: Message) -> Task {
    client.send_message(message).await.unwrap().into_task().unwrap()
}

#[tokio::test]
async fn a_question_pauses_the_task_and_each_answer_goes_to_its_question() {
    let (client, _) = client();
    let task = send(&client, to("book", "a table")).await;
    assert_eq!(task.status.state, TaskState::InputRequired);
    assert_eq!(task.status.message.as_ref().unwrap().text(), "For how many?");
    assert_eq!(task.status.message.as_ref().unwrap().task_id.as_ref(), Some(&task.id));
    let task = send(&client, answer(&task, "four")).await;
    assert_eq!(task.status.message.as_ref().unwrap().text(), "When?");
    let task = send(&client, answer(&task, "eight")).await;
    assert_eq!((task.status.state, &*task.text()), (TaskState::Completed, "a table for four at eight"));
    let said: Vec<_> = task.history.iter().map(Message::text).collect();
    assert_eq!(said, ["a table", "For how many?", "four", "When?", "eight"]);
}

#[tokio::test]
async fn a_question_stands_in_one_place_only() {
    let (client, _) = client();
    let task = send(&client, to("book", "a table")).await;
    assert_eq!(task.history.iter().map(Message::text).collect::<Vec<_>>(), ["a table"]);
}

#[tokio::test]
async fn an_answer_without_a_context_is_of_the_context_of_its_task() {
    let (client, _) = client();
    let task = send(&client, to("book", "a table").with_context_id("c")).await;
    let task = send(&client, answer(&task, "four")).await;
    assert_eq!(task.history.last().unwrap().context_id.as_deref(), Some("c"));
}

#[tokio::test]
async fn an_answer_in_another_context_is_refused_and_the_question_still_stands() {
    let (client, _) = client();
    let task = send(&client, to("book", "a table")).await;
    let error = client.send_message(answer(&task, "four").with_context_id("other")).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::InvalidParams));
    assert_eq!(error.violations()[0].field, "message.contextId");
    assert_eq!(client.get_task(&task.id).await.unwrap(), task);
    assert_eq!(send(&client, answer(&task, "four")).await.status.message.unwrap().text(), "When?");
}

#[tokio::test]
async fn an_answer_that_does_not_wait_gets_the_task_that_goes_on() {
    let (client, _) = client();
    let task = send(&client, to("book", "a table")).await;
    let going = client.send_message(at_once(answer(&task, "four"))).await.unwrap().into_task().unwrap();
    assert_eq!(going.id, task.id);
    assert!(!going.status.state.is_terminal());
}

#[tokio::test]
async fn a_skill_that_asks_by_ending_is_called_again_with_the_history() {
    let (client, _) = client();
    let task = send(&client, to("order", "a")).await;
    assert_eq!((task.status.state, &*task.text()), (TaskState::InputRequired, "a?"));
    let task = send(&client, answer(&task, "b")).await;
    assert_eq!((task.status.state, &*task.text()), (TaskState::InputRequired, "b?"));
    let task = send(&client, answer(&task, "c")).await;
    assert_eq!((task.status.state, &*task.text()), (TaskState::Completed, "a|a?|b|b?|c"));
}

#[tokio::test]
async fn a_second_client_may_answer_for_the_same_principal() {
    let gate = Gate::default();
    let agent = Asks::agent().state(gate).build().unwrap();
    let task = send(&agent.client(), to("book", "a table")).await;
    assert_eq!(send(&agent.client(), answer(&task, "four")).await.status.message.unwrap().text(), "When?");
}

#[tokio::test]
async fn a_send_stream_closes_at_a_question_and_a_subscription_does_not() {
    let (client, _) = client();
    let mut sent = client.send_streaming_message(to("book", "a table")).await.unwrap();
    let Some(Ok(StreamResponse::Task(task))) = sent.next().await else { panic!("no task") };
    let mut subscribed = client.subscribe_to_task(&task.id).await.unwrap();
    let mut seen = lines(sent).await;
    assert_eq!(seen.pop().unwrap(), "INPUT_REQUIRED For how many?");
    next_line(&mut subscribed).await;
    let answered = client.send_streaming_message(answer(&task, "four")).await.unwrap();
    assert_eq!(lines(answered).await, ["task WORKING", "INPUT_REQUIRED When?"]);
    send(&client, answer(&task, "eight")).await;
    let seen = lines(subscribed).await.join(";");
    assert!(
        seen.ends_with(
            "WORKING;INPUT_REQUIRED When?;WORKING;artifact-1= a table for four at eight;COMPLETED"
        ),
        "{seen}"
    );
}

#[tokio::test]
async fn a_message_to_a_skill_that_cannot_hear_is_refused_and_leaves_no_trace() {
    let (client, gate) = client();
    let task = client.send_message(at_once(to("deaf", "go"))).await.unwrap().into_task().unwrap();
    gate.reached().await;
    let error = client.send_message(answer(&task, "hello?")).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::UnsupportedOperation));
    assert_eq!(client.get_task(&task.id).await.unwrap().history.len(), 1);
}

#[tokio::test]
async fn a_message_to_a_running_skill_is_kept_for_what_it_hears_next() {
    for (skill, text) in [("listen", "early"), ("busy", "early")] {
        let (client, gate) = client();
        let task = client.send_message(at_once(to(skill, "go"))).await.unwrap().into_task().unwrap();
        gate.reached().await;
        client.send_message(at_once(answer(&task, text))).await.unwrap();
        let stream = client.subscribe_to_task(&task.id).await.unwrap();
        gate.open();
        let seen = lines(stream).await;
        assert!(!seen.iter().any(|line| line.starts_with("INPUT_REQUIRED")), "{seen:?}");
        let task = client.get_task(&task.id).await.unwrap();
        assert_eq!((&*task.text(), task.history.len()), ("heard early", 2));
    }
}

#[tokio::test]
async fn listening_does_not_change_the_state() {
    let (client, gate) = client();
    let task = client.send_message(at_once(to("listen", "go"))).await.unwrap().into_task().unwrap();
    gate.open();
    gate.reached().await;
    let mut stream = client.subscribe_to_task(&task.id).await.unwrap();
    next_line(&mut stream).await;
    client.send_message(at_once(answer(&task, "hi"))).await.unwrap();
    assert!(lines(stream).await.ends_with(&["artifact-1= heard hi".to_owned(), "COMPLETED".to_owned()]));
}

#[tokio::test]
async fn a_question_that_was_dropped_does_not_hide_the_next_one() {
    let (client, gate) = client();
    let task = send(&client, to("impatient", "go")).await;
    assert_eq!(task.text(), "First?");
    let mut stream = client.subscribe_to_task(&task.id).await.unwrap();
    next_line(&mut stream).await;
    gate.open();
    let next = tokio::time::timeout(std::time::Duration::from_secs(5), next_line(&mut stream)).await;
    assert_eq!(next.unwrap(), "INPUT_REQUIRED Second?");
    let task = send(&client, answer(&task, "yes")).await;
    assert_eq!((task.status.state, &*task.text()), (TaskState::Completed, "second: yes"));
}

#[tokio::test]
async fn two_questions_at_once_are_asked_one_after_the_other() {
    let (client, _) = client();
    let task = send(&client, to("both", "go")).await;
    assert_eq!(task.text(), "One?");
    let task = send(&client, answer(&task, "1")).await;
    assert_eq!((task.status.state, &*task.text()), (TaskState::InputRequired, "Two?"));
    assert_eq!(send(&client, answer(&task, "2")).await.text(), "1 2");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_messages_to_one_task_are_each_taken_once() {
    const MESSAGES: usize = 200;
    let (client, _) = client();
    let task = send(&client, to("collect", MESSAGES.to_string())).await;
    let mut stream = client.subscribe_to_task(&task.id).await.unwrap();
    let sends: Vec<_> = (0..MESSAGES)
        .map(|n| {
            let (client, message) = (client.clone(), at_once(answer(&task, &format!("m{n}"))));
            tokio::spawn(async move { client.send_message(message).await.unwrap() })
        })
        .collect();
    for sending in sends {
        sending.await.unwrap();
    }
    while let Some(event) = stream.next().await {
        event.unwrap();
    }
    let done = client.get_task(&task.id).await.unwrap();
    let text = done.text();
    let mut taken: Vec<&str> = text.split(',').collect();
    let history =
        done.history.iter().filter(|message| message.role == Role::User).map(|message| message.text());
    // The first message began the task; the skill takes the others in the order in which they are stored.
    assert_eq!(taken, history.skip(1).collect::<Vec<_>>());
    taken.sort_unstable();
    let mut sent: Vec<String> = (0..MESSAGES).map(|n| format!("m{n}")).collect();
    sent.sort_unstable();
    assert_eq!(taken, sent);
}

#[tokio::test]
async fn a_conversation_shows_its_other_tasks_and_those_of_no_other() {
    let (client, _) = client();
    for (context, wish) in [("c", "tea"), ("other", "milk")] {
        let mut task = send(&client, to("book", wish).with_context_id(context)).await;
        for text in ["2", "5"] {
            task = send(&client, answer(&task, text)).await;
        }
    }
    let task = send(&client, to("remember", "go").with_context_id("c")).await;
    assert_eq!(task.text(), "c: tea for 2 at 5");
    assert_eq!(client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size, 3);
}

#[tokio::test]
async fn an_answer_that_names_another_skill_is_refused() {
    let (client, _) = client();
    let task = send(&client, to("book", "a table")).await;
    let error = client.send_message(to("order", "four").with_task_id(&task.id)).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::InvalidParams));
    assert_eq!(client.get_task(&task.id).await.unwrap(), task);
}
