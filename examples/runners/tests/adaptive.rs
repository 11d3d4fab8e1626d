//! Adaptive random testing finds regions of failures in fewer tests than random testing does.

use forall::prelude::*;
use forall::run::{Found, Run, Settings, Store};
use forall_example_runners as _;

/// The number of tests up to the first failure.
fn tests_needed(runner: &str, seed: u64) -> u64 {
    // One in 278 inputs fails, all in one square.
    let property = property! {
        forall x in 0..1000u32;
        forall y in 0..1000u32;
        check !((500..560).contains(x) && (300..360).contains(y))
    };
    let settings = Settings::new().tests(20_000).seed(seed).runner(runner).store(Store::Off);
    let settings = settings.shrink_evaluations(0).explain(0);
    match Run::new("a square", &property).settings(settings).report().counterexample.map(|found| found.found) {
        Some(Found::Random { index, .. } | Found::Guided { index }) => index + 1,
        other => panic!("{runner} does not find it: {other:?}"),
    }
}

#[test]
fn a_block_of_failures_is_found_in_fewer_tests_than_at_random() {
    let needed = |runner| (1..=20).map(|seed| tests_needed(runner, seed)).sum::<u64>();
    let (random, adaptive) = (needed("generational"), needed("adaptive"));
    assert!(adaptive < random, "{adaptive} tests, {random} at random");
}

#[forall::test(runner = adaptive)]
fn an_attribute_names_the_runner(xs: Vec<u8>) {
    assert!(xs.iter().rev().rev().eq(&xs));
}
