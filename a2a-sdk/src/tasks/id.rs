//! Ids of tasks, conversations and incidents.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::{Builder, Uuid};

/// Random bytes are asked for so many at a time: each request is a call of the system.
const POOL: usize = 640;

/// Of each id, so many bytes are random.
const RANDOM: usize = 10;

thread_local! {
    static RANDOMNESS: RefCell<Pool> = const { RefCell::new(Pool { bytes: [0; POOL], used: POOL }) };
}

struct Pool {
    bytes: [u8; POOL],
    used: usize,
}

/// A new id: a time-ordered UUID (version 7), as other SDKs expect.
///
/// It tells when it was made, to the millisecond, and cannot be guessed.
pub(crate) fn new_id() -> Arc<str> {
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let random = RANDOMNESS.with_borrow_mut(Pool::take);
    let id =
        Builder::from_unix_timestamp_millis(u64::try_from(millis).unwrap_or(u64::MAX), &random).into_uuid();
    let mut text = Uuid::encode_buffer();
    (*id.hyphenated().encode_lower(&mut text)).into()
}

impl Pool {
    fn take(&mut self) -> [u8; RANDOM] {
        if self.used + RANDOM > POOL {
            getrandom::fill(&mut self.bytes).expect("a system that serves has a source of randomness");
            self.used = 0;
        }
        let mut random = [0; RANDOM];
        random.copy_from_slice(&self.bytes[self.used..self.used + RANDOM]);
        self.used += RANDOM;
        random
    }
}
