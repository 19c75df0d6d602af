//! The chores of this repository. `cargo xtask codegen` writes the Rust code of the gRPC binding, and
//! `cargo xtask codegen --check` fails if what is checked in is not what it would write.

mod codegen;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["codegen"] => codegen::write(),
        ["codegen", "--check"] => codegen::check(),
        _ => Err("usage: cargo xtask codegen [--check]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
