//! Skills about how guests arrive.

use crate::{Effort, Plan};
use a2a_sdk::{Context, File, Json, Message, SkillError};
use futures_util::{Stream, stream};

/// Says how guests arrive.
#[a2a_sdk::skill]
async fn arrive_how(text: String) -> String {
    text
}

/// Tells how long it takes to arrive.
///
/// The hour counts.
///
/// # Errors
/// At night.
#[a2a_sdk::skill(tags = ["arrive", "time"], examples = ["At noon", "At ten"])]
async fn arrive_how_long(Json(plan): Json<Plan>) -> Result<Json<Effort>, SkillError> {
    match plan.hour {
        0..6 => Err(SkillError::rejected("it is night")),
        hour => Ok(Json(Effort { minutes: u32::from(hour) + u32::try_from(plan.guests.len())? })),
    }
}

/// Draws it.
#[a2a_sdk::skill(input_modes = ["image/png", "image/jpeg"], output_modes = ["image/png"])]
async fn arrive_drawn(image: File) -> File {
    image
}

/// Tells about it bit by bit.
#[a2a_sdk::skill(id = "arrive.story", name = "Arrive: a story")]
async fn arrive_story(topic: Option<String>) -> impl Stream<Item = String> {
    stream::iter(topic)
}

/// Answers at once.
#[a2a_sdk::skill(description = "Answers at once, about how to arrive.")]
async fn arrive_at_once(message: Message) -> Message {
    message
}

/// Asks back.
#[a2a_sdk::skill]
async fn arrive_asked(ctx: Context, text: String) -> Result<(String, Json<u8>), SkillError> {
    let answer = ctx.ask("When?").await?.text();
    Ok((format!("{text} {answer}"), Json(1)))
}
