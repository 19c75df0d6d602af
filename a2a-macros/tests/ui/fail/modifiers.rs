/// Prices a trip.
#[a2a_sdk::skill]
async unsafe extern "C" fn price(text: String) -> String {
    text
}

fn main() {}
