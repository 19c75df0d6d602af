struct Quote;

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(_text: String) -> Result<Quote, a2a_sdk::SkillError> {
    Ok(Quote)
}

fn main() {}
