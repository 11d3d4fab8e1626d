//! Stress tests: no panic, crash or hang, whatever the responses.

use forall::machine::Parallel;
use forall::property::Outcome;
use forall_example_crates::collector::CollectorSpec;

#[forall::test(isolate, tests = 30)]
fn collecting_survives(program: Parallel<CollectorSpec<false>, 3>) -> Outcome {
    program.stress()
}
