struct Chapter;

/// Tells a story.
#[a2a_sdk::skill]
async fn story(_topic: String) -> impl futures_core::Stream<Item = Chapter> {
    Empty
}

struct Empty;

impl futures_core::Stream for Empty {
    type Item = Chapter;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Chapter>> {
        std::task::Poll::Ready(None)
    }
}

fn main() {}
