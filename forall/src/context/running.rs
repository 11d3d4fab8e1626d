//! What is known of the running test: where it comes from, and whether it can be replayed.

use super::activity::Phase;
use super::{Context, current};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The running test.
#[derive(Debug, Default)]
pub(super) struct Running {
    in_block: AtomicBool,
    /// The running test, or the one that is about to run, is one that a runner chose, and nothing is known of it yet.
    chosen: AtomicBool,
    /// The pulse of the last test that a thread of it rejected.
    rejected_at: Mutex<Option<(u64, u64)>>,
    /// Whether a test of the run drew more than can be recorded.
    overran: AtomicBool,
}

impl Context {
    /// Whether the running test is one of many, and of no use when the time of the run is over: not one that failed and is run
    /// again, nor one like it.
    pub(crate) fn is_one_of_many(&self) -> bool {
        if self.phase().0 == Phase::Quoting {
            return true;
        }
        self.is_in_block() || self.is_chosen()
    }

    /// Whether a test is under way that a runner chose: it is made, it runs, or it is judged.
    pub(crate) fn is_chosen(&self) -> bool {
        self.0.running.chosen.load(Ordering::Relaxed)
    }

    pub(crate) fn say_chosen(&self, chosen: bool) {
        self.0.running.chosen.store(chosen, Ordering::Relaxed);
    }

    /// Whether the running test is one of a block, so that seed and index tell which: not one that is replayed or shrunk.
    pub(crate) fn is_in_block(&self) -> bool {
        self.0.running.in_block.load(Ordering::Relaxed)
    }

    pub(crate) fn say_in_block(&self, in_block: bool) {
        self.0.running.in_block.store(in_block, Ordering::Relaxed);
    }

    /// An assumption does not hold, in a thread or a task of the test that runs.
    pub(super) fn rejected(&self) {
        *self.0.running.rejected_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.pulse());
    }

    /// Whether an assumption did not hold in a thread of the test that runs, or that ran last.
    pub(crate) fn was_rejected_by_a_thread(&self) -> bool {
        *self.0.running.rejected_at.lock().unwrap_or_else(PoisonError::into_inner) == Some(self.pulse())
    }

    /// Whether a test of the run drew more than can be recorded.
    pub(crate) fn overran(&self) -> bool {
        self.0.running.overran.load(Ordering::Relaxed)
    }
}

/// The test that runs on this thread drew more than can be recorded.
#[cold]
pub(crate) fn say_overrun() {
    if let Some(context) = current() {
        context.0.running.overran.store(true, Ordering::Relaxed);
    }
}
