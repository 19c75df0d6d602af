/// Plans trips.
#[a2a_sdk::agent]
#[a2a_sdk::skill(tags = ["travel"])]
async fn travel(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::skill]
#[a2a_sdk::skill]
async fn price(text: String) -> String {
    text
}

fn main() {}
