//! Cards of either generation.

use super::*;
use crate::protocol::AgentCard;
use serde_json::json;

fn security_card() -> AgentCard {
    let json = json!({
        "name": "a", "description": "d", "version": "1", "capabilities": { "extendedAgentCard": true },
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
        "supportedInterfaces": [
            { "url": "https://x.example/a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0" },
            { "url": "https://x.example/a", "protocolBinding": "JSONRPC", "protocolVersion": "0.3" },
            { "url": "x.example:443", "protocolBinding": "GRPC", "protocolVersion": "0.3" }
        ],
        "securitySchemes": {
            "key": { "apiKeySecurityScheme": { "location": "header", "name": "x-key" } },
            "http": { "httpAuthSecurityScheme": { "scheme": "Bearer", "bearerFormat": "JWT" } },
            "oauth": { "oauth2SecurityScheme": { "flows": { "authorizationCode": {
                "authorizationUrl": "https://a", "tokenUrl": "https://t", "pkceRequired": true, "scopes": { "r": "read" } } } } },
            "oidc": { "openIdConnectSecurityScheme": { "openIdConnectUrl": "https://o" } },
            "tls": { "mtlsSecurityScheme": {} },
            "device": { "oauth2SecurityScheme": { "flows": { "deviceCode": {
                "deviceAuthorizationUrl": "https://d", "tokenUrl": "https://t", "scopes": {} } } } }
        },
        "securityRequirements": [
            { "schemes": { "oauth": { "list": ["r"] } } }, { "schemes": { "device": {} } }, { "schemes": { "key": {}, "tls": {} } }
        ],
        "skills": [{ "id": "s", "name": "S", "description": "d", "tags": ["t"],
            "securityRequirements": [{ "schemes": { "http": {} } }] }]
    });
    from_json(json.to_string().as_bytes()).unwrap()
}

#[test]
fn a_card_of_both_generations_says_all_in_the_words_of_each() {
    let card = security_card();
    let json = hybrid(&card);
    assert_eq!(from_json::<AgentCard>(json.to_string().as_bytes()).unwrap(), card, "1.0 reads it as it was");
    assert_eq!(json["url"], "https://x.example/a");
    assert_eq!((&json["preferredTransport"], &json["protocolVersion"]), (&json!("JSONRPC"), &json!("0.3.0")));
    assert_eq!(
        json["additionalInterfaces"],
        json!([{ "url": "x.example:443", "transport": "GRPC" }, { "url": "https://x.example/a", "transport": "JSONRPC" }])
    );
    assert_eq!(json["supportsAuthenticatedExtendedCard"], true);
    let schemes = &json["securitySchemes"];
    assert_eq!((&schemes["key"]["type"], &schemes["key"]["in"]), (&json!("apiKey"), &json!("header")));
    assert_eq!(schemes["key"]["name"], "x-key");
    assert_eq!((&schemes["http"]["type"], &schemes["http"]["scheme"]), (&json!("http"), &json!("Bearer")));
    assert_eq!(schemes["oauth"]["type"], "oauth2");
    assert_eq!(
        schemes["oauth"]["flows"],
        json!({ "authorizationCode": { "authorizationUrl": "https://a", "tokenUrl": "https://t", "scopes": { "r": "read" } } })
    );
    assert_eq!(schemes["oidc"]["type"], "openIdConnect");
    assert_eq!(schemes["tls"]["type"], "mutualTLS");
    // 0.3 has no such flow, and its clients want a type all the same.
    assert_eq!((&schemes["device"]["type"], &schemes["device"]["flows"]), (&json!("oauth2"), &json!({})));
    assert_eq!(json["security"], json!([{ "oauth": ["r"] }, { "key": [], "tls": [] }]));
    assert_eq!(json["skills"][0]["security"], json!([{ "http": [] }]));
}

#[test]
fn a_card_of_1_0_alone_has_no_member_of_0_3() {
    let mut card = security_card();
    card.supported_interfaces.truncate(1);
    assert_eq!(hybrid(&card), serde_json::to_value(&card).unwrap());
}

#[test]
fn a_card_of_0_3_is_read_as_one_of_1_0() {
    let mut json = hybrid(&security_card());
    let members = json.as_object_mut().unwrap();
    for modern in ["supportedInterfaces", "securityRequirements"] {
        members.remove(modern);
    }
    members["capabilities"].as_object_mut().unwrap().remove("extendedAgentCard");
    for scheme in members["securitySchemes"].as_object_mut().unwrap().values_mut() {
        scheme.as_object_mut().unwrap().retain(|name, _| !name.ends_with("SecurityScheme"));
    }
    members["skills"][0].as_object_mut().unwrap().remove("securityRequirements");
    let mut expected = security_card();
    expected.supported_interfaces.remove(0);
    expected.security_schemes.remove("device");
    expected.security_requirements.remove(1);
    if let Some(crate::protocol::SecurityScheme::OAuth2(oauth)) = expected.security_schemes.get_mut("oauth")
        && let crate::protocol::OAuthFlows::AuthorizationCode(flow) = &mut oauth.flows
    {
        flow.pkce_required = false;
    }
    assert_eq!(read_card(json.to_string().as_bytes()).unwrap(), expected);
}

#[test]
fn a_card_of_0_2_has_one_interface_of_json_rpc() {
    let json = json!({ "name": "a", "description": "d", "url": "https://x.example/", "version": "1",
        "capabilities": { "streaming": true, "stateTransitionHistory": true }, "defaultInputModes": ["text"],
        "defaultOutputModes": ["text"], "skills": [] });
    let card = read_card(json.to_string().as_bytes()).unwrap();
    let [interface] = card.supported_interfaces.as_slice() else { panic!("{card:?}") };
    assert_eq!(
        (interface.url.as_str(), interface.protocol_binding.as_str(), interface.protocol_version.as_str()),
        ("https://x.example/", "JSONRPC", "0.3")
    );
    assert!(read_card(b"[]").is_err() && read_card(b"{").is_err());
}

#[test]
fn a_scheme_that_cannot_be_read_costs_no_more_than_itself() {
    let flow = json!({ "tokenUrl": "https://t", "scopes": {} });
    let json = json!({ "name": "a", "description": "d", "url": "https://x.example/", "version": "1",
        "capabilities": {}, "defaultInputModes": ["text"], "defaultOutputModes": ["text"], "skills": [], "security": null,
        "additionalInterfaces": null, "supportsAuthenticatedExtendedCard": null, "protocolVersion": null,
        "securitySchemes": {
            "nulls": { "type": "oauth2", "flows": { "authorizationCode": null, "clientCredentials": flow }, "description": null },
            "none": { "type": "oauth2", "flows": {} }, "flowless": { "type": "oauth2" },
            "key": { "type": "apiKey" }, "new": { "type": "newer" }, "text": "x", "null": null } });
    let card = read_card(json.to_string().as_bytes()).unwrap();
    let names: Vec<&String> = card.security_schemes.keys().collect();
    assert_eq!(names, ["nulls"]);
}

#[cfg(feature = "grpc")]
#[test]
fn a_card_goes_through_protocol_buffers_but_for_what_0_3_cannot_say() {
    let mut expected = security_card();
    expected.supported_interfaces.remove(0);
    expected.security_schemes.remove("device");
    expected.security_requirements.remove(1);
    expected.capabilities.streaming = Some(false);
    expected.capabilities.push_notifications = Some(false);
    if let Some(crate::protocol::SecurityScheme::OAuth2(oauth)) = expected.security_schemes.get_mut("oauth")
        && let crate::protocol::OAuthFlows::AuthorizationCode(flow) = &mut oauth.flows
    {
        flow.pkce_required = false;
    }
    assert_eq!(grpc::read_card(grpc::write_card(&security_card())).unwrap(), expected);
}
