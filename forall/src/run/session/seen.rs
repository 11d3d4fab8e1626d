//! Observations of a run: its time, the tests that passed, and data for the report.

use super::tainted::RUNS;
use crate::panic::Caught;
use crate::run::{Case, Searched};
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Observations of a run.
pub(crate) struct Seen {
    started: Instant,
    /// The number of panics outside of all tests before the run.
    strays: u64,
    /// The progress of an exhaustive search.
    pub(crate) searched: Vec<Searched>,
    /// The indices of the random tests before the one that failed; all of them passed.
    pub(in crate::run) passed: Range<u64>,
    /// The first passed tests that are not random, with their index.
    pub(super) passing: Vec<(u64, Case)>,
    /// The number of tests of each thread, if there were several.
    pub(in crate::run) workers: Vec<u64>,
    /// Whether a failure on several threads was a race, beside a failure on one.
    pub(super) races: bool,
    /// Whether the session was turned into a report. Shared with the code that handed the session over.
    finished: Rc<Cell<bool>>,
}

impl Seen {
    /// Creates the observations at the start of a run.
    pub(super) fn nothing() -> Self {
        Self {
            started: Instant::now(),
            strays: crate::panic::printed(),
            searched: Vec::new(),
            passed: 0..0,
            passing: Vec::new(),
            workers: Vec::new(),
            races: false,
            finished: Rc::default(),
        }
    }

    /// Whether the session was turned into a report, to read after the session is gone.
    pub(in crate::run) fn has_finished(&self) -> Rc<Cell<bool>> {
        Rc::clone(&self.finished)
    }

    /// Records that the session is turned into a report.
    pub(super) fn finish(&self) {
        self.finished.set(true);
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Subtracts time that was spent on recording.
    pub(super) fn leave_out(&mut self, time: Duration) {
        self.started += time;
    }

    /// The number of panics outside all tests since the start of the run, and the last of them.
    pub(super) fn strays(&self) -> Option<(u64, Caught)> {
        crate::panic::printed_since(self.strays)
    }

    /// Whether a test of the run is known to have passed.
    pub(super) fn has_passing(&self) -> bool {
        !self.passed.is_empty() || !self.passing.is_empty()
    }

    /// Remembers a passed test, if it is one of the first.
    pub(super) fn remember_passing(&mut self, index: u64, case: &Case) {
        if self.passing.len() < RUNS {
            self.passing.push((index, case.clone()));
        }
    }

    /// Adds the tests of each worker. There may be earlier ones, of another round or another part of a shard.
    pub(in crate::run) fn add_workers(&mut self, ran: Vec<u64>) {
        for (worker, tests) in ran.into_iter().enumerate() {
            match self.workers.get_mut(worker) {
                Some(all) => *all += tests,
                None => self.workers.push(tests),
            }
        }
    }
}
