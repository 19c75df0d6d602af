use a2a_sdk::Json;

struct Trip;

struct Quote;

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(_trip: Json<Trip>) -> Result<Json<Quote>, a2a_sdk::SkillError> {
    Ok(Json(Quote))
}

fn main() {}
