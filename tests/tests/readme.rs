//! The README says what is so: its commands work, its answers come, its programs are as short as it shows. That its
//! Rust compiles is checked as documentation of the SDK.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_tests::http::{request, serve};
use serde_json::Value;
use std::path::Path;

const README: &str = include_str!("../../README.md");

/// Greets people by name. As the example `hello` does, which runs as a program in another test.
#[a2a_sdk::agent]
async fn greeter(name: String) -> String {
    format!("Hello, {name}!")
}

/// The blocks of the README that are marked so.
fn blocks(mark: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = line.strip_prefix("```")
            && found.split(',').next() == Some(mark)
        {
            blocks.push(lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n"));
        }
    }
    blocks
}

/// The answer as text, with a word for each id and time. The same id gives the same word.
fn masked(answer: &Value) -> String {
    let task = &answer["result"]["task"];
    let mut text = serde_json::to_string(answer).unwrap();
    for (value, word) in
        [(&task["id"], "TASK"), (&task["contextId"], "CONTEXT"), (&task["status"]["timestamp"], "TIME")]
    {
        let value = value.as_str().unwrap();
        assert!(value.len() > 20, "{value}");
        text = text.replace(value, word);
    }
    text
}

#[tokio::test]
async fn the_first_call_gives_the_answer_that_is_shown() {
    let curl = blocks("sh").into_iter().find(|block| block.starts_with("curl")).unwrap();
    let body = curl.split("-d '").nth(1).unwrap().strip_suffix('\'').unwrap();
    let headers: String =
        curl.split("-H '").skip(1).map(|rest| rest.split('\'').next().unwrap().to_owned() + "\r\n").collect();
    assert!(curl.starts_with("curl -s http://127.0.0.1:8080/ "), "{curl}");
    let server = serve(greeter::agent()).await;
    let headers = format!("Host: localhost\r\n{headers}");
    let answer = request(server.address, "POST", "/", &headers, body.as_bytes()).await.json().await;
    let shown: Value = serde_json::from_str(&blocks("json")[0]).unwrap();
    assert_eq!(masked(&answer), masked(&shown));
}

#[test]
fn a_whole_agent_has_nine_lines_and_one_that_streams_eleven() {
    let programs = blocks("rust").into_iter().filter(|block| block.contains("echo::agent().run().await"));
    let lines: Vec<usize> =
        programs.map(|program| program.lines().filter(|line| !line.trim().is_empty()).count()).collect();
    assert_eq!(lines, [9, 11]);
}

#[test]
fn every_example_that_it_names_is_there_and_every_one_that_is_there_is_named() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut files: Vec<String> = std::fs::read_dir(examples)
        .unwrap()
        .filter_map(|file| Some(file.unwrap().path().file_name()?.to_str()?.strip_suffix(".rs")?.to_owned()))
        .collect();
    files.sort();
    let rows = README.split("## Examples").nth(1).unwrap().split("\n## ").next().unwrap().lines();
    let mut named: Vec<String> = rows
        .filter_map(|row| Some(row.strip_prefix("| `")?.split(['`', ' ']).next()?.to_owned()))
        .filter(|name| name != "cargo")
        .collect();
    named.sort();
    assert_eq!(files, named);
}

#[test]
fn the_features_that_it_names_are_those_of_the_package() {
    let manifest = include_str!("../../a2a-sdk/Cargo.toml");
    let features = manifest.split("[features]").nth(1).unwrap().split("\n[").next().unwrap();
    let table = README.split("| feature | adds |").nth(1).unwrap().split("\n\n").next().unwrap();
    for line in features.lines().filter(|line| line.contains(" = [") && !line.starts_with("default")) {
        let name = line.split(" = ").next().unwrap().trim();
        if !name.starts_with('#') {
            assert!(table.contains(&format!("`{name}`")), "the README does not tell of the feature `{name}`");
        }
    }
}

#[test]
fn the_commands_that_it_shows_are_these() {
    let commands = blocks("sh");
    assert_eq!(commands[0], "cargo run --example hello");
    assert!(README.contains("`cargo test --workspace`"));
    let ci = include_str!("../../.ci/run");
    assert!(ci.contains("cargo test --workspace"), "what the README says is what is checked");
}
