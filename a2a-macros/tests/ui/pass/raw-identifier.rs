use a2a_sdk::Json;

/// Moves a piece.
#[a2a_sdk::skill]
async fn r#move(Json(r#type): Json<u8>) -> String {
    r#type.to_string()
}

/// Matches.
#[a2a_sdk::agent(skills = [r#move])]
async fn r#match(text: String) -> String {
    text
}

fn main() {
    let card = r#move::entry().card();
    assert_eq!((card.id.as_str(), card.name.as_str()), ("move", "Move"));
    let _ = r#match::agent();
}
