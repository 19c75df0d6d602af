/// Prices a trip.
#[a2a_sdk::skill(on_crash(retry = 3))]
async fn price(text: String) -> String {
    text
}

/// Books a trip.
#[a2a_sdk::skill(on_crash = "retry")]
async fn book(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::agent(on_crash(fail))]
async fn travel(text: String) -> String {
    text
}

fn main() {}
