//! Cards as files: written by a build script, held to a file in the repository, looked over.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::{Agent, Request, Run, SkillEntry, assert_card, card};
use a2a_tests::http::serve;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// Greets people by name.
#[a2a_sdk::agent(version = "1.2.3", url = "https://agents.example")]
async fn greeter(name: String) -> String {
    format!("Hello, {name}!")
}

/// A directory of the test's own, gone at its end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

#[tokio::test]
async fn a_card_from_a_build_script_is_the_one_that_is_served() {
    let server = serve(built_card_agent::app()).await;
    let served = server.get("/.well-known/agent-card.json", "A2A-Version: 1.0\r\n").await.json().await;
    let built: serde_json::Value = serde_json::from_str(built_card_agent::CARD).unwrap();
    assert_eq!(built, served);
    assert_eq!(built["skills"].as_array().unwrap().len(), 2, "skills of another package are in it");
    assert!(
        built_card_agent::CARD.starts_with("{\n  \"name\": \"Travel\"")
            && built_card_agent::CARD.ends_with("}\n")
    );
}

#[tokio::test]
async fn what_the_program_serves_answers_as_its_command_says() {
    let client = built_card_agent::app().client().unwrap();
    assert_eq!(client.send_message("Oslo").await.unwrap().text(), "a night is 120 euros");
}

#[test]
fn a_card_is_written_only_where_it_differs() {
    let directory = Directory::new("written");
    let file = directory.0.join("agent-card.json");
    let long_ago = SystemTime::UNIX_EPOCH;
    assert!(card::write(&greeter::agent(), &file).unwrap());
    fs::File::options().write(true).open(&file).unwrap().set_modified(long_ago).unwrap();
    assert!(!card::write(&greeter::agent(), &file).unwrap());
    assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), long_ago, "cargo sees no change");
    assert!(card::write(&greeter::agent().version("1.2.4"), &file).unwrap());
    assert!(fs::read_to_string(&file).unwrap().contains("\"version\": \"1.2.4\""));
    card::check(&greeter::agent().version("1.2.4"), &file).unwrap();

    let nowhere = card::write(&greeter::agent(), directory.0.join("no/such/card.json")).unwrap_err();
    assert!(nowhere.to_string().contains("no/such/card.json, whose directory is not there: "), "{nowhere}");
    let unfit = card::write(&Agent::builder("empty"), &file).unwrap_err();
    assert!(unfit.to_string().contains("it has no skills"), "{unfit}");
}

#[test]
fn the_line_breaks_of_windows_are_no_change() {
    let directory = Directory::new("windows");
    let file = directory.0.join("agent-card.json");
    let json = card::to_json(&greeter::agent().card().unwrap());
    fs::write(&file, json.replace('\n', "\r\n")).unwrap();
    card::check(&greeter::agent(), &file).unwrap();
}

#[test]
fn the_card_is_the_one_in_the_repository() {
    assert_card!(greeter::agent(), "tests/agent-card.json");
}

fn panic_of(run: impl FnOnce() + std::panic::UnwindSafe) -> String {
    *std::panic::catch_unwind(run).unwrap_err().downcast::<String>().unwrap()
}

#[test]
fn a_changed_card_shows_the_lines_that_differ() {
    let said = panic_of(|| assert_card!(greeter::agent().version("2.0.0"), "tests/agent-card.json"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agent-card.json");
    let expected = format!(
        "the card has changed (`-` is in {}, `+` is what the agent says):
  ... line 33
        \"protocolVersion\": \"0.3\"
      }}
    ],
-   \"version\": \"1.2.3\",
+   \"version\": \"2.0.0\",
    \"capabilities\": {{
      \"streaming\": true,
      \"pushNotifications\": false,

run the test with UPDATE_CARD=1 to write the card of the agent to the file",
        file.display()
    );
    assert_eq!(said, expected);
}

#[test]
fn a_missing_card_says_how_to_make_it() {
    let said = panic_of(|| assert_card!(greeter::agent(), "tests/no-such-card.json"));
    assert!(said.starts_with("there is no card at ") && said.contains("no-such-card.json"), "{said}");
    assert!(
        said.ends_with("run the test with UPDATE_CARD=1 to write the card of the agent to the file"),
        "{said}"
    );
}

#[test]
fn an_agent_without_a_card_is_not_told_to_write_it() {
    let said = panic_of(|| assert_card!(Agent::builder("empty"), "tests/agent-card.json"));
    assert!(said.starts_with("agent `empty` cannot be built") && !said.contains("UPDATE_CARD"), "{said}");
}

/// Run by the test below, in a process that has the variable.
#[test]
#[ignore = "writes where another test says"]
fn updates() {
    assert_card!(greeter::agent(), std::env::var_os("CARD_FILE").unwrap());
}

#[test]
fn update_card_writes_the_file() {
    let directory = Directory::new("updated");
    let file = directory.0.join("agent-card.json");
    let run = |update: &str| {
        let mut test = Command::new(std::env::current_exe().unwrap());
        test.args(["--exact", "updates", "--ignored"]).env("UPDATE_CARD", update).env("CARD_FILE", &file);
        test.output().unwrap().status.success()
    };
    for off in ["", "0"] {
        assert!(!run(off) && !file.exists(), "UPDATE_CARD={off}");
    }
    fs::write(&file, "{}").unwrap();
    assert!(run("1"));
    card::check(&greeter::agent(), &file).unwrap();
}

fn entry(id: &'static str) -> SkillEntry {
    let handler = |request: &Request| Ok(Run::new(std::future::ready(request.extract::<String>()?)));
    SkillEntry::new(id, handler)
        .description("Says back what it is told.")
        .argument::<String>()
        .reply::<String, _>()
}

fn findings(agent: &Agent) -> Vec<String> {
    card::lint(&agent.card().unwrap()).iter().map(ToString::to_string).collect()
}

#[test]
fn a_sound_card_has_nothing_to_mend() {
    assert_eq!(findings(&greeter::agent()), [""; 0]);
    assert_eq!(findings(&built_card_agent::app()), [""; 0]);
}

#[test]
fn a_card_from_elsewhere_may_lack_what_ours_have() {
    let mut other = greeter::agent().card().unwrap();
    other.skills[0].tags.clear();
    other.skills.push(other.skills[0].clone());
    let texts: Vec<_> = card::lint(&other).into_iter().map(|finding| finding.text).collect();
    let tags = "it has no tags";
    let (id, name) = ("another skill has this id", "another skill has the name `Greeter` as well");
    assert_eq!(texts, [tags, id, name, tags]);
    other.skills.clear();
    assert_eq!(
        card::lint(&other)[0].to_string(),
        "the agent: it has no skills (help: describe at least one)"
    );
}

#[test]
fn each_finding_names_the_skill_and_what_to_do() {
    let agent =
        Agent::builder("copies").description("Copies.").version("1.0.0").skill(entry("plain").tags(["text"]));
    let agent = agent
        .skill(entry("blank").tags([" "]))
        .skill(entry("terse").description("Echoes it."))
        .skill(entry("count_words").description("Count words."))
        .skill(entry("twin").name("Plain"))
        .skill(
            entry("modes").input_modes(["text/markdown; charset=utf-8"]).output_modes(["image/*", "text"]),
        );
    let expected = [
        "the agent: its description says no more than its name: `Copies.` \
         (help: say what the agent does, for whom, and what it does not do)",
        "skill `blank`: one of its tags is empty (help: leave that one out, or say something)",
        "skill `terse`: its description is too short to choose it by: `Echoes it.` \
         (help: say what it does, with what, and what comes of it)",
        "skill `count_words`: its description says no more than its name: `Count words.` \
         (help: say what it does, with what, and what comes of it)",
        "skill `twin`: another skill has the name `Plain` as well (help: give one of them another: `name = \"..\"`)",
        "skill `modes`: no part has the media type `text/markdown; charset=utf-8`: clients compare it as a text, \
         and send none with parameters (help: leave the parameters out)",
        "skill `modes`: no part has the media type `image/*`: it is a range (help: name the types that it stands for)",
        "skill `modes`: no part has the media type `text`: it is malformed \
         (help: write a type and a subtype, such as `text/plain`)",
    ];
    assert_eq!(findings(&agent), expected);
}

#[test]
fn what_no_reader_sees_is_found_and_does_nothing_to_a_terminal() {
    let mut other = greeter::agent().card().unwrap();
    other.description = "Greets people.\n\tAll of them.".to_owned();
    other.skills[0].id = "x\n\u{1b}[2J".to_owned();
    other.skills[0].examples = vec!["pay \u{202e}001".to_owned()];
    let found: Vec<_> = card::lint(&other).iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            r"skill `x\n\u{1b}[2J`: `x\n\u{1b}[2J` has a character that no reader sees, U+001B (help: write what can be seen)"
        ]
    );
    other.skills[0].id = "x".to_owned();
    assert_eq!(
        card::lint(&other)[0].to_string(),
        r"skill `x`: `pay \u{202e}001` has a character that no reader sees, U+202E (help: write what can be seen)"
    );
}

#[test]
fn odd_texts_come_through_a_file_unchanged() {
    let directory = Directory::new("odd");
    let file = directory.0.join("agent-card.json");
    let agent =
        || greeter::agent().description("\"q\" \\ \u{0}\u{1b}\u{7f} \u{202e}مرحبا\u{2028} \r\n \u{1f600}");
    assert!(card::write(&agent(), &file).unwrap());
    card::check(&agent(), &file).unwrap();
    let read: a2a_sdk::protocol::AgentCard = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(read, agent().card().unwrap());

    let changed = card::check(&agent().description("plain"), &file).unwrap_err().to_string();
    assert!(!changed.contains('\u{202e}') && changed.contains(r"\u{202e}مرحبا\u{2028}"), "{changed}");
    let json = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("\u{feff}{json}")).unwrap();
    let marked = card::check(&agent(), &file).unwrap_err().to_string();
    assert!(marked.contains("\n- \\u{feff}{\n+ {\n"), "{marked}");
    fs::write(&file, b"\xff").unwrap();
    let unread = card::check(&agent(), &file).unwrap_err().to_string();
    assert!(unread.starts_with("the card cannot be read from "), "{unread}");
    let folder = card::write(&agent(), &directory.0).unwrap_err().to_string();
    assert!(folder.starts_with("the card cannot be written to "), "{folder}");
}

#[tokio::test]
async fn the_command_of_a_program_fails_with_what_it_finds() {
    greeter::agent().run_with(["greeter", "card", "--lint"]).await.unwrap();
    let agent =
        Agent::builder("copies").description("Copies what it is told.").skill(entry("copy").tags([""]));
    let error = agent.run_with(["copies", "card", "--lint"]).await.unwrap_err();
    let report = "the card of `copies` is to be mended\n  \
                  - skill `copy`: one of its tags is empty (help: leave that one out, or say something)";
    assert_eq!(format!("{error:?}"), report);
    for arguments in [["greeter", "--lint", "serve"], ["greeter", "skills", "--lint"]] {
        let error = greeter::agent().run_with(arguments).await.unwrap_err();
        assert!(error.to_string().starts_with("--lint is only for `card`"), "{error}");
    }
}
