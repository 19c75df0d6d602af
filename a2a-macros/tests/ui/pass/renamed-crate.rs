mod vendored {
    pub use a2a_sdk as protocol_kit;
}

use vendored::protocol_kit;

/// Prices a trip.
#[protocol_kit::skill(crate = crate::vendored::protocol_kit)]
async fn price(text: String) -> String {
    text
}

/// Plans trips.
#[protocol_kit::agent(crate = protocol_kit, skills = [price])]
async fn travel(text: String) -> String {
    text
}

fn main() {
    let _ = travel::agent();
}
