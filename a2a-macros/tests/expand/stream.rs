#[doc = include_str!("story.md")]
pub async fn story() -> impl Stream<Item = String> {
    narrate()
}
/// The skill that the fn of this name is.
#[allow(dead_code, missing_debug_implementations, non_camel_case_types, unreachable_pub)]
pub struct story {}
#[allow(dead_code, deprecated, missing_docs, unreachable_pub, unused_qualifications)]
const _: () = {
    const __SKILL: vendored::sdk::__private::Definition = vendored::sdk::__private::Definition {
        call: |__request| ::core::result::Result::Ok(
            vendored::sdk::__private::Run::then(
                story(),
                vendored::sdk::__private::into_reply::<
                    _,
                    vendored::sdk::marker::Streamed<_>,
                >(),
            ),
        ),
        arguments: &[],
        outcome: vendored::sdk::__private::Outcome::from::<
            _,
            _,
            _,
            vendored::sdk::marker::Streamed<_>,
        >(|()| story()),
    };
    impl vendored::sdk::__private::Signature for story {
        const ID: vendored::sdk::__private::Str = "story";
        type Arguments = ();
        type Reply = vendored::sdk::__private::StreamOf<String>;
        fn entry() -> vendored::sdk::__private::SkillEntry {
            story::entry()
        }
    }
    impl story {
        /// The skill, for an agent that lists its skills.
        pub fn entry() -> vendored::sdk::__private::SkillEntry {
            vendored::sdk::__private::entry(
                    <story as vendored::sdk::__private::Signature>::ID,
                    &__SKILL,
                )
                .name("Story")
                .description(
                    vendored::sdk::__private::description(&[include_str!("story.md")]),
                )
                .at(vendored::sdk::__private::location(::core::file!(), ::core::line!()))
        }
        #[doc(hidden)]
        pub fn agent() -> vendored::sdk::__private::Agent
        where
            for<'__a> &'__a (): vendored::sdk::__private::AgentOf<story>,
        {
            <&() as vendored::sdk::__private::AgentOf<story>>::agent()
        }
    }
    vendored::sdk::__private::submit! {
        vendored::sdk::__private::Registered::skill(::core::module_path!(),
        ::core::file!(), ::core::line!(), story::entry)
    }
};
