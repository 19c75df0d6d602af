/// Prices a trip.
#[a2a_sdk::skill]
async fn price(text: String, #[cfg(all())] more: String) -> String {
    text + &more
}

fn main() {}
