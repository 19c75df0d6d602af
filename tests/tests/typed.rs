//! Skills called by their types: in this process, and over each binding.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::client::{CallError, Items};
use a2a_sdk::protocol::{ErrorKind, Message, TaskState};
use a2a_sdk::{
    Agent, Binding, Cancel, Client, Context, File, Json, Metadata, Principal, Skill, SkillError, State,
};
use a2a_tests::http::serve;
use a2a_tests::{Gate, answer};
use futures_util::{Stream, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Deserialize, Serialize, JsonSchema)]
struct Trip {
    to: String,
    nights: u32,
}

#[derive(Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
struct Quote {
    euros: u32,
}

/// Says it back.
#[a2a_sdk::agent]
async fn echo(text: String) -> String {
    text
}

/// Prices a trip.
#[a2a_sdk::skill(id = "trips.price")]
async fn price(
    Json(trip): Json<Trip>,
    State(rate): State<u32>,
    _who: Principal,
) -> Result<Json<Quote>, SkillError> {
    match &*trip.to {
        "Atlantis" => Err(SkillError::rejected("we do not fly there")),
        "Babel" => Err(SkillError::failed("nobody understands")),
        "Colchis" => Err(std::io::Error::other("the dragon woke"))?,
        _ => Ok(Json(Quote { euros: trip.nights * rate })),
    }
}

/// Books a table.
#[a2a_sdk::skill]
async fn book(mut wish: String, ctx: Context) -> Result<String, SkillError> {
    wish += &ctx.ask("For how many?").await?.text();
    Ok(wish)
}

/// Says what it was given.
#[a2a_sdk::skill]
async fn maybe_text(text: Option<String>, _metadata: Metadata) -> Json<Option<String>> {
    Json(text)
}

/// Says what it was given.
#[a2a_sdk::skill]
async fn maybe_data(data: Option<Json<u8>>) -> Json<Option<u8>> {
    Json(data.map(|Json(data)| data))
}

/// Says what it was given.
#[a2a_sdk::skill]
async fn maybe_file(file: Option<File>) -> Json<bool> {
    Json(file.is_some())
}

/// Copies a file.
#[a2a_sdk::skill]
async fn copy(mut file: File) -> File {
    file.name = Some("copy.txt".to_owned());
    file
}

/// Counts files.
#[a2a_sdk::skill]
async fn count(files: Vec<File>) -> Json<usize> {
    Json(files.len())
}

/// Writes an artifact of its own, and returns another.
#[a2a_sdk::skill]
async fn both(text: String, ctx: Context) -> Result<String, SkillError> {
    ctx.artifact("notes").finish_with("a note").await?;
    Ok(text)
}

/// Answers without a task.
#[a2a_sdk::skill]
async fn direct(message: Message) -> Message {
    Message::agent(format!("you said {}", message.text()))
}

/// Takes nothing and gives nothing.
#[a2a_sdk::skill]
async fn ping(_cancel: Cancel) {}

/// Takes nothing and gives a fixed text.
#[a2a_sdk::skill]
async fn version() -> &'static str {
    "7"
}

/// Counts down.
#[a2a_sdk::skill]
async fn down(Json(from): Json<u8>) -> impl Stream<Item = Json<u8>> {
    stream::iter((0..from).rev().map(Json))
}

/// Tells a story, word by word.
#[a2a_sdk::skill]
async fn story(topic: String) -> Result<impl Stream<Item = String>, SkillError> {
    if topic.is_empty() {
        return Err(SkillError::rejected("about what?"));
    }
    Ok(stream::iter(["a ".to_owned(), topic]))
}

/// Breaks after two items.
#[a2a_sdk::skill]
async fn broken(_text: String) -> impl Stream<Item = Result<Json<u8>, SkillError>> {
    stream::iter([Ok(Json(1)), Ok(Json(2)), Err(SkillError::failed("no more"))])
}

/// Waits between two items.
#[a2a_sdk::skill]
async fn slow(_text: String, State(gate): State<Gate>) -> impl Stream<Item = String> {
    stream::unfold((0_u8, gate), async |(n, gate)| {
        if n == 1 {
            gate.pass().await;
        }
        (n < 2).then(|| (n.to_string(), (n + 1, gate)))
    })
}

fn app() -> Agent {
    echo::agent().state(90_u32).state(Gate::default())
}

/// The same agent in this process and over each binding; held while the test runs.
async fn clients() -> (Vec<Client>, impl Sized) {
    let server = serve(app()).await;
    let mut clients = vec![app().client().unwrap()];
    for binding in [Binding::JsonRpc, Binding::HttpJson, Binding::Grpc] {
        let builder = Client::builder().http_client(|http| http.no_proxy()).bindings([binding]);
        clients.push(builder.connect(&format!("http://{}", server.address)).await.unwrap());
    }
    (clients, server)
}

fn trip(to: &str) -> Trip {
    Trip { to: to.to_owned(), nights: 2 }
}

#[tokio::test]
async fn what_a_skill_takes_goes_in_and_what_it_gives_comes_out() {
    let (clients, _server) = clients().await;
    for client in clients {
        assert_eq!(client.call::<echo>("hi").await.unwrap(), "hi");
        assert_eq!(client.call::<echo>("").await.unwrap(), "");
        assert_eq!(client.call::<price>(trip("Oslo")).await.unwrap(), Quote { euros: 180 });
        assert_eq!(client.call::<both>("last").await.unwrap(), "last");
        assert_eq!(client.call::<direct>(Message::user("so")).await.unwrap().text(), "you said so");
        assert_eq!(client.call::<version>(()).await.unwrap(), "7");
        client.call::<ping>(()).await.unwrap();
    }
    assert_eq!(price::ID, "trips.price");
}

#[tokio::test]
async fn files_go_in_and_out() {
    let (clients, _server) = clients().await;
    for client in clients {
        let file = File::new("a.txt", "text/plain", "abc");
        let copied = client.call::<copy>(file.clone()).await.unwrap();
        assert_eq!(copied, File::new("copy.txt", "text/plain", "abc"));
        assert_eq!(client.call::<count>(vec![file.clone(), file]).await.unwrap(), 2);
    }
}

#[tokio::test]
async fn what_is_left_out_is_none() {
    let (clients, _server) = clients().await;
    for client in clients {
        assert_eq!(client.call::<maybe_text>(None).await.unwrap(), None);
        assert_eq!(client.call::<maybe_text>("".to_owned()).await.unwrap().as_deref(), Some(""));
        assert_eq!(client.call::<maybe_data>(None).await.unwrap(), None);
        assert_eq!(client.call::<maybe_data>(7).await.unwrap(), Some(7));
        assert!(!client.call::<maybe_file>(None).await.unwrap());
        assert!(client.call::<maybe_file>(File::url("a", "text/plain", "https://a.example")).await.unwrap());
    }
}

#[tokio::test]
async fn a_task_that_does_not_complete_is_in_the_error() {
    let (clients, _server) = clients().await;
    for client in clients {
        for (to, state, text) in [
            ("Atlantis", TaskState::Rejected, "the task is TASK_STATE_REJECTED: we do not fly there"),
            ("Babel", TaskState::Failed, "the task is TASK_STATE_FAILED: nobody understands"),
        ] {
            let error = client.call::<price>(trip(to)).await.unwrap_err();
            assert_eq!(error.task().unwrap().status.state, state);
            assert_eq!(error.to_string(), text);
        }
        let error = client.call::<price>(trip("Colchis")).await.unwrap_err();
        assert!(!error.to_string().contains("dragon"), "{error}");

        let error = client.call::<book>("tonight, for ").await.unwrap_err();
        let CallError::Unfinished(task) = error else { panic!("{error}") };
        assert_eq!(task.status.state, TaskState::InputRequired);
        let booked = client.send_message(answer(&task, "four")).await.unwrap();
        assert_eq!(booked.text(), "tonight, for four");
    }
}

#[tokio::test]
async fn a_refused_call_is_the_error_of_the_client() {
    /// A skill that the agent does not have.
    struct Missing;

    impl Skill for Missing {
        const ID: &'static str = "missing";
        type Argument = String;
        type Reply = String;
        type Input = String;
        type Output = String;
    }

    let (clients, _server) = clients().await;
    for client in clients {
        let error = client.call::<Missing>("hi").await.unwrap_err();
        assert_eq!(error.client().unwrap().kind(), Some(ErrorKind::InvalidParams));
        assert!(error.to_string().contains("trips.price"), "{error}");
    }
}

/// The skill `trips.price`, as somebody describes it who knows it no better.
struct Mistaken;

impl Skill for Mistaken {
    const ID: &'static str = "trips.price";
    type Argument = Json<Trip>;
    type Reply = Json<Vec<Quote>>;
    type Input = Trip;
    type Output = Vec<Quote>;
}

/// The same, as a text.
struct AsText;

impl Skill for AsText {
    const ID: &'static str = "trips.price";
    type Argument = Json<Trip>;
    type Reply = String;
    type Input = Trip;
    type Output = String;
}

#[tokio::test]
async fn an_answer_of_another_type_is_an_error() {
    let client = app().client().unwrap();
    let error = client.call::<Mistaken>(trip("Oslo")).await.unwrap_err();
    assert!(matches!(error, CallError::Unexpected(_)), "{error:?}");
    let error = client.call::<AsText>(trip("Oslo")).await.unwrap_err();
    assert_eq!(error.to_string(), "the answer holds no text");
}

#[tokio::test]
async fn items_come_one_by_one() {
    let (clients, _server) = clients().await;
    for client in clients {
        assert_eq!(client.call::<down>(3).await.unwrap().all().await.unwrap(), [2, 1, 0]);
        assert!(client.call::<down>(0).await.unwrap().all().await.unwrap().is_empty());
        assert_eq!(client.call::<story>("fox").await.unwrap().all().await.unwrap(), ["a ", "fox"]);
    }
}

#[tokio::test]
async fn an_item_is_there_before_the_next_one_is_made() {
    let gate = Gate::default();
    let client = app().state(gate.clone()).client().unwrap();
    let mut items: Items<String> = client.call::<slow>("").await.unwrap();
    assert_eq!(items.next().await.unwrap().unwrap(), "0");
    gate.reached().await;
    gate.open();
    assert_eq!(items.next().await.unwrap().unwrap(), "1");
    assert!(items.next().await.is_none());
}

#[tokio::test]
async fn a_stream_that_breaks_gives_its_items_and_then_the_error() {
    let (clients, _server) = clients().await;
    for client in clients {
        let mut items = client.call::<broken>("").await.unwrap();
        assert_eq!(items.next().await.unwrap().unwrap(), 1);
        assert_eq!(items.next().await.unwrap().unwrap(), 2);
        let error = items.next().await.unwrap().unwrap_err();
        assert_eq!(error.task().unwrap().status.state, TaskState::Failed);
        assert!(items.next().await.is_none());

        let mut items = client.call::<story>("").await.unwrap();
        let error = items.next().await.unwrap().unwrap_err();
        assert_eq!(error.task().unwrap().status.state, TaskState::Rejected);
    }
}

/// What a program's `main` returns.
async fn program() -> a2a_sdk::Result<u32> {
    let client = app().client()?;
    client.send_message("hi").await?;
    Ok(client.call::<price>(Trip { to: "Atlantis".into(), nights: 2 }).await?.euros)
}

#[tokio::test]
async fn a_program_that_serves_and_calls_returns_one_error() {
    let error = program().await.unwrap_err();
    assert!(error.to_string().contains("we do not fly there"), "{error}");
    assert_eq!(format!("{error:?}"), error.to_string(), "`main` prints it for people");
}
