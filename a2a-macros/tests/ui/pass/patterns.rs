use a2a_sdk::{Json, State};

/// Takes things apart.
#[a2a_sdk::skill]
async fn apart(mut text: String, Json((a, _)): Json<(u8, u8)>, State([x, ..]): State<[u8; 2]>, _: Option<String>) -> String {
    text.push_str(&(a + x).to_string());
    text
}

fn main() {
    let _ = apart::entry();
}
