//! Statistics of tests: labels, tables, requirements of `cover!`, and the number of tests.

mod by_name;

pub use by_name::ByName;

use std::time::Duration;

/// The table of parallel state machines that run under a scheduler.
pub(crate) const SCHEDULES: &str = "schedules";

/// The beginning of its rows for tests that were not fully controlled; the names of threads follow.
pub(crate) const NOT_CONTROLLED: &str = "not controlled: ";

/// Statistics of the tests of a run.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::Run;
/// let property = property! {
///     forall n in 0..10u32;
///     implies *n != 3;
///     check {
///         classify!(n % 2 == 0, "even");
///         tabulate!("digits", n.to_string().len());
///     }
/// };
/// let statistics = Run::new("digits", &property).report().statistics;
/// assert_eq!((statistics.valid, statistics.discarded), (9, 1));
/// assert_eq!(statistics.labels["even"], 5);
/// assert_eq!(statistics.tables["digits"]["1"], 9);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of valid tests, which ran to their check.
    pub valid: u64,
    /// The number of discarded tests.
    pub discarded: u64,
    /// The tests beyond the requested number. Not counted in the other fields.
    pub explored: Explored,
    /// For each label, the number of tests with it.
    pub labels: ByName<u64>,
    /// For each table, its rows and the number of tests in each.
    pub tables: ByName<ByName<u64>>,
    /// The requirements of `cover!`: by label, the required percentage and the number of tests with it.
    pub covers: ByName<Cover>,
    /// For each [`feature!`](crate::feature!), its values and the number of tests with each. Only counted while the run
    /// is observed: see `forall::observe`.
    pub features: ByName<ByName<u64>>,
}

/// A requirement of `cover!`.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Cover, Run};
/// let property = property! { forall n in 0..10u32; check { cover!(20, *n >= 5, "large"); } };
/// let statistics = Run::new("covered", &property).report().statistics;
/// assert_eq!((statistics.covers["large"].percent, statistics.covers["large"].hits), (20.0, 5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Cover {
    /// The required percentage of tests.
    pub percent: f64,
    /// The number of tests in which the condition held.
    pub hits: u64,
}

/// The tests of a run beyond the requested number.
///
/// ```
/// use forall::{prelude::*, run::{Run, Settings}};
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// let settings = Settings::new().tests(100).extra_time("1ms");
/// let statistics = Run::new("bits", &property).settings(settings).report().statistics;
/// assert_eq!(statistics.valid, 100);
/// assert!(statistics.explored.valid > 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Explored {
    /// The number of valid tests, which ran to their check.
    pub valid: u64,
    /// The number of discarded tests.
    pub discarded: u64,
    /// The time they took.
    pub time: Duration,
}
