/// Says it back.
#[a2a_sdk::skill]
async fn echo(text: String) -> String {
    text
}

fn main() {
    let _ = echo::agent();
}
