/// Plans trips.
#[a2a_sdk::agent(extensions = ["trace", 5, "urn:a:b", "urn:a:b"], extended_card = "larger")]
async fn travel(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::agent(extensions("urn:a:b"), extended_card)]
async fn journey(text: String) -> String {
    text
}

fn main() {}
