trait Prices {
    /// Prices a trip.
    #[a2a_sdk::skill]
    async fn price(text: String) -> String;
}

fn main() {}
