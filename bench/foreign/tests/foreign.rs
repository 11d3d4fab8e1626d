//! Generators of proptest and quickcheck in forall's properties: their values, shrinking, and replay.

use forall::prelude::*;
use forall::property::Property;
use forall::run::{Case, Found, Run, Settings, Store, Tested, Tester, Verdict};
use foreign_generators::{arbitrary, strategy};
use proptest::collection::vec as proptest_vec;
use proptest::strategy::Strategy as _;

fn settings() -> Settings {
    Settings::new().tests(1000).store(Store::Off)
}

/// The shrunk variables, for a few seeds.
fn shrunk(property: &dyn Property) -> Vec<Vec<String>> {
    let run = |seed| Run::new("foreign", property).settings(settings().seed(seed)).report();
    let texts = |seed| {
        let report = run(seed);
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let found = report.counterexample.expect("it fails");
        found.bindings.iter().map(|variable| variable.printed.text().to_owned()).collect()
    };
    (0..3).map(texts).collect()
}

#[test]
fn a_strategy_generates_and_shrinks_as_in_proptest() {
    let small = property! {
        forall xs in strategy(proptest_vec(0..1000i32, 0..20)), shrink |xs| xs.simpler();
        check xs.iter().all(|x| *x < 500)
    };
    assert_eq!(shrunk(&small), [["[500]"]; 3]);
    let no_b = property! {
        forall word in strategy("[a-z]{0,10}"), shrink |word| word.simpler();
        check !word.contains('b')
    };
    assert_eq!(shrunk(&no_b), [["\"b\""]; 3]);
    let mapped = property! {
        forall n in strategy((1..100u32).prop_flat_map(|n| (0..n).prop_map(move |m| m * 10))), shrink |n| n.simpler();
        check **n % 20 == 0
    };
    assert_eq!(shrunk(&mapped), [["10"]; 3]);
}

#[test]
fn an_arbitrary_generates_and_shrinks_as_in_quickcheck() {
    let small = property! {
        forall xs in arbitrary::<Vec<i16>>(), shrink quickcheck::Arbitrary::shrink;
        check xs.iter().all(|x| *x < 500)
    };
    assert_eq!(shrunk(&small), [["vec![500]"]; 3]);
}

#[test]
fn without_its_own_shrinker_a_value_stays_and_the_others_shrink_around_it() {
    let property = property! {
        forall seeded in strategy(1..1000u32);
        forall ours in 0..1000u32;
        check *ours < 100
    };
    for found in shrunk(&property) {
        assert_eq!(found[1], "100");
    }
}

#[test]
fn later_variables_follow_a_foreign_one() {
    let property = property! {
        forall xs in strategy(proptest_vec(0..9u8, 1..20)), shrink |xs| xs.simpler();
        forall at in 0..xs.len();
        check *at < 3
    };
    assert_eq!(shrunk(&property), [["[0, 0, 0, 0]", "3"]; 3]);
}

#[test]
fn a_failure_is_saved_and_replayed() {
    let finds = std::env::temp_dir().join(format!("forall-foreign-{}", std::process::id()));
    let settings = |seed| settings().seed(seed).store(Store::Directory(finds.clone()));
    let property = property! {
        forall n in strategy(0..100_000u32), shrink |n| n.simpler();
        forall text in arbitrary::<String>(), shrink quickcheck::Arbitrary::shrink;
        check **n < 777 || text.len() < 3
    };
    let first = Run::new("kept", &property).settings(settings(1)).report().counterexample.unwrap();
    let again = Run::new("kept", &property).settings(settings(2)).report().counterexample.unwrap();
    std::fs::remove_dir_all(&finds).unwrap();
    assert!(matches!(again.found, Found::Stored(_)));
    assert_eq!((&again.bindings, &again.case), (&first.bindings, &first.case));
    assert!(!first.case.steps.is_empty(), "it was shrunk on values");

    let pasted = Case::from_text(&first.case.to_text()).unwrap();
    let tester = Tester::new("kept", &property, 1);
    assert_eq!(tester.print(&pasted), first.bindings);
    assert!(matches!(tester.run(&pasted).1, Tested::Fail(_)));
}

#[test]
fn a_strategy_without_values_discards_and_the_run_gives_up() {
    let property = property! {
        forall n in strategy((0..10u32).prop_filter("none", |_| false));
        check **n < 10
    };
    let verdict = Run::new("none", &property).settings(settings().tests(10)).report().verdict;
    assert!(matches!(verdict, Verdict::GaveUp(_)), "{verdict:?}");
}

#[test]
fn the_size_of_a_test_is_that_of_quickcheck() {
    let longest = |size: u32| {
        let settings = settings().size(size).seed(1);
        let property = property! { forall xs in arbitrary::<Vec<()>>(); check { target!(xs.len() as f64); } };
        let session = Run::new("sizes", &property).settings(settings).session().unwrap();
        let mut longest = 0.0;
        for index in 0..2000 {
            // The size is a choice, which a shaped test may change.
            session.tester.run_source(Source::record(session.seed, index, size), &[]);
            longest = session.tester.context().take_score().unwrap_or(0.0).max(longest);
        }
        longest
    };
    assert_eq!((longest(0), longest(10), longest(100)), (0.0, 10.0, 100.0));
}
