use a2a_sdk::Json;
use futures_core::Stream;
use std::pin::Pin;

macro_rules! skills {
    ($($(#[$meta:meta])* $name:ident($ty:ty) -> $reply:ty $body:block)*) => {$(
        $(#[$meta])*
        #[a2a_sdk::skill]
        async fn $name(_argument: $ty) -> $reply $body
    )*};
}

type Words = Pin<Box<dyn Stream<Item = String> + Send>>;

fn words() -> Words {
    unimplemented!()
}

skills! {
    /// Tells a story.
    story(String) -> impl Stream<Item = String> { words() }

    /// Tells a story, or fails.
    fails(Json<u8>) -> Result<impl Stream<Item = String>, std::io::Error> { Ok(words()) }
}

/// Tells it in parentheses.
#[a2a_sdk::skill]
#[allow(unused_parens)]
async fn paren(_text: String) -> (impl Stream<Item = String>) {
    words()
}

/// What a type is where the reply is known to callers.
fn callable<S: a2a_sdk::Skill>() -> &'static str {
    S::ID
}

fn main() {
    assert_eq!([callable::<story>(), callable::<fails>(), callable::<paren>()], ["story", "fails", "paren"]);
}
