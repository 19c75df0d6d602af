//! What an agent costs to build.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::process::Command;

/// All three bindings, and no more than this.
const CRATES: usize = 95;

#[test]
fn an_agent_with_all_bindings_is_built_from_few_crates() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "a2a-examples", "--edges", "normal", "--prefix", "none", "--locked"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    // A line is a crate, its version, and whether it was shown before.
    let crates: BTreeSet<Vec<&str>> = tree.lines().map(|line| line.split(' ').take(2).collect()).collect();
    assert!(crates.iter().any(|name| name[0] == "tonic"), "{tree}");
    assert!(crates.len() < CRATES, "{} crates: {crates:?}", crates.len());
}
