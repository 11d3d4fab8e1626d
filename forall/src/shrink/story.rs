//! The story of a search: what was tried, by which pass, and why it ended.

use crate::fact::Fact;
use crate::property::Failure;
use crate::testing::Case;
use std::time::Duration;

/// Statistics of shrinking a counterexample.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Run, Settings, Store};
/// let property = property! { forall xs: Vec<u32>; check xs.iter().all(|&x| x < 100) };
/// let report = Run::new("small", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
/// let shrinking = report.counterexample.unwrap().shrinking;
/// assert!(shrinking.accepted <= shrinking.evaluations && shrinking.evaluations <= shrinking.candidates);
/// assert_eq!(shrinking.cut_short, None, "nothing simpler fails");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Shrinking {
    /// The number of accepted candidates: simpler inputs that failed.
    #[doc(hidden)]
    pub accepted: u64,
    /// The number of inputs that were run, without random ones.
    pub evaluations: u64,
    /// The number of random inputs that were run after the passes made no more progress.
    #[doc(hidden)]
    pub at_random: u64,
    /// The number of simpler inputs that were proposed, including those with a known outcome.
    #[doc(hidden)]
    pub candidates: u64,
    /// The number of runs that were useless because a generator or an assumption rejected the candidate.
    #[doc(hidden)]
    pub rejected: u64,
    /// The number of additional runs of candidates that passed at first, because the failure is flaky.
    #[doc(hidden)]
    pub retries: u64,
    /// The number of inputs run by other threads. Like the time, it varies from run to run.
    #[doc(hidden)]
    pub handed_over: u64,
    /// The number of speculative runs by these threads whose results were not needed.
    #[doc(hidden)]
    pub wasted: u64,
    /// The statistics of each pass, in the order in which they first ran.
    #[doc(hidden)]
    pub passes: Vec<Pass>,
    /// The time it took.
    pub time: Duration,
    /// Why it stopped before a minimum was reached, if it did.
    #[doc(hidden)]
    pub cut_short: Option<Fact>,
    /// The faults of generators and shrinkers, up to three.
    #[doc(hidden)]
    pub faults: Vec<Fact>,
    /// Failures with other origins found while shrinking, with the simplest input for each. In a report, those that are
    /// not among [`Counterexample::others`](crate::run::Counterexample::others).
    #[doc(hidden)]
    pub others: Vec<(Case, Failure)>,
}

/// The candidates of one pass.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Pass, Run, Settings, Store};
/// let property = property! { forall n in 0..1000u32; check *n < 10 };
/// let report = Run::new("below ten", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
/// let passes: Vec<Pass> = report.counterexample.unwrap().shrinking.passes;
/// assert!(passes.iter().any(|pass| pass.accepted > 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// The number of inputs it ran.
    pub tried: u64,
    /// The number of those that became the best.
    pub accepted: u64,
}

impl Pass {
    /// A pass that has done nothing yet.
    ///
    /// ```
    /// # use forall::run::Pass;
    /// let pass = Pass::new("halve everything");
    /// assert_eq!((pass.tried, pass.accepted), (0, 0));
    /// ```
    #[doc(hidden)]
    pub fn new(name: &'static str) -> Self {
        Self { name, tried: 0, accepted: 0 }
    }
}
