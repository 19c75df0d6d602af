use a2a_sdk::{Client, File};

/// Describes an image.
#[a2a_sdk::skill]
async fn describe(question: String, _image: File) -> String {
    question
}

async fn call(client: Client) {
    let _ = client.call::<describe>("What is it?").await;
}

fn main() {}
