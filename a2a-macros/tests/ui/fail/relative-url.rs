/// Plans trips.
#[a2a_sdk::agent(url = "travel.example", documentation_url = "/docs")]
async fn travel(text: String) -> String {
    text
}

fn main() {}
