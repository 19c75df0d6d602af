/// Plans trips.
#[a2a_sdk::agent(version = "", tags = ["", "a"], examples = [])]
async fn travel(text: String) -> String {
    text
}

fn main() {}
