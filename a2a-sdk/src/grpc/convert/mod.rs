//! The types of the protocol as messages of Protocol Buffers, and back.
//!
//! Writing cannot fail. Reading holds a message to the same rules as the JSON of it, and names the member at fault in the
//! same way. A message is described once, member by member, with [`message!`]; each member names how its presence works:
//!
//! | kind          | Rust type   | Protocol Buffers | absent or empty          |
//! |---------------|-------------|------------------|--------------------------|
//! | [`Required`]  | `T`         | plain            | refused                  |
//! | [`Nested`]    | `T`         | a message        | refused                  |
//! | [`Plain`]     | `T`         | plain            | the default              |
//! | [`Always`]    | `T`         | a message        | the default              |
//! | [`Implicit`]  | `T`         | a message        | the default, not written |
//! | [`Text`]      | `Option<T>` | plain            | `None`                   |
//! | [`Maybe`]     | `Option<T>` | with presence    | `None` when absent       |

mod messages;
mod values;

use crate::protocol::A2aError;

/// A value that has a form in Protocol Buffers.
pub(crate) trait Convert<P>: Sized {
    fn write(&self) -> P;
    fn read(proto: P) -> Result<Self, Wrong>;
}

/// What is wrong with a message, and where in it.
#[derive(Debug)]
pub(crate) struct Wrong {
    path: String,
    text: String,
}

impl Wrong {
    fn new(text: impl Into<String>) -> Self {
        Self { path: String::new(), text: text.into() }
    }

    fn missing() -> Self {
        Self::new("is required")
    }

    /// No member of a oneof is set, of those that the `.proto` calls so.
    #[cold]
    fn none(members: &[&str]) -> Self {
        let names: Vec<String> = members.iter().map(|member| format!("`{}`", json_name(member))).collect();
        Self::new(format!("holds none of {}", names.join(", ")))
    }

    /// The same, inside a member that the `.proto` calls so.
    #[cold]
    fn within(self, member: &str) -> Self {
        self.under(json_name(member))
    }

    /// The same, under that key, which the caller chose.
    #[cold]
    fn at_key(self, key: &str) -> Self {
        self.under(key.chars().take(200).collect())
    }

    /// The same, at that place in a list.
    #[cold]
    fn at(self, index: usize) -> Self {
        self.under(format!("[{index}]"))
    }

    fn under(mut self, mut path: String) -> Self {
        if !self.path.is_empty() && !self.path.starts_with('[') {
            path.push('.');
        }
        path.push_str(&self.path);
        self.path = path;
        self
    }
}

/// The name in JSON of a member, by which errors call it in every binding.
fn json_name(member: &str) -> String {
    let mut name = String::with_capacity(member.len());
    let mut upper = false;
    for letter in member.chars() {
        if letter == '_' {
            upper = true;
        } else {
            name.push(if upper { letter.to_ascii_uppercase() } else { letter });
            upper = false;
        }
    }
    name
}

impl From<Wrong> for A2aError {
    fn from(wrong: Wrong) -> Self {
        if wrong.path.is_empty() {
            return Self::invalid_params(wrong.text.clone()).with_violation("", wrong.text);
        }
        Self::invalid_field(wrong.path, wrong.text)
    }
}

/// Whether a value is what a reader sees where nothing was sent.
trait Unset {
    fn is_unset(&self) -> bool;
}

impl Unset for String {
    fn is_unset(&self) -> bool {
        self.is_empty()
    }
}

impl Unset for i32 {
    fn is_unset(&self) -> bool {
        *self == 0
    }
}

impl<T> Unset for Vec<T> {
    fn is_unset(&self) -> bool {
        self.is_empty()
    }
}

/// Refused when empty.
struct Required;

impl Required {
    fn write<T: Convert<P>, P>(value: &T) -> P {
        value.write()
    }

    fn read<T: Convert<P>, P: Unset>(proto: P) -> Result<T, Wrong> {
        if proto.is_unset() { Err(Wrong::missing()) } else { T::read(proto) }
    }
}

/// A message that is refused when absent.
struct Nested;

impl Nested {
    #[expect(clippy::unnecessary_wraps, reason = "the member has presence")]
    fn write<T: Convert<P>, P>(value: &T) -> Option<P> {
        Some(value.write())
    }

    fn read<T: Convert<P>, P>(proto: Option<P>) -> Result<T, Wrong> {
        proto.map_or_else(|| Err(Wrong::missing()), T::read)
    }
}

/// The default when absent.
struct Plain;

impl Plain {
    fn write<T: Convert<P>, P>(value: &T) -> P {
        value.write()
    }

    fn read<T: Convert<P>, P>(proto: P) -> Result<T, Wrong> {
        T::read(proto)
    }
}

/// A message that is the default when absent; always written.
struct Always;

impl Always {
    #[expect(clippy::unnecessary_wraps, reason = "the member has presence")]
    fn write<T: Convert<P>, P>(value: &T) -> Option<P> {
        Some(value.write())
    }

    fn read<T: Convert<P> + Default, P>(proto: Option<P>) -> Result<T, Wrong> {
        proto.map_or_else(|| Ok(T::default()), T::read)
    }
}

/// A message that is the default when absent; the default is not written.
struct Implicit;

impl Implicit {
    fn write<T: Convert<P> + Default + PartialEq, P>(value: &T) -> Option<P> {
        (*value != T::default()).then(|| value.write())
    }

    fn read<T: Convert<P> + Default, P>(proto: Option<P>) -> Result<T, Wrong> {
        proto.map_or_else(|| Ok(T::default()), T::read)
    }
}

/// `None` when empty.
struct Text;

impl Text {
    fn write<T: Convert<P>, P: Default>(value: &Option<T>) -> P {
        value.as_ref().map(T::write).unwrap_or_default()
    }

    fn read<T: Convert<P>, P: Unset>(proto: P) -> Result<Option<T>, Wrong> {
        if proto.is_unset() { Ok(None) } else { T::read(proto).map(Some) }
    }
}

/// `None` when absent.
struct Maybe;

impl Maybe {
    fn write<T: Convert<P>, P>(value: &Option<T>) -> Option<P> {
        value.as_ref().map(T::write)
    }

    fn read<T: Convert<P>, P>(proto: Option<P>) -> Result<Option<T>, Wrong> {
        proto.map(T::read).transpose()
    }
}

/// Writes and reads a message, member by member: `field: Kind`.
macro_rules! message {
    ($type:ident { $($field:ident: $kind:ident),* $(,)? }) => {
        impl Convert<v1::$type> for $type {
            fn write(&self) -> v1::$type {
                v1::$type { $($field: $kind::write(&self.$field)),* }
            }

            fn read(proto: v1::$type) -> Result<Self, Wrong> {
                Ok(Self {
                    $($field: $kind::read(proto.$field).map_err(|wrong| wrong.within(stringify!($field)))?),*
                })
            }
        }

        convert::public!($type);
    };
}

/// Writes and reads a oneof: `Variant: proto_name = ProtoVariant`.
macro_rules! oneof {
    ($type:ident = $module:ident::$oneof:ident in $member:ident {
        $($variant:ident: $proto:ident = $theirs:ident),* $(,)?
    }) => {
        #[allow(deprecated, reason = "what the protocol deprecates is served")]
        impl Convert<v1::$type> for $type {
            fn write(&self) -> v1::$type {
                let $member = match self {
                    $(Self::$variant(value) => v1::$module::$oneof::$theirs(value.write()),)*
                };
                v1::$type { $member: Some($member) }
            }

            fn read(proto: v1::$type) -> Result<Self, Wrong> {
                match proto.$member {
                    $(Some(v1::$module::$oneof::$theirs(value)) => match Convert::read(value) {
                        Ok(value) => Ok(Self::$variant(value)),
                        Err(wrong) => Err(wrong.within(stringify!($proto))),
                    },)*
                    None => Err(Wrong::none(&[$(stringify!($proto)),*])),
                }
            }
        }

        convert::public!($type);
    };
}

/// The conversions that everybody sees.
macro_rules! public {
    ($type:ident) => {
        impl From<&$type> for v1::$type {
            fn from(value: &$type) -> Self {
                value.write()
            }
        }

        impl From<$type> for v1::$type {
            fn from(value: $type) -> Self {
                value.write()
            }
        }

        impl TryFrom<v1::$type> for $type {
            type Error = A2aError;

            fn try_from(proto: v1::$type) -> Result<Self, A2aError> {
                Ok(Convert::read(proto)?)
            }
        }
    };
}

use {message, oneof, public};
