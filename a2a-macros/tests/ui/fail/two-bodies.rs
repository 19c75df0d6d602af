use a2a_sdk::{Json, State};

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(nights: Json<u8>, _rate: State<u8>, guests: Option<Json<u8>>) -> String {
    format!("{} {:?}", nights.0, guests)
}

fn main() {}
