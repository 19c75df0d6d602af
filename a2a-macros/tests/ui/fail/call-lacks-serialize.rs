use a2a_sdk::{Client, Json};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Trip {
    nights: u8,
}

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(trip: Json<Trip>) -> String {
    trip.0.nights.to_string()
}

async fn call(client: Client) {
    let _ = client.call::<price>(Trip { nights: 2 }).await;
}

fn main() {}
