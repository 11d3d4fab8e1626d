//! Tests of the runner that collects all distinct failures.

use forall::prelude::*;
use forall::property::Property;
use forall::run::{Event, Found, Observer, Run, Settings, Store, Verdict};
use forall_example_runners::collecting::{Collected, collecting};
use forall_example_runners::programs::shares;
use std::cell::Cell;

fn settings() -> Settings {
    Settings::new().seed(2026).store(Store::Off)
}

fn collect(property: &dyn Property, settings: Settings) -> Collected {
    collecting(Run::new("collecting", property).settings(settings).session().expect("the settings make sense"))
}

fn smallest(collected: &Collected) -> Vec<&str> {
    let mut inputs: Vec<&str> = Vec::new();
    for failure in &collected.failures {
        inputs.push(failure.counterexample.bindings[0].printed.text());
    }
    inputs.sort();
    inputs
}

const THE_THREE: [&str; 3] = ["vec![0]", "vec![1, 2147483647]", "vec![]"];

#[test]
fn three_bugs_are_three_minimal_failures() {
    let property = property! { forall amounts: Vec<i32>; check shares(amounts).len() == amounts.len() };
    let collected = collect(&property, settings().tests(2000));
    assert_eq!(smallest(&collected), THE_THREE);
    assert_eq!(collected.report.verdict, Verdict::Failed);
    assert_eq!(collected.report.statistics.valid, 2000, "no failure ended the run");
    let failed: u64 = collected.failures.iter().map(|failure| failure.times).sum();
    assert!(failed > 100 && failed < 2000, "{failed}");
    let text = collected.render(&forall::report::Style::plain());
    for part in ["failure 1 of 3", "failure 3 of 3", "divide by zero", "fits in 32 bits", "index out of bounds"] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

#[test]
fn all_saved_failures_are_replayed() {
    let finds = std::env::temp_dir().join(format!("forall-collecting-{}", std::process::id()));
    let settings = || settings().store(Store::Directory(finds.clone()));
    let property = property! { forall amounts: Vec<i32>; check shares(amounts).len() == amounts.len() };
    collect(&property, settings().tests(2000));
    let again = collect(&property, settings().tests(1));
    std::fs::remove_dir_all(&finds).unwrap();
    assert_eq!(smallest(&again), THE_THREE);
    assert!(again.failures.iter().all(|failure| matches!(failure.counterexample.found, Found::Stored(_))));
}

#[derive(Default)]
struct Counts {
    tested: u64,
    failed: u64,
    finished: u64,
}

impl Observer for Counts {
    fn wants_tests(&self) -> bool {
        true
    }

    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Tested { .. } => self.tested += 1,
            Event::Failed { .. } => self.failed += 1,
            Event::Finished { .. } => self.finished += 1,
            _ => {}
        }
    }
}

#[test]
fn an_observer_receives_every_test_and_each_failure_once() {
    let property = property! { forall amounts: Vec<i32>; check shares(amounts).len() == amounts.len() };
    let mut counts = Counts::default();
    let run = Run::new("collecting", &property).settings(settings().tests(2000)).observer(&mut counts);
    let failures = collecting(run.session().unwrap()).failures;
    // Those met while another one was shrunk are part of its event.
    let own = failures.iter().filter(|failure| failure.counterexample.found != Found::WhileShrinking).count();
    assert!(own > 0 && failures.len() == 3);
    assert_eq!((counts.tested, counts.failed, counts.finished), (2000, own as u64, 1));
}

#[test]
fn a_run_ends_when_every_test_fails_and_when_none_does() {
    let none = collect(&property! { forall n: u64; check n.count_ones() > 64 }, settings().tests(100));
    assert_eq!((none.failures.len(), none.failures[0].times), (1, 100));
    let all = collect(&property! { forall n: u64; check n.count_ones() <= 64 }, settings().tests(100));
    assert_eq!((all.failures.len(), all.report.verdict, all.report.statistics.valid), (0, Verdict::Passed, 100));
}

#[test]
fn a_run_ends_when_its_time_is_up() {
    let property = property! { forall n: u64; check n.count_ones() > 64 };
    let report = collect(&property, settings().tests(u64::MAX).max_time("50ms")).report;
    assert!(report.statistics.valid > 0 && report.time.as_secs() < 5, "{:?}", report.time);
}

#[test]
fn labels_count_before_and_after_a_failure() {
    let property = property! {
        forall n: u64;
        check { label!("tested"); assert!(forall::context().index() != 50) }
    };
    let collected = collect(&property, settings().tests(100));
    assert_eq!((collected.failures.len(), collected.report.statistics.labels["tested"]), (1, 99));
}

#[test]
fn a_failure_that_does_not_reproduce_is_flaky_and_the_run_continues() {
    let calls = Cell::new(0);
    let fails_once = || calls.replace(calls.get() + 1) != 10;
    let property = property! { forall n: u64; check fails_once() };
    let collected = collect(&property, settings().tests(100));
    assert_eq!((&collected.failures[0].verdict, &collected.report.verdict), (&Verdict::Flaky, &Verdict::Flaky));
    assert_eq!(collected.report.statistics.valid, 100);
}

#[test]
fn a_generator_at_fault_ends_the_run() {
    let property = property! { forall n in 0..100u32, contract *n < 50; check *n < 10 };
    let verdict = collect(&property, settings().tests(1000).enumerate(false)).report.verdict;
    assert!(matches!(verdict, Verdict::Faulty(_)), "{verdict:?}");
}

#[test]
fn a_violated_contract_is_reported_with_the_value() {
    let property = property! { forall n in 0..100u32, contract *n < 90; check *n < 200 };
    let verdict = collect(&property, settings()).report.verdict;
    assert!(matches!(&verdict, Verdict::Faulty(why) if why.to_string().contains("n = 9")), "{verdict:?}");
}
