//! How much of a run is wanted: how many tests, and whether the running one still is.

use super::{Cancel, Context};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// What is wanted of a run.
#[derive(Debug)]
pub(super) struct Wanted {
    tests: AtomicU64,
    /// Tests with a higher index are of no use any more. The workers of a run share it.
    last: Arc<AtomicU64>,
    cancel: OnceLock<Cancel>,
    /// The running test is waited for whatever happens: its outcome is what the report will say.
    must_end: AtomicBool,
    /// The running test was run in case that it would be asked for, and it was not.
    unwanted: AtomicBool,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            tests: AtomicU64::new(0),
            last: Arc::new(AtomicU64::new(u64::MAX)),
            cancel: OnceLock::new(),
            must_end: AtomicBool::new(false),
            unwanted: AtomicBool::new(false),
        }
    }
}

impl Wanted {
    /// The same for another worker of the run: as many tests, up to the same last one.
    pub(super) fn for_worker(&self) -> Self {
        let tests = AtomicU64::new(self.tests.load(Ordering::Relaxed));
        Self { tests, last: Arc::clone(&self.last), ..Self::default() }
    }
}

impl Context {
    /// Stops the run before the next block of tests, or before the next candidate of shrinking.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// use forall::run::Run;
    /// let property = property! { forall n: u64; check { forall::context().cancel(); } };
    /// assert!(Run::new("once", &property).report().statistics.valid < 256);
    /// ```
    pub fn cancel(&self) {
        self.progress().cancel.store(true, Ordering::Relaxed);
    }

    /// Returns whether the run was cancelled: a long test may check this and return.
    ///
    /// ```
    /// let context = forall::context();
    /// assert!(!context.is_cancelled());
    /// context.cancel();
    /// assert!(context.is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        if crate::interrupt::came() {
            return true;
        }
        self.progress().cancel.load(Ordering::Relaxed) || self.0.wanted.cancel.get().is_some_and(Cancel::is_cancelled)
    }

    /// The run stops when `cancel` says so, too.
    pub(crate) fn cancel_with(&self, cancel: Cancel) {
        // A run is given one at its beginning, if at all.
        let _ = self.0.wanted.cancel.set(cancel);
    }

    /// Whether tests are waited for from now on, even if the run was stopped.
    pub(crate) fn wait_for_tests(&self, wait: bool) {
        self.0.wanted.must_end.store(wait, Ordering::Relaxed);
    }

    /// Whether nobody waits for the running test any more.
    pub(crate) fn is_abandoned(&self) -> bool {
        let unwanted = self.is_cancelled()
            || self.index() > self.0.wanted.last.load(Ordering::Relaxed)
            || self.0.wanted.unwanted.load(Ordering::Relaxed);
        unwanted && !self.0.wanted.must_end.load(Ordering::Relaxed)
    }

    /// How many tests the run is to make: sizes depend on it.
    pub(crate) fn say_tests(&self, tests: u64) {
        self.0.wanted.tests.store(tests, Ordering::Relaxed);
    }

    pub(crate) fn tests(&self) -> u64 {
        self.0.wanted.tests.load(Ordering::Relaxed)
    }

    /// The same stops this run that stops another.
    pub(crate) fn cancel_like(&self, other: &Context) {
        if let Some(cancel) = other.0.wanted.cancel.get() {
            self.cancel_with(cancel.clone());
        }
    }

    /// Says that tests with a higher index than this are of no use any more.
    pub(crate) fn say_last(&self, index: u64) {
        self.0.wanted.last.fetch_min(index, Ordering::Relaxed);
    }

    /// Forgets what [`Context::say_last`] said: the run is over, and tests are replayed and shrunk.
    pub(crate) fn forget_last(&self) {
        self.0.wanted.last.store(u64::MAX, Ordering::Relaxed);
    }

    /// Says whether the running test is of no use.
    pub(crate) fn abandon(&self, unwanted: bool) {
        self.0.wanted.unwanted.store(unwanted, Ordering::Relaxed);
    }

    pub(crate) fn is_waited_for(&self) -> bool {
        self.0.wanted.must_end.load(Ordering::Relaxed)
    }
}
