//! `forall write`: what it writes compiles, and finds bugs.
#![cfg(target_os = "linux")]

mod support;

use insta::assert_snapshot;
use support::Workspace;

const SOURCE: &str = "\
pub fn encode(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| byte ^ 1).collect()
}

pub fn decode(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.iter().map(|byte| byte ^ 1).collect()).ok()
}

pub fn normalise(mut words: Vec<String>) -> Vec<String> {
    words.sort();
    words.pop();
    words
}

pub fn total(numbers: &[u8]) -> u64 {
    numbers.iter().map(|&number| u64::from(number)).sum()
}

pub fn slow_total(values: Vec<u8>) -> u64 {
    values.into_iter().fold(0, |total, value| total + u64::from(value))
}
";

#[test]
fn what_is_written_compiles_and_finds_bugs() {
    let workspace = Workspace::new("write", &["shop"]);
    let mut source = SOURCE.to_owned() + "#[cfg(test)]\nmod tests {\nuse super::*;\n";
    for arguments in [
        &["round-trip", "encode", "decode"][..],
        &["idempotence", "normalise"],
        &["equivalence", "total", "slow_total"],
        &["no-panic", "decode"],
    ] {
        workspace.write("shop/src/lib.rs", SOURCE);
        let said = workspace.forall(&[&["write"], arguments].concat());
        source += said.strip_prefix("exit code 0\n").unwrap_or_else(|| panic!("{said}"));
    }
    assert_snapshot!("written", source);
    workspace.write("shop/src/lib.rs", &(source + "}\n"));
    let said = workspace.forall(&["run", "--seed", "7"]);
    assert!(said.contains("FAILED  shop::tests::normalise_twice_is_normalise_once"), "{said}");
    assert!(said.contains("4 properties: 3 passed, 1 did not"), "{said}");
}

#[test]
fn what_cannot_be_written_is_told() {
    let workspace = Workspace::new("write-wrong", &["shop"]);
    workspace.write("shop/src/lib.rs", SOURCE);
    assert_snapshot!("no_such_function", workspace.forall(&["write", "no-panic", "decoed"]));
    assert_snapshot!("other_types", workspace.forall(&["write", "equivalence", "encode", "decode"]));
    assert_snapshot!("help_write", workspace.forall(&["write", "--help"]));
}
