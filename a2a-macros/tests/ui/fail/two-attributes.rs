/// Plans trips.
#[a2a_sdk::agent]
#[a2a_sdk::skill(tags = ["travel"])]
async fn travel(text: String) -> String {
    text
}

/// Plans journeys.
#[a2a_sdk::skill(tags = ["travel"])]
#[a2a_sdk::agent]
async fn journey(text: String) -> String {
    text
}

/// Prices trips.
#[a2a_sdk::skill]
#[a2a_sdk::skill]
async fn price(text: String) -> String {
    text
}

fn main() {
    let _ = (travel::agent(), journey::agent(), price::entry());
}
