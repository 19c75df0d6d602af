use std::borrow::Cow;

/// Prices a trip.
#[a2a_sdk::skill]
async fn price<'a>(text: Cow<'a, str>) -> String {
    text.into_owned()
}

fn main() {}
