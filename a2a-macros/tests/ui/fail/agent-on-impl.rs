struct Desk;

#[a2a_sdk::agent]
impl Desk {}

fn main() {}
