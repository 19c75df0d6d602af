//! Security schemes and requirements.

use super::object::{json_object, json_oneof};
use std::collections::BTreeMap;

/// Schemes that must all be satisfied together, each with the scopes it needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecurityRequirement {
    /// Scopes by the name of the scheme.
    pub schemes: BTreeMap<String, StringList>,
}

json_object!(SecurityRequirement { schemes: Implicit = "schemes" });

/// A list of texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringList {
    /// The texts.
    pub list: Vec<String>,
}

json_object!(StringList { list: Implicit = "list" });

/// A way to authenticate.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SecurityScheme {
    /// A key in a header, a query parameter or a cookie.
    ApiKey(ApiKeySecurityScheme),
    /// A scheme of the `Authorization` header.
    HttpAuth(HttpAuthSecurityScheme),
    /// OAuth 2.0.
    OAuth2(OAuth2SecurityScheme),
    /// OpenID Connect.
    OpenIdConnect(OpenIdConnectSecurityScheme),
    /// A client certificate.
    MutualTls(MutualTlsSecurityScheme),
}

json_oneof!(SecurityScheme {
    ApiKey: api_key_security_scheme = "apiKeySecurityScheme",
    HttpAuth: http_auth_security_scheme = "httpAuthSecurityScheme",
    OAuth2: oauth2_security_scheme = "oauth2SecurityScheme",
    OpenIdConnect: open_id_connect_security_scheme = "openIdConnectSecurityScheme",
    MutualTls: mtls_security_scheme = "mtlsSecurityScheme",
});

/// A key in a header, a query parameter or a cookie.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApiKeySecurityScheme {
    /// What it is.
    pub description: Option<String>,
    /// `query`, `header` or `cookie`.
    pub location: String,
    /// The name of the header, parameter or cookie.
    pub name: String,
}

json_object!(ApiKeySecurityScheme {
    description: Optional = "description",
    location: Required = "location",
    name: Required = "name",
});

/// A scheme of the `Authorization` header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HttpAuthSecurityScheme {
    /// What it is.
    pub description: Option<String>,
    /// The name of the scheme, such as `Bearer`.
    pub scheme: String,
    /// A hint at the form of the token, such as `JWT`.
    pub bearer_format: Option<String>,
}

json_object!(HttpAuthSecurityScheme {
    description: Optional = "description",
    scheme: Required = "scheme",
    bearer_format: Optional = "bearerFormat",
});

/// OAuth 2.0.
#[derive(Clone, Debug, PartialEq)]
pub struct OAuth2SecurityScheme {
    /// What it is.
    pub description: Option<String>,
    /// The flow that is offered.
    pub flows: OAuthFlows,
    /// Where the server's metadata is (RFC 8414).
    pub oauth2_metadata_url: Option<String>,
}

json_object!(OAuth2SecurityScheme {
    description: Optional = "description",
    flows: Required = "flows",
    oauth2_metadata_url: Optional = "oauth2MetadataUrl",
});

/// OpenID Connect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenIdConnectSecurityScheme {
    /// What it is.
    pub description: Option<String>,
    /// Where the discovery document is.
    pub open_id_connect_url: String,
}

json_object!(OpenIdConnectSecurityScheme {
    description: Optional = "description",
    open_id_connect_url: Required = "openIdConnectUrl",
});

/// A client certificate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MutualTlsSecurityScheme {
    /// What it is.
    pub description: Option<String>,
}

json_object!(MutualTlsSecurityScheme { description: Optional = "description" });

/// The OAuth flow that a scheme offers: exactly one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum OAuthFlows {
    /// The authorization code flow.
    AuthorizationCode(AuthorizationCodeOAuthFlow),
    /// The client credentials flow.
    ClientCredentials(ClientCredentialsOAuthFlow),
    /// The implicit flow, deprecated by the protocol.
    Implicit(ImplicitOAuthFlow),
    /// The password flow, deprecated by the protocol.
    Password(PasswordOAuthFlow),
    /// The device code flow.
    DeviceCode(DeviceCodeOAuthFlow),
}

json_oneof!(OAuthFlows {
    AuthorizationCode: authorization_code = "authorizationCode",
    ClientCredentials: client_credentials = "clientCredentials",
    Implicit: implicit = "implicit",
    Password: password = "password",
    DeviceCode: device_code = "deviceCode",
});

/// The authorization code flow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuthorizationCodeOAuthFlow {
    /// Where the user authorizes.
    pub authorization_url: String,
    /// Where tokens come from.
    pub token_url: String,
    /// Where tokens are renewed.
    pub refresh_url: Option<String>,
    /// Scopes, each with what it allows.
    pub scopes: BTreeMap<String, String>,
    /// Whether PKCE (RFC 7636) is required.
    pub pkce_required: bool,
}

json_object!(AuthorizationCodeOAuthFlow {
    authorization_url: Required = "authorizationUrl",
    token_url: Required = "tokenUrl",
    refresh_url: Optional = "refreshUrl",
    scopes: Always = "scopes",
    pkce_required: Implicit = "pkceRequired",
});

/// The client credentials flow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientCredentialsOAuthFlow {
    /// Where tokens come from.
    pub token_url: String,
    /// Where tokens are renewed.
    pub refresh_url: Option<String>,
    /// Scopes, each with what it allows.
    pub scopes: BTreeMap<String, String>,
}

json_object!(ClientCredentialsOAuthFlow {
    token_url: Required = "tokenUrl",
    refresh_url: Optional = "refreshUrl",
    scopes: Always = "scopes",
});

/// The implicit flow, deprecated by the protocol.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImplicitOAuthFlow {
    /// Where the user authorizes.
    pub authorization_url: Option<String>,
    /// Where tokens are renewed.
    pub refresh_url: Option<String>,
    /// Scopes, each with what it allows.
    pub scopes: BTreeMap<String, String>,
}

json_object!(ImplicitOAuthFlow {
    authorization_url: Optional = "authorizationUrl",
    refresh_url: Optional = "refreshUrl",
    scopes: Implicit = "scopes",
});

/// The password flow, deprecated by the protocol.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PasswordOAuthFlow {
    /// Where tokens come from.
    pub token_url: Option<String>,
    /// Where tokens are renewed.
    pub refresh_url: Option<String>,
    /// Scopes, each with what it allows.
    pub scopes: BTreeMap<String, String>,
}

json_object!(PasswordOAuthFlow {
    token_url: Optional = "tokenUrl",
    refresh_url: Optional = "refreshUrl",
    scopes: Implicit = "scopes",
});

/// The device code flow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceCodeOAuthFlow {
    /// Where the device asks for a code.
    pub device_authorization_url: String,
    /// Where tokens come from.
    pub token_url: String,
    /// Where tokens are renewed.
    pub refresh_url: Option<String>,
    /// Scopes, each with what it allows.
    pub scopes: BTreeMap<String, String>,
}

json_object!(DeviceCodeOAuthFlow {
    device_authorization_url: Required = "deviceAuthorizationUrl",
    token_url: Required = "tokenUrl",
    refresh_url: Optional = "refreshUrl",
    scopes: Always = "scopes",
});
