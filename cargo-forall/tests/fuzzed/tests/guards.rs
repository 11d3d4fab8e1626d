//! No guard can be passed. All of this is false.

use fuzzed::{guarded, maze};

#[forall::test]
fn one_number_is_not_found(x: u32) {
    assert!(!guarded::one_number(x));
}

#[forall::test]
fn magic_prefix_is_not_found(bytes: Vec<u8>) {
    assert!(!guarded::magic_prefix(&bytes));
}

#[forall::test]
fn checksum_is_not_found(bytes: Vec<u8>) {
    assert!(!guarded::checksum(&bytes));
}

#[forall::test]
fn keyword_is_not_found(text: String) {
    assert!(!guarded::keyword(&text));
}

#[forall::test]
fn printed_is_not_found(text: String) {
    assert!(!guarded::printed(&text));
}

#[forall::test]
fn maze_is_not_found(path: Vec<u8>) {
    assert!(!maze::leads_out(&path));
}

#[forall::test]
fn nested_is_not_found(text: String) {
    assert!(!guarded::nested(&text));
}
