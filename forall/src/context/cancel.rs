//! Cancelling a run from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle to stop runs from outside: from another thread, or from your program's own Ctrl-C handler.
///
/// This crate installs no signal handler, unless a test has something to clean up ([`graceful`](crate::graceful)) or
/// `FORALL_INTERRUPT=1` is set. Under `cargo test` none is needed otherwise: a failing input is saved before shrinking
/// begins, and each simpler one replaces it, so the next run reports the best counterexample of a killed one. A program
/// that runs properties itself can do better: [`Cancel::cancel`] ends shrinking at once, and the report shows the
/// simplest input found so far.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Cancel, Run, Settings, Store};
///
/// let cancel = Cancel::new();
/// let handler = cancel.clone();
/// // With the crate `ctrlc`: ctrlc::set_handler(move || handler.cancel())
/// std::thread::spawn(move || handler.cancel()).join().unwrap();
///
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// let settings = Settings::new().store(Store::Off);
/// let report = Run::new("bits", &property).settings(settings).cancelled_by(&cancel).report();
/// assert!(!report.verdict.is_success(), "nothing was tested");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Creates a handle that is not cancelled.
    ///
    /// ```
    /// assert!(!forall::run::Cancel::new().is_cancelled());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops all runs with this handle: before the next block of tests, or before the next shrinking candidate. A long
    /// test may check [`Context::is_cancelled`](crate::Context::is_cancelled) and return.
    ///
    /// It only sets a flag, so it may be called from any thread and from a signal handler.
    ///
    /// ```
    /// let cancel = forall::run::Cancel::new();
    /// cancel.clone().cancel();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the runs were cancelled.
    ///
    /// ```
    /// let cancel = forall::run::Cancel::new();
    /// assert!(!cancel.is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
