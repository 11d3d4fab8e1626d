//! Parallel tests: reachable objects exist.

use forall::machine::Parallel;
use forall::property::Outcome;
use forall_example_crates::collector::CollectorSpec;

#[forall::test(isolate, tests = 50)]
fn reachable_objects_exist(program: Parallel<CollectorSpec<false>>) -> Outcome {
    program.check()
}
