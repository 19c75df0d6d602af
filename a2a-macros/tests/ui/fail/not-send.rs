use std::rc::Rc;

async fn wait() {}

/// Prices a trip.
#[a2a_sdk::skill]
async fn price(text: String) -> String {
    let text = Rc::new(text);
    wait().await;
    text.to_uppercase()
}

fn main() {}
