use super::support::*;
use forall::machine::Parallel;
use forall::prelude::*;
use forall::property::FailureKind;
use forall::run::Settings;

#[test]
fn a_command_that_blocks_for_ever_is_named() {
    let property = property! { forall program: Parallel<QueueSpec<HANGS>>; check program.check() };
    let settings = Settings::new().seed(1).shrink_evaluations(0).explain(0);
    let failure = report_with(&property, settings).counterexample.unwrap().failure;
    assert_eq!(failure.kind, FailureKind::Crash);
    assert!(failure.message.starts_with("the system hangs: nothing happens for 1s"), "{}", failure.message);
}
