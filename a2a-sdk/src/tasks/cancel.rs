//! A caller cancels a task.

use super::send::{CLAIM_PAUSE, CLAIMS};
use super::tries::Tries;
use super::{Tasks, detached, store_failed};
use crate::protocol::{A2aError, Metadata, Task, TaskState};
use crate::store::{Control, EntryBody, Keep, Owner, Seq, StoreError};
use std::sync::Arc;

impl Tasks {
    /// Cancels a task, and gives it as it then stands: canceled.
    ///
    /// Once the cancellation is stored, the task ends in no other way (spec 3.1.5).
    pub(crate) async fn cancel(
        self: &Arc<Self>,
        owner: &Owner,
        id: &str,
        metadata: Metadata,
    ) -> Result<Arc<Task>, A2aError> {
        let (tasks, whose, which) = (Arc::clone(self), owner.clone(), id.to_owned());
        // Held until the answer is made, so that the task is not let go before.
        let (seq, _keep) =
            detached(async move { tasks.store_cancel(&whose, &which, metadata).await }).await?;
        let task = self.wait(owner, &id.into(), seq, TaskState::is_terminal).await?;
        if task.status.state == TaskState::Canceled {
            Ok(task)
        } else {
            Err(A2aError::task_not_cancelable(id))
        }
    }

    /// Stores the cancellation and sees to it that somebody acts on it: the task's writer, or this.
    async fn store_cancel(
        &self,
        owner: &Owner,
        id: &str,
        metadata: Metadata,
    ) -> Result<(Seq, Keep), A2aError> {
        for _ in 0..CLAIMS {
            let control = Control::Cancel(metadata.clone());
            match self.store.append_control(owner, id, control.clone()).await {
                Ok(row) => {
                    if let Some(live) = self.registry.find(id) {
                        live.signal();
                    }
                    return Ok((row.seq, row.keep));
                }
                Err(StoreError::Unheld) => {}
                Err(error) => return Err(refused(id, error)),
            }
            match self.store.claim(owner, id, Some(control)).await {
                Ok((guard, row)) => {
                    let mut canceled = vec![EntryBody::state(TaskState::Canceled).into()];
                    let mut tries = Tries::new();
                    let appended = loop {
                        let appended = self.store.append(&guard, &mut canceled).await;
                        if let Some(over) = tries.over(appended).await {
                            break over;
                        }
                    };
                    if let Err(error) = appended {
                        // So that the next one who cancels can claim it.
                        drop(self.store.release(&guard, row.seq).await);
                        return Err(refused(id, error));
                    }
                    return Ok((row.seq, row.keep));
                }
                Err(StoreError::Fenced) => tokio::time::sleep(CLAIM_PAUSE).await,
                Err(error) => return Err(refused(id, error)),
            }
        }
        Err(store_failed(StoreError::Fenced))
    }
}

fn refused(id: &str, error: StoreError) -> A2aError {
    match error {
        StoreError::NotFound => A2aError::task_not_found(id),
        StoreError::Terminal => A2aError::task_not_cancelable(id),
        other => store_failed(other),
    }
}
