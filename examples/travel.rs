//! An agent with several skills, a state, and structured data in and out. Run: `cargo run --example travel`
//!
//! Free text goes to `travel`; a message that names the skill `price` brings its data along.
//!
//! ```sh
//! curl -s http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
//!   -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"1","role":"ROLE_USER","parts":[{"text":"4 nights in Oslo"}]}}}'
//! curl -s http://127.0.0.1:8080/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
//!   -d '{"jsonrpc":"2.0","id":2,"method":"SendMessage","params":{"message":{"messageId":"2","role":"ROLE_USER","parts":[{"data":{"city":"Rome","nights":2}}],"metadata":{"urn:x-a2a-rust:skills:v1":{"skill":"price"}}}}}'
//! ```

use a2a_sdk::{Agent, Json, SkillError, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a night costs in each city.
type Prices = Arc<BTreeMap<&'static str, u32>>;

#[derive(Deserialize, JsonSchema)]
struct Trip {
    city: String,
    nights: u32,
}

#[derive(Serialize, JsonSchema)]
struct Quote {
    euros: u32,
}

/// Plans and prices trips.
#[a2a_sdk::agent]
async fn travel(text: String, State(prices): State<Prices>) -> Result<String, SkillError> {
    let city = prices.keys().find(|city| text.contains(**city));
    let nights = text.split_whitespace().find_map(|word| word.parse().ok());
    let (Some(city), Some(nights)) = (city, nights) else {
        return Err(SkillError::rejected("say a city and how many nights"));
    };
    // A skill is the plain fn that it was written as.
    let trip = Trip { city: (*city).to_owned(), nights };
    let Json(quote) = price(Json(trip), State(Arc::clone(&prices))).await?;
    Ok(format!("{nights} nights in {city} are {} euros", quote.euros))
}

/// Prices a trip.
#[a2a_sdk::skill(tags = ["travel"], examples = [r#"{"city": "Rome", "nights": 2}"#])]
async fn price(Json(trip): Json<Trip>, State(prices): State<Prices>) -> Result<Json<Quote>, SkillError> {
    match prices.get(trip.city.as_str()) {
        Some(night) => Ok(Json(Quote { euros: trip.nights.saturating_mul(*night) })),
        None => Err(SkillError::rejected(format!("we have no rooms in {}", trip.city))),
    }
}

/// Lists the cities.
#[a2a_sdk::skill(tags = ["travel"])]
async fn cities(State(prices): State<Prices>) -> Json<Vec<&'static str>> {
    Json(prices.keys().copied().collect())
}

pub(crate) fn app() -> Agent {
    travel::agent().state::<Prices>(Arc::new(BTreeMap::from([("Oslo", 120), ("Rome", 90)])))
}

#[tokio::main]
async fn main() -> a2a_sdk::Result<()> {
    app().run().await
}
