//! The counterexample of a search is saved, replayed and explained like any other.

use forall::explain::{Claim, Open};
use forall::lazy::{Lazy, List};
use forall::prelude::*;
use forall::property::{IntoOutcome, Outcome, Property};
use forall::run::{Case, Found, Report, Run, Settings, Store, Tested, Tester, Verdict};
use forall::store::{Backend, Directory};
use std::cell::Cell;
use std::path::PathBuf;

/// A directory that is removed at the end of the test.
struct Finds(PathBuf);

impl Finds {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("forall-lazy-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        Self(root)
    }

    fn run(&self, property: &dyn Property, runner: &str) -> Report {
        let store = Store::Directory(self.0.clone());
        let settings = Settings::new().seed(1).store(store).runner(runner).depth(4);
        Run::new("kept", property).settings(settings).report()
    }
}

impl Drop for Finds {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn shown(report: &Report) -> Vec<String> {
    let found = report.counterexample.as_ref().expect("a counterexample");
    found.bindings.iter().map(|binding| binding.printed.text().to_owned()).collect()
}

#[test]
fn a_failure_is_saved_and_replayed_first() {
    let finds = Finds::new("stored");
    let evaluations = Cell::new(0);
    let property = property! {
        forall xs: Lazy<List<u8>>;
        forall n: Lazy<bool>;
        check { evaluations.set(evaluations.get() + 1); xs.iter().map(|x| u32::from(**x)).sum::<u32>() < 4 || **n }
    };
    let first = finds.run(&property, "exhaustive");
    assert_eq!(
        (first.verdict.clone(), shown(&first)),
        (Verdict::Failed, vec!["[1, 2, 1]".to_owned(), "false".to_owned()])
    );
    let found = first.counterexample.as_ref().expect("it is shown");
    assert!(found.stored.is_some());
    assert!(found.case.to_text().ends_with("+d4"), "{}", found.case.to_text());
    let again = finds.run(&property, "exhaustive");
    assert!(again.searched.is_empty(), "nothing was searched");
    assert!(matches!(again.counterexample.as_ref().map(|found| &found.found), Some(Found::Stored(_))));
    assert_eq!(shown(&again), shown(&first));
    let claims = |report: &Report| report.counterexample.as_ref().map(|found| found.explanation.claims.clone());
    assert_eq!(claims(&again), claims(&first));
    // The failure is replayed with any runner.
    assert_eq!(shown(&finds.run(&property, "generational")), shown(&first));
}

#[test]
fn a_fixed_failure_is_deleted() {
    let finds = Finds::new("repaired");
    let broken = property! { forall xs: Lazy<List<u8>>; check xs.len() < 3 };
    assert_eq!(finds.run(&broken, "exhaustive").verdict, Verdict::Failed);
    let store = Directory::new(&finds.0);
    assert_eq!(store.list("kept", None).expect("it can be read").ids.len(), 1);
    let repaired = property! { forall xs: Lazy<List<u8>>; check xs.len() < 9 };
    let report = finds.run(&repaired, "exhaustive");
    assert_eq!((report.verdict, report.warnings), (Verdict::Passed, vec![]));
    assert!(store.list("kept", None).expect("it can be read").ids.is_empty());
}

#[test]
fn a_saved_failure_of_another_type_is_reported_and_not_replayed() {
    let finds = Finds::new("changed");
    let lists = property! { forall xs: Lazy<List<u8>>; check xs.len() < 3 };
    assert_eq!(finds.run(&lists, "exhaustive").verdict, Verdict::Failed);
    let numbers = property! { forall xs: Lazy<u8>; check **xs < 99 };
    let report = finds.run(&numbers, "exhaustive");
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(
        report.warnings.iter().any(|text| text.to_string().contains("or its types have changed")),
        "{:?}",
        report.warnings
    );
}

#[test]
fn a_failure_replays_from_its_text() {
    // The assumption is evaluated when all variables are bound, so that the order of choices is fixed.
    let property = property! { forall xs: Lazy<List<bool>>; implies xs.len() == 2; forall n: u8; check *n < 2 };
    let explored = forall::lazy::explore(&property, 3);
    let text = explored.case.expect("it fails").to_text();
    let tester = Tester::new("again", &property, 1);
    let case = Case::from_text(&text).expect("it can be read");
    assert_eq!(case.searched_to(), Some(3));
    let (drawn, tested) = tester.run(&case);
    assert!(matches!(tested, Tested::Fail(_)), "{tested:?}");
    assert_eq!(drawn.to_text(), text, "nothing else was drawn");
    let printed: Vec<String> = tester.print(&case).iter().map(|binding| binding.printed.text().to_owned()).collect();
    assert_eq!(printed, ["_:_:[]", "2"]);
}

#[test]
fn undecided_parts_are_reported_as_claims() {
    let property = property! { forall xs: Lazy<List<bool>>; forall n: Lazy<u8>; check xs.len() < 2 || **n > 9 };
    let explored = forall::lazy::explore(&property, 3);
    let [Claim::Any(xs), Claim::Any(n)] = &explored.explanation.claims[..] else {
        panic!("{:?}", explored.explanation)
    };
    assert_eq!((xs.variable, &xs.open), (0, &Open::Pattern("_:_:_".to_owned())));
    assert_eq!((n.variable, &n.open, n.every, n.up_to_depth), (1, &Open::Whole, true, Some(3)));
}

#[test]
fn intermittent_failures_are_flaky() {
    let calls = Cell::new(0);
    let property = property! { forall n: u8; check { calls.set(calls.get() + 1); *n < 2 || calls.get() > 6 } };
    let settings = Settings::new().seed(1).store(Store::Off).runner("exhaustive").depth(3);
    let report = Run::new("flaky", &property).settings(settings).report();
    assert_eq!(report.verdict, Verdict::Flaky);
}

#[test]
fn bodies_that_return_an_outcome_are_searched() {
    let property = property! { forall n: u8; check if *n == 1 { Outcome::Discard } else { (*n < 3).into_outcome() } };
    let explored = forall::lazy::explore(&property, 3);
    assert_eq!((explored.discarded, explored.bindings[0].printed.text()), (1, "3"));
}

#[test]
fn a_fix_that_forces_less_counts_as_a_fix() {
    let finds = Finds::new("less");
    let is_repaired = Cell::new(false);
    let property = property! { forall xs: Lazy<List<u8>>; forall n: u8; check is_repaired.get() || xs.is_empty() };
    let first = finds.run(&property, "exhaustive");
    assert_eq!(shown(&first), ["_:_", "0"]);
    is_repaired.set(true);
    let second = finds.run(&property, "exhaustive");
    assert_eq!((second.verdict, second.warnings), (Verdict::Passed, Vec::new()));
    is_repaired.set(false);
    let third = finds.run(&property, "exhaustive");
    assert!(matches!(third.counterexample.map(|found| found.found), Some(Found::Searched { .. })), "it was forgotten");
}

#[test]
fn a_saved_failure_stays_if_the_property_forces_other_cells() {
    let finds = Finds::new("elsewhere");
    let is_changed = Cell::new(false);
    let property = property! {
        forall xs: Lazy<List<u8>>;
        forall n: Lazy<u8>;
        check if is_changed.get() { **n < 99 } else { xs.is_empty() || **n < 99 && xs.is_empty() }
    };
    assert_eq!(finds.run(&property, "exhaustive").verdict, Verdict::Failed);
    is_changed.set(true);
    let report = finds.run(&property, "exhaustive");
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.warnings[0].to_string().contains("evaluates different parts of its input"), "{:?}", report.warnings);
}
