/// Prices a trip.
#[a2a_sdk::skill]
async fn price(text: &str, stops: Option<&[String]>) -> String {
    format!("{text} {stops:?}")
}

fn main() {}
