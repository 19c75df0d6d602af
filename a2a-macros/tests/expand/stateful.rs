/// Prices a trip.
#[cfg(feature = "price")]
pub(crate) async fn price(
    Json(trip): Json<Trip>,
    State(db): State<Db>,
) -> Result<Json<Quote>, SkillError> {
    db.price(trip).await
}
#[cfg(feature = "price")]
/// The skill that the fn of this name is.
#[allow(dead_code, missing_debug_implementations, non_camel_case_types, unreachable_pub)]
pub(crate) struct price {}
#[cfg(feature = "price")]
#[allow(dead_code, deprecated, missing_docs, unreachable_pub, unused_qualifications)]
const _: () = {
    const __SKILL: ::a2a_sdk::__private::Definition = ::a2a_sdk::__private::Definition {
        call: |__request| ::core::result::Result::Ok(
            ::a2a_sdk::__private::Run::then(
                price(
                    <Json<Trip> as ::a2a_sdk::FromRequest>::from_request(__request)?,
                    <State<Db> as ::a2a_sdk::FromRequest>::from_request(__request)?,
                ),
                <Result<
                    Json<Quote>,
                    SkillError,
                > as ::a2a_sdk::IntoReply<
                    ::a2a_sdk::marker::Fallible<::a2a_sdk::marker::Value>,
                >>::into_reply,
            ),
        ),
        arguments: &[
            ::a2a_sdk::__private::Argument::of::<Json<Trip>>(),
            ::a2a_sdk::__private::Argument::of::<State<Db>>(),
        ],
        outcome: <Result<
            Json<Quote>,
            SkillError,
        > as ::a2a_sdk::IntoReply<
            ::a2a_sdk::marker::Fallible<::a2a_sdk::marker::Value>,
        >>::__OUTCOME,
    };
    const _: () = ::a2a_sdk::__private::task(&__SKILL);
    const _: () = ::a2a_sdk::__private::data(&__SKILL, 1usize);
    const _: () = ::a2a_sdk::__private::reads(
        &__SKILL,
        "application/json",
        "no argument of this skill reads `application/json`\nhelp: take an argument that does, such as `File`, or leave the mode out",
    );
    impl ::a2a_sdk::__private::Signature for price {
        const ID: ::a2a_sdk::__private::Str = "price";
        type Arguments = (Json<Trip>, (State<Db>, ()));
        type Reply = Result<Json<Quote>, SkillError>;
        fn entry() -> ::a2a_sdk::__private::SkillEntry {
            price::entry()
        }
    }
    impl price {
        /// The skill, for an agent that lists its skills.
        pub(crate) fn entry() -> ::a2a_sdk::__private::SkillEntry {
            ::a2a_sdk::__private::entry(
                    <price as ::a2a_sdk::__private::Signature>::ID,
                    &__SKILL,
                )
                .name("Price")
                .description(::a2a_sdk::__private::description(&[" Prices a trip."]))
                .tags(["travel"])
                .examples(["Rome to Oslo"])
                .input_modes(["application/json"])
                .at(::a2a_sdk::__private::location(::core::file!(), ::core::line!()))
        }
        #[doc(hidden)]
        pub(crate) fn agent() -> ::a2a_sdk::__private::Agent
        where
            for<'__a> &'__a (): ::a2a_sdk::__private::AgentOf<price>,
        {
            <&() as ::a2a_sdk::__private::AgentOf<price>>::agent()
        }
    }
    ::a2a_sdk::__private::submit! {
        ::a2a_sdk::__private::Registered::skill_of:: < desk::travel >
        (::core::module_path!(), ::core::file!(), ::core::line!(), price::entry)
    }
};
