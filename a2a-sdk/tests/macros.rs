//! What the macros make of a fn, called by hand.

/// Greets people by name.
#[a2a_sdk::agent]
async fn greeter(name: String) -> String {
    format!("Hello, {name}!")
}

#[test]
fn the_fn_is_still_the_fn() {
    let _ = greeter("Ada".to_owned());
    let entry = greeter::entry();
    assert_eq!(entry.id(), "greeter");
    let _ = greeter::agent();
}
