//! Sequential tests: reachable objects exist, and nothing is left at the end.

use forall::machine::Sequential;
use forall::property::Outcome;
use forall_example_crates::collector::CollectorSpec;

#[forall::test(isolate, tests = 1000)]
fn reachable_objects_exist(commands: Sequential<CollectorSpec<true>>) -> Outcome {
    commands.check()
}
