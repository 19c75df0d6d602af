use a2a_sdk::protocol::MutualTlsSecurityScheme;

/// Plans trips.
#[a2a_sdk::agent(security(partner = MutualTlsSecurityScheme::default()), extensions = [5u8 + 1], extended_card = 5u8 + 1)]
async fn travel(text: String) -> String {
    text
}

fn main() {}
