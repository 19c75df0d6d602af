/// Plans trips.
pub async fn travel(text: String) -> Result<String, SkillError> {
    plan(text).await
}
/// The agent that the fn of this name is.
#[allow(dead_code, missing_debug_implementations, non_camel_case_types, unreachable_pub)]
pub struct travel {}
#[allow(dead_code, deprecated, missing_docs, unreachable_pub, unused_qualifications)]
const _: () = {
    const __SKILL: ::a2a_sdk::__private::Definition = ::a2a_sdk::__private::Definition {
        call: |__request| ::core::result::Result::Ok(
            ::a2a_sdk::__private::Run::then(
                travel(<String as ::a2a_sdk::FromRequest>::from_request(__request)?),
                <Result<
                    String,
                    SkillError,
                > as ::a2a_sdk::IntoReply<::a2a_sdk::marker::Fallible<_>>>::into_reply,
            ),
        ),
        arguments: &[::a2a_sdk::__private::Argument::of::<String>()],
        outcome: <Result<
            String,
            SkillError,
        > as ::a2a_sdk::IntoReply<::a2a_sdk::marker::Fallible<_>>>::__OUTCOME,
    };
    const _: () = ::a2a_sdk::__private::task(&__SKILL);
    impl ::a2a_sdk::__private::Signature for travel {
        const ID: ::a2a_sdk::__private::Str = "travel";
        type Arguments = (String, ());
        type Reply = Result<String, SkillError>;
        fn entry() -> ::a2a_sdk::__private::SkillEntry {
            travel::entry()
        }
    }
    impl travel {
        /// The skill, for an agent that lists its skills.
        pub fn entry() -> ::a2a_sdk::__private::SkillEntry {
            ::a2a_sdk::__private::entry(
                    <travel as ::a2a_sdk::__private::Signature>::ID,
                    &__SKILL,
                )
                .name("Travel")
                .description(::a2a_sdk::__private::description(&[" Plans trips."]))
                .tags(["travel"])
                .at(::a2a_sdk::__private::location(::core::file!(), ::core::line!()))
        }
    }
    const _: () = ::a2a_sdk::__private::unique(
        &[<travel as ::a2a_sdk::__private::Signature>::ID],
        <price as ::a2a_sdk::__private::Signature>::ID,
    );
    const _: () = ::a2a_sdk::__private::unique(
        &[
            <travel as ::a2a_sdk::__private::Signature>::ID,
            <price as ::a2a_sdk::__private::Signature>::ID,
        ],
        <hotels::search as ::a2a_sdk::__private::Signature>::ID,
    );
    impl ::a2a_sdk::__private::AgentKey for travel {
        const KEY: ::a2a_sdk::__private::Str = ::core::concat!(
            ::core::module_path!(), "::", "travel"
        );
    }
    impl travel {
        /// The agent, to be configured and run.
        pub fn agent() -> ::a2a_sdk::__private::Agent {
            ::a2a_sdk::__private::Agent::builder("travel")
                .name("Travel")
                .description(::a2a_sdk::__private::description(&[" Plans trips."]))
                .version(env!("V"))
                .provider("Acme", "https://acme.example")
                .documentation_url("https://acme.example/docs")
                .icon_url("https://acme.example/icon.png")
                .url("https://agents.example")
                .security(
                    "bearer",
                    ::a2a_sdk::protocol::SecurityScheme::HttpAuth(::a2a_sdk::protocol::HttpAuthSecurityScheme {
                        description: ::core::option::Option::None,
                        scheme: ::std::string::String::from("Bearer"),
                        bearer_format: ::core::option::Option::Some(
                            ::std::string::String::from("JWT"),
                        ),
                    }),
                )
                .security(
                    "key",
                    ::a2a_sdk::protocol::SecurityScheme::ApiKey(::a2a_sdk::protocol::ApiKeySecurityScheme {
                        description: ::core::option::Option::None,
                        location: ::std::string::String::from("header"),
                        name: ::std::string::String::from("x-key"),
                    }),
                )
                .security(
                    "oauth2",
                    ::a2a_sdk::protocol::SecurityScheme::OAuth2(::a2a_sdk::protocol::OAuth2SecurityScheme {
                        description: ::core::option::Option::None,
                        oauth2_metadata_url: ::core::option::Option::None,
                        flows: ::a2a_sdk::protocol::OAuthFlows::AuthorizationCode(::a2a_sdk::protocol::AuthorizationCodeOAuthFlow {
                            refresh_url: ::core::option::Option::None,
                            authorization_url: ::std::string::String::from(
                                "https://id.example/a",
                            ),
                            token_url: ::std::string::String::from(
                                "https://id.example/t",
                            ),
                            scopes: ::core::iter::Iterator::collect(
                                ::core::iter::IntoIterator::into_iter([
                                    (
                                        ::std::string::String::from("trips:read"),
                                        ::std::string::String::from("Reads trips."),
                                    ),
                                ]),
                            ),
                            pkce_required: true,
                        }),
                    }),
                )
                .security(
                    "mutual_tls",
                    ::a2a_sdk::protocol::SecurityScheme::MutualTls(::a2a_sdk::protocol::MutualTlsSecurityScheme {
                        description: ::core::option::Option::None,
                    }),
                )
                .security("partner", partner())
                .extension(::a2a_sdk::protocol::AgentExtension {
                    uri: ::std::string::String::from("urn:acme:ext:v1"),
                    ..::core::default::Default::default()
                })
                .extension(traced())
                .extended_card(larger)
                .default_skill(travel::entry())
                .skill(<price as ::a2a_sdk::__private::Signature>::entry())
                .skill(<hotels::search as ::a2a_sdk::__private::Signature>::entry())
                .__home(
                    ::core::module_path!(),
                    <travel as ::a2a_sdk::__private::AgentKey>::KEY,
                    true,
                    ::a2a_sdk::__private::location(::core::file!(), ::core::line!()),
                )
        }
    }
    ::a2a_sdk::__private::submit! {
        ::a2a_sdk::__private::Registered::agent:: < travel > (::core::module_path!(),
        ::core::file!(), ::core::line!())
    }
};
