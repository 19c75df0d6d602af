//! Media types as constants, so that they can be checked while compiling.

/// The media types that a type reads or gives, as a tree: constants of generic types cannot be sized slices.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Modes {
    /// None at all.
    None,
    /// One media type.
    One(&'static str),
    /// Those of both.
    Both(&'static Modes, &'static Modes),
}
