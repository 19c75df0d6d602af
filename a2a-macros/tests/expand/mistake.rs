/// Plans trips.
async fn travel(text: String) -> String {
    text
}
::core::compile_error! {
    "unknown key `nme`\nhelp: did you mean `name`?"
}
/// The agent that the fn of this name is.
#[allow(dead_code, missing_debug_implementations, non_camel_case_types, unreachable_pub)]
struct travel {}
#[allow(dead_code, deprecated, missing_docs, unreachable_pub, unused_qualifications)]
const _: () = {
    impl ::a2a_sdk::__private::AgentKey for travel {
        const KEY: ::a2a_sdk::__private::Str = "";
    }
    impl ::a2a_sdk::__private::Signature for travel {
        const ID: ::a2a_sdk::__private::Str = "travel";
        type Arguments = ::a2a_sdk::__private::Opaque;
        type Reply = ::a2a_sdk::__private::Opaque;
        fn entry() -> ::a2a_sdk::__private::SkillEntry {
            loop {}
        }
    }
    impl travel {
        fn entry() -> ::a2a_sdk::__private::SkillEntry {
            loop {}
        }
        fn agent() -> ::a2a_sdk::__private::Agent {
            loop {}
        }
    }
};
