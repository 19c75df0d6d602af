//! What the compiler says to a mistake, and what compiles.

#[test]
fn mistakes_are_explained_where_they_stand() {
    trybuild::TestCases::new().compile_fail("tests/ui/fail/*.rs");
}

#[test]
fn what_should_compile_compiles() {
    trybuild::TestCases::new().pass("tests/ui/pass/*.rs");
}
