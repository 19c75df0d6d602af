use futures_core::Stream;
use std::rc::Rc;

struct Words(#[allow(dead_code)] Rc<str>);

impl Stream for Words {
    type Item = String;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<String>> {
        std::task::Poll::Ready(None)
    }
}

/// Tells a story.
#[a2a_sdk::skill]
async fn story(topic: String) -> impl Stream<Item = String> {
    Words(topic.into())
}

fn main() {}
