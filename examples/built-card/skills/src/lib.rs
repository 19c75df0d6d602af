//! Skills in a package that neither serves nor knows how: a build script makes their card, a program runs them.

use a2a_sdk::{Agent, Json, SkillError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is to be priced.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Trip {
    city: String,
    nights: u32,
}

/// What it costs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Quote {
    euros: u32,
}

/// Plans and prices trips.
#[a2a_sdk::agent(url = "http://127.0.0.1:8080")]
pub async fn travel(city: String) -> Result<String, SkillError> {
    let Json(quote) = price(Json(Trip { city, nights: 1 })).await?;
    Ok(format!("a night is {} euros", quote.euros))
}

/// Prices a trip to one city.
#[a2a_sdk::skill(tags = ["travel"], examples = [r#"{"city": "Rome", "nights": 2}"#])]
pub async fn price(Json(trip): Json<Trip>) -> Result<Json<Quote>, SkillError> {
    match trip.city.as_str() {
        "Oslo" => Ok(Json(Quote { euros: trip.nights.saturating_mul(120) })),
        "Rome" => Ok(Json(Quote { euros: trip.nights.saturating_mul(90) })),
        city => Err(SkillError::rejected(format!("we have no rooms in {city}"))),
    }
}

/// The agent as it is configured, for its card and for its program.
pub fn app() -> Agent {
    travel::agent()
}
