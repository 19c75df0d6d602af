/// Prices a trip.
#[a2a_sdk::skill(examles = ["Rome to Oslo"], colour = "red", version = "1.0")]
async fn price(text: String) -> String {
    text
}

fn main() {}
