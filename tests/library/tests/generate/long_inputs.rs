//! Long inputs: shrinking takes few steps, each linear in the input; reports fit on a screen; inputs beyond the
//! recording limit are reported as well.

use forall::generate::{any, from_fn, string, vec};
use forall::prelude::*;
use forall::property::Property;
use forall::report::{Style, render};
use forall::run::{Found, Report, Run, Settings, Store, Verdict};
use std::cell::Cell;
use std::time::Duration;

fn report(property: &dyn Property, seed: u64) -> Report {
    let settings = Settings::new().seed(seed).store(Store::Off).explain(0).enumerate(false);
    Run::new("long", property).settings(settings).report()
}

/// The smallest value that fails, where there is one variable; it took few evaluations.
fn smallest(property: &dyn Property) -> String {
    let found = report(property, 3).counterexample.unwrap();
    assert!(found.shrinking.evaluations < 1000, "{}", found.shrinking.evaluations);
    assert_eq!(found.shrinking.cut_short, None);
    found.bindings[0].printed.text().to_owned()
}

#[test]
#[ignore = "slow: 14 s"]
fn a_list_of_a_hundred_thousand_elements_is_shrunk_to_few() {
    let bytes = || vec(any::<u8>()).len(0..100_000);
    assert_eq!(smallest(&property! { forall v in bytes(); check v.len() < 10 }), "vec![0, 0, 0, 0, 0, 0, 0, 0, 0, 0]");
    assert_eq!(smallest(&property! { forall v in bytes(); check !v.contains(&200) }), "vec![200]");
    assert_eq!(smallest(&property! { forall v in bytes(); check v.is_sorted() }), "vec![1, 0]");
    let text = || string(any::<char>()).len(0..100_000);
    assert_eq!(smallest(&property! { forall s in text(); check s.len() < 5 }), "String::from(\"aaaaa\")");
    let lists = || vec(any::<Vec<u8>>()).len(0..20_000);
    let property = property! { forall v in lists(); check v.iter().map(Vec::len).sum::<usize>() < 3 };
    assert_eq!(smallest(&property), "vec![vec![0, 0, 0]]");
}

#[test]
fn a_minimum_length_is_found_with_few_candidates() {
    let candidates = |property: &dyn Property| {
        let found = report(property, 3).counterexample.unwrap();
        assert_eq!(found.shrinking.cut_short, None);
        found.shrinking.candidates
    };
    let text = || string(any::<char>()).len(8_000..8_010);
    let few = candidates(&property! { forall s in text(); check s.chars().count() < 8_000 });
    assert!(few < 1_000, "{few} candidates");
    let numbers = || vec(any::<u32>()).len(2_000..2_010);
    let few = candidates(&property! { forall v in numbers(); check v.iter().all(|&n| n < 1_000) });
    assert!(few < 2_000, "{few} candidates");
}

#[test]
#[ignore = "slow: 4 s"]
fn the_relevant_number_among_many_is_found() {
    let numbers = || vec(any::<u32>()).len(5_000);
    let found = report(&property! { forall v in numbers(); check v[1234] < 1000 }, 3).counterexample.unwrap();
    assert!(found.shrinking.evaluations < 300, "{}", found.shrinking.evaluations);
    let zeros = |count| "0, ".repeat(count);
    let text = format!("vec![{}1000, {}]", zeros(1234), zeros(5_000 - 1235)).replace(", ]", "]");
    assert_eq!(found.bindings[0].printed.text(), text);
}

#[test]
fn the_time_limit_holds_where_all_of_a_long_input_matters() {
    let settings = Settings::new().seed(3).store(Store::Off).explain(0).shrink_time(Duration::from_millis(300));
    let numbers = || vec(any::<u64>()).len(20_000);
    let property = property! { forall v in numbers(); check v.iter().filter(|n| *n % 3 == 2).count() < 2_000 };
    let report = Run::new("long", &property).settings(settings).report();
    let found = report.counterexample.as_ref().unwrap();
    let cut_short = found.shrinking.cut_short.as_ref().expect("there is more to shrink").to_string();
    assert!(cut_short.contains("FORALL_SHRINK_TIME"), "{cut_short}");
    let text = render(&report, &Style::plain());
    assert!(text.lines().count() < 60 && text.len() < 8_000, "{text}");
    assert!(text.contains("characters in all; set FORALL_VERBOSE=1 to print all of it)"), "{text}");
}

#[test]
#[ignore = "slow: 4 s"]
fn a_counterexample_of_a_hundred_thousand_elements_names_the_limit_that_ended_shrinking() {
    let settings = Settings::new().seed(3).store(Store::Off).explain(0).shrink_evaluations(5);
    let settings = settings.shrink_time(Duration::from_secs(3_600));
    let numbers = || vec(any::<u8>()).len(100_000);
    let property = property! { forall v in numbers(); check v.iter().filter(|n| *n % 3 == 2).count() < 20_000 };
    let report = Run::new("long", &property).settings(settings).report();
    let found = report.counterexample.as_ref().unwrap();
    assert!(found.shrinking.evaluations + found.shrinking.at_random <= 5, "{:?}", found.shrinking);
    let text = render(&report, &Style::plain());
    assert!(text.contains("not completely, stopped after 5 evaluations (`FORALL_SHRINK_EVALUATIONS`)"), "{text}");
    assert!(text.lines().count() < 60 && text.len() < 8_000, "{text}");
}

#[test]
fn an_input_too_long_for_a_command_is_replayed_by_its_index() {
    let settings = Settings::new().seed(3).store(Store::Off).explain(0).shrink_evaluations(0);
    let property = property! { forall v in vec(any::<u64>()).len(2_000); check v.len() < 2_000 };
    let text = render(&Run::new("long", &property).settings(settings).report(), &Style::plain());
    assert!(text.contains("replay:   FORALL_SEED=0x3 FORALL_DO='run long 0..1' cargo test "), "{text}");
}

/// Lists of so many elements make more choices than can be recorded, two for each.
const TOO_LONG: usize = 2_100_000;

/// The first test that is not shaped. Shaped tests are recorded from the start, and discarded if they are too long.
const PLAIN: u64 = 28;

/// Empty lists in the tests before [`PLAIN`], and long ones from there on.
fn too_long() -> impl Generator<Value = Vec<u8>> {
    let tests = Cell::new(0);
    from_fn(move |source: &mut Source| {
        tests.set(tests.get() + 1);
        source.draw(vec(any::<u8>()).len(if tests.get() <= PLAIN { 0..1 } else { 0..3_000_000 }))
    })
}

/// A seed with which the test [`PLAIN`] is too long.
fn seed() -> u64 {
    let long = || vec(any::<u8>()).len(0..3_000_000);
    (0..).find(|&seed| long().generate(&mut Source::random(seed, PLAIN, 0)).len() > TOO_LONG).unwrap()
}

#[test]
#[ignore = "slow: 9 s"]
fn a_failure_above_the_recording_limit_is_shrunk() {
    let lists = too_long();
    let found = report(&property! { forall v in &lists; check v.len() < 3 }, seed());
    assert_eq!(found.verdict, Verdict::Failed);
    let found = found.counterexample.unwrap();
    assert!(matches!(found.found, Found::Random { index: PLAIN, .. }), "{:?}", found.found);
    assert_eq!(found.bindings[0].printed.text(), "vec![0, 0, 0]");
    assert!(found.caveats[0].to_string().contains("a prefix of it fails in the same way"), "{:?}", found.caveats);
}

#[test]
#[ignore = "slow: 16 s"]
fn a_failure_above_the_recording_limit_is_reported_by_seed_and_index() {
    let (seed, lists) = (seed(), too_long());
    let report = report(&property! { forall v in &lists; check v.len() < TOO_LONG }, seed);
    assert_eq!(report.verdict, Verdict::Failed, "{:?}", report.warnings);
    assert_eq!(report.warnings, []);
    let found = report.counterexample.as_ref().unwrap();
    assert!(found.unrecorded && found.case.sequence.is_empty());
    let text = render(&report, &Style::plain());
    assert!(text.contains("    // let v: Vec<u8> = vec!["), "{text}");
    let replay = format!("replay:   FORALL_SEED={seed:#x} FORALL_DO='run long 28..29' cargo test ");
    assert!(text.contains(&replay), "{text}");
    assert!(text.contains("more than 4,194,304 choices"), "{text}");
    assert!(text.lines().count() < 60 && text.len() < 8_000, "{text}");
}
