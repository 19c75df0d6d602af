//! An agent of thirty skills, which stand in five files.

mod arrive;
mod eat;
mod leave;
mod sleep;
mod walk;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Sees to everything.
#[a2a_sdk::agent(version = "3.0.0")]
#[derive(Debug)]
pub struct Everything;

/// When and for how many.
#[derive(Debug, Deserialize, JsonSchema)]
struct Plan {
    /// The hour, from 0 to 23.
    hour: u8,
    /// Who comes.
    guests: Vec<String>,
}

/// What it takes.
#[derive(Debug, Serialize, JsonSchema)]
struct Effort {
    minutes: u32,
}
