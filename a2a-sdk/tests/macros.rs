//! What the macros make of a fn, called by hand.

use a2a_sdk::protocol::{AgentSkill, Message, Metadata, Part};
use a2a_sdk::{
    Answer, Cancel, Context, Extension, File, Json, Principal, Reply, Request, Run, SkillEntry, SkillError,
    State,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::pin::pin;
use std::task::{Poll, Waker};

/// Runs a future that never waits.
fn now<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}

/// What a skill replies, as text.
fn reply(entry: &SkillEntry, message: impl Into<Message>) -> String {
    let request = Request::new(message);
    match entry.call(&request) {
        Ok(run) => format!("{:?}", now(run)),
        Err(error) => panic!("no call: {error}"),
    }
}

/// Why a skill is not called.
fn refusal(entry: &SkillEntry, message: impl Into<Message>) -> String {
    match entry.call(&Request::new(message)) {
        Ok(_) => panic!("it was called"),
        Err(error) => error.to_string(),
    }
}

fn parts(parts: impl IntoIterator<Item = Part>) -> Message {
    Message::user(parts.into_iter().collect::<Vec<_>>())
}

/// Greets people by name.
///
/// Knows
/// everybody.
///
/// # Errors
/// Never.
#[a2a_sdk::skill]
async fn greet_people(name: String) -> String {
    format!("Hello, {name}!")
}

#[test]
fn the_fn_is_still_the_fn() {
    assert_eq!(now(greet_people("Ada".to_owned())), "Hello, Ada!");
}

#[test]
fn everything_is_inferred() {
    let expected = AgentSkill {
        id: "greet_people".to_owned(),
        name: "Greet people".to_owned(),
        description: "Greets people by name.\n\nKnows everybody.".to_owned(),
        tags: vec!["greet_people".to_owned()],
        input_modes: vec!["text/plain".to_owned()],
        output_modes: vec!["text/plain".to_owned()],
        ..AgentSkill::default()
    };
    let entry = greet_people::entry();
    assert_eq!(entry.card(), expected);
    assert_eq!(entry.answer(), Answer::Task);
    let location = entry.location().expect("a macro knows where it stands");
    assert!(location.file.ends_with("macros.rs"), "{location}");
    assert_eq!(location.line, line!() - 26, "{location}");
}

const TAG: &str = "sea";

/// Ignored.
#[a2a_sdk::skill(
    id = "fish.count",
    name = "Fish counter",
    description = concat!("Counts", " fish."),
    tags = ["fish", TAG],
    examples = ["How many?"],
    input_modes = ["image/png", "image/*"],
    output_modes = ["application/pdf"],
)]
async fn count(_image: File) -> File {
    File::new("fish.pdf", "application/pdf", "12")
}

#[test]
fn every_key_is_taken() {
    let card = count::entry().card();
    assert_eq!((card.id.as_str(), card.name.as_str()), ("fish.count", "Fish counter"));
    assert_eq!(card.description, "Counts fish.");
    assert_eq!((card.tags, card.examples), (vec!["fish".into(), "sea".into()], vec!["How many?".to_owned()]));
    assert_eq!(card.input_modes, ["image/png", "image/*"]);
    assert_eq!(card.output_modes, ["application/pdf"]);
}

#[test]
fn text_is_all_text_parts() {
    let entry = greet_people::entry();
    assert!(
        reply(&entry, parts([Part::text("Ada"), Part::raw("x"), Part::text("Bob")])).contains(r"Ada\nBob")
    );
    assert_eq!(refusal(&entry, parts([Part::raw("x")])), "message.parts: expected a text part");
}

#[derive(Deserialize, JsonSchema)]
struct Trip {
    #[serde(default)]
    nights: u8,
    #[serde(default)]
    guests: Vec<Guest>,
}

#[derive(Deserialize, JsonSchema)]
struct Guest {
    #[allow(dead_code, reason = "only read to be refused")]
    age: u8,
}

#[derive(Serialize, JsonSchema)]
struct Quote {
    euros: u32,
}

#[derive(Clone)]
struct Rates(u32);

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(Json(trip): Json<Trip>) -> Result<Json<Quote>, SkillError> {
    if trip.nights == 0 {
        return Err(SkillError::rejected("one night at least"));
    }
    let people = u32::try_from(trip.guests.len())?;
    Ok(Json(Quote { euros: u32::from(trip.nights) * 90 * people.max(1) }))
}

#[test]
fn data_comes_in_a_data_part() {
    let entry = price::entry();
    let data = Part::data(serde_json::json!({ "nights": 2 }));
    assert!(reply(&entry, parts([Part::text("please"), data])).contains("180"));
    assert!(reply(&entry, parts([Part::data(serde_json::json!({}))])).contains("Rejected"));
    assert_eq!(entry.card().input_modes, ["application/json"]);
    assert_eq!(entry.card().output_modes, ["application/json"]);
}

#[test]
fn data_may_come_as_text() {
    let entry = price::entry();
    assert!(reply(&entry, r#" {"nights": 2} "#).contains("180"));
    assert!(reply(&entry, parts([Part::text("please"), Part::text(r#"{"nights": 3}"#)])).contains("270"));
}

#[test]
fn the_first_misfit_is_named() {
    let entry = price::entry();
    let misfit = parts([Part::data(serde_json::json!({ "nights": "two" }))]);
    assert_eq!(
        refusal(&entry, misfit),
        r#"message.parts[0].data.nights: invalid type: string "two", expected u8"#
    );
    let deep =
        parts([Part::text("x"), Part::data(serde_json::json!({ "guests": [{ "age": 1 }, { "age": 999 }] }))]);
    assert!(refusal(&entry, deep).starts_with("message.parts[1].data.guests[1].age: invalid value"));
    let list = parts([Part::data(serde_json::json!(5))]);
    assert!(refusal(&entry, list).starts_with("message.parts[0].data: invalid type"));
    assert!(refusal(&entry, r#"{"nights": -1}"#).starts_with("message.parts[0].text.nights: "));
    assert!(refusal(&entry, "two nights").starts_with("message.parts[0].text: "));
    assert!(refusal(&entry, r#"{"nights": 1} x"#).starts_with("message.parts[0].text: trailing"));
    assert_eq!(
        refusal(&entry, parts([Part::raw("x")])),
        "message.parts: expected a data part, or a text part that holds JSON"
    );
}

/// Takes what there is.
#[a2a_sdk::skill]
#[allow(clippy::too_many_arguments, reason = "one of each")]
async fn perhaps(
    text: Option<String>,
    trip: Option<Json<Trip>>,
    file: Option<File>,
    files: Option<Vec<File>>,
    rates: Option<State<Rates>>,
    extension: Option<Extension<Rates>>,
    who: Option<Principal>,
    metadata: Option<Metadata>,
) -> String {
    let there = [
        text.is_some(),
        trip.is_some(),
        file.is_some(),
        files.is_some_and(|files| files.len() == 2),
        rates.is_some_and(|State(Rates(rate))| rate > 0),
        extension.is_some_and(|Extension(Rates(rate))| rate > 0),
        who.is_some(),
        metadata.is_some(),
    ];
    there.map(|there| if there { '1' } else { '0' }).iter().collect()
}

#[test]
fn an_option_is_none_when_there_is_nothing() {
    let entry = perhaps::entry();
    assert!(reply(&entry, "hello").contains("10000000"));
    assert!(reply(&entry, r#"{"nights": 1}"#).contains("11000000"));
    assert!(reply(&entry, parts([Part::raw("x"), Part::url("https://x.example")])).contains("00110000"));
    assert!(reply(&entry, Message::user("a").with_metadata([("k", 1)])).contains("10000001"));
}

#[test]
fn an_option_of_something_malformed_is_refused() {
    let entry = perhaps::entry();
    assert!(refusal(&entry, r#"{"nights": "#).contains("EOF"));
    assert!(refusal(&entry, r#"{"nights": "two"}"#).starts_with("message.parts[0].text.nights"));
}

/// Looks at files.
#[a2a_sdk::skill]
async fn files(first: File, all: Vec<File>) -> (String, File) {
    (format!("{:?} {:?} of {}", first.name, first.address(), all.len()), first)
}

#[test]
fn files_are_taken_and_given() {
    let entry = files::entry();
    let url = Part::url("https://x.example/a").with_filename("a");
    let told = reply(&entry, parts([url, Part::raw("b")]));
    assert!(told.contains(r#"Some(\"a\") Some(\"https://x.example/a\") of 2"#), "{told}");
    assert!(told.contains("Url("), "{told}");
    assert_eq!(refusal(&entry, "text"), "message.parts: expected a file: a raw part, or a url part");
    assert_eq!(entry.card().output_modes, ["text/plain", "application/octet-stream"]);
}

/// Answers at once.
#[a2a_sdk::skill]
async fn direct(message: Message, metadata: Metadata, who: Principal) -> Message {
    Message::agent(format!("{} {} {:?}", message.text(), metadata.len(), who.id()))
}

#[test]
fn a_message_is_a_direct_answer() {
    let entry = direct::entry();
    assert_eq!(entry.answer(), Answer::Message);
    assert!(reply(&entry, "hi").starts_with("Message("));
}

/// Needs a task.
#[a2a_sdk::skill]
async fn tasks(_ctx: Context, cancel: Cancel) -> Reply {
    Reply::ask(if cancel.is_requested() { "sure?" } else { "more?" })
}

#[test]
fn a_reply_decides_at_run_time() {
    let entry = tasks::entry();
    assert_eq!(entry.answer(), Answer::Either);
    assert!(reply(&entry, "hi").starts_with("Ask("));
}

/// Streams.
#[a2a_sdk::skill]
async fn story(topic: String) -> impl futures_core::Stream<Item = String> {
    Once(Some(topic))
}

/// Streams and may fail, before and midway.
#[a2a_sdk::skill]
async fn saga(
    topic: String,
) -> Result<impl futures_core::Stream<Item = Result<Json<u8>, SkillError>>, std::io::Error> {
    Ok(Once(Some(topic.parse().map(Json).map_err(SkillError::from))))
}

/// Streams by another name.
#[a2a_sdk::skill]
async fn boxed(
    topic: String,
) -> Result<std::pin::Pin<Box<dyn futures_core::Stream<Item = (String, File)> + Send>>, SkillError> {
    Ok(Box::pin(Once(Some((topic, File::url("a", "text/plain", "https://a.example"))))))
}

/// Streams if it likes to.
#[a2a_sdk::skill]
async fn sometimes(topic: String) -> Reply {
    Reply::stream(Once(Some(topic)))
}

struct Once<T>(Option<T>);

impl<T: Unpin> futures_core::Stream for Once<T> {
    type Item = T;

    fn poll_next(mut self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> Poll<Option<T>> {
        Poll::Ready(self.0.take())
    }
}

#[test]
fn a_stream_is_a_reply() {
    assert_eq!(reply(&story::entry(), "sea"), "Stream");
    assert_eq!(story::entry().card().output_modes, ["text/plain"]);
    assert_eq!(reply(&saga::entry(), "7"), "Stream");
    assert_eq!(saga::entry().card().output_modes, ["application/json"]);
    assert_eq!(reply(&boxed::entry(), "sea"), "Stream");
    assert_eq!(reply(&sometimes::entry(), "sea"), "Stream");
}

/// Replies with nothing.
#[a2a_sdk::skill]
async fn nothing() {}

/// Replies with many parts.
#[a2a_sdk::skill]
async fn many() -> (&'static str, Json<u8>, Vec<Part>, (), (Part, String)) {
    ("a", Json(1), vec![Part::text("b")], (), (Part::text("c"), "d".to_owned()))
}

/// Fails to be written as JSON.
#[a2a_sdk::skill]
async fn unwritable() -> Json<std::collections::BTreeMap<Vec<u8>, u8>> {
    Json([(vec![1], 1)].into())
}

#[test]
fn parts_come_together() {
    assert_eq!(reply(&nothing::entry(), "x"), "Parts([])");
    assert!(nothing::entry().card().output_modes.is_empty());
    let told = reply(&many::entry(), "x");
    assert_eq!(told.matches("Part {").count(), 5, "{told}");
    assert_eq!(many::entry().card().output_modes, ["text/plain", "application/json"]);
}

#[test]
fn what_cannot_be_written_fails_the_task() {
    assert!(reply(&unwritable::entry(), "x").starts_with("Failed(Internal("));
}

#[test]
fn a_missing_state_is_the_agents_fault() {
    /// Takes a state.
    #[a2a_sdk::skill]
    async fn stateful(State(Rates(rate)): State<Rates>) -> String {
        rate.to_string()
    }
    assert!(refusal(&stateful::entry(), "x").contains("Rates"));
}

mod agents {
    /// Plans trips.
    #[a2a_sdk::agent(
        version = "2.1.0",
        provider(organization = "Acme", url = "https://acme.example"),
        documentation_url = "https://acme.example/docs",
        icon_url = "https://acme.example/icon.png",
        url = "https://travel.acme.example",
        skills = [super::price],
        tags = ["travel"]
    )]
    pub(super) async fn travel(text: String) -> String {
        text
    }

    /// Has no free text.
    #[a2a_sdk::agent]
    pub(super) struct TravelDesk;

    /// Belongs to another module's agent.
    #[a2a_sdk::skill(agent = TravelDesk)]
    pub(super) async fn desk() -> &'static str {
        "desk"
    }
}

#[test]
fn agents_are_made() {
    let travel = format!("{:?}", agents::travel::agent());
    assert!(travel.contains(r#"id: "travel""#) && travel.contains(r#"id: "price""#), "{travel}");
    assert_eq!(agents::travel::entry().card().tags, ["travel"]);
    assert!(format!("{:?}", agents::TravelDesk::agent()).contains("TravelDesk"));
    let _ = agents::TravelDesk;
    assert_eq!(agents::desk::entry().id(), "desk");
}

#[test]
fn what_a_macro_makes_can_be_written_by_hand() {
    let by_hand = SkillEntry::new("greet_people", |request: &Request| {
        Ok(Run::new(greet_people(request.extract::<String>()?)))
    })
    .name("Greet people")
    .description("Greets people by name.\n\nKnows everybody.")
    .argument::<String>()
    .reply::<String, _>();
    assert_eq!(by_hand.card(), greet_people::entry().card());
    assert_eq!(reply(&by_hand, "Ada"), reply(&greet_people::entry(), "Ada"));
}
