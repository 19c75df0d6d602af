//! What attributes declare of an agent's security and extensions.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{
    AgentCard, AgentExtension, HttpAuthSecurityScheme, SecurityRequirement, SecurityScheme, StringList,
};
use a2a_sdk::{Agent, BearerTokens, Principal};
use serde_json::{Value, json};

fn tokens() -> BearerTokens {
    BearerTokens::new([("secret", Principal::new("alice")), ("other", Principal::new("bob"))])
}

fn card(agent: Agent) -> Value {
    serde_json::to_value(agent.url("https://a.example").layer(tokens()).card().unwrap()).unwrap()
}

mod all {
    use super::*;

    fn partner() -> SecurityScheme {
        let scheme =
            HttpAuthSecurityScheme { scheme: "Partner".to_owned(), ..HttpAuthSecurityScheme::default() };
        SecurityScheme::HttpAuth(scheme)
    }

    fn larger(who: &Principal, mut card: AgentCard) -> Option<AgentCard> {
        card.name += " for you";
        (who.id() == Some("alice")).then_some(card)
    }

    fn traced() -> AgentExtension {
        AgentExtension { required: true, ..AgentExtension::from_uri("urn:acme:trace") }
    }

    trait FromUri {
        fn from_uri(uri: &str) -> Self;
    }

    impl FromUri for AgentExtension {
        fn from_uri(uri: &str) -> Self {
            Self { uri: uri.to_owned(), ..Self::default() }
        }
    }

    /// Plans trips.
    #[a2a_sdk::agent(
        security(
            bearer(format = "JWT", description = "Ask the desk for one."),
            basic,
            http(name = "digest", scheme = "Digest"),
            api_key(header = "x-api-key"),
            api_key(name = "cookie", cookie = "session"),
            oauth2(
                authorization_code(
                    authorization_url = "https://id.example/authorize",
                    token_url = "https://id.example/token",
                    refresh_url = "https://id.example/refresh",
                    scopes = [("trips:read", "Reads trips."), ("trips:book", "Books trips.")],
                    pkce
                ),
                metadata_url = "https://id.example/.well-known/oauth-authorization-server"
            ),
            oauth2(name = "machine", client_credentials(token_url = "https://id.example/token")),
            oauth2(
                name = "device",
                device_code(device_authorization_url = "https://id.example/d", token_url = "https://id.example/t")
            ),
            open_id_connect(url = "https://id.example/.well-known/openid-configuration"),
            mutual_tls,
            partner = partner()
        ),
        extensions = ["urn:acme:ext:v1", traced()],
        extended_card = larger
    )]
    pub(super) async fn travel(text: String) -> String {
        text
    }

    /// Prices a trip.
    #[a2a_sdk::skill(security = ["bearer", "partner"])]
    async fn price(text: String) -> String {
        text
    }

    /// Books a trip.
    #[a2a_sdk::skill(security(oauth2 = ["trips:read", "trips:book"], mutual_tls))]
    async fn book(text: String) -> String {
        text
    }
}

#[test]
fn every_kind_of_scheme_is_in_the_card() {
    let card = card(all::travel::agent());
    assert_eq!(
        card["securitySchemes"],
        json!({
            "bearer": { "httpAuthSecurityScheme":
                { "scheme": "Bearer", "bearerFormat": "JWT", "description": "Ask the desk for one." } },
            "basic": { "httpAuthSecurityScheme": { "scheme": "Basic" } },
            "digest": { "httpAuthSecurityScheme": { "scheme": "Digest" } },
            "api_key": { "apiKeySecurityScheme": { "location": "header", "name": "x-api-key" } },
            "cookie": { "apiKeySecurityScheme": { "location": "cookie", "name": "session" } },
            "oauth2": { "oauth2SecurityScheme": {
                "flows": { "authorizationCode": {
                    "authorizationUrl": "https://id.example/authorize",
                    "tokenUrl": "https://id.example/token",
                    "refreshUrl": "https://id.example/refresh",
                    "scopes": { "trips:read": "Reads trips.", "trips:book": "Books trips." },
                    "pkceRequired": true
                } },
                "oauth2MetadataUrl": "https://id.example/.well-known/oauth-authorization-server"
            } },
            "machine": { "oauth2SecurityScheme": {
                "flows": { "clientCredentials": { "tokenUrl": "https://id.example/token", "scopes": {} } }
            } },
            "device": { "oauth2SecurityScheme": { "flows": { "deviceCode": {
                "deviceAuthorizationUrl": "https://id.example/d", "tokenUrl": "https://id.example/t", "scopes": {}
            } } } },
            "open_id_connect": { "openIdConnectSecurityScheme":
                { "openIdConnectUrl": "https://id.example/.well-known/openid-configuration" } },
            "mutual_tls": { "mtlsSecurityScheme": {} },
            "partner": { "httpAuthSecurityScheme": { "scheme": "Partner" } }
        })
    );
    let required = card["securityRequirements"].as_array().unwrap();
    assert_eq!(required.len(), 11, "any one is enough");
    assert_eq!(required[0], json!({ "schemes": { "bearer": {} } }));
}

#[test]
fn a_skill_says_which_schemes_and_scopes_it_needs() {
    let card = card(all::travel::agent());
    let of = |id: &str| {
        let skills = card["skills"].as_array().unwrap();
        skills.iter().find(|skill| skill["id"] == id).unwrap()["securityRequirements"].clone()
    };
    assert_eq!(of("travel"), Value::Null);
    assert_eq!(of("price"), json!([{ "schemes": { "bearer": {} } }, { "schemes": { "partner": {} } }]));
    assert_eq!(
        of("book"),
        json!([{ "schemes": { "oauth2": { "list": ["trips:read", "trips:book"] } } }, { "schemes": { "mutual_tls": {} } }])
    );
}

#[test]
fn extensions_are_declared_beside_that_of_the_sdk() {
    let card = card(all::travel::agent());
    let extensions = card["capabilities"]["extensions"].as_array().unwrap();
    assert_eq!(
        extensions[1..],
        [json!({ "uri": "urn:acme:ext:v1" }), json!({ "uri": "urn:acme:trace", "required": true })]
    );
    let twice = AgentExtension { uri: "urn:acme:ext:v1".to_owned(), ..AgentExtension::default() };
    let error = all::travel::agent().layer(tokens()).extension(twice).build().unwrap_err();
    assert!(error.to_string().contains("the extension `urn:acme:ext:v1` is declared twice"), "{error}");
}

#[tokio::test]
async fn the_extended_card_is_made_for_each_caller() {
    let client = all::travel::agent().layer(tokens()).client().unwrap();
    assert_eq!(client.card().capabilities.extended_agent_card, Some(true));
    let alice = client.clone().with_principal(Principal::new("alice"));
    assert_eq!(alice.get_extended_agent_card().await.unwrap().name, "Travel for you");
    client.with_principal(Principal::new("bob")).get_extended_agent_card().await.unwrap_err();
}

#[test]
fn declared_security_that_nothing_checks_is_not_built() {
    let error = format!("{:?}", all::travel::agent().build().unwrap_err());
    assert!(error.contains("it declares security, and nothing checks its callers"), "{error}");
    assert!(error.contains("help: give it a layer that does"), "{error}");
}

mod undeclared {
    /// Plans trips.
    #[a2a_sdk::agent(security(bearer, api_key(header = "x-api-key")))]
    pub(super) async fn travel(text: String) -> String {
        text
    }

    /// Prices a trip.
    #[a2a_sdk::skill(security(oauth = ["trips:read"], bearer))]
    pub(super) async fn price(text: String) -> String {
        text
    }
}

#[test]
fn a_scheme_that_no_agent_declares_is_told_with_its_place() {
    let error = format!("{:?}", undeclared::travel::agent().layer(tokens()).build().unwrap_err());
    let place = undeclared::price::entry().location().unwrap();
    assert_eq!(
        error,
        format!(
            "agent `travel` cannot be built\n  \
             - skill `price` needs the security scheme `oauth`, which the agent does not declare\n      \
             at {place}\n      \
             help: declare it, or name one that is declared: `api_key`, `bearer`"
        )
    );
}

#[test]
fn a_scheme_declared_again_takes_the_place_of_the_first() {
    let scheme = HttpAuthSecurityScheme { scheme: "Bearer".to_owned(), ..HttpAuthSecurityScheme::default() };
    let agent = Agent::builder("a").security("bearer", SecurityScheme::HttpAuth(scheme.clone()));
    let jwt = HttpAuthSecurityScheme { bearer_format: Some("JWT".to_owned()), ..scheme };
    let agent = agent.security("bearer", SecurityScheme::HttpAuth(jwt)).description("A.").layer(tokens());
    let card = agent.skill(undeclared::travel::entry()).card().unwrap();
    let schemes = [("bearer".to_owned(), StringList::default())].into();
    assert_eq!(card.security_requirements, [SecurityRequirement { schemes }]);
    let SecurityScheme::HttpAuth(scheme) = &card.security_schemes["bearer"] else { panic!("{card:?}") };
    assert_eq!(scheme.bearer_format.as_deref(), Some("JWT"));
}
