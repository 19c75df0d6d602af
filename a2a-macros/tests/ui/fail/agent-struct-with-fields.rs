/// Plans trips.
#[a2a_sdk::agent(tags = ["travel"])]
struct Travel {
    _rates: u8,
}

fn main() {}
