/// Plans trips.
#[a2a_sdk::agent(security(
    bearr,
    bearer = "JWT",
    api_key,
    api_key(header = "a", query = "b"),
    oauth2(client_credentials),
    oauth2(authorization_code(token_url = "https://id.example", scope = [])),
    oauth2(password(token_url = "https://id.example")),
    open_id_connect(url = "id.example"),
    open_id_connect,
    basic,
    basic,
    partner,
    mutual_tls(ca = "x"),
))]
async fn travel(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::agent(security = bearer)]
async fn journey(text: String) -> String {
    text
}

fn main() {}
