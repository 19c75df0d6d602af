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
            vendored::sdk::__private::Run::new(story()),
        ),
        arguments: &[],
        outcome: vendored::sdk::__private::Outcome::from(|()| story()),
    };
    impl story {
        /// The skill, for an agent that lists its skills.
        pub fn entry() -> vendored::sdk::__private::SkillEntry {
            vendored::sdk::__private::entry("story", &__SKILL)
                .name("Story")
                .description(
                    vendored::sdk::__private::description(&[include_str!("story.md")]),
                )
                .at(vendored::sdk::__private::location(::core::file!(), ::core::line!()))
        }
    }
    vendored::sdk::__private::submit! {
        vendored::sdk::__private::Registered::skill(::core::module_path!(),
        ::core::file!(), ::core::line!(), story::entry)
    }
};
