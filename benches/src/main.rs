//! What the SDK costs. Run: `cargo run --release -p a2a-benches`, or with the names of some: `list append memory send stream grpc`
//!
//! Every figure is a ratio of two things measured in one run, so that it means the same on any machine. Servers run
//! in processes of their own; what counts is the CPU time they use, as Linux tells it.

mod grpc;
mod http;
mod process;
mod servers;
mod store;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, kind] = arguments.as_slice()
        && first == "--serve"
    {
        servers::serve(kind);
        return ExitCode::SUCCESS;
    }
    let all = ["list", "append", "memory", "send", "stream", "grpc"];
    let chosen: Vec<&str> =
        if arguments.is_empty() { all.to_vec() } else { arguments.iter().map(String::as_str).collect() };
    if let [_, _, ..] = chosen.as_slice() {
        // Each in a process of its own: what one leaves in memory is not the next one's.
        return chosen.iter().map(|name| process::run(name)).max().map_or(ExitCode::SUCCESS, ExitCode::from);
    }
    for name in chosen {
        match name {
            "list" => store::list(),
            "append" => store::append(),
            "memory" => store::memory(),
            "send" => servers::send(),
            "stream" => servers::stream(),
            "grpc" => grpc::all(),
            other => {
                eprintln!("no benchmark `{other}`; there are: {}", all.join(" "));
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
