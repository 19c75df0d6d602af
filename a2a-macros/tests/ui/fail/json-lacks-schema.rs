use a2a_sdk::Json;

#[derive(serde::Deserialize)]
struct Trip {
    _nights: u8,
}

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(_trip: Json<Trip>) -> String {
    String::new()
}

fn main() {}
