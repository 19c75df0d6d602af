struct Desk;

impl Desk {
    /// Prices a trip.
    #[a2a_sdk::skill]
    async fn price(&self, text: String) -> String {
        text
    }
}

fn main() {}
