//! The protocol types against the table of the protocol, message by message and member by member.
#![allow(clippy::unwrap_used, reason = "tests")]

mod codec;
#[cfg(feature = "grpc")]
mod grpc;
mod properties;
mod quirks;
mod reflect;
mod samples;
mod table;
mod walk;
