//! Cards as files: made by a build script, kept in a repository, and looked over.
//!
//! A card needs no server, no state and no port, so everything here is there without any feature of the SDK. There are
//! three ways to a card at build time:
//!
//! - `cargo run -- card` prints it, and `cargo run -- card --lint` prints what to mend in it;
//! - [`assert_card!`](crate::assert_card) in a test holds the agent to a file in the repository, so that no change of
//!   the card goes by unseen;
//! - [`write()`] in the `build.rs` of another package, for a program that carries its card or an image that serves it.
//!
//! The card is that of protocol 1.0, which a server gives to callers who say that version; to others it adds what 0.3
//! has beside it.
//!
//! All three ways describe the same agent where its configuration stands in one fn, such as `fn app() -> Agent`. What only
//! a server can do (push notifications, an extended card) is in the card where the SDK has the features for it: a build
//! script without the feature `server` makes a card without these.

mod diff;
mod lint;
mod visible;

pub use lint::{Finding, lint};
#[cfg(feature = "server")]
pub(crate) use visible::visible;

use crate::error::{Error, Result};
use crate::{Agent, protocol::AgentCard};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The variable that makes [`assert_card!`](crate::assert_card) write.
const UPDATE: &str = "UPDATE_CARD";

/// The card as a file has it: JSON with indents, and a line break at the end.
///
/// ```
/// # /// Says it back.
/// # #[a2a_sdk::agent(url = "https://agents.example")]
/// # async fn echo(text: String) -> String { text }
/// let card = echo::agent().card()?;
/// assert!(a2a_sdk::card::to_json(&card).ends_with("}\n"));
/// # Ok::<(), a2a_sdk::Error>(())
/// ```
pub fn to_json(card: &AgentCard) -> String {
    // Strings, numbers and lists of them: nothing that JSON cannot say.
    let mut json = serde_json::to_string_pretty(card).unwrap_or_default();
    json.push('\n');
    json
}

/// Writes the card of the agent to that file; `false` where the file says it already, and stays as it is.
///
/// Meant for the `build.rs` of a package beside the one with the agent, which takes that one as a build-dependency.
/// There the SDK needs no features but `inventory`, where skills join by themselves:
///
/// ```no_run
/// // build.rs
/// # mod travel_skills {
/// #     /// Prices a trip.
/// #     #[a2a_sdk::agent]
/// #     pub async fn travel(text: String) -> String { text }
/// #     pub fn app() -> a2a_sdk::Agent { travel::agent() }
/// # }
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let file = std::path::Path::new(&std::env::var("OUT_DIR")?).join("agent-card.json");
///     a2a_sdk::card::write(&travel_skills::app(), file)?;
///     Ok(())
/// }
/// ```
///
/// The program then has it with `include_str!(concat!(env!("OUT_DIR"), "/agent-card.json"))`.
///
/// Nothing is printed for cargo. A build script that prints no `cargo::rerun-if-changed` runs again when its package
/// or one of its dependencies changes, and so when the agent does. For a script that does more, print
/// `cargo::rerun-if-changed=build.rs`: the agent still counts, since the script is built anew with it.
///
/// # Errors
/// When the agent cannot be built (see [`Agent::card`]), or the file not be written; its directory must be there.
pub fn write(agent: &Agent, path: impl AsRef<Path>) -> Result<bool> {
    let path = path.as_ref();
    let card = to_json(&agent.card()?);
    if fs::read_to_string(path).is_ok_and(|known| known == card) {
        return Ok(false);
    }
    fs::write(path, card).map_err(|error| {
        let why = if error.kind() == ErrorKind::NotFound { ", whose directory is not there" } else { "" };
        Error::io(format!("the card cannot be written to {}{why}", path.display()), error)
    })?;
    Ok(true)
}

/// Compares the card of the agent with that file. Windows line breaks in the file do not count. In the lines that are
/// shown, characters that no reader sees are written as `\u{..}`.
///
/// ```no_run
/// # /// Says it back.
/// # #[a2a_sdk::agent]
/// # async fn echo(text: String) -> String { text }
/// if let Err(difference) = a2a_sdk::card::check(&echo::agent(), "agent-card.json") {
///     eprintln!("{difference}");
/// }
/// ```
///
/// # Errors
/// When they differ: the error shows the lines that do. When there is no such file, or it cannot be read. When the
/// agent cannot be built.
pub fn check(agent: &Agent, path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref();
    let card = to_json(&agent.card()?);
    let known = match fs::read_to_string(path) {
        Ok(known) => known.replace("\r\n", "\n"),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(Error::card(format!("there is no card at {}", path.display())));
        }
        Err(error) => {
            return Err(Error::io(format!("the card cannot be read from {}", path.display()), error));
        }
    };
    if known == card {
        return Ok(());
    }
    let lines = diff::lines(&known, &card);
    Err(Error::card(format!(
        "the card has changed (`-` is in {}, `+` is what the agent says):\n{lines}",
        path.display()
    )))
}

/// Asserts that the agent's card is what a file of the package says.
///
/// The path is relative to the directory of the package that the test is in. A card that has changed fails the test
/// with the lines that differ. To make the file, and to accept a change, run the test with `UPDATE_CARD=1`; commit the
/// file, and a review sees what callers will see.
///
/// ```no_run
/// # /// Greets people by name.
/// # #[a2a_sdk::agent(url = "https://agents.example")]
/// # async fn greeter(name: String) -> String { name }
/// # const _: &str = stringify! {
/// #[test]
/// # };
/// fn the_card_is_the_one_in_the_repository() {
///     a2a_sdk::assert_card!(greeter::agent(), "agent-card.json");
/// }
/// ```
///
/// Set the agent's URL (`#[agent(url = "..")]` or [`Agent::url`](crate::Agent::url)), or the card says
/// `http://127.0.0.1:8080`. The version is the package's unless the agent has its own: with the former, a release
/// changes the card.
///
/// # Panics
/// When the card differs, the file is missing or cannot be read or written, or the agent cannot be built.
#[macro_export]
macro_rules! assert_card {
    ($agent:expr, $path:expr $(,)?) => {
        $crate::card::__assert(&$agent, ::core::env!("CARGO_MANIFEST_DIR"), $path)
    };
}

/// What [`assert_card!`](crate::assert_card) does.
#[doc(hidden)]
#[track_caller]
pub fn __assert(agent: &Agent, package: &str, path: impl AsRef<Path>) {
    let path = Path::new(package).join(path);
    let update = std::env::var_os(UPDATE).is_some_and(|value| !value.is_empty() && value != "0");
    let done = if update { write(agent, path).map(drop) } else { check(agent, path) };
    if let Err(error) = done {
        // Writing is no help for an agent that has no card.
        let help = if update || agent.card().is_err() {
            ""
        } else {
            "\n\nrun the test with UPDATE_CARD=1 to write the card of the agent to the file"
        };
        panic!("{error:?}{help}");
    }
}
