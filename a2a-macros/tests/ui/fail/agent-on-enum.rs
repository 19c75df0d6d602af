#[a2a_sdk::agent]
enum Desk {}

fn main() {}
