//! Protocol 0.3, and 0.2 before it, as other forms of the same messages.
//!
//! Pure functions and nothing else: [`read`] makes the core's types of JSON, [`As03`] writes them as JSON, and `grpc`
//! does both for Protocol Buffers. Bindings and the client call them; no task, no store and no skill knows of them.
//!
//! The older protocol has two forms of JSON. Over JSON-RPC every object tells its `kind`; over HTTP+JSON it is the JSON
//! form of the package `a2a.v1`. They differ in names of states, in parts and in how things are wrapped, and agree in
//! the rest, so a type is described once and asks its [`Form`] where it matters.
//!
//! # What 0.3 cannot carry
//!
//! | of 1.0 | in 0.3 |
//! |---|---|
//! | the media type and the file name of a part that is text or data | dropped |
//! | data that is no object | `{"value": ..}`, marked in the part's metadata, and taken out again when read |
//! | `tenant` | dropped |
//! | `referenceTaskIds` | dropped over HTTP+JSON and gRPC |
//! | the metadata of a request to get, or to follow, a task | dropped |
//! | the list of tasks | there is no such operation |
//! | the device code flow, and that PKCE is required | dropped; without a flow the scheme is dropped too |
//! | the error -32008 | -32004 |

mod card;
mod error;
mod event;
#[cfg(feature = "grpc")]
pub(crate) mod grpc;
mod message;
mod part;
mod push;
mod request;
mod task;

#[cfg(feature = "server")]
pub(crate) use card::hybrid;
pub(crate) use card::is_older;
#[cfg(feature = "client")]
pub(crate) use card::read_card;
pub(crate) use error::{ErrorOf03, is_of_v1};
pub(crate) use event::Event;
#[cfg(feature = "client")]
pub(crate) use event::{Answer, StreamEvent};
pub(crate) use push::{ConfigBody, ConfigList, ConfigSet};
pub(crate) use request::{ConfigId, Send, TaskId, TaskQuery};
pub(crate) use task::Task;

use crate::protocol::{A2aError, from_json};
use serde::de::DeserializeOwned;
use serde::ser::{Serialize, Serializer};

/// The versions that are served as 0.3, `Major.Minor`.
pub(crate) const VERSIONS: [&str; 2] = ["0.3", "0.2"];

/// How a message of 0.3 is written as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As JSON-RPC has it: objects tell their `kind`.
    Kind,
    /// As HTTP+JSON has it: the JSON of the package `a2a.v1`.
    Proto(Bytes),
}

/// How the bytes of a file travel in the package `a2a.v1`.
///
/// The reference implementation put base64 where the package has bytes, and its peers followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bytes {
    /// As base64: written so, and read so where they are base64.
    #[default]
    Encoded,
    /// As they are.
    Plain,
}

/// Something that is read in the form of 0.3.
pub(crate) trait Read: DeserializeOwned {
    /// What it is in the core.
    type Core;

    /// Makes it what it is in the core.
    ///
    /// # Errors
    /// What the form alone can tell: the rest was found while reading.
    fn core(self, form: Form) -> Result<Self::Core, A2aError>;
}

/// Reads a message of 0.3. An error names the member as it was spelled.
pub(crate) fn read<T: Read>(json: &[u8], form: Form) -> Result<T::Core, A2aError> {
    from_json::<T>(json)?.core(form)
}

/// A value of the core, to be written as 0.3 has it.
pub(crate) struct As03<'a, T: ?Sized>(pub(crate) Form, pub(crate) &'a T);

impl<T> Serialize for As03<'_, Vec<T>>
where
    for<'b> As03<'b, T>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.1.iter().map(|item| As03(self.0, item)))
    }
}

impl<T: Read> Read for Vec<T> {
    type Core = Vec<T::Core>;

    fn core(self, form: Form) -> Result<Self::Core, A2aError> {
        self.into_iter().map(|item| item.core(form)).collect()
    }
}

#[cfg(all(test, feature = "client", feature = "server"))]
mod tests;
