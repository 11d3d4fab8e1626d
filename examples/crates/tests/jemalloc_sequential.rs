//! Sequential tests.

use forall::machine::Sequential;
use forall::property::Outcome;
use forall_example_crates::jemalloc::{Controlled, JemallocSpec};

#[forall::test(isolate, tests = 300)]
fn blocks_keep_their_bytes(commands: Sequential<JemallocSpec>) -> Outcome {
    commands.check()
}

#[forall::test(isolate, tests = 300)]
fn blocks_keep_their_bytes_and_knobs_their_values(commands: Sequential<Controlled>) -> Outcome {
    commands.check()
}
