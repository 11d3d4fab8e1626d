//! What a run has seen so far: its time, the tests that passed, and what its report will show of them.

use super::tainted::RUNS;
use crate::panic::Caught;
use crate::run::{Case, Searched};
use std::ops::Range;
use std::time::{Duration, Instant};

/// What a run has seen.
pub(crate) struct Seen {
    started: Instant,
    /// How many panics of threads outside of all tests were seen before it.
    strays: u64,
    /// What an exhaustive search did.
    pub(crate) searched: Vec<Searched>,
    /// The tests at random that ran before the one that failed; none of them did.
    pub(in crate::run) passed: Range<u64>,
    /// The first tests that passed of those that are not generated at random, with their index.
    pub(super) passing: Vec<(u64, Case)>,
    /// How many tests each thread ran, if there were several.
    pub(in crate::run) workers: Vec<u64>,
}

impl Seen {
    /// A run starts.
    pub(super) fn nothing() -> Self {
        Self {
            started: Instant::now(),
            strays: crate::panic::printed(),
            searched: Vec::new(),
            passed: 0..0,
            passing: Vec::new(),
            workers: Vec::new(),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Takes time off the run that was spent on what is told of it.
    pub(super) fn leave_out(&mut self, time: Duration) {
        self.started += time;
    }

    /// How many panics of threads outside of all tests there were since, and the last of them.
    pub(super) fn strays(&self) -> Option<(u64, Caught)> {
        crate::panic::printed_since(self.strays)
    }

    /// Whether a test of the run is known to have passed.
    pub(super) fn has_passing(&self) -> bool {
        !self.passed.is_empty() || !self.passing.is_empty()
    }

    /// Remembers a test that passed, if it is one of the first.
    pub(super) fn remember_passing(&mut self, index: u64, case: &Case) {
        if self.passing.len() < RUNS {
            self.passing.push((index, case.clone()));
        }
    }

    /// Adds the tests that each worker ran. There may have been some before: of another round, or of another part of a shard.
    pub(in crate::run) fn add_workers(&mut self, ran: Vec<u64>) {
        for (worker, tests) in ran.into_iter().enumerate() {
            match self.workers.get_mut(worker) {
                Some(all) => *all += tests,
                None => self.workers.push(tests),
            }
        }
    }
}
