//! The bandit gives its tests to the properties that have new inputs.

use forall::prelude::*;
use forall::run::{Run, Settings, Store, Verdict};
use forall_example_runners::bandit;

#[test]
fn most_tests_go_to_the_property_with_new_shapes_and_a_failure_is_shrunk() {
    let few = property! { forall a: bool; forall b: bool; check (*a && *b) == (*b && *a) };
    let many = property! { forall xs: Vec<u8>; check xs.iter().rev().rev().eq(xs) };
    let wrong = property! { forall n: u16; check *n < 60_000 };
    let session = |name: &'static str, property| {
        let settings = Settings::new().tests(10_000).seed(1).store(Store::Off);
        Run::new(name, property).settings(settings).session().unwrap()
    };
    let sessions = vec![session("few inputs", &few), session("many inputs", &many), session("too small", &wrong)];
    let reports = bandit(sessions, 1000);
    let verdicts: Vec<&Verdict> = reports.iter().map(|report| &report.verdict).collect();
    assert_eq!(verdicts, [&Verdict::Passed, &Verdict::Passed, &Verdict::Failed]);
    let (few, many) = (reports[0].statistics.valid, reports[1].statistics.valid);
    assert!(few > 0 && few * 3 < many, "{few} and {many}");
    assert_eq!(reports[2].counterexample.as_ref().unwrap().bindings[0].printed.text(), "60000");
}
