/// Greets people by name.
async fn greeter(name: String) -> String {
    format!("Hello, {name}!")
}
/// The agent that the fn of this name is.
#[allow(dead_code, missing_debug_implementations, non_camel_case_types, unreachable_pub)]
struct greeter {}
#[allow(dead_code, deprecated, missing_docs, unreachable_pub, unused_qualifications)]
const _: () = {
    const __SKILL: ::a2a_sdk::__private::Definition = ::a2a_sdk::__private::Definition {
        call: |__request| ::core::result::Result::Ok(
            ::a2a_sdk::__private::Run::then(
                greeter(<String as ::a2a_sdk::FromRequest>::from_request(__request)?),
                <String as ::a2a_sdk::IntoReply<_>>::into_reply,
            ),
        ),
        arguments: &[::a2a_sdk::__private::Argument::of::<String>()],
        outcome: <String as ::a2a_sdk::IntoReply<_>>::__OUTCOME,
    };
    const _: () = ::a2a_sdk::__private::task(&__SKILL);
    impl ::a2a_sdk::__private::Signature for greeter {
        const ID: ::a2a_sdk::__private::Str = "greeter";
        type Arguments = (String, ());
        type Reply = String;
        fn entry() -> ::a2a_sdk::__private::SkillEntry {
            greeter::entry()
        }
    }
    impl greeter {
        /// The skill, for an agent that lists its skills.
        fn entry() -> ::a2a_sdk::__private::SkillEntry {
            ::a2a_sdk::__private::entry(
                    <greeter as ::a2a_sdk::__private::Signature>::ID,
                    &__SKILL,
                )
                .name("Greeter")
                .description(
                    ::a2a_sdk::__private::description(&[" Greets people by name."]),
                )
                .at(::a2a_sdk::__private::location(::core::file!(), ::core::line!()))
        }
    }
    impl ::a2a_sdk::__private::AgentKey for greeter {
        const KEY: ::a2a_sdk::__private::Str = ::core::concat!(
            ::core::module_path!(), "::", "greeter"
        );
    }
    impl greeter {
        /// The agent, to be configured and run.
        fn agent() -> ::a2a_sdk::__private::Agent {
            ::a2a_sdk::__private::Agent::builder("greeter")
                .name("Greeter")
                .description(
                    ::a2a_sdk::__private::description(&[" Greets people by name."]),
                )
                .version(::core::env!("CARGO_PKG_VERSION"))
                .default_skill(greeter::entry())
                .__home(
                    ::core::module_path!(),
                    <greeter as ::a2a_sdk::__private::AgentKey>::KEY,
                    false,
                    ::a2a_sdk::__private::location(::core::file!(), ::core::line!()),
                )
        }
    }
    ::a2a_sdk::__private::submit! {
        ::a2a_sdk::__private::Registered::agent:: < greeter > (::core::module_path!(),
        ::core::file!(), ::core::line!())
    }
};
