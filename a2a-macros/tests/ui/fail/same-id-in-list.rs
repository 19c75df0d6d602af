mod hotels {
    /// Finds hotels.
    #[a2a_sdk::skill(id = "search")]
    pub async fn find(text: String) -> String {
        text
    }
}

/// Finds flights.
#[a2a_sdk::skill]
async fn search(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::skill(id = "travel")]
async fn plan(text: String) -> String {
    text
}

/// Plans trips.
#[a2a_sdk::agent(skills = [search, hotels::find, plan])]
async fn travel(text: String) -> String {
    text
}

fn main() {}
