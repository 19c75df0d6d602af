//! Which annotated skill joins which agent.
//!
//! A skill joins the agent it names, else the agent of its own module, else of the nearest enclosing module that has
//! exactly one, else its crate's only one.

use super::Home;
use crate::__private::{Registered, What};

/// What an agent finds in the registry.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The skills that join it, in the order of their places in the source.
    pub(crate) skills: Vec<&'static Registered>,
    /// Skills of its crate that no agent is near to.
    pub(crate) orphans: Vec<&'static Registered>,
    /// Skills of its crate that several agents are equally near to.
    pub(crate) ambiguous: Vec<&'static Registered>,
}

/// All that macros registered in this program.
#[cfg(feature = "inventory")]
pub(crate) fn registered() -> Vec<&'static Registered> {
    inventory::iter::<Registered>.into_iter().collect()
}

/// Nothing: without the feature `inventory` an agent lists its skills.
#[cfg(not(feature = "inventory"))]
pub(crate) fn registered() -> Vec<&'static Registered> {
    Vec::new()
}

/// Finds the skills of the agent at that place.
///
/// Skills of other crates that lack an agent are not this agent's concern: a library of skills may be linked for the
/// sake of one of them.
pub(crate) fn find(records: &[&'static Registered], home: &Home) -> Found {
    let mut found = Found::default();
    for record in records.iter().copied() {
        let What::Skill { agent, .. } = record.what else { continue };
        let owner = match agent {
            Some(key) => Owner::Agent(key),
            None => nearest(records, record.module),
        };
        match owner {
            Owner::Agent(key) if key == home.key => found.skills.push(record),
            Owner::Agent(_) => {}
            Owner::Nobody if same_crate(record.module, home.module) => found.orphans.push(record),
            Owner::Several if same_crate(record.module, home.module) => found.ambiguous.push(record),
            Owner::Nobody | Owner::Several => {}
        }
    }
    // The order of the registry is the linker's; a card should not depend on it.
    for list in [&mut found.skills, &mut found.orphans, &mut found.ambiguous] {
        list.sort_by_key(|record| (record.module, record.location.file, record.location.line));
    }
    found
}

enum Owner {
    Agent(&'static str),
    Nobody,
    Several,
}

/// The agent that a skill of that module joins.
fn nearest(records: &[&'static Registered], module: &str) -> Owner {
    let mut enclosing = Some(module);
    while let Some(module) = enclosing {
        if let Owner::Agent(key) = only(records, |home| home == module) {
            return Owner::Agent(key);
        }
        enclosing = module.rsplit_once("::").map(|(outer, _)| outer);
    }
    only(records, |home| same_crate(home, module))
}

/// The only agent in the modules that fit.
fn only(records: &[&'static Registered], fits: impl Fn(&str) -> bool) -> Owner {
    let mut agents = records.iter().filter_map(|record| match record.what {
        What::Agent { key } if fits(record.module) => Some(key),
        _ => None,
    });
    match (agents.next(), agents.next()) {
        (None, _) => Owner::Nobody,
        (Some(key), None) => Owner::Agent(key),
        (Some(_), Some(_)) => Owner::Several,
    }
}

fn same_crate(one: &str, other: &str) -> bool {
    crate_of(one) == crate_of(other)
}

/// The crate of a module. rustdoc bundles the tests of a crate's docs into one, a module each: there, it is the module.
fn crate_of(module: &str) -> &str {
    let depth = if module.starts_with("doctest_bundle") { 2 } else { 1 };
    let end = module.match_indices("::").nth(depth - 1).map_or(module.len(), |(end, _)| end);
    module.get(..end).unwrap_or(module)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::{Location, Run, SkillEntry};

    fn entry() -> SkillEntry {
        SkillEntry::new("any", |_| Ok(Run::new(async { "" })))
    }

    fn record(module: &'static str, line: u32, what: What) -> &'static Registered {
        Box::leak(Box::new(Registered { module, location: Location { file: "lib.rs", line }, what }))
    }

    fn skill(module: &'static str, line: u32) -> &'static Registered {
        record(module, line, What::Skill { agent: None, entry })
    }

    fn agent(module: &'static str, key: &'static str) -> &'static Registered {
        record(module, 1, What::Agent { key })
    }

    fn home(module: &'static str, key: &'static str) -> Home {
        Home { module, key, explicit: false, location: Location { file: "lib.rs", line: 1 } }
    }

    fn lines(records: &[&'static Registered]) -> Vec<u32> {
        records.iter().map(|record| record.location.line).collect()
    }

    #[test]
    fn a_skill_joins_the_agent_of_its_module() {
        let records = [agent("a", "a::x"), agent("a::b", "a::b::y"), skill("a", 5), skill("a::b", 6)];
        assert_eq!(lines(&find(&records, &home("a", "a::x")).skills), [5]);
        assert_eq!(lines(&find(&records, &home("a::b", "a::b::y")).skills), [6]);
    }

    #[test]
    fn else_the_agent_of_the_nearest_enclosing_module() {
        let records = [agent("a", "a::x"), agent("a::c", "a::c::y"), skill("a::b::d", 5)];
        assert_eq!(lines(&find(&records, &home("a", "a::x")).skills), [5]);
        assert!(find(&records, &home("a::c", "a::c::y")).skills.is_empty());
    }

    #[test]
    fn else_the_only_agent_of_its_crate() {
        let records = [agent("a::b", "a::b::x"), skill("a::c", 5), agent("other", "other::y")];
        assert_eq!(lines(&find(&records, &home("a::b", "a::b::x")).skills), [5]);
        assert!(find(&records, &home("other", "other::y")).skills.is_empty());
    }

    #[test]
    fn a_module_with_two_agents_is_passed_over() {
        let records =
            [agent("a", "a::x"), agent("a::b", "a::b::y"), agent("a::b", "a::b::z"), skill("a::b", 5)];
        assert_eq!(lines(&find(&records, &home("a", "a::x")).skills), [5]);
    }

    #[test]
    fn a_skill_between_two_agents_is_ambiguous() {
        let records = [agent("a::b", "a::b::x"), agent("a::c", "a::c::y"), skill("a", 5)];
        let found = find(&records, &home("a::b", "a::b::x"));
        assert!(found.skills.is_empty());
        assert_eq!(lines(&found.ambiguous), [5]);
    }

    #[test]
    fn a_skill_that_names_its_agent_joins_it_from_anywhere() {
        let named = record("hotels", 5, What::Skill { agent: Some("a::x"), entry });
        let records = [agent("a", "a::x"), named];
        assert_eq!(lines(&find(&records, &home("a", "a::x")).skills), [5]);
    }

    #[test]
    fn bundled_doctests_are_crates_of_their_own() {
        let records = [
            agent("doctest_bundle_2024::a", "x"),
            agent("doctest_bundle_2024::b", "y"),
            skill("doctest_bundle_2024::c", 5),
            skill("doctest_bundle_2024::b::deep", 6),
        ];
        let found = find(&records, &home("doctest_bundle_2024::b", "y"));
        assert_eq!(lines(&found.skills), [6]);
        assert!(found.ambiguous.is_empty() && found.orphans.is_empty());
    }

    #[test]
    fn skills_come_in_the_order_of_the_source() {
        let records = [skill("a", 9), agent("a", "a::x"), skill("a", 3)];
        assert_eq!(lines(&find(&records, &home("a", "a::x")).skills), [3, 9]);
    }

    #[test]
    fn an_orphan_concerns_the_agents_of_its_crate_alone() {
        let records = [agent("a", "a::x"), skill("b", 5)];
        let found = find(&records, &home("a", "a::x"));
        assert!(found.skills.is_empty() && found.orphans.is_empty());
    }

    #[cfg(feature = "inventory")]
    mod annotated {
        /// Plans trips.
        #[crate::agent(crate = crate)]
        pub(super) async fn travel(text: String) -> String {
            text
        }

        pub(super) mod inner {
            /// Prices a trip.
            #[crate::skill(crate = crate)]
            async fn price(text: String) -> String {
                text
            }

            /// Tells a story, to another agent's callers.
            #[crate::skill(crate = crate, agent = super::super::elsewhere::Stories)]
            async fn story(text: String) -> String {
                text
            }
        }
    }

    #[cfg(feature = "inventory")]
    mod elsewhere {
        /// Tells stories.
        #[crate::agent(crate = crate)]
        pub(super) struct Stories;
    }

    #[cfg(feature = "inventory")]
    #[test]
    fn annotated_skills_find_their_agents() {
        let found = |agent: &crate::Agent| -> Vec<String> {
            let home = agent.home.expect("the macro says where the agent stands");
            find(&registered(), &home)
                .skills
                .iter()
                .filter_map(|record| Some(record.entry()?.id().to_owned()))
                .collect()
        };
        assert_eq!(found(&annotated::travel::agent()), ["price"]);
        assert_eq!(found(&elsewhere::Stories::agent()), ["story"]);
    }
}
