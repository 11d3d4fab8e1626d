//! Tests of the runner that trusts assumptions.

use forall::prelude::*;
use forall::run::{Found, Report, Run, Settings, Store, Verdict};
use forall_example_runners::{bypassing, programs::Tree};
use std::cell::Cell;

fn settings() -> Settings {
    Settings::new().seed(2026).store(Store::Off).enumerate(false)
}

/// `bypassing!(property, settings)` returns the report. A macro, since the type of a property has no name.
macro_rules! bypassing {
    ($property:expr, $settings:expr) => {
        Run::new("bypassing", &$property).settings($settings).runner(|session| bypassing(&$property, session)).report()
    };
}

fn values(report: &Report) -> Vec<&str> {
    report.counterexample.iter().flat_map(|found| &found.bindings).map(|variable| variable.printed.text()).collect()
}

#[test]
fn it_finds_the_same_bug_without_evaluating_the_assumption() {
    let evaluated = Cell::new(0);
    let is_search_tree = |tree: &Tree| {
        evaluated.set(evaluated.get() + 1);
        tree.is_search_tree()
    };
    let search_tree = vec(0..1000u32).map(|keys| Tree::of(&keys));
    let property = property! {
        forall tree in &search_tree, print |tree| format!("{:?}", tree.keys());
        implies is_search_tree(tree);
        forall key in 0..1000u32;
        check {
            let mut left = tree.keys();
            left.retain(|other| other != key);
            tree.clone().delete(*key).keys() == left
        }
    };
    let settings = || settings().tests(20_000);
    let ordinary = Run::new("ordinary", &property).settings(settings()).report();
    let evaluated_by_ordinary = evaluated.take();
    let trusting = bypassing!(property, settings());
    let evaluated_by_trusting = evaluated.take();

    assert_eq!(values(&trusting), ["[0, 1, 2]", "0"], "the smallest tree that loses a key");
    assert_eq!(values(&trusting), values(&ordinary));
    let (found, expected) = (trusting.counterexample.unwrap(), ordinary.counterexample.unwrap());
    assert_eq!((&found.found, &found.case), (&expected.found, &expected.case));
    let Found::Random { index, .. } = found.found else { panic!("{:?}", found.found) };
    let saved = evaluated_by_ordinary - evaluated_by_trusting;
    assert!((index..index + 10).contains(&saved), "one evaluation for each of {index} tests is saved, not {saved}");
}

#[test]
fn a_property_that_holds_costs_no_evaluation_at_all() {
    let property = property! {
        forall xs: Vec<u8>;
        implies panic!("nobody looks");
        check xs.iter().rev().rev().eq(xs)
    };
    let report = bypassing!(property, settings().tests(1000));
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 1000));
}

#[test]
fn a_generator_that_is_not_correct_by_construction_is_blamed() {
    let property = property! { forall n in 0..100u32; implies n % 2 == 0; check n % 2 == 0 };
    let report = bypassing!(property, settings());
    let Verdict::Faulty(why) = report.verdict else { panic!("{:?}", report.verdict) };
    let why = why.to_string();
    assert!(why.contains("n % 2 == 0") && why.contains("not correct by construction"), "{why}");
    assert!(report.counterexample.is_none());
}

#[test]
fn shrinking_checks_the_assumptions_that_the_loop_skipped() {
    let property = property! {
        forall n in from_fn(|source| 2 * source.draw(0..1000u32)), shrink |n| 0..*n;
        implies n % 2 == 0;
        check *n < 101
    };
    assert_eq!(values(&bypassing!(property, settings())), ["102"]);
}

#[test]
fn a_violated_contract_is_reported_when_a_test_fails() {
    let property = property! { forall n in 0..100u32, contract *n < 90; check *n < 95 };
    let report = bypassing!(property, settings());
    assert!(matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains("`n`")), "{:?}", report.verdict);
}

#[test]
fn a_generator_without_a_value_is_named() {
    let none = elements(Vec::<u32>::new());
    let property = property! { forall flag: bool; forall n in &none; check *n < 95 || *flag };
    let report = bypassing!(property, settings());
    assert!(matches!(&report.verdict, Verdict::Faulty(why) if why.to_string().contains("`n`")), "{:?}", report.verdict);
}

#[test]
fn discards_of_generators_and_bodies_are_counted() {
    let odd = any::<u32>().filter(|n| n % 2 == 1);
    let property = property! { forall n in &odd; check { assume!(*n > 50); assert!(n % 2 == 1) } };
    let report = bypassing!(property, settings().tests(100));
    assert_eq!((&report.verdict, report.statistics.valid), (&Verdict::Passed, 100));
    assert!(report.statistics.discarded > 20);
    let property = property! { forall n in 0..1000u32; check { assume!(*n > 1000); } };
    assert!(matches!(bypassing!(property, settings()).verdict, Verdict::GaveUp(_)));
}

#[test]
fn a_failure_that_does_not_reproduce_is_flaky() {
    let calls = Cell::new(0);
    let fails_once = || calls.replace(calls.get() + 1) != 10;
    let property = property! { forall n: u64; implies *n == *n; check fails_once() };
    assert_eq!(bypassing!(property, settings()).verdict, Verdict::Flaky);
}
