//! `depth` with the default runner: every input up to a depth, after the tests passed.

use forall::prelude::*;
use forall::property::Property;
use forall::report::{Style, render};
use forall::run::{Report, Run, Settings, Store, Verdict};

fn run(property: &dyn Property) -> Report {
    let settings = Settings::new().seed(1).tests(20).depth(4).store(Store::Off);
    Run::new("opinion", property).settings(settings).report()
}

#[test]
fn a_run_that_passed_tries_all_inputs_up_to_the_depth() {
    let report = run(&property! { forall xs: Vec<i32>; check xs.len() < 10_000 });
    assert_eq!(report.verdict, Verdict::Passed);
    assert_eq!(report.statistics.valid, 20);
    let inputs: Vec<Option<f64>> = report.searched.iter().map(|depth| depth.inputs).collect();
    assert_eq!(inputs, [Some(1.0), Some(2.0), Some(7.0), Some(36.0), Some(253.0)]);
    let text = render(&report, &Style::plain());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("20 tests, all 253 inputs up to depth 4"), "{text}");
}

#[test]
fn a_counterexample_of_the_second_opinion_fails_the_run() {
    // Numbers of this form are hardly ever generated at random.
    let property = property! { forall xs: Vec<i64>; check **xs != [0, 0, -1] && **xs != [1, 1, 0] };
    let report = run(&property);
    assert_eq!(report.verdict, Verdict::Failed);
}

#[test]
fn inputs_of_generators_are_not_enumerated() {
    let report = run(&property! { forall n in 0..1_000_000u32; check *n < 1_000_000 });
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.searched.is_empty());
}
