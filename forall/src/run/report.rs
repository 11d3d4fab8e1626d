//! The result of a run, from which all output is generated.

use super::{Case, Identity, Shrinking, Statistics, Tested};
use crate::explain::Explanation;
use crate::fact::Fact;
use crate::property::{Binding, Failure};
use std::time::Duration;

/// The result of a run.
///
/// A custom runner creates one as well, and everything that reads reports works with it:
///
/// ```
/// use forall::run::{Identity, Report, Verdict};
/// let mut report = Report::new(Identity::new("sorts"), Verdict::Passed);
/// report.statistics.valid = 100;
/// assert!(forall::report::render(&report, &forall::report::Style::plain()).starts_with("passed sorts"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The identity of the property.
    pub identity: Identity,
    /// The verdict.
    pub verdict: Verdict,
    /// The counterexample, if there is one.
    pub counterexample: Option<Counterexample>,
    /// Statistics of the tests.
    pub statistics: Statistics,
    /// The progress of the runner `exhaustive`, depth by depth.
    pub searched: Vec<Searched>,
    /// The name of the `#[test]` that ran the property, as the test harness has it, if known.
    pub test: Option<String>,
    /// The seed of the run.
    pub seed: u64,
    /// The duration of the run, including shrinking.
    pub time: Duration,
    /// Warnings in addition to the verdict: health of the generators, problems with the store.
    pub warnings: Vec<Fact>,
    /// The number of tests of each thread, if there were several. It varies from run to run, unlike the rest of the
    /// report, and includes tests after the end of the run.
    #[doc(hidden)]
    pub workers: Vec<u64>,
    /// The runner that the settings name; empty if the report is not of a run.
    pub(crate) runner: String,
}

impl Report {
    /// Creates the report of a run in which nothing happened yet.
    ///
    /// ```
    /// use forall::run::{Identity, Report, Verdict};
    /// let report = Report::new(Identity::new("sorts"), Verdict::Passed);
    /// assert!(report.verdict.is_success());
    /// assert_eq!(report.statistics.valid, 0);
    /// ```
    #[doc(hidden)]
    pub fn new(identity: Identity, verdict: Verdict) -> Self {
        Self {
            identity,
            verdict,
            counterexample: None,
            statistics: Statistics::default(),
            searched: Vec::new(),
            test: None,
            seed: 0,
            time: Duration::ZERO,
            warnings: Vec::new(),
            workers: Vec::new(),
            runner: String::new(),
        }
    }
}

/// The work of an exhaustive search at one depth.
///
/// ```
/// use forall::run::{Identity, Report, Searched, Verdict};
/// let mut report = Report::new(Identity::new("sorts"), Verdict::Passed);
/// report.searched.push(Searched { depth: 4, evaluations: 19_910, inputs: Some(1.2e11), complete: true, witnesses: vec![] });
/// let text = forall::report::render(&report, &forall::report::Style::plain());
/// assert!(text.contains("all 1.2e11 inputs up to depth 4"), "{text}");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// The depth.
    pub depth: u32,
    /// The number of calls of the property and of its quantifiers.
    pub evaluations: u64,
    /// The number of inputs up to this depth, if known.
    pub inputs: Option<f64>,
    /// Whether all of them were covered.
    pub complete: bool,
    /// The witnesses for the first input, if a nested quantifier is `shown`.
    #[doc(hidden)]
    pub witnesses: Vec<String>,
}

/// The verdict on a property after a run.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Run, Verdict};
/// let property = property! { forall a: bool; forall b: bool; check (*a && *b) == !(!*a || !*b) };
/// let verdict = Run::new("De Morgan", &property).report().verdict;
/// assert_eq!(verdict, Verdict::Exhausted { inputs: 4, at_size: None });
/// assert!(verdict.is_success());
/// assert!(!Verdict::Flaky.is_success());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// The requested number of valid tests ran, and none failed.
    Passed,
    /// Every input was tested, and none failed.
    Exhausted {
        /// The number of inputs, including discarded ones.
        inputs: u64,
        /// The size of the run, if the inputs depend on it.
        at_size: Option<u32>,
    },
    /// The property is falsified: there is a counterexample.
    Failed,
    /// An input failed, but not in every rerun. [`Counterexample::reruns`] has the number of failures of the reported
    /// input.
    Flaky,
    /// Too few valid tests ran, with the reason.
    GaveUp(Fact),
    /// No test failed, but a requirement of `cover!` is not met: too few tests belong to a class.
    Uncovered(Fact),
    /// A generator, shrinker, mutator or runner is invalid, with the reason.
    Faulty(Fact),
    /// A setting is invalid, with the reason.
    Misconfigured(Fact),
    /// This runner cannot decide the property.
    NotDecidable(Fact),
}

impl Verdict {
    /// Returns whether a test with this verdict passes.
    ///
    /// ```
    /// # use forall::run::Verdict;
    /// assert!(Verdict::Passed.is_success());
    /// assert!(!Verdict::GaveUp("all tests were discarded".into()).is_success());
    /// ```
    pub fn is_success(&self) -> bool {
        matches!(self, Verdict::Passed | Verdict::Exhausted { .. })
    }

    /// The reason, for the verdicts that have one.
    pub(crate) fn reason(&self) -> Option<&Fact> {
        match self {
            Verdict::Passed | Verdict::Exhausted { .. } | Verdict::Failed | Verdict::Flaky => None,
            Verdict::GaveUp(why)
            | Verdict::Uncovered(why)
            | Verdict::Faulty(why)
            | Verdict::Misconfigured(why)
            | Verdict::NotDecidable(why) => Some(why),
        }
    }
}

/// A minimal failing input.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Run, Settings, Store};
/// let property = property! { forall xs: Vec<u8>; check { note!("length {}", xs.len()); xs.len() < 2 } };
/// let report = Run::new("short", &property).settings(Settings::new().store(Store::Off)).report();
/// let found = report.counterexample.unwrap();
/// assert_eq!(found.bindings[0].printed.text(), "vec![0, 0]");
/// assert_eq!(found.failure.message, "the property returned false");
/// assert_eq!(found.notes, ["length 2"]);
/// ```
#[doc(alias("minimal", "failing"))]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Counterexample {
    /// The input, to save, replay and paste.
    pub case: Case,
    /// The variables with their values.
    pub bindings: Vec<Binding>,
    /// How the input fails.
    pub failure: Failure,
    /// The output of `note!` in the last run; for a flaky property, in a run that failed.
    pub notes: Vec<String>,
    /// The origin of the counterexample.
    pub found: Found,
    /// The inputs that must run before it in the same process, in order, if it fails only after these.
    #[doc(hidden)]
    pub before: Vec<Earlier>,
    /// The variables of the original input, if shrinking changed it.
    pub original: Option<Vec<Binding>>,
    /// Statistics of shrinking.
    pub shrinking: Shrinking,
    /// The explanation: which parts matter.
    pub explanation: Explanation,
    /// The number of reruns at the end that confirm that it always fails. They are not included in the evaluations of
    /// shrinking and explaining. Up to a hundred, within a few milliseconds, so the number depends on the machine.
    #[doc(hidden)]
    pub repeats: u64,
    /// For a flaky property: the outcomes of other runs of the same input, with the number of each.
    #[doc(hidden)]
    pub other_run: Vec<(Tested, u64)>,
    /// How often it failed in them.
    #[doc(hidden)]
    pub reruns: Reruns,
    /// The output of `note!` in one of them.
    #[doc(hidden)]
    pub other_notes: Vec<String>,
    /// The path of the saved failure, if it is saved.
    pub stored: Option<String>,
    /// The number of threads that ran the input at once.
    #[doc(hidden)]
    pub beside: usize,
    /// Whether it exceeds the recording limit. Then `case` is empty, and only the seed and the index of the test
    /// reproduce the input.
    #[doc(hidden)]
    pub unrecorded: bool,
    /// Problems encountered on the way to the counterexample, with advice: a nondeterministic generator, a generator
    /// that rejects most inputs, a cyclic shrinker.
    pub caveats: Vec<Fact>,
    /// The first few other bugs found while shrinking this one, also shrunk.
    #[doc(hidden)]
    pub others: Vec<Counterexample>,
}

impl Counterexample {
    /// Creates a counterexample from its input, variables, failure and origin.
    ///
    /// ```
    /// use forall::property::{Failure, FailureKind};
    /// use forall::run::{Case, Counterexample, Found};
    /// let failure = Failure::new(FailureKind::Falsified, "the property returned false");
    /// let given = Counterexample::new(Case::default(), Vec::new(), failure, Found::Given);
    /// assert!(given.stored.is_none());
    /// ```
    #[doc(hidden)]
    pub fn new(case: Case, bindings: Vec<Binding>, failure: Failure, found: Found) -> Self {
        Self {
            case,
            bindings,
            failure,
            notes: Vec::new(),
            found,
            before: Vec::new(),
            original: None,
            shrinking: Shrinking::default(),
            explanation: Explanation::default(),
            beside: 1,
            repeats: 0,
            other_run: Vec::new(),
            reruns: Reruns::default(),
            other_notes: Vec::new(),
            stored: None,
            unrecorded: false,
            caveats: Vec::new(),
            others: Vec::new(),
        }
    }
}

/// How often a flaky input failed in reruns.
///
/// ```
/// # use forall::{prelude::*, run::{Run, Settings, Store, Verdict}};
/// # use std::cell::Cell;
/// let runs = Cell::new(0);
/// let property = property! { forall n: u64; check { runs.set(runs.get() + 1); *n < 10 || runs.get() % 2 == 0 } };
/// let report = Run::new("flaky", &property).settings(Settings::new().seed(1).store(Store::Off)).report();
/// assert_eq!(report.verdict, Verdict::Flaky);
/// let reruns = report.counterexample.unwrap().reruns;
/// assert!(0 < reruns.failed && reruns.failed < reruns.runs);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Reruns {
    /// The number of runs. 0 if the property is not flaky.
    pub runs: u64,
    /// The number of runs that failed in the same way.
    pub failed: u64,
}

/// An input that ran before the counterexample in the same process and left behind state that makes the counterexample
/// fail.
///
/// ```
/// use forall::run::{Case, Counterexample, Earlier, Found};
/// # use forall::property::{Failure, FailureKind};
/// # let failure = Failure::new(FailureKind::Crash, "the test ended its process");
/// let mut found = Counterexample::new(Case::default(), vec![], failure, Found::Given);
/// assert!(found.before.is_empty(), "it fails alone");
/// found.before.push(Earlier { case: Case::default(), bindings: vec![] });
/// ```
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Earlier {
    /// The input.
    pub case: Case,
    /// The values.
    pub bindings: Vec<Binding>,
}

/// The origin of a counterexample.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Found, Run, Settings, Store};
/// let found = |property: &dyn forall::property::Property| {
///     let settings = Settings::new().store(Store::Off);
///     Run::new("found", property).settings(settings).report().counterexample.unwrap().found
/// };
/// assert_eq!(found(&property! { forall b: bool; check !*b }), Found::Enumerated);
/// assert!(matches!(found(&property! { forall n: u64; check *n < 9 }), Found::Random { .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// Random testing, with the test's index and size.
    Random {
        /// The index of the test in the run.
        index: u64,
        /// Its size.
        size: u32,
    },
    /// A test with literals from the source code: its number among those, and its size. See `forall::literals`.
    #[doc(hidden)]
    Literals {
        /// The number of the test among those with literals.
        number: u64,
        /// Its size.
        size: u32,
    },
    /// A guided runner, with the test's index.
    Guided {
        /// The index of the test in the run.
        index: u64,
    },
    /// Exploring beyond the requested tests: the number of the test among the explored ones. See
    /// [`Settings::extra_time`](super::Settings::extra_time).
    #[doc(hidden)]
    Explored {
        /// The number of the test among the explored ones, from 1.
        number: u64,
    },
    /// Enumeration of every input.
    Enumerated,
    /// An exhaustive search, with the depth.
    #[doc(hidden)]
    Searched {
        /// The depth.
        depth: u32,
    },
    /// An explicit example, by its index.
    Example(usize),
    /// The store, with the path of the saved failure.
    Stored(String),
    /// A pasted input, or one from a tool.
    Given,
    /// The shrinking of another failure.
    WhileShrinking,
}
