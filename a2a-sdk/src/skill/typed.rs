//! Skills as types, for calls whose input and output the compiler knows.

use super::{Cancel, Context, Extension, File, Json, Principal, Request, SkillEntry, State};
use crate::protocol::{Message, Metadata, Part};
use futures_core::Stream;
use std::marker::PhantomData;
use std::pin::Pin;

/// A skill that can be called by its types, with [`Client::call`](crate::Client::call).
///
/// Every `#[skill]` and `#[agent]` fn is one, under its own name, whose arguments and reply are built in and where one
/// argument at most is sent by the caller:
///
/// | argument | [`Input`](Self::Input) | | reply | [`Output`](Self::Output) |
/// |---|---|---|---|---|
/// | `String` | `String` | | `String`, `&'static str` | `String` |
/// | `Json<T>` | `T` | | `Json<T>` | `T` |
/// | `File`, `Vec<File>` | the same | | `File` | `File` |
/// | `Message` | `Message` | | `Message` | `Message` |
/// | `Option<..>` of these | `Option<..>` of that | | `Part`, `Vec<Part>` | `Part`, `Vec<Part>` |
/// | none of these | `()` | | `()` | `()` |
/// | | | | `Result<T, E>` of these | that of `T` |
/// | | | | `impl Stream<Item = T>`, `BoxStream<'_, T>` | a stream of that of `T` |
///
/// `State`, `Context`, `Cancel`, `Principal`, `Metadata`, `Extension` and `Request` may stand beside it: no caller sends
/// them. Other skills are called with [`Client::send_message`](crate::Client::send_message).
///
/// The skill of an agent in another program, written in whatever language, is described by hand:
///
/// ```
/// use a2a_sdk::{Json, Skill};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize)]
/// struct Trip {
///     nights: u8,
/// }
///
/// #[derive(Deserialize)]
/// struct Quote {
///     euros: u32,
/// }
///
/// struct Price;
///
/// impl Skill for Price {
///     const ID: &'static str = "price";
///     type Argument = Json<Trip>;
///     type Reply = Json<Quote>;
///     type Input = Trip;
///     type Output = Quote;
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no skill that can be called by its types",
    label = "not callable by its types",
    note = "name the fn that carries `#[skill]` or `#[agent]`"
)]
pub trait Skill {
    /// The id of the skill, as the card has it.
    const ID: &'static str;
    /// The type of the argument that the caller sends.
    type Argument: Sent<Input = Self::Input>;
    /// The type of the reply.
    type Reply: Given<Output = Self::Output>;
    /// What is called with.
    type Input;
    /// What is given back.
    type Output;
}

/// What a macro knows of a skill's types: written for every fn, whatever they are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no skill",
    label = "not a skill",
    note = "name the fn that carries `#[skill]`"
)]
pub trait Signature {
    /// The id.
    const ID: &'static str;
    /// The types of the arguments, as `(A, (B, (C, ())))`.
    type Arguments;
    /// The type of the reply.
    type Reply;

    /// Its entry.
    fn entry() -> SkillEntry;
}

impl<S: Signature> Skill for S
where
    S::Arguments: Arguments,
    <S::Arguments as Arguments>::Argument: Sent,
    S::Reply: Given,
{
    const ID: &'static str = S::ID;
    type Argument = <S::Arguments as Arguments>::Argument;
    type Reply = S::Reply;
    type Input = <Self::Argument as Sent>::Input;
    type Output = <Self::Reply as Given>::Output;
}

/// An argument that the caller sends, see [`Skill`].
pub trait Sent {
    /// What it is made of.
    type Input;
}

/// A reply that the caller gets, see [`Skill`].
#[diagnostic::on_unimplemented(
    message = "a skill that replies with `{Self}` cannot be called by its types",
    label = "its reply is not known to callers",
    note = "call it with `send_message`, and read the parts of the answer"
)]
pub trait Given {
    /// What becomes of it at the caller's.
    type Output;
}

/// In place of the argument of a skill that reads nothing of the message.
#[derive(Debug)]
pub struct Nothing(());

/// In place of a stream whose type has no name.
#[derive(Debug)]
pub struct StreamOf<T>(PhantomData<T>);

/// In place of another type that has no name.
#[derive(Debug)]
pub struct Opaque(());

/// The one of several arguments that the caller sends.
pub trait Arguments {
    /// That argument, or [`Nothing`].
    type Argument;
}

impl Arguments for () {
    type Argument = Nothing;
}

impl<A, Rest> Arguments for (A, Rest)
where
    A: Role,
    Rest: Arguments,
    A::Role: Beside<Rest::Argument>,
{
    type Argument = <A::Role as Beside<Rest::Argument>>::Argument;
}

/// Whether the caller sends an argument.
#[diagnostic::on_unimplemented(
    message = "a skill with an argument `{Self}` cannot be called by its types",
    label = "`{Self}` is read from a message in a way of its own",
    note = "call it with `send_message`"
)]
pub trait Role {
    /// The type itself if so, else [`Nothing`].
    type Role;
}

/// Which of two is sent.
#[diagnostic::on_unimplemented(
    message = "a skill that reads `{Self}` and `{Other}` from a message cannot be called by its types",
    label = "two of its arguments are sent",
    note = "call it with `send_message`"
)]
pub trait Beside<Other> {
    /// The one that is.
    type Argument;
}

impl<Other> Beside<Other> for Nothing {
    type Argument = Other;
}

impl Sent for Nothing {
    type Input = ();
}

macro_rules! sent {
    ($([$($generic:ident)?] $ty:ty => $input:ty),* $(,)?) => {$(
        impl$(<$generic>)? Role for $ty {
            type Role = Self;
        }

        impl$(<$generic>)? Beside<Nothing> for $ty {
            type Argument = Self;
        }

        impl$(<$generic>)? Sent for $ty {
            type Input = $input;
        }
    )*};
}

sent!([] String => String, [T] Json<T> => T, [] File => File, [] Vec<File> => Vec<File>, [] Message => Message);

macro_rules! not_sent {
    ($([$($generic:ident)?] $ty:ty),* $(,)?) => {$(
        impl$(<$generic>)? Role for $ty {
            type Role = Nothing;
        }
    )*};
}

not_sent!([T] State<T>, [T] Extension<T>, [] Context, [] Cancel, [] Principal, [] Metadata, [] Request);

impl<A: Role> Role for Option<A>
where
    A::Role: Optional,
{
    type Role = <A::Role as Optional>::Role;
}

/// What an `Option` of a role is.
pub trait Optional {
    /// Its role.
    type Role;
}

impl Optional for Nothing {
    type Role = Self;
}

impl<A: Sent + Beside<Nothing>> Optional for A
where
    A: Role<Role = A>,
{
    type Role = Option<A>;
}

impl<A: Sent> Sent for Option<A> {
    type Input = Option<A::Input>;
}

impl<A: Sent> Beside<Nothing> for Option<A> {
    type Argument = Self;
}

macro_rules! given {
    ($([$($generic:ident)?] $ty:ty => $output:ty),* $(,)?) => {$(
        impl$(<$generic>)? Given for $ty {
            type Output = $output;
        }
    )*};
}

given!(
    [] String => String,
    [] &'static str => String,
    [T] Json<T> => T,
    [] File => File,
    [] Message => Message,
    [] Part => Part,
    [] Vec<Part> => Vec<Part>,
    [] () => (),
);

impl<T: Given, E> Given for Result<T, E> {
    type Output = T::Output;
}

#[cfg(any(feature = "server", feature = "client"))]
impl<T: Given> Given for StreamOf<T> {
    type Output = crate::client::Items<T::Output>;
}

#[cfg(any(feature = "server", feature = "client"))]
impl<T: Given> Given for Pin<Box<dyn Stream<Item = T> + Send>> {
    type Output = crate::client::Items<T::Output>;
}
