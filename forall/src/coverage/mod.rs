//! Coverage of a test: the branches it took and the values it compared.
//!
//! Stable Rust can count how often each region of the source runs (`-C instrument-coverage`) and report the operands of
//! comparisons (SanitizerCoverage). A build with both is *instrumented*; `cargo forall fuzz` creates one, in its own
//! target directory. In any other build [`Coverage::new`] returns an error with the command to build one. This module
//! requires the `coverage` feature, which the tool enables.
//!
//! [`Coverage`] is a [`Feedback`](crate::guide::Feedback) for guided runners: a test is useful when it has new
//! coverage. `runner = "coverage"` is the runner with it. It can also be used alone: call [`start`](Coverage::start)
//! before a test and [`collect`](Coverage::collect) after it.
//!
//! ```
//! use forall::coverage::Coverage;
//!
//! fn distinct_paths(mut test: impl FnMut(u32)) -> Result<usize, forall::coverage::Unavailable> {
//!     let mut coverage = Coverage::new()?;
//!     let mut paths = std::collections::BTreeSet::new();
//!     for n in 0..100 {
//!         coverage.start();
//!         test(n);
//!         paths.insert(coverage.collect().path());
//!     }
//!     Ok(paths.len())
//! }
//!
//! // The documentation is not built instrumented: the error says what to do.
//! let why = distinct_paths(|n| assert!(n < 100)).unwrap_err();
//! assert!(why.to_string().contains("cargo forall fuzz"));
//! ```
//!
//! # Scope
//!
//! Counters belong to the process, not to a thread: a campaign needs its own process. The packages of the user's workspace
//! and their direct dependencies are instrumented, or what `cargo forall fuzz --instrument` selects. Neither this crate nor
//! other dependencies count, including their generic code wherever it is instantiated. Comparisons are those of the thread
//! that called [`start`](Coverage::start), in instrumented packages and in code instantiated there, except for those in
//! generators.

mod counters;
mod feedback;
#[cfg(all(forall_instrumented, target_arch = "x86_64", target_os = "linux"))]
mod hooks;
mod reached;

pub use crate::compared::Comparison;
pub(crate) use reached::Reached;

use crate::compared::{self, Log};
use crate::fact::Fact;
use crate::guide::coverage_guided::Instrumented;
use crate::guide::{self, Corpus, Guide};
use crate::run::{Report, Session, Statistics, Verdict};
use counters::Counters;
use std::fmt;
use std::ptr::NonNull;

/// A reader of coverage in an instrumented build. One per process and campaign.
///
/// ```
/// use forall::coverage::Coverage;
/// match Coverage::new() {
///     Ok(coverage) => println!("{} places of the source are counted", coverage.places()),
///     Err(why) => println!("{why}"),
/// }
/// ```
#[derive(Debug)]
pub struct Coverage {
    counters: Counters,
    /// For each counter the buckets seen so far, one bit each.
    seen: Vec<u16>,
    /// The number of counters that were ever nonzero.
    edges: usize,
    /// The number of features seen so far.
    known: usize,
    /// The features of the last test, and those of them that are new.
    features: Vec<u32>,
    new: Vec<u32>,
    /// Shared with the hooks while a test runs, so no reference to it is stored here. It comes from a box.
    log: NonNull<Log>,
    /// The number of tests since the last new feature.
    quiet: u64,
}

/// States count as new after this many tests without a new feature: there are many of them, and a test that takes a new
/// branch is worth more.
const QUIET: u64 = 4096;

/// Why there is no coverage. Its text says what to do.
///
/// ```
/// use forall::coverage::Unavailable;
/// assert!(Unavailable::NotInstrumented.to_string().contains("cargo forall fuzz"));
/// assert!(Unavailable::Target.to_string().contains("Linux"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Unavailable {
    /// The program was built without instrumentation.
    #[doc(hidden)]
    NotInstrumented,
    /// The counters cannot be read on this platform.
    #[doc(hidden)]
    Target,
}

impl Unavailable {
    /// Returns the fact for the report.
    pub(crate) fn fact(self) -> Fact {
        match self {
            Unavailable::NotInstrumented => Fact::NotInstrumented,
            Unavailable::Target => Fact::CoverageNeedsLinux,
        }
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fact().fmt(f)
    }
}

impl std::error::Error for Unavailable {}

/// The coverage of one test.
///
/// A *feature* is a location of the source together with about how often it ran (1 to 8 exactly, then in growing
/// ranges), in one number.
///
/// ```no_run
/// use forall::coverage::Coverage;
/// let mut coverage = Coverage::new()?;
/// coverage.start();
/// let trace = coverage.collect();
/// assert!(trace.new.len() <= trace.features.len());
/// # Ok::<(), forall::coverage::Unavailable>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Trace<'a> {
    /// The features of the test, in order.
    pub features: &'a [u32],
    /// The features that no earlier [accepted](Coverage::accept) test had.
    pub new: &'a [u32],
    /// The number of other novelties of the test. These are comparisons whose operands were closer than in any accepted
    /// test (numbers by the logarithm of their distance, strings by their common prefix), new values of `feature!`, and
    /// new best scores of `target!`. If there was no new feature for a while, new states count as well: pairs of small
    /// values that were compared one after the other.
    pub nearer: usize,
}

impl Trace<'_> {
    /// Returns a hash of all features: tests with the same one took the same path, as far as coverage shows.
    ///
    /// ```
    /// use forall::coverage::Trace;
    /// let trace = |features| Trace { features, new: &[], nearer: 0 };
    /// assert_eq!(trace(&[1, 9]).path(), trace(&[1, 9]).path());
    /// assert_ne!(trace(&[1, 9]).path(), trace(&[1, 10]).path());
    /// ```
    pub fn path(&self) -> u64 {
        let mut hash = crate::hash::Fnv::default();
        for &feature in self.features {
            hash.mix(u64::from(feature));
        }
        hash.finish()
    }
}

impl Coverage {
    /// Starts a campaign without coverage so far.
    ///
    /// ```
    /// use forall::coverage::{Coverage, Unavailable};
    /// // The documentation is built without instrumentation.
    /// assert!(Coverage::new().is_err());
    /// ```
    pub fn new() -> Result<Self, Unavailable> {
        let counters = Counters::of_this_process()?;
        let seen = vec![0; counters.len()];
        let log = NonNull::from(Box::leak(Log::new()));
        Ok(Self { counters, seen, edges: 0, known: 0, features: Vec::new(), new: Vec::new(), log, quiet: 0 })
    }

    /// Returns whether this program was built with instrumentation.
    ///
    /// ```
    /// use forall::coverage::Coverage;
    /// assert_eq!(Coverage::is_available(), Coverage::new().is_ok());
    /// ```
    pub fn is_available() -> bool {
        Counters::of_this_process().is_ok()
    }

    /// Returns the number of instrumented locations.
    ///
    /// ```no_run
    /// # use forall::coverage::Coverage;
    /// assert!(Coverage::new()?.places() > 0);
    /// # Ok::<(), forall::coverage::Unavailable>(())
    /// ```
    #[doc(hidden)]
    pub fn places(&self) -> usize {
        self.counters.len()
    }

    /// Returns the number of locations reached so far.
    ///
    /// ```no_run
    /// # use forall::coverage::Coverage;
    /// let coverage = Coverage::new()?;
    /// assert_eq!(coverage.edges(), 0, "no test has run");
    /// # Ok::<(), forall::coverage::Unavailable>(())
    /// ```
    #[doc(hidden)]
    pub fn edges(&self) -> usize {
        self.edges
    }

    /// Returns the number of features seen so far.
    ///
    /// ```no_run
    /// # use forall::coverage::Coverage;
    /// let coverage = Coverage::new()?;
    /// assert!(coverage.features() >= coverage.edges());
    /// # Ok::<(), forall::coverage::Unavailable>(())
    /// ```
    #[doc(hidden)]
    pub fn features(&self) -> usize {
        self.known
    }

    /// Counts states as new from the next test on, as if there had been no new feature for a while: for inputs of an earlier
    /// campaign.
    pub(crate) fn count_states(&mut self) {
        self.quiet = QUIET;
    }

    /// Drops the coverage since the last test: after running anything other than tests, such as shrinking.
    ///
    /// ```no_run
    /// # use forall::coverage::Coverage;
    /// let mut coverage = Coverage::new()?;
    /// coverage.forget();
    /// # Ok::<(), forall::coverage::Unavailable>(())
    /// ```
    #[doc(hidden)]
    pub fn forget(&mut self) {
        self.counters.take(|_, _| {});
    }

    /// Starts a test on this thread. Coverage since the last [`collect`](Self::collect) counts as part of it; between
    /// tests only this crate should run, which is not instrumented.
    ///
    /// ```no_run
    /// # use forall::coverage::Coverage;
    /// let mut coverage = Coverage::new()?;
    /// coverage.start();
    /// # Ok::<(), forall::coverage::Unavailable>(())
    /// ```
    #[doc(hidden)]
    pub fn start(&mut self) {
        // SAFETY: the log is ours and lives until we are dropped. No hook uses it: hooks run on this thread only, and
        // none is running now.
        unsafe { self.log.as_mut() }.clear();
        compared::record_into(Some(self.log));
    }

    /// Ends the test and returns its coverage. Resets the counters.
    ///
    /// ```no_run
    /// # use forall::coverage::Coverage;
    /// let mut coverage = Coverage::new()?;
    /// coverage.start();
    /// assert!("12".parse::<u32>().is_ok());
    /// if !coverage.collect().new.is_empty() {
    ///     println!("this test did something new");
    ///     coverage.accept();
    /// }
    /// # Ok::<(), forall::coverage::Unavailable>(())
    /// ```
    #[doc(hidden)]
    pub fn collect(&mut self) -> Trace<'_> {
        compared::stop_recording_into(self.log);
        let Self { counters, seen, features, new, .. } = self;
        features.clear();
        new.clear();
        counters.take(|place, hits| {
            let bucket = bucket(hits);
            let feature = (place as u32) << 4 | bucket;
            features.push(feature);
            if seen[place] & 1 << bucket == 0 {
                new.push(feature);
            }
        });
        self.quiet += 1;
        let states = self.quiet > QUIET;
        let of_log = |log: &Log| log.nearer() + log.announced() + if states { log.new_states() } else { 0 };
        let nearer = self.log().map_or(0, of_log);
        Trace { features: &self.features, new: &self.new, nearer }
    }

    /// Marks the coverage of the last test as seen. (Not called for discarded tests, for example.)
    ///
    /// ```no_run
    /// # use forall::coverage::Coverage;
    /// let mut coverage = Coverage::new()?;
    /// coverage.start();
    /// assert!("12".parse::<u32>().is_ok());
    /// coverage.collect();
    /// coverage.accept();
    /// assert!(coverage.edges() > 0);
    /// # Ok::<(), forall::coverage::Unavailable>(())
    /// ```
    #[doc(hidden)]
    pub fn accept(&mut self) {
        if !self.new.is_empty() {
            self.quiet = 0;
        }
        for feature in self.new.drain(..) {
            let seen = &mut self.seen[(feature >> 4) as usize];
            self.edges += usize::from(*seen == 0);
            self.known += 1;
            *seen |= 1 << (feature & 15);
        }
        // SAFETY: the log is ours and lives until we are dropped. Hooks run on this thread only, and none is running now.
        unsafe { self.log.as_mut() }.accept();
    }

    /// Returns the comparisons of the last test whose operands differed, at most a few from each location.
    ///
    /// ```no_run
    /// # use forall::coverage::{Comparison, Coverage};
    /// let mut coverage = Coverage::new()?;
    /// coverage.start();
    /// # let parse = |_: u32| {};
    /// parse(7);
    /// coverage.collect();
    /// for compared in coverage.comparisons() {
    ///     if let Comparison::Numbers { left, right, .. } = compared {
    ///         println!("{left} was wanted in place of {right}, or the other way round");
    ///     }
    /// }
    /// # Ok::<(), forall::coverage::Unavailable>(())
    /// ```
    #[doc(hidden)]
    pub fn comparisons(&self) -> impl Iterator<Item = Comparison<'_>> {
        self.log().into_iter().flat_map(Log::comparisons)
    }
}

impl Coverage {
    /// The comparisons of the last test that do not hold, and did in accepted tests.
    fn broken_comparisons(&self) -> impl Iterator<Item = Comparison<'_>> {
        self.log().into_iter().flat_map(Log::broken)
    }

    /// The comparisons of the last test; none while a test is running, because hooks write to it.
    fn log(&self) -> Option<&Log> {
        if compared::is_recording_into(self.log) {
            return None;
        }
        // SAFETY: the log is ours and lives until we are dropped. No hook knows it, and none will while `self` is borrowed:
        // `start` needs it as mutable.
        Some(unsafe { self.log.as_ref() })
    }
}

impl Drop for Coverage {
    fn drop(&mut self) {
        compared::stop_recording_into(self.log);
        // SAFETY: it was leaked from a box in `new`, and no hook knows it any more. (Another thread cannot: the pointer
        // makes this type neither `Send` nor `Sync`.)
        drop(unsafe { Box::from_raw(self.log.as_ptr()) });
    }
}

inventory::submit! { Instrumented(coverage_guided) }

fn coverage_guided(session: Session<'_>) -> Report {
    match Coverage::new() {
        Ok(mut coverage) => {
            coverage.forget();
            guide::guided(session, &mut [Guide::new(coverage, Corpus::new())])
        }
        Err(why) => session.finish((Verdict::Misconfigured(why.fact()), None), Statistics::default()),
    }
}

/// The bucket of a hit count: 0 to 15. Small counts are distinguished, since they correspond to steps through a
/// grammar.
fn bucket(hits: u64) -> u32 {
    match hits {
        0..=8 => hits.max(1) as u32 - 1,
        9..=11 => 8,
        12..=15 => 9,
        16..=23 => 10,
        24..=31 => 11,
        32..=63 => 12,
        64..=127 => 13,
        128..=1023 => 14,
        _ => 15,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_hits_are_a_higher_bucket() {
        let buckets: Vec<u32> = [1, 2, 8, 9, 12, 16, 32, 64, 127, 128, 1024, u64::MAX].map(bucket).to_vec();
        assert_eq!(buckets, [0, 1, 7, 8, 9, 10, 12, 13, 13, 14, 15, 15]);
    }

    #[test]
    fn an_uninstrumented_build_gets_the_command_to_instrument_it() {
        let why = Coverage::new().unwrap_err();
        assert!(matches!(why, Unavailable::NotInstrumented | Unavailable::Target));
        assert!(!Coverage::is_available());
    }
}
