//! The budget of a run: limits on tests and time, and how much of them is used.

use super::{BlockTested, Case, Ending, Explored, Report, Session, Tested, Tester, Verdict, health};
use crate::choice::Source;
use crate::fact::Fact;
use crate::property::{Block, Outcome, Step};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The target duration of a block. Budgets are checked once per block: this makes the checks frequent enough, but
/// cheap.
pub(super) const BLOCK_TIME: Duration = Duration::from_millis(5);

/// The number of tests in the first block and in the largest one.
const BLOCKS: Range<u64> = 16..32_768;

/// The budget of a run: valid tests, discarded tests, time.
///
/// A budget counts the tests that it runs, and notifies an observer that wants each test. A runner that uses the
/// [`Tester`] directly counts them itself.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Budget, Run, Settings, Verdict};
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// let session = Run::new("bits", &property).settings(Settings::new().tests(10).seed(7)).session().unwrap();
/// // A runner in five lines.
/// let mut budget = Budget::new(&session);
/// let mut index = 0;
/// while !budget.is_spent(&session) {
///     budget.count(&session.tester.record(index, 100).1);
///     index += 1;
/// }
/// let report = budget.finish(session, None);
/// assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 10));
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    /// The number of valid tests, which ran to their check.
    pub valid: u64,
    /// The number of discarded tests.
    pub discarded: u64,
    pub(super) wanted: u64,
    pub(super) may_discard: u64,
    /// Tests that ran in the extra time, beyond the requested ones.
    pub(super) explored: Explored,
    /// The length of the next block, if enough of the budget is left.
    length: u64,
}

impl Budget {
    /// Creates the budget that the session's settings allow.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Budget, Run, Settings}};
    /// # let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// let session = Run::new("bits", &property).settings(Settings::new().tests(10)).session().unwrap();
    /// assert_eq!(Budget::new(&session).left(), 10);
    /// ```
    pub fn new(session: &Session<'_>) -> Self {
        let tests = session.settings.tests_here();
        let may_discard = session.settings.discard_ratio.saturating_mul(tests);
        let length = if session.one_by_one() { 1 } else { BLOCKS.start };
        Self { valid: 0, discarded: 0, wanted: tests, may_discard, explored: Explored::default(), length }
    }

    /// A budget with another number of valid tests.
    pub(super) fn wanting(self, wanted: u64) -> Self {
        Self { wanted, ..self }
    }

    /// The remaining budget.
    pub(super) fn rest(&self) -> Self {
        let (wanted, may_discard) = (self.wanted - self.valid, self.may_discard - self.discarded);
        Self { valid: 0, discarded: 0, wanted, may_discard, explored: Explored::default(), length: self.length }
    }

    /// Adds the tests of a [`rest`](Self::rest).
    pub(super) fn add(&mut self, part: &Self) {
        (self.valid, self.discarded) = (self.valid + part.valid, self.discarded + part.discarded);
        self.length = part.length;
    }

    /// Counts a test. A failed test ends the run and is not counted: it is in the report. A runner that continues adds
    /// it to the `valid` ones itself.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Budget, Run, Tested}};
    /// # let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// # let session = Run::new("bits", &property).session().unwrap();
    /// let mut budget = Budget::new(&session);
    /// budget.count(&Tested::Pass);
    /// budget.count(&Tested::Discard(None));
    /// assert_eq!((budget.valid, budget.discarded), (1, 1));
    /// ```
    #[doc(hidden)]
    pub fn count(&mut self, tested: &Tested) {
        match tested {
            Tested::Pass => self.valid += 1,
            Tested::Discard(_) | Tested::NoSuchStep => self.discarded += 1,
            Tested::Fail(_) | Tested::Fault(_) => {}
        }
    }

    /// Runs a test with a source that records nothing. It is not counted: a useful one runs again on tape.
    pub(crate) fn scout(session: &Session<'_>, index: u64, source: Source, steps: &[Step]) -> Tested {
        session.tester.context().say_chosen(true);
        let (_, tested) = session.tester.run_as(index, source, steps);
        session.tester.context().say_chosen(false);
        tested
    }

    /// Runs test `index` with choices from `source` and applies `steps` to the values, as [`Tester::run_as`] does.
    /// Counts it, and notifies an observer that wants each test. A discard has no values: [`Tester::print`] returns those
    /// of its case.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Budget, Run, Settings, Tested}};
    /// # let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// # let mut session = Run::new("bits", &property).settings(Settings::new().seed(7)).session().unwrap();
    /// let mut budget = Budget::new(&session);
    /// let (case, tested) = budget.run(&mut session, 0, Source::record(7, 0, 100), &[]);
    /// assert_eq!((case.sequence.len(), tested, budget.valid), (1, Tested::Pass, 1));
    /// ```
    pub fn run(&mut self, session: &mut Session<'_>, index: u64, source: Source, steps: &[Step]) -> (Case, Tested) {
        let began = session.one_by_one().then(Instant::now);
        session.tester.context().say_chosen(true);
        let (case, tested) = session.tester.run_as(index, source, steps);
        session.tester.context().say_chosen(false);
        self.count(&tested);
        if let Tested::Pass = tested {
            session.remember_passing(index, &case);
        }
        if let Some(began) = began {
            let took = began.elapsed();
            session.record(index, Some(&case), case.sequence.size, &tested, took, "by the runner");
            session.emit_test(index, case.sequence.size, &tested, took);
        }
        (case, tested)
    }

    /// Runs the next tests among `indices` as [`Tester::run_block`] does, up to the first that does not pass: as many
    /// as take about five milliseconds, never more than are [`left`](Budget::left), and one if an observer wants each
    /// test. Counts them, except for the one that failed, and notifies the observer.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Budget, Run, Settings}};
    /// # let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// let mut session = Run::new("bits", &property).settings(Settings::new().tests(1000)).session().unwrap();
    /// // The generational runner, for properties that hold.
    /// let mut budget = Budget::new(&session);
    /// let mut next = 0;
    /// while !budget.is_spent(&session) {
    ///     next = budget.run_block(&mut session, next..u64::MAX).index;
    /// }
    /// assert_eq!(next, 1000);
    /// ```
    pub fn run_block(&mut self, session: &mut Session<'_>, indices: Range<u64>) -> BlockTested {
        self.run_block_by(session, indices, &mut |tester, block| tester.run_block(block))
    }

    /// Runs a block as [`Budget::run_block`] does, with `test` as the body of each test, as for
    /// [`Tester::run_block_with`].
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Budget, Run, Settings}};
    /// # let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// # let mut session = Run::new("bits", &property).session().unwrap();
    /// use forall::property::IntoOutcome;
    /// let mut budget = Budget::new(&session);
    /// let tested = budget.run_block_with(&mut session, 0..7, |source| (source.choice(9) <= 9).into_outcome());
    /// assert_eq!((tested.index, budget.valid), (7, 7));
    /// ```
    pub fn run_block_with(
        &mut self,
        session: &mut Session<'_>,
        indices: Range<u64>,
        mut test: impl FnMut(&mut Source) -> Outcome,
    ) -> BlockTested {
        self.run_block_by(session, indices, &mut |tester, block| tester.run_block_with(block, &mut test))
    }

    fn run_block_by(
        &mut self,
        session: &mut Session<'_>,
        indices: Range<u64>,
        run: &mut dyn FnMut(&Tester<'_>, &Block) -> BlockTested,
    ) -> BlockTested {
        // At most as many tests as the budget still allows, valid or discarded, so that the run ends at the same index
        // for any block length.
        let start = indices.start;
        let end = indices.end.min(start.saturating_add(self.length.min(self.left())));
        let (tested, took) = self.run_all_by(session, start..end, run);
        if !session.one_by_one() {
            self.length = next_length(self.length, took, BLOCK_TIME, BLOCKS.end);
        }
        tested
    }

    /// Runs the tests with these indices in one block, up to the first that does not pass or to where the rule for their
    /// sizes changes. Returns how long they took. For a session that runs tests one by one, this must be one test.
    pub(super) fn run_all(&mut self, session: &mut Session<'_>, indices: Range<u64>) -> (BlockTested, Duration) {
        self.run_all_by(session, indices, &mut |tester, block| tester.run_block(block))
    }

    fn run_all_by(
        &mut self,
        session: &mut Session<'_>,
        indices: Range<u64>,
        run: &mut dyn FnMut(&Tester<'_>, &Block) -> BlockTested,
    ) -> (BlockTested, Duration) {
        let start = indices.start;
        let block = session.settings.size.block(session.seed, indices);
        let began = Instant::now();
        let tested = run(&session.tester, &block);
        let took = began.elapsed();
        self.discarded += tested.discarded;
        self.valid += tested.index - start - tested.discarded;
        if session.one_by_one() {
            tell_tested(session, start, &tested, took);
        }
        (tested, took)
    }

    /// Returns the number of tests that can run before the budget may be used up, regardless of their outcomes; 0 if it
    /// is used up.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Budget, Run, Settings, Tested}};
    /// # let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// # let session = Run::new("bits", &property).settings(Settings::new().tests(2)).session().unwrap();
    /// let mut budget = Budget::new(&session);
    /// budget.count(&Tested::Pass);
    /// assert_eq!(budget.left(), 1);
    /// ```
    #[doc(hidden)]
    pub fn left(&self) -> u64 {
        let discards = self.may_discard.saturating_add(1).saturating_sub(self.discarded);
        self.wanted.saturating_sub(self.valid).min(discards)
    }

    /// Returns whether to stop: enough tests, too many discards, out of time, or cancelled.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Budget, Run}};
    /// # let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// let session = Run::new("bits", &property).session().unwrap();
    /// assert!(!Budget::new(&session).is_spent(&session));
    /// session.tester.context().cancel();
    /// assert!(Budget::new(&session).is_spent(&session));
    /// ```
    pub fn is_spent(&self, session: &Session<'_>) -> bool {
        self.left() == 0 || session.is_over()
    }

    /// Returns the report: with `ending` if the run has one, otherwise with the verdict for the tests that ran.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Budget, Run, Verdict}};
    /// # let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// let session = Run::new("bits", &property).session().unwrap();
    /// let report = Budget::new(&session).finish(session, None);
    /// assert!(matches!(report.verdict, Verdict::GaveUp(_)), "nothing was tested");
    /// ```
    pub fn finish(self, mut session: Session<'_>, ending: Option<Ending>) -> Report {
        let ending = ending.unwrap_or_else(|| (self.verdict(&mut session, 0), None));
        let mut statistics = session.tester.context().take_statistics();
        super::recorders::profile(&mut session, &ending.0, self.valid + self.discarded);
        (statistics.valid, statistics.discarded, statistics.explored) = (self.valid, self.discarded, self.explored);
        session.finish(ending, statistics)
    }

    /// The verdict on a run from test `start` on in which nothing failed.
    pub(super) fn verdict(&self, session: &mut Session<'_>, start: u64) -> Verdict {
        let stopped = session.tester.context().is_cancelled() && self.left() > 0;
        if stopped && self.valid == 0 {
            return Verdict::GaveUp(Fact::Stopped { valid: 0, wanted: self.wanted });
        }
        if self.discarded > self.may_discard {
            return health::gave_up(session, self, start);
        }
        if self.wanted == 0 {
            // A shard without tests passes.
            session.warn(Fact::EmptyShard { tests: session.settings.tests });
            return Verdict::Passed;
        }
        if self.valid == 0 {
            return match session.settings.max_time.filter(|budget| session.elapsed() >= *budget) {
                Some(limit) => Verdict::GaveUp(Fact::TimeLimit { valid: 0, wanted: self.wanted, limit }),
                None => health::gave_up(session, self, start),
            };
        }
        // An unlimited run has no requested number of tests.
        let endless = self.wanted == u64::MAX;
        if stopped && !endless {
            session.warn(Fact::Stopped { valid: self.valid, wanted: self.wanted });
        }
        if let Some(limit) = session.settings.max_time
            && self.valid < self.wanted
            && !endless
            && session.elapsed() >= limit
        {
            session.warn(Fact::TimeLimit { valid: self.valid, wanted: self.wanted, limit });
        }
        health::advise(session, self);
        Verdict::Passed
    }
}

/// The length of the next block, after a block of `length` tests that took `took`, so that it takes about `aim`.
pub(super) fn next_length(length: u64, took: Duration, aim: Duration, most: u64) -> u64 {
    if took < aim {
        (length * 2).min(most)
    } else if took > 4 * aim {
        (length / 4).max(1)
    } else {
        length
    }
}

/// A block of one test does not report which clause discarded it: the test is generated again to find out.
fn tell_tested(session: &mut Session<'_>, index: u64, block: &BlockTested, time: Duration) {
    let size = session.size(index);
    let tested = match &block.stopped_by {
        Some(tested) => tested.clone(),
        None if block.discarded == 0 => Tested::Pass,
        None => Tested::Discard(session.tester.discarding_clause(index, size)),
    };
    session.record(index, None, size, &tested, time, "at random");
    session.emit_test(index, size, &tested, time);
}
