//! Data that does not fit is refused in words of JSON, with the path of the first misfit.
#![allow(clippy::unwrap_used, dead_code, reason = "tests, and data that is only read to be refused")]

use a2a_sdk::protocol::{ErrorKind, Message, Part};
use a2a_sdk::{Client, Json};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Journey {
    trip: Trip,
    #[serde(default)]
    guests: Vec<Guest>,
    #[serde(default)]
    kind: Option<Kind>,
    #[serde(default)]
    pay: Option<Pay>,
    #[serde(default)]
    seat: Option<Seat>,
    #[serde(default)]
    place: Option<Place>,
    #[serde(default)]
    notes: BTreeMap<String, u8>,
}

#[derive(Deserialize, JsonSchema)]
struct Trip {
    nights: u8,
}

#[derive(Deserialize, JsonSchema)]
struct Guest {
    age: u8,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Business,
    Pleasure { days: u8 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "lowercase")]
enum Pay {
    Card { number: String },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Seat {
    Number(u8),
    Row { row: u8 },
}

#[derive(Deserialize, JsonSchema)]
struct Place(f64, f64);

/// Plans a journey.
#[a2a_sdk::agent]
async fn plan(_journey: Json<Journey>) {}

fn client() -> Client {
    plan::agent().client().unwrap()
}

async fn refused(content: impl Into<Message>) -> (String, String) {
    let error = client().send_message(content.into()).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::InvalidParams));
    let violation = &error.violations()[0];
    (violation.field.clone(), violation.description.clone())
}

#[tokio::test]
async fn a_misfit_is_told_by_its_path_and_in_words_of_json() {
    let good = || json!({ "trip": { "nights": 2 } });
    let with = |key: &str, value: Value| {
        let mut journey = good();
        journey[key] = value;
        journey
    };
    for (data, field, text) in [
        (json!(5), "", "invalid type: integer `5`, expected an object"),
        (json!({}), ".trip", "is missing"),
        (with("trip", json!({})), ".trip.nights", "is missing"),
        (with("trip", json!("x")), ".trip", "invalid type: string \"x\", expected an object"),
        (
            with("trip", json!({ "nights": "two" })),
            ".trip.nights",
            "invalid type: string \"two\", expected u8",
        ),
        (with("trip", json!({ "nights": 999 })), ".trip.nights", "invalid value: integer `999`, expected u8"),
        (with("guests", json!(true)), ".guests", "invalid type: boolean `true`, expected a list"),
        (with("guests", json!([{ "age": 1 }, {}])), ".guests[1].age", "is missing"),
        (with("notes", json!([])), ".notes", "invalid type: sequence, expected an object"),
        (with("kind", json!("busy")), ".kind", "unknown value `busy`, expected `business` or `pleasure`"),
        (with("kind", json!(5)), ".kind", "invalid type: integer `5`, expected a string or an object"),
        (with("kind", json!({ "pleasure": {} })), ".kind.pleasure.days", "is missing"),
        (with("pay", json!({})), ".pay.by", "is missing"),
        (with("pay", json!(5)), ".pay", "invalid type: integer `5`, expected an object"),
        (with("pay", json!({ "by": "card" })), ".pay.number", "is missing"),
        (with("seat", json!("window")), ".seat", "fits none of the forms it may have"),
        (with("place", json!([1.5])), ".place", "invalid length 1, expected a list of 2 elements"),
    ] {
        let (found, description) = refused(Part::data(data.clone())).await;
        assert_eq!(
            (found.as_str(), description.as_str()),
            (&*format!("message.parts[0].data{field}"), text),
            "{data}"
        );
        let (found, description) = refused(data.to_string()).await;
        assert_eq!(found, format!("message.parts[0].text{field}"), "{data}");
        assert!(!description.contains("struct") && !description.contains("enum"), "{description}");
        for name in ["Journey", "Trip", "Guest", "Kind", "Pay", "Seat", "Place"] {
            assert!(!description.contains(name), "{description}");
        }
    }
}

#[tokio::test]
async fn a_field_that_is_too_much_is_named() {
    let (field, text) = refused(Part::data(json!({ "trip": { "nights": 1 }, "nihgts": 1 }))).await;
    assert!(field.starts_with("message.parts[0].data"), "{field}");
    assert!(text.starts_with("unknown field `nihgts`, expected one of `trip`, `guests`"), "{text}");
}

#[tokio::test]
async fn a_huge_misfit_is_not_sent_back_whole() {
    let huge = "é".repeat(1_000_000);
    for data in [
        json!({ "trip": { "nights": huge } }),
        json!({ "trip": { "nights": 1 }, "kind": huge }),
        json!({ "trip": { "nights": 1 }, "notes": { &huge: "x" } }),
        json!({ "trip": { "nights": 1 }, &huge: 1 }),
    ] {
        for content in [Message::user(Part::data(data.clone())), Message::user(data.to_string())] {
            let (field, text) = refused(content).await;
            assert!(field.starts_with("message.parts[0].") && field.len() <= 1_004, "{}", field.len());
            assert!(text.len() <= 1_004, "{}", text.len());
        }
    }
    let (_, text) = refused(Part::data(json!({ "trip": { "nights": huge } }))).await;
    assert!(text.starts_with("invalid type: string") && text.ends_with("expected u8"), "{text}");
}
