/// Plans trips.
#[a2a_sdk::agent(provider(organization = "Acme"))]
async fn travel(text: String) -> String {
    text
}

fn main() {}
