//! The store in memory: whether its costs stay the same as it grows.

use crate::process::resident;
use a2a_sdk::Clock;
use a2a_sdk::protocol::{Artifact, Message, Metadata, Part, Task, TaskState};
use a2a_sdk::store::{Draft, EntryBody, Guard, ListQuery, MemoryStore, NewTask, Owner, Retention, TaskStore};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A page of a list, out of a thousand tasks and out of a hundred thousand.
pub(crate) fn list() {
    let runtime = runtime();
    let [few, many] = [1_000, 100_000].map(|count| {
        // Finished tasks without their logs, as all but the newest are kept.
        let store = MemoryStore::new(Clock::system(), Retention::default().max_finished_logs(0));
        runtime.block_on(fill(&store, count));
        let mut after = None;
        let deep = runtime.block_on(async {
            // Half way down, so that the cursor is part of what is measured.
            for _ in 0..count / 100 {
                after = store.list(&Owner::default(), page(after.take())).await.expect("a page").next;
            }
            after
        });
        let query = || page(deep.clone());
        fastest(200, || {
            let page = runtime.block_on(store.list(&Owner::default(), query())).expect("a page");
            assert_eq!((page.tasks.len(), page.total), (50, count));
            black_box(page);
        })
    });
    println!("list: a page of 50 out of 100,000 tasks costs {:.2} x one out of 1,000", ratio(many, few));
}

/// A chunk appended to a young artifact, and to one of many chunks.
pub(crate) fn append() {
    let runtime = runtime();
    let store = MemoryStore::new(Clock::system(), Retention::default());
    let guard = runtime.block_on(create(&store, 0));
    let chunks = |count: usize| {
        let start = Instant::now();
        for _ in 0..count {
            let mut drafts = vec![chunk()];
            runtime.block_on(store.append(&guard, &mut drafts)).expect("it is open");
        }
        // What a reader of the task costs is part of it: folding what came since the last.
        black_box(runtime.block_on(store.get(&Owner::default(), &guard.task_id)).expect("it is there"));
        start.elapsed() / u32::try_from(count).unwrap_or(1)
    };
    chunks(1_000);
    let young = (0..5).map(|_| chunks(1_000)).min().unwrap_or_default();
    (0..50).for_each(|_| _ = chunks(1_000));
    let old = (0..5).map(|_| chunks(1_000)).min().unwrap_or_default();
    println!("append: a chunk after 56,000 others costs {:.2} x one after 1,000", ratio(old, young));
}

/// What a finished task holds once its log is gone.
pub(crate) fn memory() {
    const COUNT: usize = 100_000;
    let runtime = runtime();
    let retention = Retention::default().max_finished(usize::MAX).max_finished_logs(0);
    let store = MemoryStore::new(Clock::system(), retention);
    let before = resident();
    runtime.block_on(fill(&store, COUNT));
    store.sweep();
    println!("memory: {} bytes for a small finished task", (resident() - before) / COUNT);
    let json = runtime.block_on(async {
        let page = store.list(&Owner::default(), page(None)).await.expect("a page");
        serde_json::to_vec::<Task>(&page.tasks[0]).expect("a task is JSON").len()
    });
    println!("        as JSON it has {json}");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime")
}

fn page(after: Option<a2a_sdk::store::Cursor>) -> ListQuery {
    ListQuery { after, limit: 50, ..ListQuery::default() }
}

async fn create(store: &MemoryStore, n: usize) -> Guard {
    let id: Arc<str> = format!("01a22d4b-58cf-7255-a6a1-{n:012}").into();
    let context_id: Arc<str> = format!("01a22d4b-58cf-7255-b6a1-{n:012}").into();
    let message = Message::user("hello").with_task_id(&*id).with_context_id(&*context_id);
    let new = NewTask { id, context_id, message: Arc::new(message), metadata: Metadata::default() };
    store.create(&Owner::default(), new).await.expect("it is new").0
}

async fn fill(store: &MemoryStore, count: usize) {
    for n in 0..count {
        let guard = create(store, n).await;
        let mut drafts = vec![chunk(), EntryBody::state(TaskState::Completed).into()];
        store.append(&guard, &mut drafts).await.expect("it is open");
    }
}

fn chunk() -> Draft {
    let parts = vec![Part::text("hello")];
    let artifact = Artifact { artifact_id: "artifact-1".to_owned(), parts, ..Artifact::default() };
    EntryBody::Artifact { artifact, append: true, last_chunk: false }.into()
}

fn fastest(times: usize, mut run: impl FnMut()) -> Duration {
    let timed = (0..times).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    timed.min().unwrap_or_default()
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}
