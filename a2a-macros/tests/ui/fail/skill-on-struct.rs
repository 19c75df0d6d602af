/// Prices a trip.
#[a2a_sdk::skill]
struct Price;

fn main() {}
