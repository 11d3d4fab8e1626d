//! Tests that must fail.

use crate::property::Property;
use crate::report::{Style, render};
use crate::run::{Report, Run, Settings, Store, Verdict};

/// Tests that a property does *not* hold: finds a counterexample, prints it, and returns the report. Panics if there is
/// none.
///
/// A failure that does not recur, such as a race, also counts as a counterexample: the verdict of the report is then
/// [`Flaky`](Verdict::Flaky). Any failure counts, including panics and hangs; check the report if you expect a
/// particular one.
///
/// Use it to document that a system is not safe to share. It also shows that the test is able to find races. Nothing is
/// saved, because the failure is expected.
///
/// ```
/// use forall::machine::refute;
/// use forall::prelude::*;
/// use forall::run::Settings;
/// let property = property! { forall n: u32; check n.wrapping_add(1) > *n };
/// let report = refute("adding one is more", &property, Settings::new().tests(10_000));
/// assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "4294967295");
/// ```
///
/// ```should_panic
/// # use forall::{machine::refute, prelude::*, run::Settings};
/// let property = property! { forall n: u32; check n.count_ones() <= 32 };
/// refute("there are more than 32 bits", &property, Settings::new());
/// ```
#[track_caller]
#[inline]
pub fn refute(name: &'static str, property: &dyn Property, settings: Settings) -> Report {
    let report = Run::new(name, property).settings(settings.store(Store::Off)).report();
    match report.verdict {
        Verdict::Failed | Verdict::Flaky => {
            println!("as expected, {name} does not hold:\n{}", render(&report, &Style::plain()));
            report
        }
        _ => panic!("expected a counterexample to {name:?}, but found none:\n{}", render(&report, &Style::plain())),
    }
}
