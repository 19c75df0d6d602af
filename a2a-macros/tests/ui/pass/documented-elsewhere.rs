/** Prices a trip.
 *
 * In euros.
 */
#[a2a_sdk::skill]
async fn price(text: String) -> String {
    text
}

#[a2a_sdk::skill]
#[doc = include_str!("documented-elsewhere.md")]
async fn elsewhere(text: String) -> String {
    text
}

fn main() {
    assert_eq!(price::entry().card().description, "Prices a trip.\n\nIn euros.");
    assert_eq!(elsewhere::entry().card().description, "Written elsewhere, in a file.");
}
