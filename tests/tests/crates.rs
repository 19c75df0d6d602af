//! Skills in several crates, two agents in one program, and many skills in many files: the cards are exact.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::{Agent, Binding};
use a2a_tests_desk::{Concierge, travel};
use a2a_tests_hotels::find;
use a2a_tests_thirty::Everything;
// Nothing else is used of these: without it the linker would leave them out.
use a2a_tests_flights as _;
use a2a_tests_meals as _;
use std::path::PathBuf;
use std::{env, fs};

/// Compares a card with the one in `cards`. `UPDATE=1 cargo test` rewrites it.
fn compare(agent: Agent, name: &str) {
    let card = agent.url("https://agents.example").bindings([Binding::JsonRpc]).legacy(false).card().unwrap();
    let text = serde_json::to_string_pretty(&card).unwrap() + "\n";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cards").join(name);
    if env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == known, "{name} has changed; `UPDATE=1 cargo test` accepts:\n{text}");
}

fn ids(agent: &Agent) -> Vec<String> {
    agent.card().unwrap().skills.into_iter().map(|skill| skill.id).collect()
}

#[test]
fn skills_of_three_crates_join_the_agents_that_they_name() {
    assert_eq!(ids(&travel::agent()), ["travel", "flights.find", "find", "order"]);
    assert_eq!(ids(&Concierge::agent()), ["upgrade", "wake", "menu"]);
    compare(travel::agent(), "travel.json");
    compare(Concierge::agent(), "concierge.json");
}

#[test]
fn a_skill_of_another_crate_that_names_no_agent_joins_none() {
    assert!(!ids(&travel::agent()).contains(&"stray".to_owned()));
    assert!(!ids(&Concierge::agent()).contains(&"stray".to_owned()));
}

#[tokio::test]
async fn two_agents_of_one_program_answer_for_themselves() {
    let (travel, concierge) = (travel::agent().client().unwrap(), Concierge::agent().client().unwrap());
    assert_eq!(travel.call::<find>("Oslo").await.unwrap(), "Oslo");
    concierge.call::<find>("Oslo").await.unwrap_err();
    assert_eq!(concierge.call::<a2a_tests_flights::upgrade>("window").await.unwrap(), "window");
}

#[test]
fn two_skills_of_one_id_are_told_with_both_places() {
    let error = format!("{:?}", travel::agent().skill(find::entry()).build().unwrap_err());
    let place = find::entry().location().unwrap();
    assert!(error.contains(&format!("two skills have the id `find` (the other is at {place})")), "{error}");
    assert!(error.contains(&format!("at {place}")), "{error}");
}

#[test]
fn thirty_skills_in_five_files_are_one_exact_card() {
    let ids = ids(&Everything::agent());
    assert_eq!(ids.len(), 30);
    // By file, and within a file by line.
    assert_eq!(
        ids[..7],
        [
            "arrive_how",
            "arrive_how_long",
            "arrive_drawn",
            "arrive.story",
            "arrive_at_once",
            "arrive_asked",
            "eat_how"
        ]
    );
    compare(Everything::agent(), "everything.json");
}
