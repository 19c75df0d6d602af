//! The examples are the files beside this package's manifest, run with `cargo run --example NAME`.
