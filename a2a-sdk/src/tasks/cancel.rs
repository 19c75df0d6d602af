//! A caller cancels a task.

use super::live::Signal;
use super::{Tasks, store_failed};
use crate::protocol::{A2aError, Metadata, Task, TaskState};
use crate::store::{Control, EntryBody, Owner, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// How often a claim is tried while another one is under way, and the pause between.
const CLAIMS: u32 = 100;
const CLAIM_PAUSE: Duration = Duration::from_millis(5);

impl Tasks {
    /// Cancels a task, and gives it as it then stands: canceled.
    ///
    /// Once the cancellation is stored, the task ends in no other way (spec 3.1.5).
    pub(crate) async fn cancel(
        &self,
        owner: &Owner,
        id: &str,
        metadata: Metadata,
    ) -> Result<Arc<Task>, A2aError> {
        let mut stored = false;
        for _ in 0..CLAIMS {
            let seq = match self.registry.find(id) {
                Some(live) => {
                    let control = Control::Cancel(metadata.clone());
                    let row = match self.store.append_control(owner, id, control).await {
                        Ok(row) => row,
                        Err(error) => return self.ended_meanwhile(owner, id, stored, error).await,
                    };
                    stored = true;
                    if !live.signal(Signal::Cancel(metadata.clone())) {
                        // The writer left in this moment: the task is parked, and canceled once it has let go.
                        tokio::time::sleep(CLAIM_PAUSE).await;
                        continue;
                    }
                    row.seq
                }
                None => match self.store.claim(owner, id, Some(Control::Cancel(metadata.clone()))).await {
                    Ok((guard, row)) => {
                        let mut canceled = vec![EntryBody::state(TaskState::Canceled).into()];
                        self.store.append(&guard, &mut canceled).await.map_err(|error| refused(id, error))?;
                        row.seq
                    }
                    Err(StoreError::Fenced) => {
                        tokio::time::sleep(CLAIM_PAUSE).await;
                        continue;
                    }
                    Err(error) => return self.ended_meanwhile(owner, id, stored, error).await,
                },
            };
            let task = self.wait(owner, &id.into(), seq, TaskState::is_terminal).await?;
            return canceled(id, task);
        }
        Err(store_failed(StoreError::Fenced))
    }

    /// A task that ended after this cancellation was stored ended by it, although its writer was not told.
    async fn ended_meanwhile(
        &self,
        owner: &Owner,
        id: &str,
        stored: bool,
        error: StoreError,
    ) -> Result<Arc<Task>, A2aError> {
        match (error, stored) {
            (StoreError::Terminal, true) => canceled(id, self.get(owner, id).await?.task),
            (error, _) => Err(refused(id, error)),
        }
    }
}

fn canceled(id: &str, task: Arc<Task>) -> Result<Arc<Task>, A2aError> {
    if task.status.state == TaskState::Canceled { Ok(task) } else { Err(A2aError::task_not_cancelable(id)) }
}

fn refused(id: &str, error: StoreError) -> A2aError {
    match error {
        StoreError::NotFound => A2aError::task_not_found(id),
        StoreError::Terminal => A2aError::task_not_cancelable(id),
        other => store_failed(other),
    }
}
