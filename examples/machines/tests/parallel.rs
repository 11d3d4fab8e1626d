//! Parallel tests.

use forall::machine::{Parallel, refute};
use forall::prelude::*;
use forall::property::Outcome;
use forall::run::{Report, Settings, Verdict};
use forall_example_machines::collections::{ChannelSpec, MapSpec, OnceSpec};
use forall_example_machines::racy_array::ArraySpec;
use forall_example_machines::tickets::{FixedSpec, RacySpec};
use forall_example_machines::weak_set::WeakSetSpec;

/// The number of programs; each is repeated 25 times.
const PROGRAMS: u64 = 30;

/// On a busy machine a race may take a while to occur.
fn long() -> Settings {
    Settings::new().tests(100_000).size(30).max_time("300s").shrink_time("300s")
}

/// Returns the counterexample as the arguments of `Parallel::of`.
fn program(report: &Report) -> &str {
    report.counterexample.as_ref().unwrap().bindings[0].printed.text()
}

#[test]
#[ignore = "slow: 30 s"]
fn the_array_is_not_safe_to_share() {
    let property = property! { forall program: Parallel<ArraySpec>; check program.check() };
    let report = refute("the array is linearizable", &property, long());
    let failure = &report.counterexample.as_ref().unwrap().failure;
    assert!(failure.message.starts_with("no order of the commands explains the responses"), "{}", failure.message);
    // On a busy machine the race may not occur twice.
    if report.verdict == Verdict::Failed {
        let commands = program(&report).matches("Command::").count();
        assert!(commands <= 5, "{}", program(&report));
    }
}

#[test]
#[ignore = "slow: 30 s"]
fn the_weak_set_is_not_safe_to_share() {
    let property = property! { forall program: Parallel<WeakSetSpec<false>>; check program.check() };
    // It occurs in one run in a thousand, so each candidate of the shrinker is repeated for a second.
    refute("the weak set is linearizable", &property, long().shrink_time("10s").explain(0));
}

#[test]
#[ignore = "slow: 5 s"]
fn tickets_with_a_window_of_a_few_instructions_are_not_safe_to_share() {
    let property = property! { forall program: Parallel<RacySpec>; check program.check() };
    refute("tickets are linearizable", &property, long());
}

#[forall::test(tests = PROGRAMS)]
fn atomic_tickets_are_linearizable(program: Parallel<FixedSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = PROGRAMS)]
fn the_map_is_linearizable(program: Parallel<MapSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = PROGRAMS)]
fn the_channel_is_linearizable(program: Parallel<ChannelSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = PROGRAMS)]
fn the_cell_is_linearizable_with_three_branches(program: Parallel<OnceSpec, 3>) -> Outcome {
    program.check()
}
