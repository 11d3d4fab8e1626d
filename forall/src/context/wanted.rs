//! How many tests a run needs, and whether it still needs the current one.

use super::{Cancel, Context};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// The number of tests that a run needs.
#[derive(Debug)]
pub(super) struct Wanted {
    tests: AtomicU64,
    /// Tests with a higher index are no longer needed. Shared by the workers of a run.
    last: Arc<AtomicU64>,
    cancel: OnceLock<Cancel>,
    /// Whether the result of the current test is needed in any case, because it will be reported.
    must_end: AtomicBool,
    /// Whether the current test was run ahead, and is not needed.
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
    /// A copy for another worker of the run, with the same number of tests and the same last index.
    pub(super) fn for_worker(&self) -> Self {
        let tests = AtomicU64::new(self.tests.load(Ordering::Relaxed));
        Self { tests, last: Arc::clone(&self.last), ..Self::default() }
    }
}

impl Context {
    /// Stops the run before the next block of tests, or before the next shrinking candidate.
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

    /// Also stops the run when `cancel` is triggered.
    pub(crate) fn cancel_with(&self, cancel: Cancel) {
        // A run has at most one, which is set at its start.
        let _ = self.0.wanted.cancel.set(cancel);
    }

    /// Sets whether tests run to their end even if the run was cancelled.
    pub(crate) fn wait_for_tests(&self, wait: bool) {
        self.0.wanted.must_end.store(wait, Ordering::Relaxed);
    }

    /// Whether the result of the current test is no longer needed.
    pub(crate) fn is_abandoned(&self) -> bool {
        let unwanted = self.is_cancelled()
            || self.index() > self.0.wanted.last.load(Ordering::Relaxed)
            || self.0.wanted.unwanted.load(Ordering::Relaxed);
        unwanted && !self.0.wanted.must_end.load(Ordering::Relaxed)
    }

    /// Sets the number of tests of the run, for messages and the progress line.
    pub(crate) fn say_tests(&self, tests: u64) {
        self.0.wanted.tests.store(tests, Ordering::Relaxed);
    }

    pub(crate) fn tests(&self) -> u64 {
        self.0.wanted.tests.load(Ordering::Relaxed)
    }

    /// Stops this run together with another.
    pub(crate) fn cancel_like(&self, other: &Context) {
        if let Some(cancel) = other.0.wanted.cancel.get() {
            self.cancel_with(cancel.clone());
        }
    }

    /// Declares that tests with a higher index are no longer needed.
    pub(crate) fn say_last(&self, index: u64) {
        self.0.wanted.last.fetch_min(index, Ordering::Relaxed);
    }

    /// Undoes [`Context::say_last`]: the run is over, and tests are replayed and shrunk.
    pub(crate) fn forget_last(&self) {
        self.0.wanted.last.store(u64::MAX, Ordering::Relaxed);
    }

    /// Sets whether the current test is not needed.
    pub(crate) fn abandon(&self, unwanted: bool) {
        self.0.wanted.unwanted.store(unwanted, Ordering::Relaxed);
    }

    pub(crate) fn is_waited_for(&self) -> bool {
        self.0.wanted.must_end.load(Ordering::Relaxed)
    }
}
