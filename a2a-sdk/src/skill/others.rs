//! The other tasks that a running skill sees.

use super::context::{Granted, Wish};
use super::{Context, Shared, SkillError};
use crate::protocol::Task;
use std::sync::Arc;

impl Context {
    /// The conversation that the task belongs to.
    pub fn context(&self) -> Conversation {
        Conversation { shared: Arc::clone(&self.shared) }
    }

    /// The ids of other tasks that the message refers to (spec 3.4.3), as they came: the tasks may be anybody's, or
    /// nobody's.
    pub fn references(&self) -> &[String] {
        &self.message().reference_task_ids
    }

    /// The tasks that the message refers to, in its order, with artifacts and history.
    ///
    /// Those that are not there are left out, and those of other callers are not there. Of more than 100 ids the first
    /// 100 are looked up.
    ///
    /// ```
    /// use a2a_sdk::{Context, SkillError};
    ///
    /// /// Sums up earlier results.
    /// #[a2a_sdk::skill]
    /// async fn sum_up(ctx: Context) -> Result<String, SkillError> {
    ///     let results: Vec<String> = ctx.referenced_tasks().await?.iter().map(|task| task.text()).collect();
    ///     Ok(results.join("; "))
    /// }
    /// ```
    ///
    /// # Errors
    /// When the task has ended, or the store fails.
    pub async fn referenced_tasks(&self) -> Result<Vec<Task>, SkillError> {
        self.shared.call(Wish::Referenced(self.references().to_vec())).await.map(Granted::into_tasks)
    }
}

/// The conversation that a task belongs to.
#[derive(Clone, Debug)]
pub struct Conversation {
    shared: Arc<Shared>,
}

impl Conversation {
    /// Its id, the `contextId` of the protocol.
    pub fn id(&self) -> &str {
        &self.shared.context_id
    }

    /// The caller's other tasks in this conversation, newest first, with artifacts and history; 100 at most.
    ///
    /// # Errors
    /// When the task has ended, or the store fails.
    pub async fn tasks(&self) -> Result<Vec<Task>, SkillError> {
        self.shared.call(Wish::Earlier).await.map(Granted::into_tasks)
    }
}
