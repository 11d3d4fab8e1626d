//! The lean core tests on one thread.

use super::domain::Domain;
use super::{Budget, Report, Session, generational};
use crate::choice::Sequence;
use crate::property::Property;
use crate::testing::Tested;
use std::ops::Range;

/// Without threads, the generational runner.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Run, Settings, Verdict, generational_by_workers};
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// let run = Run::parallel("bits", &property).settings(Settings::new().tests(100).threads(1));
/// let report = run.runner(generational_by_workers).report();
/// assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 100));
/// ```
pub fn generational_by_workers(session: Session<'_>) -> Report {
    generational(session)
}

/// No session has several threads.
pub(super) fn run_tests_on_threads(
    _: &mut Session<'_>,
    _: &(dyn Property + Sync),
    _: &mut Budget,
    _: Range<u64>,
) -> Option<(u64, Tested, Sequence)> {
    None
}

/// No session has several threads.
pub(super) fn run_inputs_on_threads(
    _: &mut Session<'_>,
    _: &(dyn Property + Sync),
    _: &mut Budget,
    _: &Domain,
    _: Range<u64>,
) -> Option<(u64, Tested, Sequence)> {
    None
}
