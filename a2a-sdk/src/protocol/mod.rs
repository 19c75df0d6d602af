//! The messages of A2A 1.0 as Rust types, and their JSON form.

mod card;
mod decode;
mod error;
mod event;
mod json;
mod message;
mod metadata;
mod object;
mod part;
mod push;
mod request;
mod security;
mod task;
mod timestamp;

pub use card::*;
pub use decode::from_json;
#[cfg(feature = "server")]
pub(crate) use decode::{check_depth, decode};
pub use error::*;
pub use event::*;
#[cfg(feature = "grpc")]
pub(crate) use json::settle;
pub use message::*;
pub use metadata::{Metadata, NotAnObject};
pub use part::*;
pub use push::*;
pub use request::*;
pub use security::*;
pub use task::*;
pub use timestamp::{InvalidTimestamp, Timestamp};
