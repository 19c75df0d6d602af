//! Helpers that the behaviour tests share.
