//! Parallel tests.

use forall::machine::Parallel;
use forall::property::Outcome;
use forall_example_crates::jemalloc::{Controlled, JemallocSpec};

#[forall::test(isolate, tests = 20)]
fn blocks_keep_their_bytes(program: Parallel<JemallocSpec>) -> Outcome {
    program.check()
}

#[forall::test(isolate, tests = 20)]
fn blocks_keep_their_bytes_and_knobs_their_values(program: Parallel<Controlled>) -> Outcome {
    program.check()
}
