use super::expand;
use crate::compiler::TokenStream;
use crate::derive;

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap()
}

fn derived(text: &str) -> String {
    derive::expand(tokens(text)).to_string()
}

#[test]
fn a_type_without_the_attribute_gets_no_twin() {
    let plain = "enum Tree { Leaf, Node(Box<Tree>, u8) }";
    let with_twin = derived(&format!("#[forall(twin)] {plain}"));
    assert!(!derived(plain).contains("win") && with_twin.contains("TreeTwin"));
    assert!(with_twin.ends_with(&derived(plain)), "the derive itself is the same");
}

#[test]
fn mistakes_in_a_declared_twin_are_explained() {
    let form = "a twin is declared as `enum TypeTwin for path::Type { … }`, with the variants of `Type`";
    for (text, expected) in [
        ("[forall] enum T { A }", form),
        ("[forall] enum T for B", form),
        ("[forall] enum 3 for B { A }", "expected the name of the twin"),
        ("[forall] enum T<A> for B { A }", "a declared twin cannot be generic: write concrete types"),
        (
            "[forall] struct T for B { x: u8 } struct U for C { x: u8 }",
            "a `forall::twin!` declares one type: use another `forall::twin!` for the next one",
        ),
        ("[forall] enum T for B { A(u8) => }", "a function of the fields, such as `|n| Type::new(n)`,"),
    ] {
        let expanded = expand(tokens(text)).to_string();
        assert!(expanded.contains(expected), "{text}: {expanded}");
    }
}

#[test]
fn mistakes_in_the_keys_of_twins_are_explained() {
    for (text, expected) in [
        ("#[forall(twin = Vec<u8>)] struct T(u8);", "expected the name of the twin: `twin = TTwin`"),
        (
            "#[forall(twin)] struct T { #[forall(twin)] x: u8 }",
            "`twin` on a field needs a value, the twin to use for it: `twin = TypeTwin`",
        ),
        ("struct T { #[forall(twin = u8)] x: u8 }", "`twin = …` on a field needs `#[forall(twin)]` on the type"),
    ] {
        let expanded = derived(text);
        assert!(expanded.contains(expected), "{text}: {expanded}");
    }
}
