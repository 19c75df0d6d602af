//! The messages of A2A 1.0 as Rust types, and their JSON form.

mod card;
mod decode;
mod error;
mod event;
pub(crate) mod json;
mod message;
mod metadata;
pub(crate) mod object;
pub(crate) mod part;
mod push;
mod request;
mod security;
mod task;
mod timestamp;

pub use card::*;
pub use decode::from_json;
#[cfg(any(feature = "server", all(feature = "client", feature = "compat-0-3")))]
pub(crate) use decode::{check_depth, decode};
pub use error::*;
pub use event::*;
#[cfg(feature = "grpc")]
pub(crate) use json::settle;
pub use message::*;
pub use metadata::{Metadata, NotAnObject};
pub use part::*;
pub use push::*;
#[cfg(any(feature = "server", all(feature = "client", feature = "compat-0-3")))]
pub(crate) use push::{PushConfig, Wire};
pub use request::*;
pub use security::*;
pub use task::*;
pub use timestamp::{InvalidTimestamp, Timestamp};
