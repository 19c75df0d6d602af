//! What an agent costs to build.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::process::Command;

/// All three bindings, and no more than this.
const CRATES: usize = 95;

/// The crates that are built for a package with these features: name and version.
fn crates(package: &str, features: &[&str]) -> BTreeSet<Vec<String>> {
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--locked",
            "--offline",
            "--package",
            package,
        ])
        .args(features)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    // A line is a crate, its version, and whether it was shown before.
    tree.lines().map(|line| line.split(' ').take(2).map(str::to_owned).collect()).collect()
}

fn names(package: &str, features: &[&str]) -> BTreeSet<String> {
    crates(package, features).into_iter().filter_map(|known| known.into_iter().next()).collect()
}

#[test]
fn an_agent_with_all_bindings_is_built_from_few_crates() {
    let crates = crates("a2a-examples", &[]);
    assert!(crates.iter().any(|known| known[0] == "tonic"), "{crates:?}");
    assert!(crates.len() < CRATES, "{} crates: {crates:?}", crates.len());
}

#[test]
fn a_feature_brings_its_crates_and_nobody_else_has_them() {
    let of = |features: &[&str]| {
        let names = names("a2a-sdk", features);
        let heavy =
            ["axum", "hyper", "hyper-util", "reqwest", "rustls", "tokio-rustls", "tonic", "prost", "url"];
        heavy.into_iter().filter(|name| names.contains(*name)).collect::<Vec<_>>()
    };
    const ONLY: &str = "--no-default-features";
    assert_eq!(of(&[ONLY]), [""; 0], "types, macros and the card");
    assert_eq!(of(&[ONLY, "--features", "inventory"]), [""; 0]);
    assert_eq!(of(&[ONLY, "--features", "server"]), ["axum", "hyper", "hyper-util"]);
    assert_eq!(of(&[]), ["axum", "hyper", "hyper-util", "tonic", "prost"]);
    let client = of(&[ONLY, "--features", "client"]);
    assert!(
        client.contains(&"reqwest") && !client.contains(&"axum") && !client.contains(&"tonic"),
        "{client:?}"
    );
    let push = of(&[ONLY, "--features", "push"]);
    assert!(push.contains(&"reqwest") && !push.contains(&"tonic"), "{push:?}");
    let tls = of(&[ONLY, "--features", "tls"]);
    assert!(tls.contains(&"tokio-rustls") && !tls.contains(&"reqwest") && !tls.contains(&"tonic"), "{tls:?}");
}
