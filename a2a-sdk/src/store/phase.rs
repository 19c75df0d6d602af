//! The state machine of a task: which step may follow which.

use super::StoreError;
use crate::protocol::TaskState;

/// Where a task stands between its first message and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Anything may happen.
    Open(TaskState),
    /// Its caller has canceled: it goes on for a while, and ends as canceled.
    Canceling(TaskState),
    /// Nothing happens any more (spec 3.1.1).
    Ended(TaskState),
}

/// What may happen to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It enters a state.
    Enter(TaskState),
    /// It makes something, and its state stays.
    Add,
    /// Its caller says something.
    Message {
        /// Whether that is only for a task that waits.
        only_if_waiting: bool,
    },
    /// Its caller cancels.
    Cancel,
    /// Its caller is no longer waited for.
    GiveUp,
}

impl Phase {
    /// The state that callers see.
    pub(crate) fn state(self) -> TaskState {
        match self {
            Self::Open(state) | Self::Canceling(state) | Self::Ended(state) => state,
        }
    }

    /// Whether nothing happens before its caller says something.
    pub(crate) fn waits(self) -> bool {
        matches!(self, Self::Open(state) if state.is_interrupted())
    }

    pub(crate) fn is_ended(self) -> bool {
        matches!(self, Self::Ended(_))
    }

    /// The phase after that step.
    pub(crate) fn next(self, step: Step) -> Result<Self, StoreError> {
        match (self, step) {
            (Self::Ended(_), _) => Err(StoreError::Terminal),
            (_, Step::Add) => Ok(self),

            (_, Step::Enter(TaskState::Unspecified | TaskState::Submitted)) => Err(StoreError::Backwards),
            (_, Step::Enter(TaskState::Canceled)) => Ok(Self::Ended(TaskState::Canceled)),
            (Self::Open(_), Step::Enter(state)) if state.is_terminal() => Ok(Self::Ended(state)),
            (Self::Open(_), Step::Enter(state)) => Ok(Self::Open(state)),
            (Self::Canceling(_), Step::Enter(TaskState::Working)) => Ok(Self::Canceling(TaskState::Working)),
            (Self::Canceling(_), Step::Enter(_)) => Err(StoreError::Canceled),

            (Self::Open(state), Step::Message { .. }) if state.is_interrupted() => {
                Ok(Self::Open(TaskState::Working))
            }
            (Self::Open(_), Step::Message { only_if_waiting: true }) => Err(StoreError::NotWaiting),
            (Self::Open(_), Step::Message { only_if_waiting: false }) => Ok(self),
            (Self::Canceling(_), Step::Message { .. }) => Err(StoreError::Canceled),

            (Self::Open(state) | Self::Canceling(state), Step::Cancel) => Ok(Self::Canceling(state)),

            (Self::Open(state), Step::GiveUp) if state.is_interrupted() => Ok(Self::Ended(TaskState::Failed)),
            (Self::Open(_), Step::GiveUp) => Err(StoreError::NotWaiting),
            (Self::Canceling(_), Step::GiveUp) => Err(StoreError::Canceled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Phase::{Canceling, Ended, Open};
    use TaskState::{
        AuthRequired, Canceled, Completed, Failed, InputRequired, Rejected, Submitted, Unspecified, Working,
    };

    const MESSAGE: Step = Step::Message { only_if_waiting: false };
    const ANSWER: Step = Step::Message { only_if_waiting: true };

    fn next(phase: Phase, step: Step) -> Result<Phase, &'static str> {
        phase.next(step).map_err(|error| match error {
            StoreError::Terminal => "terminal",
            StoreError::Canceled => "canceled",
            StoreError::NotWaiting => "not waiting",
            StoreError::Backwards => "backwards",
            _ => "other",
        })
    }

    #[test]
    fn each_step_from_each_phase_gives_what_the_table_says() {
        let ends = [Completed, Failed, Canceled, Rejected];
        for open in [Submitted, Working, InputRequired, AuthRequired] {
            for end in ends {
                assert_eq!(next(Open(open), Step::Enter(end)), Ok(Ended(end)));
            }
            for state in [Working, InputRequired, AuthRequired] {
                assert_eq!(next(Open(open), Step::Enter(state)), Ok(Open(state)));
            }
            for state in [Submitted, Unspecified] {
                assert_eq!(next(Open(open), Step::Enter(state)), Err("backwards"));
            }
            assert_eq!(next(Open(open), Step::Add), Ok(Open(open)));
            assert_eq!(next(Open(open), Step::Cancel), Ok(Canceling(open)));

            assert_eq!(next(Canceling(open), Step::Enter(Canceled)), Ok(Ended(Canceled)));
            assert_eq!(next(Canceling(open), Step::Enter(Working)), Ok(Canceling(Working)));
            for state in [Completed, Failed, Rejected, InputRequired, AuthRequired] {
                assert_eq!(next(Canceling(open), Step::Enter(state)), Err("canceled"));
            }
            assert_eq!(next(Canceling(open), Step::Add), Ok(Canceling(open)));
            assert_eq!(next(Canceling(open), Step::Cancel), Ok(Canceling(open)));
            assert_eq!(next(Canceling(open), MESSAGE), Err("canceled"));
            assert_eq!(next(Canceling(open), Step::GiveUp), Err("canceled"));
            assert!(!Canceling(open).waits());
        }
        for waiting in [InputRequired, AuthRequired] {
            assert_eq!(next(Open(waiting), MESSAGE), Ok(Open(Working)));
            assert_eq!(next(Open(waiting), ANSWER), Ok(Open(Working)));
            assert_eq!(next(Open(waiting), Step::GiveUp), Ok(Ended(Failed)));
            assert!(Open(waiting).waits());
        }
        for busy in [Submitted, Working] {
            assert_eq!(next(Open(busy), MESSAGE), Ok(Open(busy)));
            assert_eq!(next(Open(busy), ANSWER), Err("not waiting"));
            assert_eq!(next(Open(busy), Step::GiveUp), Err("not waiting"));
            assert!(!Open(busy).waits());
        }
        for end in ends {
            assert!(!Ended(end).waits());
            for step in [
                Step::Enter(Working),
                Step::Enter(Canceled),
                Step::Add,
                MESSAGE,
                ANSWER,
                Step::Cancel,
                Step::GiveUp,
            ] {
                assert_eq!(next(Ended(end), step), Err("terminal"));
            }
        }
    }
}
