pub mod travel {
    use a2a_sdk::Json;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Trip {
        nights: u8,
    }

    /// Prices a trip.
    #[a2a_sdk::skill]
    pub async fn price(trip: Json<Trip>) -> String {
        trip.0.nights.to_string()
    }
}

fn main() {}
