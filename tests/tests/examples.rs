//! The examples do what they say, and the commands in them work.
#![allow(clippy::unwrap_used, dead_code, reason = "tests, and each example's `main`")]

#[path = "../../examples/book.rs"]
mod book;
#[path = "../../examples/files.rs"]
mod files;
#[path = "../../examples/language.rs"]
mod language;
#[path = "../../examples/story.rs"]
mod story;
#[path = "../../examples/travel.rs"]
mod travel;

use a2a_sdk::protocol::{Message, Part, Task, TaskState};
use a2a_sdk::{Agent, Client, File};
use a2a_tests::http::{Response, Server, request, serve};
use a2a_tests::{answer, lines, to};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

async fn send(client: &Client, message: impl Into<Message>) -> Task {
    client.send_message(message.into()).await.unwrap().into_task().unwrap()
}

#[tokio::test]
async fn travel_prices_free_text_and_data() {
    let client = travel::app().client().unwrap();
    assert_eq!(send(&client, "4 nights in Oslo").await.text(), "4 nights in Oslo are 480 euros");
    let trip = Part::data(json!({ "city": "Rome", "nights": 2 }));
    assert_eq!(send(&client, to("price", trip)).await.artifacts[0].data().unwrap()["euros"], 180);
    let cities = send(&client, to("cities", "all")).await;
    assert_eq!(cities.artifacts[0].data(), Some(&json!(["Oslo", "Rome"])));
}

#[tokio::test]
async fn travel_declines_what_it_does_not_know_and_refuses_what_it_cannot_read() {
    let client = travel::app().client().unwrap();
    assert_eq!(send(&client, "somewhere warm").await.status.state, TaskState::Rejected);
    let trip = to("price", Part::data(json!({ "city": "Rome", "nights": "two" })));
    let error = client.send_message(trip).await.unwrap_err();
    assert_eq!(error.violations()[0].field, "message.parts[0].data.nights");
}

#[tokio::test]
async fn travel_has_three_skills_in_its_card() {
    let card = travel::app().card().unwrap();
    let ids: Vec<_> = card.skills.iter().map(|skill| skill.id.as_str()).collect();
    assert_eq!(ids, ["travel", "price", "cities"]);
    assert_eq!(card.skills[1].examples, [r#"{"city": "Rome", "nights": 2}"#]);
}

#[tokio::test]
async fn story_streams_words() {
    let client = story::app().client().unwrap();
    let seen = lines(client.send_streaming_message("a fox").await.unwrap()).await;
    assert_eq!(seen.len(), 12, "task, working, eight words, last chunk, completed: {seen:?}");
    assert_eq!(send(&client, "a fox").await.text(), "Once upon a time there was a fox.");
}

#[tokio::test]
async fn story_writes_artifacts() {
    let client = story::app().client().unwrap();
    let seen = lines(client.send_streaming_message(to("illustrate", "a fox")).await.unwrap()).await;
    let expected = [
        "task SUBMITTED",
        "WORKING writing",
        "artifact-1= Once upon a time",
        "artifact-1+! there was a fox.",
        "WORKING drawing",
        "artifact-2=! ^..^",
        "COMPLETED",
    ];
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn book_asks_until_it_knows_for_how_many() {
    let client = book::app().client().unwrap();
    let task = send(&client, "a table").await;
    assert_eq!((task.status.state, &*task.text()), (TaskState::InputRequired, "For how many people?"));
    let task = send(&client, answer(&task, "for us")).await;
    assert_eq!(task.status.state, TaskState::InputRequired);
    let task = send(&client, answer(&task, "4 people")).await;
    assert_eq!((task.status.state, &*task.text()), (TaskState::Completed, "a table, for 4: booked"));
    assert_eq!(send(&client, "a table for 40").await.status.state, TaskState::Rejected);
}

#[tokio::test]
async fn language_reads_an_argument_of_its_own() {
    let client = language::app().client().unwrap();
    let ada = |language: &str| Message::user("Ada").with_metadata([("language", language)]);
    assert_eq!(send(&client, "Ada").await.text(), "Hello, Ada!");
    assert_eq!(send(&client, ada("fr")).await.text(), "Bonjour, Ada !");
    let error = client.send_message(ada("tlh")).await.unwrap_err();
    assert_eq!(error.violations()[0].field, "message.metadata.language");
    let (server, curls) = served(language::app(), include_str!("../../examples/language.rs"), 1).await;
    let answer = run(&server, &curls[0]).await.json().await;
    assert_eq!(answer["result"]["task"]["artifacts"][0]["parts"][0]["text"], "Bonjour, Ada !");
}

#[tokio::test]
async fn files_takes_a_file_and_gives_one() {
    let client = files::app().client().unwrap();
    let task = send(&client, Message::from(Part::from(File::new("w.txt", "text/plain", "b\na\n")))).await;
    let part = &task.artifacts[0].parts[0];
    assert_eq!(part.as_raw().unwrap(), "a\nb\n");
    assert_eq!(
        (part.filename.as_deref(), part.media_type.as_deref()),
        (Some("sorted-w.txt"), Some("text/plain"))
    );
    let address = Part::from(File::url("w.txt", "text/plain", "https://example.com/w.txt"));
    assert_eq!(send(&client, Message::from(address)).await.status.state, TaskState::Rejected);
}

/// The curl commands of an example's header: the header lines and the body of each.
fn curls(source: &str) -> Vec<(String, String)> {
    let doc = source.lines().map_while(|line| line.strip_prefix("//!")).collect::<Vec<_>>().join("\n");
    let doc = doc.replace("\\\n", " ");
    let commands = doc.lines().map(str::trim).filter(|line| line.starts_with("curl "));
    let read = |command: &str| {
        assert!(command.contains(" http://127.0.0.1:"), "{command}");
        let quoted = |flag: &str| -> Vec<String> {
            let flag = format!(" {flag} '");
            command.split(&flag).skip(1).map(|rest| rest.split('\'').next().unwrap().to_owned()).collect()
        };
        let headers = quoted("-H").iter().map(|line| format!("{line}\r\n")).collect::<String>();
        let [body] = &quoted("-d")[..] else { panic!("one -d: {command}") };
        (headers, body.clone())
    };
    commands.map(read).collect()
}

async fn run(server: &Server, curl: &(String, String)) -> Response {
    run_at(server.address, curl).await
}

async fn run_at(address: SocketAddr, (headers, body): &(String, String)) -> Response {
    let response = request(address, "POST", "/", headers, body.as_bytes()).await;
    assert_eq!(response.status, 200);
    response
}

async fn served(agent: Agent, source: &str, count: usize) -> (Server, Vec<(String, String)>) {
    let curls = curls(source);
    assert_eq!(curls.len(), count);
    (serve(agent).await, curls)
}

fn part(answer: &Value) -> &Value {
    assert_eq!(answer["result"]["task"]["status"]["state"], "TASK_STATE_COMPLETED", "{answer}");
    &answer["result"]["task"]["artifacts"][0]["parts"][0]
}

#[tokio::test]
async fn hello_serves_and_both_its_commands_work_and_it_stops_when_told_to() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_hello-program"))
        .args(["--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut printed = BufReader::new(program.stdout.take().unwrap()).lines();
    let first = printed.next_line().await.unwrap().unwrap();
    let address = first.strip_prefix("greeter listens on http://").unwrap().parse().unwrap();
    let mut command = String::new();
    while !command.contains("-d '") {
        command += &format!("//! {}\n", printed.next_line().await.unwrap().unwrap());
    }
    let printed = curls(&command);
    assert_eq!(part(&run_at(address, &printed[0]).await.json().await)["text"], "Hello, hello!");
    let written = curls(include_str!("../../examples/hello.rs"));
    assert_eq!(part(&run_at(address, &written[0]).await.json().await)["text"], "Hello, Ada!");

    let id = program.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
    assert!(program.wait().await.unwrap().success());
}

#[tokio::test]
async fn hello_prints_its_card_and_its_skills() {
    let run = async |argument| {
        Command::new(env!("CARGO_BIN_EXE_hello-program")).arg(argument).output().await.unwrap()
    };
    let card: Value = serde_json::from_slice(&run("card").await.stdout).unwrap();
    assert_eq!((&card["name"], &card["skills"][0]["id"]), (&json!("Greeter"), &json!("greeter")));
    assert_eq!(String::from_utf8(run("skills").await.stdout).unwrap(), "greeter\tGreets people by name.\n");
    let wrong = run("--no-such").await;
    assert!(!wrong.status.success() && wrong.stdout.is_empty());
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("usage"));
}

#[tokio::test]
async fn the_commands_of_travel_work() {
    let (server, curls) = served(travel::app(), include_str!("../../examples/travel.rs"), 2).await;
    let answer = run(&server, &curls[0]).await.json().await;
    assert_eq!(part(&answer)["text"], "4 nights in Oslo are 480 euros");
    assert_eq!(part(&run(&server, &curls[1]).await.json().await)["data"], json!({ "euros": 180 }));
}

#[tokio::test]
async fn the_commands_of_story_work() {
    let (server, curls) = served(story::app(), include_str!("../../examples/story.rs"), 2).await;
    for (curl, chunks) in curls.iter().zip([9, 3]) {
        let events = run(&server, curl).await.events().await;
        let updates = events.iter().filter(|event| !event.data["result"]["artifactUpdate"].is_null());
        assert_eq!(updates.count(), chunks);
        let last = &events.last().unwrap().data["result"]["statusUpdate"]["status"]["state"];
        assert_eq!(last, "TASK_STATE_COMPLETED");
    }
}

#[tokio::test]
async fn the_commands_of_book_work() {
    let (server, curls) = served(book::app(), include_str!("../../examples/book.rs"), 2).await;
    let asked = run(&server, &curls[0]).await.json().await;
    let task = &asked["result"]["task"];
    assert_eq!(task["status"]["state"], "TASK_STATE_INPUT_REQUIRED");
    let (headers, body) = &curls[1];
    let answered = (headers.clone(), body.replace("TASK", task["id"].as_str().unwrap()));
    let answer = run(&server, &answered).await.json().await;
    assert_eq!(part(&answer)["text"], "a table at eight, for 4: booked");
}

#[tokio::test]
async fn the_command_of_files_works() {
    let (server, curls) = served(files::app(), include_str!("../../examples/files.rs"), 1).await;
    let answer = run(&server, &curls[0]).await.json().await;
    let file =
        json!({ "raw": "YXBwbGUKbGV0dGVyCg==", "filename": "sorted-words.txt", "mediaType": "text/plain" });
    assert_eq!(part(&answer), &file);
}
