/// Is not there.
#[a2a_sdk::skill]
#[cfg(any())]
async fn absent(text: Missing) -> String {
    text
}

/// Is not there either.
#[cfg(any())]
#[a2a_sdk::agent]
async fn absent(text: Missing) -> String {
    text
}

/// Is there.
#[a2a_sdk::skill]
#[cfg(all())]
#[cfg_attr(all(), inline)]
async fn present(text: String) -> String {
    text
}

#[allow(dead_code, non_camel_case_types)]
struct absent;

fn main() {
    let _ = present::entry();
}
