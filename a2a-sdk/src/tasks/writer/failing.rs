//! What a writer does where the store fails.

use super::super::settle::{self, End};
use super::super::tries::Tries;
use super::{Ended, Stage, Writer};
use crate::protocol::TaskState;
use crate::skill::Run;
use crate::store::{Seq, StoreError};
use std::time::Duration;

/// The pause before a task's end is tried to be stored once more, which is twice as long each time.
const PAUSE: Duration = Duration::from_secs(2);
const LONGEST: Duration = Duration::from_secs(60);

impl Writer {
    /// Appends the batch, with pauses while the store fails. What was not appended stays in the batch.
    pub(super) async fn append(&mut self) -> Result<Seq, StoreError> {
        let Stage::Task(guard) = &self.stage else { return Err(StoreError::NotFound) };
        let mut tries = Tries::new();
        loop {
            let appended = self.tasks.store.append(guard, &mut self.batch).await;
            if let Some(over) = tries.over(appended).await {
                return over;
            }
        }
    }

    /// Gives the task back, unless something was said to it that was not read.
    pub(super) async fn release(&mut self) -> Result<bool, StoreError> {
        let Stage::Task(guard) = &self.stage else { return Err(StoreError::NotFound) };
        let mut tries = Tries::new();
        loop {
            let released = self.tasks.store.release(guard, self.read_to).await;
            if let Some(over) = tries.over(released).await {
                return over;
            }
        }
    }

    /// Ends a task as failed because the store did not take what it did: as soon as the store takes that.
    ///
    /// Nobody else can write to the task as long as this does not give it up, so it does not.
    pub(super) async fn fail(&mut self, error: &StoreError) -> Option<Run> {
        let what = settle::causes(error);
        let (incident, end) = settle::failed(&what, self.entry.id(), &self.shared().task_id);
        let End::State(mut state, mut message) = end else { return None };
        let mut pause = PAUSE;
        loop {
            self.batch.clear();
            self.enter(state, message.clone(), None);
            match self.flush().await {
                Err(Ended::Store(_)) => {
                    // Whoever waits for the task is told meanwhile.
                    self.tasks.registry.lose(&self.shared().task_id, &incident);
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST);
                }
                Err(Ended::Canceled) => (state, message) = (TaskState::Canceled, None),
                Ok(()) | Err(_) => return None,
            }
        }
    }
}
