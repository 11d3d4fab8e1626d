//! Every shrink pass states in its module comment what it does not cover.

use super::root;

#[test]
fn every_pass_states_what_it_does_not_cover() {
    let folder = root().join("forall/src/shrink");
    let passes = std::fs::read_to_string(folder.join("passes.rs")).unwrap();
    // `("lower numbers", lower::each),`
    let modules =
        passes.lines().filter_map(|line| line.trim().strip_prefix("(\"")?.split_once("\", ")?.1.split_once("::"));
    let mut modules: Vec<&str> = modules.map(|(module, _)| module).chain(["random"]).collect();
    modules.sort_unstable();
    modules.dedup();
    assert!(modules.len() > 20, "{modules:?}");
    for module in modules {
        let source = std::fs::read_to_string(folder.join(module).with_extension("rs")).unwrap();
        let header = source.lines().map_while(|line| line.strip_prefix("//!")).collect::<Vec<_>>().concat();
        assert!(header.contains("Not covered:"), "{module}.rs does not say what it does not cover");
    }
}
