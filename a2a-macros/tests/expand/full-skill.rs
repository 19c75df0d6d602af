/// Books a trip.
#[cfg(feature = "book")]
#[must_use]
pub async fn r#book(
    mut wish: String,
    Json(trip): Json<Trip>,
    photo: Option<File>,
    State(db): State<Db>,
    Extension(trace): Extension<Trace>,
    who: Principal,
    metadata: Metadata,
    cancel: Cancel,
    ctx: Context,
) -> Result<impl Stream<Item = Json<Step>> + Send, SkillError> {
    todo!()
}
#[cfg(feature = "book")]
/// The skill that the fn of this name is.
#[allow(dead_code, missing_debug_implementations, non_camel_case_types, unreachable_pub)]
pub struct r#book {}
#[cfg(feature = "book")]
#[allow(dead_code, deprecated, missing_docs, unreachable_pub, unused_qualifications)]
const _: () = {
    const __SKILL: crate::sdk::__private::Definition = crate::sdk::__private::Definition {
        call: |__request| ::core::result::Result::Ok(
            crate::sdk::__private::Run::then(
                r#book(
                    <String as crate::sdk::FromRequest>::from_request(__request)?,
                    <Json<Trip> as crate::sdk::FromRequest>::from_request(__request)?,
                    <Option<File> as crate::sdk::FromRequest>::from_request(__request)?,
                    <State<Db> as crate::sdk::FromRequest>::from_request(__request)?,
                    <Extension<
                        Trace,
                    > as crate::sdk::FromRequest>::from_request(__request)?,
                    <Principal as crate::sdk::FromRequest>::from_request(__request)?,
                    <Metadata as crate::sdk::FromRequest>::from_request(__request)?,
                    <Cancel as crate::sdk::FromRequest>::from_request(__request)?,
                    <Context as crate::sdk::FromRequest>::from_request(__request)?,
                ),
                crate::sdk::__private::into_reply::<
                    _,
                    crate::sdk::marker::Fallible<
                        crate::sdk::marker::Streamed<crate::sdk::marker::Value>,
                    >,
                >(),
            ),
        ),
        arguments: &[
            crate::sdk::__private::Argument::of::<String>(),
            crate::sdk::__private::Argument::of::<Json<Trip>>(),
            crate::sdk::__private::Argument::of::<Option<File>>(),
            crate::sdk::__private::Argument::of::<State<Db>>(),
            crate::sdk::__private::Argument::of::<Extension<Trace>>(),
            crate::sdk::__private::Argument::of::<Principal>(),
            crate::sdk::__private::Argument::of::<Metadata>(),
            crate::sdk::__private::Argument::of::<Cancel>(),
            crate::sdk::__private::Argument::of::<Context>(),
        ],
        outcome: crate::sdk::__private::Outcome::from::<
            _,
            _,
            _,
            crate::sdk::marker::Fallible<
                crate::sdk::marker::Streamed<crate::sdk::marker::Value>,
            >,
        >(|(__0, __1, __2, __3, __4, __5, __6, __7, __8)| r#book(
            __0,
            __1,
            __2,
            __3,
            __4,
            __5,
            __6,
            __7,
            __8,
        )),
    };
    const _: () = crate::sdk::__private::task(&__SKILL);
    const _: () = crate::sdk::__private::data(&__SKILL, 1usize);
    const _: () = crate::sdk::__private::data(&__SKILL, 2usize);
    const _: () = crate::sdk::__private::data(&__SKILL, 3usize);
    const _: () = crate::sdk::__private::data(&__SKILL, 4usize);
    const _: () = crate::sdk::__private::data(&__SKILL, 5usize);
    const _: () = crate::sdk::__private::data(&__SKILL, 6usize);
    const _: () = crate::sdk::__private::data(&__SKILL, 7usize);
    const _: () = crate::sdk::__private::data(&__SKILL, 8usize);
    const _: () = crate::sdk::__private::reads(
        &__SKILL,
        "text/plain",
        "no argument of this skill reads `text/plain`\nhelp: take an argument that does, such as `File`, or leave the mode out",
    );
    const _: () = crate::sdk::__private::reads(
        &__SKILL,
        "image/png",
        "no argument of this skill reads `image/png`\nhelp: take an argument that does, such as `File`, or leave the mode out",
    );
    const _: () = crate::sdk::__private::gives(
        &__SKILL,
        "application/json",
        "the reply of this skill is never `application/json`\nhelp: return a type that is, such as `File`, or leave the mode out",
    );
    impl crate::sdk::__private::Signature for r#book {
        const ID: crate::sdk::__private::Str = "trips.book";
        type Arguments = (
            String,
            (
                Json<Trip>,
                (
                    Option<File>,
                    (
                        State<Db>,
                        (
                            Extension<Trace>,
                            (Principal, (Metadata, (Cancel, (Context, ())))),
                        ),
                    ),
                ),
            ),
        );
        type Reply = ::core::result::Result<
            crate::sdk::__private::StreamOf<Json<Step>>,
            (),
        >;
        fn entry() -> crate::sdk::__private::SkillEntry {
            r#book::entry()
        }
    }
    impl r#book {
        /// The skill, for an agent that lists its skills.
        pub fn entry() -> crate::sdk::__private::SkillEntry {
            crate::sdk::__private::entry(
                    <r#book as crate::sdk::__private::Signature>::ID,
                    &__SKILL,
                )
                .name("Trips")
                .description(env!("TEXT"))
                .tags(["travel", TAG])
                .examples(["Book Rome"])
                .input_modes(["text/plain", "image/png"])
                .output_modes(["application/json"])
                .security("oauth2", &["trips:book"])
                .security("bearer", &[])
                .at(crate::sdk::__private::location(::core::file!(), ::core::line!()))
        }
        #[doc(hidden)]
        pub fn agent() -> crate::sdk::__private::Agent
        where
            for<'__a> &'__a (): crate::sdk::__private::AgentOf<r#book>,
        {
            <&() as crate::sdk::__private::AgentOf<r#book>>::agent()
        }
    }
    crate::sdk::__private::submit! {
        crate ::sdk::__private::Registered::skill_of:: < desk::travel >
        (::core::module_path!(), ::core::file!(), ::core::line!(), r#book::entry)
    }
};
