//! Tests that leave state behind, with every kind of input: the report has the original input and says that it is not
//! shrunk.

use forall::guide::{combinatorial, targeted};
use forall::prelude::*;
use forall::property::Property;
use forall::report::{Style, render};
use forall::run::{Report, Run, Settings, Store, Verdict};
use std::sync::atomic::{AtomicBool, Ordering};

fn assert_told(report: &Report) {
    let text = render(report, &Style::plain());
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(report.verdict, Verdict::Flaky, "{text}");
    assert!(
        said.contains("note: not shrunk: test 0 of this run (") && said.contains(") passed earlier but fails now"),
        "{text}"
    );
    assert!(report.counterexample.as_ref().unwrap().original.is_none(), "{text}");
}

fn settings() -> Settings {
    Settings::new().seed(1).store(Store::Off)
}

/// Breaks something that stays broken, from `limit` on.
macro_rules! breaks {
    ($generator:expr, $limit:expr) => {{
        static BROKEN: AtomicBool = AtomicBool::new(false);
        property! {
            forall n in $generator;
            check {
                target!(f64::from(*n as u32));
                BROKEN.fetch_or(*n >= $limit, Ordering::Relaxed);
                assert!(!BROKEN.load(Ordering::Relaxed), "broken");
            }
        }
    }};
}

#[test]
fn an_exhaustive_run_reports_that_earlier_inputs_now_fail() {
    let property = breaks!(0..100u32, 60);
    assert_told(&Run::new("enumerated", &property).settings(settings()).report());
}

#[test]
fn guided_runners_report_that_earlier_inputs_now_fail() {
    let property = breaks!(any::<u32>(), u32::MAX - 5);
    assert_told(&targeted(session(&property)));
    let property = breaks!(any::<u16>(), 30_000);
    assert_told(&combinatorial(session(&property)));
}

/// Once an element is above 240, every test fails.
#[forall::property]
fn breaks_by_a_literal(ops: &[u8]) {
    BROKEN_BY_A_LITERAL.fetch_or(ops.iter().any(|op| *op > 240), Ordering::Relaxed);
    assert!(!BROKEN_BY_A_LITERAL.load(Ordering::Relaxed), "broken");
}

static BROKEN_BY_A_LITERAL: AtomicBool = AtomicBool::new(false);

#[test]
fn a_failing_test_with_literals_reports_that_earlier_ones_now_fail() {
    let mut told = 0;
    for seed in 1..=10 {
        BROKEN_BY_A_LITERAL.store(false, Ordering::Relaxed);
        let report = Run::new("literals", &breaks_by_a_literal::property()).settings(settings().seed(seed)).report();
        let text = render(&report, &Style::plain());
        let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let by_literals = said.contains(" with literals (") && said.contains(") passed earlier but fails now");
        // In the first test, nothing has passed before.
        assert!(by_literals || said.contains("note: no run passed"), "{text}");
        assert_eq!(report.verdict == Verdict::Flaky, by_literals, "{text}");
        told += u64::from(by_literals);
    }
    assert!(told > 0);
}

#[test]
fn a_failure_after_which_nothing_passes_notes_that_state_cannot_be_ruled_out() {
    let property = breaks!(any::<u32>(), 1);
    let report = Run::new("first", &property).settings(settings()).report();
    let text = render(&report, &Style::plain());
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let note = "note: no run passed; run the `replay:` command to rule out leftover state";
    assert!(report.verdict == Verdict::Failed && said.contains(note), "{text}");
    let property = property! { forall n: u32; check *n < 1 };
    let report = Run::new("passes for 0", &property).settings(settings()).report();
    assert!(!render(&report, &Style::plain()).contains("no run passed"));
}

fn session(property: &dyn Property) -> forall::run::Session<'_> {
    Run::new("guided", property).settings(settings().tests(20_000)).session().unwrap()
}

#[test]
fn a_stateless_failure_is_shrunk_by_every_runner() {
    let property = property! { forall n in 0..100u32; check *n < 60 };
    let report = Run::new("enumerated", &property).settings(settings()).report();
    assert_eq!((&report.verdict, report.counterexample.unwrap().bindings[0].printed.text()), (&Verdict::Failed, "60"));
    let property = property! { forall n: u16; check *n < 30_000 };
    let report = combinatorial(session(&property));
    assert_eq!(
        (&report.verdict, report.counterexample.unwrap().bindings[0].printed.text()),
        (&Verdict::Failed, "30000")
    );
}
