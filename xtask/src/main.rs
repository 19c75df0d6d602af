//! The chores of this repository. `cargo xtask codegen` writes the Rust code of the gRPC binding, and
//! `cargo xtask codegen --check` fails if what is checked in is not what it would write. `cargo xtask compile-cost` tells
//! what annotated skills cost the compiler, beside the same written by hand.

mod codegen;
mod compile_cost;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["codegen"] => codegen::write(),
        ["codegen", "--check"] => codegen::check(),
        ["compile-cost"] => compile_cost::run(),
        _ => Err("usage: cargo xtask codegen [--check] | compile-cost".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
