//! Runners that `#[forall::runner]` registers: how they are selected, and what happens if one is invalid.

use forall::prelude::*;
use forall::run::{
    Budget, Fact, Found, Identity, Report, Run, Session, Settings, Store, Tested, Verdict, generational,
};
use std::cell::RefCell;

/// Tests at a constant size.
#[forall::runner]
fn at_size_7(mut session: Session<'_>) -> Report {
    let mut budget = Budget::new(&session);
    let (mut index, mut ending, size) = (0, None, 7);
    while ending.is_none() && !budget.is_spent(&session) {
        let input = Source::test(session.seed, index, size);
        match budget.run(&mut session, index, input, &[]) {
            (case, Tested::Fail(failure)) => ending = Some(session.found(case, failure, Found::Random { index, size })),
            (case, Tested::Fault(fault)) => ending = Some(session.fault(&case, fault)),
            _ => index += 1,
        }
    }
    budget.finish(session, ending)
}

#[forall::runner]
fn panics(_: Session<'_>) -> Report {
    panic!("no more ideas")
}

#[forall::runner]
fn reports_another(session: Session<'_>) -> Report {
    drop(session);
    let other = property! { forall n: u8; check n.count_ones() <= 8 };
    Run::new("another property", &other).report()
}

#[forall::runner]
fn does_not_finish(session: Session<'_>) -> Report {
    Report::new(session.identity.clone(), Verdict::Passed)
}

#[forall::runner]
fn delegates(session: Session<'_>) -> Report {
    generational(session)
}

mod one {
    #[forall::runner]
    fn same_name(session: forall::run::Session<'_>) -> forall::run::Report {
        forall::run::generational(session)
    }
}

mod two {
    #[forall::runner]
    fn same_name(session: forall::run::Session<'_>) -> forall::run::Report {
        forall::run::generational(session)
    }
}

#[cfg(any())]
#[forall::runner]
fn not_compiled(_: Session<'_>) -> Report {
    unreachable!()
}

#[forall::property(runner = at_size_7, tests = 20)]
fn sizes(s: &mut Source) -> bool {
    s.size() == 7
}

fn settings(runner: &str) -> Settings {
    Settings::new().seed(1).store(Store::Off).runner(runner)
}

fn report(runner: &str) -> Report {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    Run::named(Identity::new("bits"), &property).settings(settings(runner)).report()
}

#[test]
fn an_attribute_and_a_setting_name_a_registered_runner() {
    forall::check("sizes", &sizes::property());
    let sizes = RefCell::new(Vec::new());
    let property = property! { forall size in from_fn(|s| s.size()); check { sizes.borrow_mut().push(*size); } };
    let report = Run::new("sizes seen", &property).settings(settings("at_size_7").tests(3)).report();
    assert_eq!((report.verdict, sizes.into_inner()), (Verdict::Passed, vec![7, 7, 7]));
}

#[test]
fn a_registered_runner_shrinks_the_failures_that_it_found() {
    let property = property! { forall n: u64; check *n < 1000 };
    let report = Run::new("small", &property).settings(settings("at_size_7").tests(1000)).report();
    assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "1000");
}

#[test]
fn a_registered_runner_may_call_a_built_in_one() {
    assert_eq!(report("delegates").verdict, Verdict::Passed);
}

#[test]
fn a_runner_that_panics_is_named_with_its_message() {
    let report = report("panics");
    let Verdict::Faulty(why @ Fact::RunnerPanicked { .. }) = &report.verdict else { panic!("{:?}", report.verdict) };
    let why = why.to_string();
    assert!(why.starts_with("The runner `panics` panicked: no more ideas, at "), "{why}");
    assert!(why.contains("registered.rs:") && why.contains("This is not a failure of the property"), "{why}");
    let text = forall::report::render(&report, &forall::report::Style::plain());
    assert!(text.starts_with("INVALID RUNNER bits"), "{text}");
}

#[test]
fn a_report_of_another_property_is_not_taken_for_that_of_this_one() {
    let report = report("reports_another");
    assert_eq!(report.identity.name, "bits");
    let Verdict::Faulty(why) = report.verdict else { panic!("{:?}", report.verdict) };
    let why = why.to_string();
    assert!(
        why.starts_with("The runner `reports_another` returned the report of another property, `another property`.")
    );
    assert!(why.contains("`budget.finish(session, ending)`"), "{why}");
}

#[test]
fn a_report_that_its_session_did_not_create_does_not_pass() {
    let Verdict::Faulty(why) = report("does_not_finish").verdict else { panic!("it is invalid") };
    let why = why.to_string();
    assert!(why.starts_with("The runner `does_not_finish` returned a report without finishing its session."), "{why}");
}

#[test]
fn two_runners_of_one_name_are_listed_with_their_places() {
    let Verdict::Misconfigured(why) = report("same_name").verdict else { panic!("it is ambiguous") };
    let why = why.to_string();
    assert!(why.starts_with("Several runners are named `same_name`: "), "{why}");
    assert_eq!(why.matches("registered.rs:").count(), 2, "{why}");
    assert!(why.ends_with("Rename all but one; the property was not run."), "{why}");
}

#[test]
fn an_unknown_runner_lists_the_built_in_and_the_registered_ones() {
    for unknown in ["at_size_8", "not_compiled"] {
        let Verdict::Misconfigured(why) = report(unknown).verdict else { panic!("it is unknown") };
        let why = why.to_string();
        let built_in = "`generational`, `combinatorial`, `constructors`, ";
        let registered = "`at_size_7`, `delegates`, `does_not_finish`, `panics`, `reports_another`, `same_name`.";
        assert!(why.contains(&format!("Unknown runner `{unknown}`. Available runners: {built_in}")), "{why}");
        assert!(why.contains(registered) && why.contains("`#[forall::runner]`"), "{why}");
    }
}
