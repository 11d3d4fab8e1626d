//! What a run is doing, for the watcher and for the line that shows how far it is.

use super::Context;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Phase {
    Testing,
    /// Testing with literals of the tested code.
    Quoting,
    Shrinking,
    Explaining,
}

/// What a run is doing.
#[derive(Debug)]
pub(super) struct Activity {
    /// Counts what happens beyond `progress.index`: replays, candidates. A watcher for hangs looks at both.
    beats: AtomicU64,
    /// What the run is doing, and the beats before that.
    phase: Mutex<(Phase, u64)>,
    /// How often it got somewhere.
    steps: AtomicU64,
    /// A failing input that is being worked on, in words: named if the process ends meanwhile.
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
    /// Something else begins.
    pub(crate) fn begin(&self, phase: Phase) {
        let beats = self.0.activity.beats.load(Ordering::Relaxed);
        *self.0.activity.phase.lock().unwrap_or_else(PoisonError::into_inner) = (phase, beats);
        self.0.activity.steps.store(0, Ordering::Relaxed);
    }

    /// What the run is doing, and how many inputs were run since that began.
    pub(crate) fn phase(&self) -> (Phase, u64) {
        let (phase, before) = *self.0.activity.phase.lock().unwrap_or_else(PoisonError::into_inner);
        (phase, self.0.activity.beats.load(Ordering::Relaxed).saturating_sub(before))
    }

    /// What is being done got somewhere.
    pub(crate) fn step(&self) {
        self.0.activity.steps.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn steps(&self) -> u64 {
        self.0.activity.steps.load(Ordering::Relaxed)
    }

    pub(crate) fn beat(&self) {
        self.0.activity.beats.fetch_add(1, Ordering::Relaxed);
    }

    /// Changes whenever something new begins.
    pub(crate) fn pulse(&self) -> (u64, u64) {
        (self.index(), self.0.activity.beats.load(Ordering::Relaxed))
    }

    /// This is the failing input that is being worked on.
    pub(crate) fn put_at_hand(&self, input: String) {
        *self.0.activity.at_hand.lock().unwrap_or_else(PoisonError::into_inner) = input;
    }

    pub(crate) fn at_hand(&self) -> String {
        self.0.activity.at_hand.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
