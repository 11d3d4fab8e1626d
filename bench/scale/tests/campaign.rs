//! Properties for many workers: one whose tests can be told apart, one that holds, one with a rare bug, and forty with a bug for each worker.

use forall::prelude::*;

/// Every test says which one it is.
#[forall::test]
fn numbered(#[forall(from_fn(|s| s.choice(u64::MAX)))] number: u64) {
    label!("{number:x}");
}

/// Some work, and nothing to find.
#[forall::test]
fn sorting_sorts(mut numbers: Vec<u32>) {
    numbers.sort_unstable();
    assert!(numbers.is_sorted());
}

/// About one test of two hundred thousand fails.
#[forall::test]
fn rare(#[forall(from_fn(|s| s.choice(199_999)))] number: u64) {
    assert_ne!(number, 123_456);
}

/// The worker this is, as the suite calls it, and its number. Each worker has its own bugs, so that no other worker
/// sends a failure that it lost.
fn worker() -> (String, u32) {
    let name = std::env::var("BENCH_WORKER").unwrap_or_default();
    let number = name.bytes().last().map_or(0, |last| u32::from(last.wrapping_sub(b'a')) % 4);
    (name, number)
}

/// Forty bugs per worker: each takes a while to find, and some steps to shrink.
macro_rules! bugs {
    ($($name:ident $modulus:literal)*) => {
        $(
            #[forall::test]
            fn $name(numbers: Vec<u32>) {
                std::thread::sleep(std::time::Duration::from_micros(50));
                let sum = numbers.iter().fold(0u32, |sum, number| sum.wrapping_add(*number));
                let (name, number) = worker();
                assert!(numbers.len() < 5 || sum % $modulus != number, "{} of {name} is met", stringify!($name));
            }
        )*
    };
}

bugs! {
    bug_00 37 bug_01 5 bug_02 7 bug_03 11 bug_04 13 bug_05 17 bug_06 19 bug_07 23 bug_08 29 bug_09 31
    bug_10 37 bug_11 5 bug_12 7 bug_13 11 bug_14 13 bug_15 17 bug_16 19 bug_17 23 bug_18 29 bug_19 31
    bug_20 37 bug_21 5 bug_22 7 bug_23 11 bug_24 13 bug_25 17 bug_26 19 bug_27 23 bug_28 29 bug_29 31
    bug_30 37 bug_31 5 bug_32 7 bug_33 11 bug_34 13 bug_35 17 bug_36 19 bug_37 23 bug_38 29 bug_39 31
}
