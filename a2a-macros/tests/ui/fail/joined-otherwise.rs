/// Prices a trip.
#[a2a_sdk::skill(name: "Price", tags["travel"], id = "p")]
async fn price(text: String) -> String {
    text
}

/// Books a trip.
#[a2a_sdk::skill(examples = [{"to": "Oslo"}])]
async fn book(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::agent(provider("Acme", "https://acme.example"), security("bearer"), url = "https://my host")]
async fn travel(text: String) -> String {
    text
}

fn main() {}
