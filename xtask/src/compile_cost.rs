//! What annotations cost the compiler: a crate of annotated skills beside one that has the same entries written by hand.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

const SKILLS: usize = 100;
const RUNS: usize = 7;

/// What all of the crates begin with.
const HEAD: &str = "\
use a2a_sdk::{Agent, Context, Json, Request, Run, SkillEntry, SkillError, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
pub struct Trip {
    pub nights: u32,
}

#[derive(Serialize, JsonSchema)]
pub struct Quote {
    pub euros: u32,
}

#[derive(Clone)]
pub struct Prices(pub u32);
";

/// The kinds of skills: what they take, what they give, what they do, and the types of what they take.
const KINDS: [(&str, &str, &str, &[&str]); 4] = [
    ("text: String", "String", "text", &["String"]),
    (
        "Json(trip): Json<Trip>, State(prices): State<Prices>",
        "Json<Quote>",
        "Json(Quote { euros: trip.nights * prices.0 })",
        &["Json<Trip>", "State<Prices>"],
    ),
    (
        "wish: Option<String>, ctx: Context",
        "Result<String, SkillError>",
        "match wish { Some(wish) => Ok(wish), None => Ok(ctx.ask(\"what?\").await?.text()) }",
        &["Option<String>", "Context"],
    ),
    (
        "Json(trip): Json<Trip>",
        "Result<Json<Quote>, SkillError>",
        "if trip.nights == 0 { Err(SkillError::rejected(\"one at least\")) } else { Ok(Json(Quote { euros: trip.nights })) }",
        &["Json<Trip>"],
    ),
];

/// Measures, and prints the ratio.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask stands in the workspace")?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let target = target.join("compile-cost");
    let crates = [("empty", HEAD.to_owned()), ("by-hand", by_hand()?), ("annotated", annotated()?)];
    for (name, source) in &crates {
        write(root, &target, name, source)?;
        check(&target, name)?;
    }
    let mut best = [Duration::MAX; 3];
    for _ in 0..RUNS {
        // In turns, so that whatever else the machine does falls on all of them.
        for ((name, _), best) in crates.iter().zip(&mut best) {
            *best = (*best).min(check(&target, name)?);
        }
    }
    let [empty, by_hand, annotated] = best.map(|time| time.as_secs_f64());
    println!("`cargo check` of {SKILLS} skills, the best of {RUNS} runs, dependencies warm:");
    println!("  annotated  {annotated:.2} s");
    println!("  by hand    {by_hand:.2} s");
    println!("  no skills  {empty:.2} s");
    println!("annotated / by hand: {:.2}", annotated / by_hand);
    println!(
        "the same without what a crate of no skills takes: {:.2}",
        (annotated - empty) / (by_hand - empty)
    );
    Ok(())
}

fn write(root: &Path, target: &Path, name: &str, source: &str) -> Result<(), Box<dyn Error>> {
    let dir = target.join(name);
    fs::create_dir_all(dir.join("src"))?;
    let sdk = root.join("a2a-sdk");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         a2a-sdk = {{ path = {sdk:?} }}\nschemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\n"
    );
    fs::write(dir.join("Cargo.toml"), manifest)?;
    // The versions of the workspace: nothing is asked of a registry.
    fs::copy(root.join("Cargo.lock"), dir.join("Cargo.lock"))?;
    fs::write(dir.join("src/lib.rs"), format!("#![allow(unused_imports)]\n{source}"))?;
    Ok(())
}

/// How long it takes to check a crate that has changed.
fn check(target: &Path, name: &str) -> Result<Duration, Box<dyn Error>> {
    let dir = target.join(name);
    let source = dir.join("src/lib.rs");
    let text = fs::read_to_string(&source)?;
    fs::write(&source, text)?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["check", "--offline", "--quiet"]).current_dir(&dir);
    command.env("CARGO_TARGET_DIR", target.join("target")).env("CARGO_INCREMENTAL", "0");
    let begun = Instant::now();
    let status = command.stdin(Stdio::null()).status()?;
    let took = begun.elapsed();
    if status.success() { Ok(took) } else { Err(format!("`{name}` does not compile").into()) }
}

fn annotated() -> Result<String, Box<dyn Error>> {
    let mut source = format!("{HEAD}\n/// Plans trips.\n#[a2a_sdk::agent]\npub struct Desk;\n");
    for (n, (takes, gives, does, _)) in KINDS.iter().cycle().take(SKILLS).enumerate() {
        write!(
            source,
            "\n/// Does the thing of number {n}.\n#[a2a_sdk::skill(tags = [\"thing\"], examples = [\"do it\"])]\n\
             pub async fn thing_{n}({takes}) -> {gives} {{\n    {does}\n}}\n"
        )?;
    }
    Ok(source)
}

fn by_hand() -> Result<String, Box<dyn Error>> {
    let mut source = HEAD.to_owned();
    let mut desk = String::new();
    for (n, (takes, gives, does, types)) in KINDS.iter().cycle().take(SKILLS).enumerate() {
        let extracted = vec!["request.extract()?"; types.len()].join(", ");
        let arguments: String = types.iter().map(|ty| format!(".argument::<{ty}>()")).collect();
        write!(
            source,
            "\n/// Does the thing of number {n}.\npub async fn thing_{n}({takes}) -> {gives} {{\n    {does}\n}}\n\n\
             /// The entry of thing {n}.\npub fn thing_{n}_entry() -> SkillEntry {{\n    \
             SkillEntry::new(\"thing_{n}\", |request: &Request| Ok(Run::new(thing_{n}({extracted}))))\n        \
             .name(\"Thing {n}\").description(\"Does the thing of number {n}.\")\n        \
             .tags([\"thing\"]).examples([\"do it\"]){arguments}.reply::<{gives}, _>()\n}}\n"
        )?;
        write!(desk, ".skill(thing_{n}_entry())")?;
    }
    write!(
        source,
        "\npub fn desk() -> Agent {{\n    Agent::builder(\"desk\").description(\"Plans trips.\"){desk}\n}}\n"
    )?;
    Ok(source)
}
