//! The current activity of a run, for the watcher and the progress line.

use super::Context;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The activity of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Phase {
    Testing,
    /// Testing with literals from the tested code.
    Quoting,
    Shrinking,
    Explaining,
}

/// The activity of a run.
#[derive(Debug)]
pub(super) struct Activity {
    /// Counts the inputs that `progress.index` does not count: replays, candidates. The watcher for hangs reads both.
    beats: AtomicU64,
    /// The activity, and the beats before it started.
    phase: Mutex<(Phase, u64)>,
    /// The number of improvements.
    steps: AtomicU64,
    /// The failing input that is being shrunk or explained, as text: printed if the process ends meanwhile.
    at_hand: Mutex<String>,
}

impl Default for Activity {
    fn default() -> Self {
        Self {
            beats: AtomicU64::new(0),
            phase: Mutex::new((Phase::Testing, 0)),
            steps: AtomicU64::new(0),
            at_hand: Mutex::default(),
        }
    }
}

impl Context {
    /// Starts another activity.
    pub(crate) fn begin(&self, phase: Phase) {
        let beats = self.0.activity.beats.load(Ordering::Relaxed);
        *self.0.activity.phase.lock().unwrap_or_else(PoisonError::into_inner) = (phase, beats);
        self.0.activity.steps.store(0, Ordering::Relaxed);
    }

    /// The activity, and the number of inputs run since it started.
    pub(crate) fn phase(&self) -> (Phase, u64) {
        let (phase, before) = *self.0.activity.phase.lock().unwrap_or_else(PoisonError::into_inner);
        (phase, self.0.activity.beats.load(Ordering::Relaxed).saturating_sub(before))
    }

    /// Records an improvement.
    pub(crate) fn step(&self) {
        self.0.activity.steps.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn steps(&self) -> u64 {
        self.0.activity.steps.load(Ordering::Relaxed)
    }

    pub(crate) fn beat(&self) {
        self.0.activity.beats.fetch_add(1, Ordering::Relaxed);
    }

    /// A value that changes with each input that runs.
    pub(crate) fn pulse(&self) -> (u64, u64) {
        (self.index(), self.0.activity.beats.load(Ordering::Relaxed))
    }

    /// Sets the failing input that is being shrunk or explained.
    pub(crate) fn put_at_hand(&self, input: String) {
        *self.0.activity.at_hand.lock().unwrap_or_else(PoisonError::into_inner) = input;
    }

    pub(crate) fn at_hand(&self) -> String {
        self.0.activity.at_hand.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
