//! Replies that come item by item.

use super::{CallError, Decode, Read};
use crate::client::{Client, EventStream};
use crate::protocol::*;
use crate::skill::{Given, StreamOf};
use futures_core::Stream;
use futures_util::StreamExt;
use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The items of a skill that streams, in order, each as soon as it comes.
///
/// An error is the last item. Dropping it stops nothing but the stream.
pub struct Items<T>(Pin<Box<dyn Stream<Item = Result<T, CallError>> + Send>>);

impl<T> Items<T> {
    /// The next item, or `None` at the end.
    ///
    /// # Errors
    /// As for [`Client::call`].
    pub async fn next(&mut self) -> Option<Result<T, CallError>> {
        self.0.next().await
    }

    /// All items that are left.
    ///
    /// # Errors
    /// As for [`Client::call`].
    pub async fn all(mut self) -> Result<Vec<T>, CallError> {
        let mut items = Vec::new();
        while let Some(item) = self.next().await {
            items.push(item?);
        }
        Ok(items)
    }
}

impl<T> Stream for Items<T> {
    type Item = Result<T, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx)
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Items")
    }
}

/// An item of a stream: `Result`s of items are items too.
pub trait Item: Given {
    /// Reads it from the parts of a chunk.
    #[doc(hidden)]
    fn item(parts: &[Part]) -> Result<Self::Output, CallError>;
}

impl<R: Decode> Item for R {
    fn item(parts: &[Part]) -> Result<Self::Output, CallError> {
        R::decode(parts)
    }
}

impl<R: Decode, E> Item for Result<R, E> {
    fn item(parts: &[Part]) -> Result<Self::Output, CallError> {
        R::decode(parts)
    }
}

impl<T: Item<Output: Send + 'static>> Read for StreamOf<T> {
    async fn read(client: &Client, request: SendMessageRequest) -> Result<Self::Output, CallError> {
        items::<T>(client, request).await
    }
}

impl<T: Item<Output: Send + 'static>> Read for Pin<Box<dyn Stream<Item = T> + Send>> {
    async fn read(client: &Client, request: SendMessageRequest) -> Result<Self::Output, CallError> {
        items::<T>(client, request).await
    }
}

/// What is left of a stream.
struct Following {
    client: Client,
    events: EventStream,
    /// How many parts have come.
    seen: usize,
    /// Those of items that were not given yet.
    waiting: VecDeque<Vec<Part>>,
    /// Whether nothing comes any more.
    over: bool,
    /// Why, where it is not because the task completed.
    error: Option<CallError>,
}

async fn items<T: Item<Output: Send + 'static>>(
    client: &Client,
    request: SendMessageRequest,
) -> Result<Items<T::Output>, CallError> {
    let events = client.send_streaming_message(request).await?;
    let following = Following {
        client: client.clone(),
        events,
        seen: 0,
        waiting: VecDeque::new(),
        over: false,
        error: None,
    };
    let items = futures_util::stream::unfold(following, async |mut following| {
        let item = match following.next().await? {
            Ok(parts) => T::item(&parts),
            Err(error) => Err(error),
        };
        if item.is_err() {
            (following.over, following.error) = (true, None);
            following.waiting.clear();
        }
        Some((item, following))
    });
    Ok(Items(Box::pin(items)))
}

impl Following {
    /// The parts of the next item.
    async fn next(&mut self) -> Option<Result<Vec<Part>, CallError>> {
        loop {
            if let Some(parts) = self.waiting.pop_front() {
                return Some(Ok(parts));
            }
            if self.over {
                return self.error.take().map(Err);
            }
            match self.events.next().await {
                Some(Ok(event)) => self.take(event).await,
                Some(Err(error)) => self.end(Some(error.into())),
                None => {
                    self.end(Some(CallError::Unexpected("the stream ended before its task".to_owned())));
                }
            }
        }
    }

    fn end(&mut self, error: Option<CallError>) {
        self.over = true;
        self.error = error;
    }

    async fn take(&mut self, event: StreamResponse) {
        match event {
            StreamResponse::ArtifactUpdate(update) => {
                let parts = update.artifact.parts;
                // A text stream ends with an empty chunk, which is no item.
                let end = update.last_chunk && parts.iter().all(|part| part.as_text() == Some(""));
                if !end && !parts.is_empty() {
                    self.seen += parts.len();
                    self.waiting.push_back(parts);
                }
            }
            StreamResponse::StatusUpdate(update) => self.enter(update.status.state, &update.task_id).await,
            // A snapshot: at the start, or after a break. The parts that came already are its first ones.
            StreamResponse::Task(task) => {
                let parts = task.artifacts.iter().flat_map(|artifact| &artifact.parts).skip(self.seen);
                self.waiting.extend(parts.map(|part| vec![part.clone()]));
                let all = task.artifacts.iter().map(|artifact| artifact.parts.len()).sum();
                self.seen = self.seen.max(all);
                self.enter(task.status.state, &task.id).await;
            }
            StreamResponse::Message(_) => self.end(Some(CallError::unexpected("stream, but a message"))),
        }
    }

    /// The task is in that state now.
    async fn enter(&mut self, state: TaskState, task: &str) {
        if state == TaskState::Completed {
            self.end(None);
        } else if state.is_terminal() || state.is_interrupted() {
            let error = match self.client.get_task(task).await {
                Ok(task) => CallError::Unfinished(Box::new(task)),
                Err(error) => error.into(),
            };
            self.end(Some(error));
        }
    }
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;
    use crate::{Agent, Run, SkillEntry};

    fn client() -> Client {
        let skill = SkillEntry::new("any", |_| Ok(Run::new(async { "" }))).description("Any.");
        Agent::builder("any").description("Any.").skill(skill).client().expect("an agent")
    }

    fn snapshot(state: TaskState, texts: &[&str]) -> StreamResponse {
        let parts = texts.iter().map(|text| Part::text(*text)).collect();
        let artifacts =
            if texts.is_empty() { vec![] } else { vec![Artifact { parts, ..Artifact::default() }] };
        let status = TaskStatus { state, ..TaskStatus::default() };
        StreamResponse::Task(Task { id: "t".to_owned(), status, artifacts, ..Task::default() })
    }

    fn chunk(text: &str, last_chunk: bool) -> StreamResponse {
        StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent {
            task_id: "t".to_owned(),
            context_id: "c".to_owned(),
            artifact: Artifact { parts: vec![Part::text(text)], ..Artifact::default() },
            append: true,
            last_chunk,
            metadata: Metadata::default(),
        })
    }

    /// What comes of these events: the items, and the error at the end.
    async fn followed(events: Vec<StreamResponse>) -> (Vec<String>, Option<CallError>) {
        let events = EventStream::new(futures_util::stream::iter(events.into_iter().map(Ok)));
        let mut following = Following {
            client: client(),
            events,
            seen: 0,
            waiting: VecDeque::new(),
            over: false,
            error: None,
        };
        let mut items = Vec::new();
        while let Some(item) = following.next().await {
            match item {
                Ok(parts) => items.extend(parts.iter().filter_map(Part::as_text).map(str::to_owned)),
                Err(error) => return (items, Some(error)),
            }
        }
        (items, None)
    }

    #[tokio::test]
    async fn a_snapshot_after_a_break_gives_what_had_not_come() {
        let events = vec![
            snapshot(TaskState::Submitted, &[]),
            chunk("a", false),
            snapshot(TaskState::Working, &["a", "b"]),
            chunk("c", false),
            chunk("", true),
            snapshot(TaskState::Completed, &["a", "b", "c", "d"]),
        ];
        let (items, error) = followed(events).await;
        assert_eq!(items, ["a", "b", "c", "d"]);
        assert!(error.is_none(), "{error:?}");
    }

    #[tokio::test]
    async fn a_task_that_was_over_already_gives_all_its_items() {
        let (items, error) = followed(vec![snapshot(TaskState::Completed, &["a", "b"])]).await;
        assert_eq!(items, ["a", "b"]);
        assert!(error.is_none(), "{error:?}");
    }

    #[tokio::test]
    async fn a_stream_that_ends_before_its_task_is_an_error_after_its_items() {
        let (items, error) = followed(vec![snapshot(TaskState::Working, &[]), chunk("a", false)]).await;
        assert_eq!(items, ["a"]);
        assert!(matches!(error, Some(CallError::Unexpected(_))), "{error:?}");
    }
}
