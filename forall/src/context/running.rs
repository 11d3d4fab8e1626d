//! The state of the current test: its origin, and whether it can be replayed.

use super::activity::Phase;
use super::{Context, current};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The current test.
#[derive(Debug, Default)]
pub(super) struct Running {
    in_block: AtomicBool,
    /// Whether the current or next test was chosen by a runner, and has no result yet.
    chosen: AtomicBool,
    /// The pulse of the last test that was rejected by one of its threads.
    rejected_at: Mutex<Option<(u64, u64)>>,
    /// Whether a test of the run exceeded the recording limit.
    overran: AtomicBool,
}

impl Context {
    /// Whether the current test is one of many and is not needed once the run's time is up, that is, neither a rerun of
    /// a failing test nor a variation of one.
    pub(crate) fn is_one_of_many(&self) -> bool {
        if self.phase().0 == Phase::Quoting {
            return true;
        }
        self.is_in_block() || self.is_chosen()
    }

    /// Whether a test that a runner chose is in progress: being generated, run or judged.
    pub(crate) fn is_chosen(&self) -> bool {
        self.0.running.chosen.load(Ordering::Relaxed)
    }

    pub(crate) fn say_chosen(&self, chosen: bool) {
        self.0.running.chosen.store(chosen, Ordering::Relaxed);
    }

    /// Whether the current test is part of a block, so that seed and index identify it: not a replay or a candidate.
    pub(crate) fn is_in_block(&self) -> bool {
        self.0.running.in_block.load(Ordering::Relaxed)
    }

    pub(crate) fn say_in_block(&self, in_block: bool) {
        self.0.running.in_block.store(in_block, Ordering::Relaxed);
    }

    /// Records that an assumption does not hold in a thread or task of the current test.
    pub(super) fn rejected(&self) {
        *self.0.running.rejected_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.pulse());
    }

    /// Whether an assumption did not hold in a thread of the current or last test.
    pub(crate) fn was_rejected_by_a_thread(&self) -> bool {
        *self.0.running.rejected_at.lock().unwrap_or_else(PoisonError::into_inner) == Some(self.pulse())
    }

    /// Whether a test of the run exceeded the recording limit.
    pub(crate) fn overran(&self) -> bool {
        self.0.running.overran.load(Ordering::Relaxed)
    }
}

/// Records that the test on this thread exceeded the recording limit.
#[cold]
pub(crate) fn say_overrun() {
    if let Some(context) = current() {
        context.0.running.overran.store(true, Ordering::Relaxed);
    }
}
