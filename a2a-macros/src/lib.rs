//! The attribute macros of `a2a-sdk`. Use them through `a2a_sdk::agent` and `a2a_sdk::skill`.
