use a2a_sdk::Client;

struct Price;

async fn call(client: Client) {
    let _ = client.call::<Price>("Oslo").await;
}

fn main() {}
