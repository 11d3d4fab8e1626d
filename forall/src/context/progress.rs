//! The progress of a run.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The progress of a run: written by the test loop, read by watchers, and still valid after a panic.
///
/// ```
/// use forall::prelude::*;
/// use forall::property::{Block, Progress, Property, Sizes};
/// use std::sync::atomic::Ordering;
/// let property = property! { forall n in 0..10u32; implies *n < 5; check *n < 5 };
/// let progress = Progress::default();
/// property.run_block(&Block { seed: 7, indices: 0..100, sizes: Sizes::constant(0) }, &progress);
/// assert_eq!(progress.index.load(Ordering::Relaxed), 99, "the last test");
/// assert!(progress.discarded.load(Ordering::Relaxed) > 0);
/// ```
#[derive(Debug, Default)]
pub struct Progress {
    /// The current test.
    pub index: AtomicU64,
    /// The number of discarded tests of the block.
    pub discarded: AtomicU64,
    /// Set to stop the run before the next block.
    pub cancel: AtomicBool,
}

impl Progress {
    /// Counts the current test as discarded.
    ///
    /// ```
    /// use forall::property::Progress;
    /// use std::sync::atomic::Ordering;
    /// let progress = Progress::default();
    /// progress.discard();
    /// assert_eq!(progress.discarded.load(Ordering::Relaxed), 1);
    /// ```
    pub fn discard(&self) {
        self.discarded.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts tests that were discarded in another process.
    pub(crate) fn discard_others(&self, count: u64) {
        self.discarded.fetch_add(count, Ordering::Relaxed);
    }
}
