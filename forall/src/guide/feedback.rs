//! How useful a test is to the search.

use super::{Operands, Pool};
use crate::choice::Sequence;
use crate::hash::Set;
use crate::run::{Case, Tested};

/// A finished test, as input of [`Feedback`].
///
/// ```
/// use forall::guide::Observed;
/// use forall::run::{Case, Tested};
/// let case = Case::default();
/// let test = Observed::new(0, &case, &Tested::Pass);
/// assert!(test.is_valid() && test.score.is_none());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Observed<'a> {
    /// Its number in the run.
    #[doc(hidden)]
    pub index: u64,
    /// The input, with the choices that were drawn.
    pub case: &'a Case,
    /// The result: passed or discarded.
    pub tested: &'a Tested,
    /// The highest score from `target!` or a `feedback` annotation.
    pub score: Option<f64>,
    /// The utility of the best seed in this guide's pool.
    #[doc(hidden)]
    pub best: Option<f64>,
}

impl<'a> Observed<'a> {
    /// Creates a test without a score.
    ///
    /// ```
    /// use forall::guide::Observed;
    /// use forall::run::{Case, Tested};
    /// assert!(!Observed::new(0, &Case::default(), &Tested::Discard(None)).is_valid());
    /// ```
    #[doc(hidden)]
    pub fn new(index: u64, case: &'a Case, tested: &'a Tested) -> Self {
        Self { index, case, tested, score: None, best: None }
    }

    /// Returns whether the test is valid: it ran to its check. A discarded test is never invested, and its features
    /// must not count as seen.
    ///
    /// ```
    /// use forall::guide::Observed;
    /// use forall::run::{Case, Tested};
    /// assert!(Observed::new(0, &Case::default(), &Tested::Pass).is_valid());
    /// ```
    pub fn is_valid(&self) -> bool {
        matches!(self.tested, Tested::Pass)
    }

    /// `Some` with `utility`, unless the best seed has a higher one. An equal utility also counts as useful: the search
    /// must be able to move along plateaus.
    ///
    /// ```
    /// use forall::guide::Observed;
    /// use forall::run::{Case, Tested};
    /// let case = Case::default();
    /// let mut test = Observed::new(0, &case, &Tested::Pass);
    /// test.best = Some(3.0);
    /// assert!(test.unless_worse(3.0).is_some() && test.unless_worse(2.0).is_none());
    /// ```
    #[doc(hidden)]
    pub fn unless_worse(&self, utility: f64) -> Option<Worth> {
        self.best.is_none_or(|best| utility.is_nan() || utility >= best).then(|| Worth::new(utility))
    }
}

/// The worth of a useful test.
///
/// ```
/// use forall::guide::{Operands, Worth};
/// let mut operands = Operands::default();
/// operands.number(1, 2);
/// let worth = Worth { operands, ..Worth::new(3.0) };
/// assert_eq!(worth.utility, 3.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// How useful the test is; higher is better.
    #[doc(hidden)]
    pub utility: f64,
    /// The comparisons of the program.
    #[doc(hidden)]
    pub operands: Operands,
}

impl Worth {
    /// Creates a worth without comparisons.
    ///
    /// ```
    /// # use forall::guide::Worth;
    /// assert!(Worth::new(1.0).operands.is_empty());
    /// ```
    pub fn new(utility: f64) -> Self {
        Self { utility, operands: Operands::default() }
    }
}

/// Decides whether a test is useful, by coverage, a score, time, memory or anything else.
///
/// Feedback that searches for slow inputs:
///
/// ```
/// use forall::guide::{Feedback, Observed, Worth};
/// use std::time::Instant;
///
/// struct Slowness(Instant);
///
/// impl Feedback for Slowness {
///     fn prepare(&mut self) { self.0 = Instant::now(); }
///     fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
///         test.unless_worse(self.0.elapsed().as_secs_f64())
///     }
/// }
/// # use forall::run::{Case, Tested};
/// # let mut slowness = Slowness(Instant::now());
/// # slowness.prepare();
/// # assert!(slowness.observe(&Observed::new(0, &Case::default(), &Tested::Pass)).is_some());
/// ```
pub trait Feedback {
    /// Called before a test runs.
    ///
    /// ```
    /// use forall::guide::{Feedback, Score};
    /// Score::default().prepare(); // A score needs no preparation.
    /// ```
    #[doc(hidden)]
    fn prepare(&mut self) {}

    /// Called in place of [`prepare`](Self::prepare) before a test runs once more, on tape.
    #[doc(hidden)]
    fn prepare_again(&mut self) {
        self.prepare();
    }

    /// Returns whether the feedback learns from discarded tests that were generated from scratch. If it does not, it
    /// sees few of them, and testing is several times as fast if most tests are discarded.
    ///
    /// ```
    /// use forall::guide::{Feedback, Score, feedback_fn};
    /// assert!(!Score::default().needs_discards(), "only the scores of valid tests count");
    /// assert!(feedback_fn(|test| test.case.sequence.len() as f64).needs_discards(), "it may use anything");
    /// ```
    fn needs_discards(&self) -> bool {
        true
    }

    /// Records the end of a discarded test that the feedback does not observe.
    ///
    /// ```
    /// use forall::guide::{Feedback, Score};
    /// Score::default().skip(); // A score needs no preparation.
    /// ```
    fn skip(&mut self) {}

    /// Returns the worth of the test, or `None` if it is not useful.
    ///
    /// ```
    /// use forall::guide::{Feedback, Observed, Score, Worth};
    /// use forall::run::{Case, Tested};
    /// let case = Case::default();
    /// let mut test = Observed::new(0, &case, &Tested::Pass);
    /// test.score = Some(2.0);
    /// assert_eq!(Score::default().observe(&test), Some(Worth::new(2.0)));
    /// ```
    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth>;

    /// Whether [`is_new`](Self::is_new) decides without an input whether a test may be useful. Tests then run without a
    /// recording first, which is several times faster, and only useful ones run again on tape.
    #[doc(hidden)]
    fn scouts(&self) -> bool {
        false
    }

    /// Whether [`observe`](Self::observe) may find the last test useful, which was not recorded and reported `score`. It is
    /// called after each such test that did not fail.
    #[doc(hidden)]
    fn is_new(&mut self, _score: Option<f64>) -> bool {
        true
    }

    /// Returns whether an input is not worth a test, because a similar one was tested. The input may be incomplete at
    /// its end, and its spans are unknown; if it is known, the mutator tries to produce another one.
    ///
    /// ```
    /// use forall::{choice::Sequence, guide::{Feedback, Score}};
    /// assert!(!Score::default().is_known(&Sequence::default()), "a score may be higher each time");
    /// ```
    #[doc(hidden)]
    fn is_known(&self, _input: &Sequence) -> bool {
        false
    }

    /// The comparisons of the last test, useful or not.
    ///
    /// ```
    /// use forall::guide::{Feedback, Score};
    /// assert!(Score::default().compared().is_empty(), "a score has no comparisons");
    /// ```
    #[doc(hidden)]
    fn compared(&mut self) -> Operands {
        Operands::default()
    }

    /// Returns, after a useless test, the comparisons that failed but held in useful tests. The input may be one
    /// checksum away from being useful.
    ///
    /// ```
    /// use forall::guide::{Feedback, Score};
    /// assert!(Score::default().broken().is_empty(), "a score has no comparisons");
    /// ```
    #[doc(hidden)]
    fn broken(&mut self) -> Operands {
        Operands::default()
    }
}

/// A feedback and the pool of its useful tests.
///
/// ```
/// use forall::guide::{Corpus, Guide, Interactions, Novelty};
/// let guide = Guide::new(Novelty::of(Interactions::new(2)), Corpus::new()).watch_discards(false);
/// assert!(guide.pool.best().is_none());
/// ```
pub struct Guide<'a> {
    /// The feedback.
    pub feedback: Box<dyn Feedback + 'a>,
    /// The pool.
    pub pool: Box<dyn Pool + 'a>,
    pub(crate) watches_discards: bool,
}

impl<'a> Guide<'a> {
    /// Creates a guide that also observes discarded tests: a seed whose mutants are discarded loses energy.
    ///
    /// ```
    /// use forall::guide::{Guide, Score, Singleton};
    /// let climber = Guide::new(Score::default(), Singleton::fixed());
    /// assert!(climber.pool.best().is_none());
    /// ```
    pub fn new(feedback: impl Feedback + 'a, pool: impl Pool + 'a) -> Self {
        Self { feedback: Box::new(feedback), pool: Box::new(pool), watches_discards: true }
    }

    /// Sets whether discarded tests are observed. If not, a seed keeps its energy when one of its mutants is discarded.
    ///
    /// ```
    /// use forall::guide::{Energy, Guide, Heap, Score};
    /// let guide = Guide::new(Score::default(), Heap::new(Energy::up_to(10))).watch_discards(false);
    /// # let _ = guide;
    /// ```
    #[doc(hidden)]
    pub fn watch_discards(mut self, watch: bool) -> Self {
        self.watches_discards = watch;
        self
    }
}

/// Feedback by the score that the test reports with `target!`, or that a `feedback` annotation gives one of its
/// variables. A test is useful unless its score is lower than that of the best seed.
///
/// ```
/// use forall::guide::{Feedback, Observed, Score};
/// use forall::run::{Case, Tested};
/// let case = Case::default();
/// let mut low = Observed::new(0, &case, &Tested::Pass);
/// (low.score, low.best) = (Some(2.0), Some(3.0));
/// assert_eq!(Score::default().observe(&low), None);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Score(());

impl Feedback for Score {
    fn needs_discards(&self) -> bool {
        false
    }

    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
        test.unless_worse(test.score?)
    }
}

/// Creates feedback from a scoring function: a test is useful unless its score is lower than that of the best seed.
///
/// ```
/// use forall::guide::{Feedback, Observed, feedback_fn};
/// use forall::run::{Case, Tested};
/// let mut long_inputs = feedback_fn(|test| test.case.sequence.len() as f64);
/// assert!(long_inputs.observe(&Observed::new(0, &Case::default(), &Tested::Pass)).is_some());
/// ```
pub fn feedback_fn(score: impl FnMut(&Observed<'_>) -> f64) -> impl Feedback {
    struct Function<F>(F);
    impl<F: FnMut(&Observed<'_>) -> f64> Feedback for Function<F> {
        fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
            test.unless_worse((self.0)(test))
        }
    }
    Function(score)
}

/// Feedback by novelty: a valid test is useful if it has features that no valid test had before; its utility is their
/// number.
///
/// ```
/// use forall::guide::{Feedback, Novelty, Observed};
/// use forall::run::{Case, Tested};
/// // Inputs of a length that was not seen before.
/// let mut lengths = Novelty::new(|test: &Observed<'_>, features: &mut Vec<u64>| {
///     features.push(test.case.sequence.len() as u64);
/// });
/// let case = Case::default();
/// let test = Observed::new(0, &case, &Tested::Pass);
/// assert_eq!(lengths.observe(&test).map(|worth| worth.utility), Some(1.0));
/// assert_eq!(lengths.observe(&test), None, "already seen");
/// ```
pub struct Novelty<F> {
    features_of: F,
    features: Vec<u64>,
    seen: Set,
}

impl<F: FnMut(&Observed<'_>, &mut Vec<u64>)> Novelty<F> {
    /// Features are new when `features_of` pushes them for the first time.
    ///
    /// ```
    /// use forall::guide::{Novelty, Observed};
    /// let sizes = Novelty::new(|test: &Observed<'_>, found: &mut Vec<u64>| found.push(test.case.sequence.size.into()));
    /// # let _ = sizes;
    /// ```
    #[doc(hidden)]
    pub fn new(features_of: F) -> Self {
        Self { features_of, features: Vec::new(), seen: Set::default() }
    }
}

impl<F: FnMut(&Observed<'_>, &mut Vec<u64>)> Feedback for Novelty<F> {
    fn needs_discards(&self) -> bool {
        false
    }

    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
        if !test.is_valid() {
            return None;
        }
        self.features.clear();
        (self.features_of)(test, &mut self.features);
        let mut new = 0u32;
        for &feature in &self.features {
            new += u32::from(self.seen.insert(feature));
        }
        (new > 0).then(|| Worth::new(f64::from(new)))
    }
}
