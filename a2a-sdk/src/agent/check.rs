//! What is checked when an agent is built, all at once.

use super::{Agent, Binding, registry};
use crate::error::{Error, Problem};
use crate::skill::{SKILLS_EXTENSION, SkillEntry};
use std::collections::HashMap;

impl Agent {
    /// The skills of the agent: its own, and those that join it from elsewhere in the program.
    pub(crate) fn checked_skills(&self) -> Result<Vec<SkillEntry>, Error> {
        let mut problems = Vec::new();
        let mut skills: Vec<SkillEntry> = self.default_skill.iter().chain(&self.skills).cloned().collect();
        if let Some(home) = self.home.filter(|home| !home.explicit) {
            let found = registry::find(&registry::registered(), &home);
            skills.extend(found.skills.iter().filter_map(|record| record.entry()));
            for orphan in found.orphans {
                let id = orphan.id();
                problems.push(Problem {
                    text: format!("skill `{id}` joins no agent: none is near to it"),
                    help: format!("write `#[skill(agent = path::to::{})]`", self.id),
                    at: Some(orphan.location),
                });
            }
            for ambiguous in found.ambiguous {
                let id = ambiguous.id();
                problems.push(Problem {
                    text: format!("skill `{id}` could join several agents"),
                    help: "name one: `#[skill(agent = path::to::agent)]`".to_owned(),
                    at: Some(ambiguous.location),
                });
            }
        }
        self.check_texts(&skills, &mut problems);
        self.check_ids(&skills, &mut problems);
        self.check_states(&skills, &mut problems);
        self.check_security(&skills, &mut problems);
        self.check_extensions(&mut problems);
        self.check_bindings(&mut problems);
        if problems.is_empty() { Ok(skills) } else { Err(Error::build(&self.id, problems)) }
    }

    fn check_texts(&self, skills: &[SkillEntry], problems: &mut Vec<Problem>) {
        if skills.is_empty() {
            problems.push(Problem {
                text: "it has no skills".to_owned(),
                help: "annotate an async fn with `#[skill]`, or give one with `.skill(entry)`; a crate that only \
                       holds skills is linked by `use its_name as _;`"
                    .to_owned(),
                at: self.home.map(|home| home.location),
            });
        }
        if self.description.trim().is_empty() {
            problems.push(Problem {
                text: "it has no description".to_owned(),
                help: "say what it does in a doc comment, or with `.description(..)`".to_owned(),
                at: self.home.map(|home| home.location),
            });
        }
        for skill in skills.iter().filter(|skill| skill.description.trim().is_empty()) {
            problems.push(Problem {
                text: format!("skill `{}` has no description", skill.id),
                help: "say what it does, so that callers can choose it".to_owned(),
                at: skill.location,
            });
        }
    }

    fn check_ids(&self, skills: &[SkillEntry], problems: &mut Vec<Problem>) {
        let mut seen: HashMap<&str, &SkillEntry> = HashMap::new();
        for skill in skills {
            if let Some(first) = seen.insert(&skill.id, skill) {
                let other = first.location.map(|at| format!(" (the other is at {at})")).unwrap_or_default();
                problems.push(Problem {
                    text: format!("two skills have the id `{}`{other}", skill.id),
                    help: "give one of them another: `#[skill(id = \"..\")]`".to_owned(),
                    at: skill.location,
                });
            }
        }
    }

    fn check_states(&self, skills: &[SkillEntry], problems: &mut Vec<Problem>) {
        for skill in skills {
            for (id, name) in &skill.needs.states {
                if !self.states.has(*id) {
                    problems.push(Problem {
                        text: format!("skill `{}` takes `State<{name}>`, and the agent holds none", skill.id),
                        help: format!("give it one: `.state(value)` with a `{name}`"),
                        at: skill.location,
                    });
                }
            }
        }
    }

    /// What the card declares must be enforced, or callers believe what is not so.
    fn check_security(&self, skills: &[SkillEntry], problems: &mut Vec<Problem>) {
        if !self.security_schemes.is_empty() && !self.checks_callers() {
            problems.push(Problem {
                text: "it declares security, and nothing checks its callers".to_owned(),
                help: "give it a layer that does, such as `.layer(BearerTokens::new(..))`".to_owned(),
                at: self.home.map(|home| home.location),
            });
        }
        for skill in skills {
            let named = skill.security_requirements.iter().flat_map(|requirement| requirement.schemes.keys());
            for name in named.filter(|name| !self.security_schemes.contains_key(*name)) {
                let known: Vec<_> = self.security_schemes.keys().map(|name| format!("`{name}`")).collect();
                let help = match known.as_slice() {
                    [] => format!(
                        "declare it: `#[agent(security({name}))]`, or `.security(\"{name}\", scheme)`"
                    ),
                    known => format!("declare it, or name one that is declared: {}", known.join(", ")),
                };
                problems.push(Problem {
                    text: format!(
                        "skill `{}` needs the security scheme `{name}`, which the agent does not declare",
                        skill.id
                    ),
                    help,
                    at: skill.location,
                });
            }
        }
    }

    #[cfg(feature = "server")]
    fn checks_callers(&self) -> bool {
        !self.settings.layers.is_empty()
    }

    /// Without a server there are no callers: a card is all there is.
    #[cfg(not(feature = "server"))]
    fn checks_callers(&self) -> bool {
        true
    }

    /// An extension has one declaration, and ours is the SDK's.
    fn check_extensions(&self, problems: &mut Vec<Problem>) {
        let mut seen = vec![SKILLS_EXTENSION];
        for extension in &self.extensions {
            if seen.contains(&extension.uri.as_str()) {
                problems.push(Problem {
                    text: format!("the extension `{}` is declared twice", extension.uri),
                    help: "declare it once".to_owned(),
                    at: self.home.map(|home| home.location),
                });
            }
            seen.push(&extension.uri);
        }
    }

    /// The card may be made anywhere; what serves it must have what it says.
    fn check_bindings(&self, problems: &mut Vec<Problem>) {
        if self.bindings.is_empty() {
            problems.push(Problem {
                text: "it is served over no binding".to_owned(),
                help: "name one at least: `.bindings([Binding::JsonRpc])`".to_owned(),
                at: self.home.map(|home| home.location),
            });
        }
        if cfg!(feature = "server") && !cfg!(feature = "grpc") && self.bindings.contains(&Binding::Grpc) {
            problems.push(Problem {
                text: "its card declares gRPC, which is not compiled in".to_owned(),
                help: "enable the feature `grpc` of a2a-sdk, or leave it out: \
                       `.bindings([Binding::JsonRpc, Binding::HttpJson])`"
                    .to_owned(),
                at: self.home.map(|home| home.location),
            });
        }
        if cfg!(feature = "server") && !cfg!(feature = "compat-0-3") && self.legacy {
            problems.push(Problem {
                text: "its card declares protocol 0.3, which is not compiled in".to_owned(),
                help: "enable the feature `compat-0-3` of a2a-sdk, or leave it out: `.legacy(false)`"
                    .to_owned(),
                at: self.home.map(|home| home.location),
            });
        }
    }
}
