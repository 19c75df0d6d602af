//! Makes the card of the agent, without running or serving it.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(&std::env::var("OUT_DIR")?).join("agent-card.json");
    a2a_sdk::card::write(&built_card_skills::app(), file)?;
    Ok(())
}
