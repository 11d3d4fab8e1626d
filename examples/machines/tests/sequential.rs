//! Sequential tests.

use forall::machine::{Sequential, refute};
use forall::prelude::*;
use forall::property::Outcome;
use forall::run::Settings;
use forall_example_machines::collections::{ChannelSpec, MapSpec, OnceSpec};
use forall_example_machines::racy_array::ArraySpec;
use forall_example_machines::weak_set::WeakSetSpec;

#[forall::test(tests = 1000)]
fn the_array_agrees_with_a_vector(commands: Sequential<ArraySpec>) -> Outcome {
    commands.check()
}

#[forall::test(tests = 1000)]
fn the_weak_set_holds_no_more_than_was_added(commands: Sequential<WeakSetSpec<true>>) -> Outcome {
    commands.check()
}

#[forall::test]
fn the_map_agrees(commands: Sequential<MapSpec>) -> Outcome {
    commands.check()
}

#[forall::test]
fn the_channel_agrees(commands: Sequential<ChannelSpec>) -> Outcome {
    commands.check()
}

#[forall::test]
fn the_cell_agrees(commands: Sequential<OnceSpec>) -> Outcome {
    commands.check()
}

/// A set could plausibly ignore duplicates. This one does not.
#[test]
fn a_model_that_ignores_duplicates_is_wrong() {
    let property = property! { forall commands: Sequential<WeakSetSpec<false, true>>; check commands.check() };
    let report = refute("duplicates are ignored", &property, Settings::new().tests(1000));
    let message = report.counterexample.unwrap().failure.message;
    let expected = r#"
    Add("") : Done
    Add("") : Done
    Count   : Number(2)"#;
    assert!(message.ends_with(expected), "{message}");
}
