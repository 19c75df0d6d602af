//! The messages of the gRPC binding, and what turns the protocol's types into them and back.
//!
//! Nothing of the API proper shows these types: they are public so that a program can talk gRPC to an agent by hand. They
//! follow the releases of `tonic` and `prost`, not those of this crate.

pub(crate) mod convert;
mod rpc;
mod status;

#[cfg(feature = "compat-0-3")]
pub(crate) use status::status_with;
pub use status::{error_of, status_of};

#[allow(
    missing_docs,
    missing_debug_implementations,
    rust_2018_idioms,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::str_to_string,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "generated"
)]
mod generated {
    /// The package `lf.a2a.v1`, as `cargo xtask codegen` writes it.
    pub mod v1 {
        include!("generated/lf.a2a.v1.rs");
    }

    /// The package `a2a.v1`, of protocol 0.3, as `cargo xtask codegen` writes it.
    #[cfg(feature = "compat-0-3")]
    pub mod v03 {
        include!("generated/a2a.v1.rs");
    }
}

pub use generated::v1;
#[cfg(feature = "compat-0-3")]
pub use generated::v03;

/// The descriptors of the package `a2a.v1`, of protocol 0.3.
#[cfg(feature = "compat-0-3")]
pub const DESCRIPTORS_03: &[u8] = include_bytes!("generated/descriptors-0.3.bin");

/// The descriptors of the package and of what it imports, as a `FileDescriptorSet`.
pub const DESCRIPTORS: &[u8] = include_bytes!("generated/descriptors.bin");

impl std::fmt::Debug for v1::TaskPushNotificationConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TaskPushNotificationConfig")
            .field("tenant", &self.tenant)
            .field("id", &self.id)
            .field("task_id", &self.task_id)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for v1::AuthenticationInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthenticationInfo").field("scheme", &self.scheme).finish_non_exhaustive()
    }
}

#[cfg(feature = "compat-0-3")]
impl std::fmt::Debug for v03::PushNotificationConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("PushNotificationConfig");
        debug.field("id", &self.id).field("url", &self.url).finish_non_exhaustive()
    }
}

#[cfg(feature = "compat-0-3")]
impl std::fmt::Debug for v03::AuthenticationInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthenticationInfo").field("schemes", &self.schemes).finish_non_exhaustive()
    }
}
