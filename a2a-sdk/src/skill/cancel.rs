//! How a skill learns that its caller canceled.

use super::{FromRequest, Needs, Request, Shared, SkillError};
use crate::protocol::Metadata;
use std::sync::Arc;

/// Tells a skill that its caller canceled the task.
///
/// A skill that takes a `Cancel` is told, and gets a grace period (10 seconds unless the agent says otherwise) to
/// end by itself: what it replies in that time is kept. A skill that does not is dropped where it waits. The task
/// ends `CANCELED` in both cases.
///
/// ```
/// # use a2a_sdk::Cancel;
/// async fn index(url: String, cancel: Cancel) -> String {
///     tokio::select! {
///         pages = crawl(&url) => format!("{pages} pages"),
///         () = cancel.requested() => "stopped early".to_owned(),
///     }
/// }
/// # async fn crawl(_: &str) -> u32 { 0 }
/// ```
#[derive(Clone, Debug)]
pub struct Cancel {
    shared: Arc<Shared>,
}

impl Cancel {
    pub(crate) fn of(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Waits until the caller cancels; at once if that has happened.
    pub async fn requested(&self) {
        self.shared.canceled().await;
    }

    /// Whether the caller has canceled.
    pub fn is_requested(&self) -> bool {
        self.shared.cancel_metadata().is_some()
    }

    /// What the caller sent with the cancellation, once it has come.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.shared.cancel_metadata()
    }
}

impl FromRequest for Cancel {
    const NEEDS_TASK: bool = true;

    fn needs(needs: &mut Needs) {
        needs.cancel = true;
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        Ok(request.cancel())
    }
}
