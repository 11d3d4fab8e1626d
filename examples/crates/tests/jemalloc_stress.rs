//! Stress tests: no panic, crash or hang, whatever the responses.

use forall::machine::Parallel;
use forall::property::Outcome;
use forall_example_crates::jemalloc::{Controlled, JemallocSpec};

#[forall::test(isolate, tests = 20)]
fn allocating_survives(program: Parallel<JemallocSpec, 3>) -> Outcome {
    program.stress()
}

#[forall::test(isolate, tests = 20)]
fn turning_knobs_survives(program: Parallel<Controlled, 3>) -> Outcome {
    program.stress()
}
