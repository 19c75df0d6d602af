//! Skills in a crate that allows nothing: clippy has no word about what the macros make.
#![deny(warnings, missing_docs, unreachable_pub, missing_debug_implementations, unused, nonstandard_style)]
#![deny(rust_2018_idioms, unused_qualifications, let_underscore_drop, clippy::all, clippy::pedantic)]
#![deny(clippy::nursery, clippy::unwrap_used, clippy::panic, clippy::empty_loop, clippy::str_to_string)]
#![allow(clippy::unused_async, reason = "a skill is async, whether it waits or not")]
#![forbid(unsafe_code)]

use a2a_sdk::protocol::{AgentCard, AgentExtension};
use a2a_sdk::{Cancel, Context, File, Json, Message, Principal, Reply, SkillError, State};
use futures_util::{Stream, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Trip {
    /// In nights.
    pub nights: u8,
}

/// What it takes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Quote {
    /// In euros.
    pub euros: u32,
}

fn traced() -> AgentExtension {
    AgentExtension { uri: "urn:acme:trace".to_owned(), ..AgentExtension::default() }
}

fn larger(who: &Principal, card: AgentCard) -> Option<AgentCard> {
    who.id().is_some().then_some(card)
}

/// Plans trips.
#[a2a_sdk::agent(
    security(
        bearer(format = "JWT"),
        mutual_tls,
        oauth2(client_credentials(token_url = "https://id.example/t", scopes = [("trips", "All of them.")]))
    ),
    extensions = ["urn:acme:ext", traced()],
    extended_card = larger
)]
pub async fn travel(text: String) -> String {
    text
}

/// Prices a trip.
///
/// # Errors
/// When it is free.
#[a2a_sdk::skill(security(oauth2 = ["trips"]), output_modes = ["application/json"])]
pub async fn price(Json(trip): Json<Trip>, State(rate): State<u32>) -> Result<Json<Quote>, SkillError> {
    if rate == 0 {
        return Err(SkillError::rejected("it is free"));
    }
    Ok(Json(Quote { euros: u32::from(trip.nights) * rate }))
}

/// Tells a story.
#[a2a_sdk::skill]
pub(crate) async fn story(topic: Option<String>) -> impl Stream<Item = String> {
    stream::iter(topic)
}

/// Draws.
#[a2a_sdk::skill]
async fn draw(image: File, _cancel: Cancel, _ctx: Context) -> (String, File) {
    ("drawn".to_owned(), image)
}

/// Decides.
#[a2a_sdk::skill]
#[must_use]
pub async fn decide(message: Message) -> Reply {
    Reply::message(message)
}

/// Is not there.
#[a2a_sdk::skill]
#[cfg(any())]
async fn absent(text: String) -> String {
    text
}

/// Is old.
#[a2a_sdk::skill]
#[deprecated = "use `price`"]
pub async fn old(text: String) -> String {
    text
}

/// Lists its skills.
#[a2a_sdk::agent(skills = [price, draw])]
#[derive(Clone, Copy, Debug)]
pub struct Desk;
