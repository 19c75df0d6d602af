//! Everybody who uses a macro builds all that it is made of.

#[test]
fn the_macros_depend_on_three_crates_alone() {
    let manifest = include_str!("../Cargo.toml");
    let section = manifest.split("\n[").find_map(|section| section.strip_prefix("dependencies]\n"));
    let names: Vec<&str> = section
        .expect("a section of dependencies")
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name.trim())
        .collect();
    assert_eq!(names, ["proc-macro2", "quote", "syn"]);
    let other = manifest.matches("dependencies").count();
    assert_eq!(other, 2, "nothing is built in, or for a target alone");
}
