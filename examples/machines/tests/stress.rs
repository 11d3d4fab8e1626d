//! Stress tests: no panic, crash or hang, whatever the responses.

use forall::machine::Parallel;
use forall::property::Outcome;
use forall_example_machines::racy_array::ArraySpec;
use forall_example_machines::weak_set::WeakSetSpec;

#[forall::test(tests = 100)]
fn the_array_survives(program: Parallel<ArraySpec>) -> Outcome {
    program.stress()
}

#[forall::test(tests = 100)]
fn the_weak_set_survives(program: Parallel<WeakSetSpec<true>, 3>) -> Outcome {
    program.stress()
}
