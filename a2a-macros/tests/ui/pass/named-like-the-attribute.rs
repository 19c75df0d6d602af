use a2a_sdk::{agent, skill};

/// Answers.
#[agent]
async fn agent(text: String) -> String {
    text
}

/// Does things.
#[skill]
async fn skill(text: String) -> String {
    text
}

fn main() {
    let _ = agent::agent();
    let _ = skill::entry();
}
