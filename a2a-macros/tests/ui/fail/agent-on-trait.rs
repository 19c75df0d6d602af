#[a2a_sdk::agent]
pub trait Desk {}

fn main() {}
