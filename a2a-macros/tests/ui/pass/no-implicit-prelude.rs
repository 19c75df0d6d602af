#![no_implicit_prelude]

/// Prices a trip.
#[::a2a_sdk::skill(tags = ["a"], examples = ["b"], input_modes = ["text/plain"], output_modes = ["text/plain"])]
async fn price(text: ::std::string::String) -> ::std::result::Result<::std::string::String, ::a2a_sdk::SkillError> {
    ::std::result::Result::Ok(text)
}

/// Plans trips.
#[::a2a_sdk::agent(skills = [price], provider(organization = "Acme", url = "https://acme.example"))]
async fn travel(text: ::std::string::String) -> ::std::string::String {
    text
}

fn main() {
    let _ = travel::agent();
}
