/// Prices a trip.
#[a2a_sdk::skill]
async fn price<'a, T, const N: usize>(text: T) -> T
where
    T: Clone,
{
    text
}

fn main() {}
