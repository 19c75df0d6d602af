/// # Errors
/// A heading is no description.
#[a2a_sdk::agent]
async fn travel(text: String) -> String {
    text
}

fn main() {}
