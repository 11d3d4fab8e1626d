//! How much may be tested, and how much was.

use super::{Ending, Report, Session, Tested, Verdict, health};
use crate::report::advice;

/// What a run may spend: valid tests, discarded ones, time. Counts what was spent.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Budget, Run, Settings, Verdict};
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// let session = Run::new("bits", &property).settings(Settings::new().tests(10).seed(7)).session().unwrap();
/// // A runner in four lines.
/// let mut budget = Budget::new(&session);
/// for index in 0.. {
///     if budget.is_spent(&session) { break }
///     budget.count(&session.tester.record(index, 100).1);
/// }
/// let report = budget.finish(session, None);
/// assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 10));
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    /// Tests that ran to their check.
    pub valid: u64,
    /// Tests that were discarded.
    pub discarded: u64,
    pub(super) wanted: u64,
    pub(super) may_discard: u64,
}

impl Budget {
    /// What the settings of the session allow.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Budget, Run, Settings}};
    /// # let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// let session = Run::new("bits", &property).settings(Settings::new().tests(10)).session().unwrap();
    /// assert_eq!(Budget::new(&session).left(), 10);
    /// ```
    pub fn new(session: &Session<'_>) -> Self {
        let tests = session.settings.tests;
        let may_discard = session.settings.discard_ratio.saturating_mul(tests);
        Self { valid: 0, discarded: 0, wanted: tests, may_discard }
    }

    /// The same for another number of valid tests.
    pub(super) fn wanting(self, wanted: u64) -> Self {
        Self { wanted, ..self }
    }

    /// Counts a test. One that failed ends the run, and is not counted: the report has it.
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
    pub fn count(&mut self, tested: &Tested) {
        match tested {
            Tested::Pass => self.valid += 1,
            Tested::Discard(_) | Tested::NoSuchStep => self.discarded += 1,
            Tested::Fail(_) | Tested::Fault(_) => {}
        }
    }

    /// How many tests can run before the budget may be spent, whatever becomes of them; 0 when it is.
    ///
    /// ```
    /// # use forall::{prelude::*, run::{Budget, Run, Settings, Tested}};
    /// # let property = property! { forall n: u64; check n.count_ones() <= 64 };
    /// # let session = Run::new("bits", &property).settings(Settings::new().tests(2)).session().unwrap();
    /// let mut budget = Budget::new(&session);
    /// budget.count(&Tested::Pass);
    /// assert_eq!(budget.left(), 1);
    /// ```
    pub fn left(&self) -> u64 {
        let discards = self.may_discard.saturating_add(1).saturating_sub(self.discarded);
        self.wanted.saturating_sub(self.valid).min(discards)
    }

    /// Whether to stop: enough was tested, too much was discarded, time is up, or someone asked for it.
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

    /// The report: with `ending` if the run came to one, else with what this much testing is worth.
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
        (statistics.valid, statistics.discarded) = (self.valid, self.discarded);
        session.finish(ending, statistics)
    }

    /// What to think of a run from test `start` on in which nothing failed.
    pub(super) fn verdict(&self, session: &mut Session<'_>, start: u64) -> Verdict {
        let stopped = session.tester.context().is_cancelled() && self.left() > 0;
        if stopped && self.valid == 0 {
            return Verdict::GaveUp(advice::run_was_stopped(0, self.wanted));
        }
        if self.discarded > self.may_discard || self.valid == 0 {
            return health::gave_up(session, self, start);
        }
        if stopped {
            session.warn(advice::run_was_stopped(self.valid, self.wanted));
        }
        if let Some(budget) = session.settings.time
            && self.valid < self.wanted
            && session.elapsed() >= budget
        {
            session.warn(advice::time_ran_out(self.valid, self.wanted, budget));
        }
        health::advise(session, self);
        Verdict::Passed
    }
}
