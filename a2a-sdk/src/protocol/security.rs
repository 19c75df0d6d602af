//! Security schemes and requirements.

use std::collections::BTreeMap;

/// Schemes that must all be satisfied together, each with the scopes it needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecurityRequirement {
    /// Scopes by the name of the scheme.
    pub schemes: BTreeMap<String, StringList>,
}

/// A list of texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringList {
    /// The texts.
    pub list: Vec<String>,
}

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

/// OpenID Connect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenIdConnectSecurityScheme {
    /// What it is.
    pub description: Option<String>,
    /// Where the discovery document is.
    pub open_id_connect_url: String,
}

/// A client certificate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MutualTlsSecurityScheme {
    /// What it is.
    pub description: Option<String>,
}

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
