//! A crate that allows nothing.
#![deny(warnings, missing_docs, unreachable_pub, missing_debug_implementations, unused, nonstandard_style)]
#![deny(rust_2018_idioms, unused_qualifications, missing_copy_implementations, let_underscore_drop)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![forbid(unsafe_code)]

/// Skills.
pub mod skills {
    use a2a_sdk::{Json, State};

    /// Prices a trip.
    #[a2a_sdk::skill(output_modes = ["text/plain"])]
    pub async fn price(Json(nights): Json<u8>, State(rate): State<u8>) -> String {
        format!("{}", nights * rate)
    }

    /// Is for this crate alone.
    #[a2a_sdk::skill]
    pub(crate) async fn internal(text: String) -> String {
        text
    }

    /// Is for this module alone.
    #[a2a_sdk::skill]
    async fn private(text: String) -> String {
        text
    }

    /// Is old.
    #[a2a_sdk::skill]
    #[deprecated = "use `price`"]
    pub async fn old(text: String) -> String {
        text
    }

    /// Must be used.
    #[a2a_sdk::skill]
    #[must_use]
    pub async fn used(text: String) -> String {
        text
    }

    /// Lists its skills.
    #[a2a_sdk::agent(skills = [price, private])]
    pub async fn travel(text: String) -> String {
        text
    }

    /// Has no free text.
    #[a2a_sdk::agent]
    #[derive(Clone, Copy, Debug)]
    pub struct Desk;
}

fn main() {
    drop(skills::travel::agent());
    drop(skills::Desk::agent());
    drop(skills::internal::entry());
}
