//! Isolated tests of several threads that fail once: by chance, or by a race between processes.

use super::{Meeting, isolated};
use forall::prelude::*;
use forall::report::{Style, render};
use forall::run::{Fact, Run, Verdict};

fn is_race(fact: &Fact) -> bool {
    matches!(fact, Fact::RaceWithItself { .. })
}

#[test]
fn an_isolated_test_that_fails_by_chance_is_not_called_a_race() {
    let meeting = Meeting::new();
    let property = property! {
        forall _n: u64;
        check {
            // Every fourth run fails, in whichever process.
            let run = (0..).find(|run| meeting.first(run)).unwrap();
            assert!(run % 4 != 3, "by chance");
        }
    };
    let settings = isolated().threads(2).tests(20).shrink_evaluations(0);
    let report = Run::parallel("chance", &property).settings(settings).report();
    assert_eq!(report.verdict, Verdict::Flaky, "{}", render(&report, &Style::plain()));
    assert!(!report.warnings.iter().any(is_race), "{:?}", report.warnings);
}

#[test]
fn a_saved_race_of_isolated_tests_is_kept_with_a_warning() {
    let meeting = Meeting::new();
    let property = property! { forall n: u64; check assert!(*n < 10 || !meeting.first("raced"), "raced") };
    let settings = isolated().threads(2).tests(20).store(meeting.store());
    // A child comes to its run by way of those before it, which it leaves out: nothing may be asserted in between.
    let run = || Run::parallel("kept", &property).settings(settings.clone()).report();
    let (first, second, third) = (run(), run(), run());
    assert!(first.verdict == Verdict::Flaky && first.warnings.iter().any(is_race), "{:?}", first.warnings);
    for report in [second, third] {
        assert_eq!(report.verdict, Verdict::Passed, "{}", render(&report, &Style::plain()));
        assert!(
            matches!(&report.warnings[..], [Fact::RaceNotReplayed { threads: 2, isolated: true, .. }]),
            "{:?}",
            report.warnings
        );
    }
}
