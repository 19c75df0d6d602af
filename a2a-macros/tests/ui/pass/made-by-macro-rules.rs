use a2a_sdk::{Json, SkillError};

macro_rules! skill {
    ($(#[$meta:meta])* $name:ident, $argument:ident: $ty:ty, $reply:ty, $body:expr, $tag:literal, $mode:expr) => {
        $(#[$meta])*
        #[a2a_sdk::skill(tags = [$tag], input_modes = [$mode])]
        async fn $name($argument: $ty) -> $reply {
            $body
        }
    };
}

skill!(
    /// Doubles a number.
    double, number: Json<u8>, Result<Json<u8>, SkillError>, Ok(Json(number.0 * 2)), "math", "application/json"
);

macro_rules! agents {
    ($($name:ident)*) => {$(
        #[doc = concat!("The agent ", stringify!($name), ".")]
        #[a2a_sdk::agent(skills = [double])]
        async fn $name(text: String) -> String {
            let __request = text;
            __request
        }
    )*};
}

agents!(one two);

macro_rules! whole {
    () => {
        /// All of it is the macro's.
        #[a2a_sdk::skill]
        async fn whole(text: String, json: Option<Json<u8>>) -> String {
            format!("{text} {}", json.is_some())
        }
    };
}

whole!();

fn main() {
    assert_eq!(double::entry().card().tags, ["math"]);
    let _ = (one::agent(), two::agent(), whole::entry());
    assert_eq!(one::entry().card().description, "The agent one.");
}
