//! How many streams each caller has open.

use crate::lock::lock;
use crate::protocol::A2aError;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// The open streams, counted by the id of the principal; all anonymous callers are one.
#[derive(Debug)]
pub(crate) struct Streams {
    most: usize,
    open: Mutex<HashMap<Option<Arc<str>>, usize>>,
}

/// A stream that is counted as open while this lives.
#[derive(Debug)]
pub(crate) struct Place {
    streams: Arc<Streams>,
    caller: Option<Arc<str>>,
}

impl Streams {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, open: Mutex::default() })
    }

    /// Counts one more, where the caller may have one more.
    pub(crate) fn enter(self: &Arc<Self>, caller: Option<&str>) -> Result<Place, A2aError> {
        let caller: Option<Arc<str>> = caller.map(Into::into);
        let mut open = lock(&self.open);
        let count = open.entry(caller.clone()).or_default();
        if *count >= self.most {
            let text = format!(
                "{} streams are open, and a caller may have no more; close one, or read tasks with GetTask",
                self.most
            );
            if *count == 0 {
                open.remove(&caller);
            }
            return Err(A2aError::resource_exhausted(text));
        }
        *count += 1;
        drop(open);
        Ok(Place { streams: Arc::clone(self), caller })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = lock(&self.streams.open);
        if let Some(count) = open.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::protocol::ErrorKind;

    #[test]
    fn each_caller_has_as_many_as_it_may_and_no_more() {
        let streams = Streams::new(2);
        let first = streams.enter(Some("a")).unwrap();
        let _second = streams.enter(Some("a")).unwrap();
        assert_eq!(streams.enter(Some("a")).unwrap_err().kind, ErrorKind::ResourceExhausted);
        let _other = streams.enter(Some("b")).unwrap();
        let anonymous = streams.enter(None).unwrap();
        drop((first, anonymous));
        let _again = streams.enter(Some("a")).unwrap();
        assert_eq!(lock(&streams.open).len(), 2, "who has none is forgotten");
        assert!(Streams::new(0).enter(None).is_err());
    }
}
