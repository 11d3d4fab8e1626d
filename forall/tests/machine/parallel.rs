use super::support::*;
use forall::machine::{Parallel, refute};
use forall::prelude::*;
use forall::property::FailureKind;
use forall::run::Settings;
use std::time::Instant;

#[test]
fn a_queue_behind_a_lock_is_linearizable() {
    let property = property! { forall program: Parallel<QueueSpec<NO_BUG>>; check program.check() };
    let report = report_with(&property, Settings::new().tests(40));
    assert!(report.verdict.is_success(), "{:?}", report.counterexample);
}

#[test]
fn a_race_is_found_and_shrunk_to_few_commands() {
    let property = property! { forall program: Parallel<QueueSpec<RACES>>; check program.check() };
    let start = Instant::now();
    let report = refute("a racing queue", &property, Settings::new().tests(200));
    let counterexample = report.counterexample.unwrap();
    let text = counterexample.bindings[0].printed.text().to_owned();
    let commands = text.matches("Queued::").count();
    assert!(commands <= 4, "{commands} commands: {text}, {:?}", start.elapsed());
    assert!(counterexample.failure.message.starts_with("no order of the commands explains the responses\n\n"));
}

#[test]
fn a_panic_in_a_branch_is_an_error() {
    let property = property! { forall program: Parallel<QueueSpec<PANICS>>; check program.stress() };
    let failure = report(&property, 1).counterexample.unwrap().failure;
    assert_eq!(failure.kind, FailureKind::Panic);
    assert!(failure.message.starts_with("nothing to pop\n(an error of the system, in Pop"), "{}", failure.message);
}

#[test]
fn three_branches_run_at_once() {
    let property = property! { forall program: Parallel<QueueSpec<NO_BUG>, 3>; check program.check() };
    let report = report_with(&property, Settings::new().tests(20));
    assert!(report.verdict.is_success(), "{:?}", report.counterexample);
}
