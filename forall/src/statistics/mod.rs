//! What tests said of themselves, counted: labels, tables, demands of `cover!`, and how many tests there were.

mod by_name;

pub use by_name::ByName;

use std::time::Duration;

/// What was tested.
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
    /// Tests that ran to their check.
    pub valid: u64,
    /// Tests that were discarded.
    pub discarded: u64,
    /// What the run tested beyond what was asked for. Not counted in anything else here.
    pub explored: Explored,
    /// For each label the number of tests that bore it.
    pub labels: ByName<u64>,
    /// For each table its rows, and the number of tests that entered each.
    pub tables: ByName<ByName<u64>>,
    /// What `cover!` asked for: by label, the demanded percentage and the number of tests that had it.
    pub covers: ByName<Cover>,
    /// For each [`feature!`](crate::feature!) its values, and the number of tests that had each. Only counted while somebody
    /// observes the run: see `forall::observe`.
    pub features: ByName<ByName<u64>>,
}

/// A demand of `cover!`.
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
    /// The demanded percentage of tests.
    pub percent: f64,
    /// The tests in which the condition held.
    pub hits: u64,
}

/// How much a run explored.
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
    /// Tests that ran to their check.
    pub valid: u64,
    /// Tests that were discarded.
    pub discarded: u64,
    /// How long that took.
    pub time: Duration,
}
