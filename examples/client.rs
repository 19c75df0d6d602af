//! Talks to an agent, and prints what it says as it says it.
//! Run: `cargo run --example client --features full -- http://127.0.0.1:8080 "Ada"`
//! with an agent that listens there: `cargo run --example hello`

use a2a_sdk::protocol::StreamResponse;
use a2a_sdk::{Client, ClientError};
use std::io::Write;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(text)) = (arguments.next(), arguments.next()) else {
        return Err("usage: client URL TEXT".into());
    };
    let mut builder = Client::builder();
    if let Ok(token) = std::env::var("A2A_TOKEN") {
        builder = builder.bearer(&token);
    }
    let client = builder.connect(&url).await?;
    eprintln!("{}: {}", client.card().name, client.card().description);
    talk(&client, text).await.map_err(|error| format!("the call failed: {error}"))?;
    Ok(())
}

async fn talk(client: &Client, text: String) -> Result<(), ClientError> {
    if client.card().capabilities.streaming != Some(true) {
        println!("{}", client.send_message(text).await?.text());
        return Ok(());
    }
    let mut out = std::io::stdout();
    let mut events = client.send_streaming_message(text).await?;
    while let Some(event) = events.next().await {
        match event? {
            StreamResponse::Message(message) => println!("{}", message.text()),
            // Each chunk is printed as it comes, and the line ends with the artifact.
            StreamResponse::ArtifactUpdate(update) => {
                let _ = write!(out, "{}", update.artifact.text());
                let _ = out.flush();
                if update.last_chunk {
                    println!();
                }
            }
            StreamResponse::StatusUpdate(update) => {
                let said = update.status.message.map(|message| message.text()).unwrap_or_default();
                eprintln!("\n[{:?}] {said}", update.status.state);
            }
            StreamResponse::Task(task) => eprintln!("[{:?}] task {}", task.status.state, task.id),
            _ => {}
        }
    }
    Ok(())
}
