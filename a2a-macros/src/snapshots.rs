//! What the macros make, as text that people can read: `tests/expand`. `UPDATE=1 cargo test` rewrites it.

use crate::expand;
use crate::model::Kind;
use std::path::PathBuf;
use std::{env, fs};

fn compare(name: &str, kind: Kind, attr: &str, item: &str) {
    let tokens = expand(kind, attr.parse().expect("tokens"), item.parse().expect("tokens"));
    let file = syn::parse2(tokens).expect("items");
    let text = prettyplease::unparse(&file);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/expand").join(name);
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &text).expect("a writable directory");
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == known, "{name} has changed; `UPDATE=1 cargo test` accepts:\n{text}");
}

#[test]
fn hello() {
    compare(
        "hello.rs",
        Kind::Agent,
        "",
        "/// Greets people by name.\nasync fn greeter(name: String) -> String { format!(\"Hello, {name}!\") }",
    );
}

#[test]
fn a_skill_with_state() {
    compare(
        "stateful.rs",
        Kind::Skill,
        "tags = [\"travel\"], examples = [\"Rome to Oslo\"], input_modes = [\"application/json\"], agent = desk::travel",
        "/// Prices a trip.\n#[cfg(feature = \"price\")]\npub(crate) async fn price(Json(trip): Json<Trip>, \
         State(db): State<Db>) -> Result<Json<Quote>, SkillError> { db.price(trip).await }",
    );
}

#[test]
fn a_stream() {
    compare(
        "stream.rs",
        Kind::Skill,
        "crate = vendored::sdk",
        "#[doc = include_str!(\"story.md\")]\npub async fn story() -> impl Stream<Item = String> { narrate() }",
    );
}

#[test]
fn a_skill_with_everything() {
    compare(
        "full-skill.rs",
        Kind::Skill,
        "id = \"trips.book\", name = \"Trips\", description = env!(\"TEXT\"), tags = [\"travel\", TAG], \
         examples = [\"Book Rome\"], input_modes = [\"text/plain\", \"image/png\"], \
         output_modes = [\"application/json\"], security(oauth2 = [\"trips:book\"], bearer), agent = desk::travel, \
         crate = crate::sdk",
        "/// Books a trip.\n#[cfg(feature = \"book\")]\n#[must_use]\npub async fn r#book(mut wish: String, \
         Json(trip): Json<Trip>, photo: Option<File>, State(db): State<Db>, Extension(trace): Extension<Trace>, \
         who: Principal, metadata: Metadata, cancel: Cancel, ctx: Context) \
         -> Result<impl Stream<Item = Json<Step>> + Send, SkillError> { todo!() }",
    );
}

#[test]
fn an_agent_with_everything() {
    compare(
        "full-agent.rs",
        Kind::Agent,
        "name = \"Travel\", version = env!(\"V\"), provider(organization = \"Acme\", url = \"https://acme.example\"), \
         documentation_url = \"https://acme.example/docs\", icon_url = \"https://acme.example/icon.png\", \
         url = \"https://agents.example\", security(bearer(format = \"JWT\"), api_key(name = \"key\", header = \"x-key\"), \
         oauth2(authorization_code(authorization_url = \"https://id.example/a\", token_url = \"https://id.example/t\", \
         scopes = [(\"trips:read\", \"Reads trips.\")], pkce)), mutual_tls, partner = partner()), \
         extensions = [\"urn:acme:ext:v1\", traced()], extended_card = larger, tags = [\"travel\"], \
         skills = [price, hotels::search]",
        "/// Plans trips.\npub async fn travel(text: String) -> Result<String, SkillError> { plan(text).await }",
    );
}

#[test]
fn an_agent_without_a_fn() {
    compare(
        "agent-struct.rs",
        Kind::Agent,
        "version = \"2.1.0\", provider(organization = \"Acme\", url = \"https://acme.example\"), skills = [price, hotels::search]",
        "/// Plans trips.\npub struct Travel;",
    );
}

#[test]
fn a_mistake() {
    compare(
        "mistake.rs",
        Kind::Agent,
        "nme = \"x\"",
        "/// Plans trips.\nasync fn travel(text: String) -> String { text }",
    );
}

#[test]
fn the_item_is_emitted_unchanged_whatever_is_wrong() {
    let items = [
        "/// Prices.\n#[inline] pub async fn price(mut text: String) -> String { text.push('!'); text }",
        "fn price<'a, T>(&self, text: &'a str) where T: Clone { loop {} }",
        "async fn price(",
        "impl Desk { async fn price() {} }",
        "pub struct Desk<T>(T);",
        "",
    ];
    let attrs = ["", "tags = [\"a\"]", "nme = 1, tags = , x(", "= = =", "skills = [price]", "crate = 5"];
    for item in items {
        // What is not balanced never reaches a macro.
        let Ok(item) = item.parse::<proc_macro2::TokenStream>() else { continue };
        for attr in attrs.iter().filter_map(|attr| attr.parse::<proc_macro2::TokenStream>().ok()) {
            for kind in [Kind::Skill, Kind::Agent] {
                let tokens = expand(kind, attr.clone(), item.clone()).to_string();
                assert!(tokens.starts_with(&item.to_string()), "{tokens}");
            }
        }
    }
}
