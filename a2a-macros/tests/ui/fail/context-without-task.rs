use a2a_sdk::{Context, protocol::Message};

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(message: Message, _ctx: Context) -> Result<Message, a2a_sdk::SkillError> {
    Ok(message)
}

fn main() {}
