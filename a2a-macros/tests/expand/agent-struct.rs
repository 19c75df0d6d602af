/// Plans trips.
pub struct Travel;
#[allow(dead_code, deprecated, missing_docs, unreachable_pub, unused_qualifications)]
const _: () = {
    const _: () = ::a2a_sdk::__private::unique(
        &[],
        <price as ::a2a_sdk::__private::Signature>::ID,
    );
    const _: () = ::a2a_sdk::__private::unique(
        &[<price as ::a2a_sdk::__private::Signature>::ID],
        <hotels::search as ::a2a_sdk::__private::Signature>::ID,
    );
    impl ::a2a_sdk::__private::AgentKey for Travel {
        const KEY: ::a2a_sdk::__private::Str = ::core::concat!(
            ::core::module_path!(), "::", "Travel"
        );
    }
    impl Travel {
        /// The agent, to be configured and run.
        pub fn agent() -> ::a2a_sdk::__private::Agent {
            ::a2a_sdk::__private::Agent::builder("Travel")
                .name("Travel")
                .description(::a2a_sdk::__private::description(&[" Plans trips."]))
                .version("2.1.0")
                .provider("Acme", "https://acme.example")
                .skill(<price as ::a2a_sdk::__private::Signature>::entry())
                .skill(<hotels::search as ::a2a_sdk::__private::Signature>::entry())
                .__home(
                    ::core::module_path!(),
                    <Travel as ::a2a_sdk::__private::AgentKey>::KEY,
                    true,
                    ::a2a_sdk::__private::location(::core::file!(), ::core::line!()),
                )
        }
    }
    ::a2a_sdk::__private::submit! {
        ::a2a_sdk::__private::Registered::agent:: < Travel > (::core::module_path!(),
        ::core::file!(), ::core::line!())
    }
};
