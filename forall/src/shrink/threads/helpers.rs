//! The threads that help a search, if that pays off.
//!
//! Candidates that take microseconds are run by the search itself. Threads are started only if candidates take longer
//! than handing them over.

use super::ahead::Journal;
use crate::testing::pool::Pool;
use std::io;
use std::time::Duration;

/// Candidates that take longer than this are handed to other threads: several times the cost of handing one over.
const WORTH_IT: Duration = Duration::from_micros(150);
/// Once candidates are being handed over, this continues until they take less than this.
const STILL_WORTH_IT: Duration = Duration::from_micros(75);
/// The initial estimate is the minimum of this many runs: the first runs warm up.
const FIRST_RUNS: u64 = 2;
/// One in this many fast candidates is timed, because reading the clock has a cost.
const TIMED: u64 = 8;

/// The threads that help a search.
pub(super) struct Helpers<'s> {
    pub(super) pool: &'s Pool,
    /// Starts the worker with this number.
    start: &'s dyn Fn(usize) -> io::Result<()>,
    pub(super) threads: usize,
    started: bool,
    /// Whether candidates are handed over.
    pub(super) handing_over: bool,
    /// The approximate duration of a candidate, and the number of candidates timed.
    pub(super) takes: Duration,
    timed: u64,
    /// The total duration of all requested candidates, and of all rehearsals.
    pub(super) ran: Duration,
    pub(super) rehearsed: Duration,
    pub(super) habits: Habits,
    pub(super) journal: Option<Journal>,
}

impl<'s> Helpers<'s> {
    pub(super) fn new(pool: &'s Pool, start: &'s dyn Fn(usize) -> io::Result<()>, threads: usize) -> Self {
        let (started, handing_over, journal) = (false, false, None);
        let (takes, ran, rehearsed) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        let (timed, habits) = (0, Habits::default());
        Self { pool, start, threads, started, handing_over, takes, timed, ran, rehearsed, habits, journal }
    }

    /// Whether to time the next candidate.
    pub(super) fn wants_time(&self, evaluations: u64) -> bool {
        self.timed < FIRST_RUNS || self.takes * 4 > WORTH_IT || evaluations.is_multiple_of(TIMED)
    }

    /// Records the duration of a candidate.
    pub(super) fn took(&mut self, took: Duration) {
        self.timed += 1;
        self.ran += took;
        if self.timed <= FIRST_RUNS {
            self.takes = if self.timed == 1 { took } else { self.takes.min(took) };
        } else {
            // An interrupted one says little about the others.
            let took = took.min(WORTH_IT * 2).max(took.min(self.takes * 4));
            self.takes = self.takes * 7 / 8 + took / 8;
        }
        let limit = if self.handing_over { STILL_WORTH_IT } else { WORTH_IT };
        self.handing_over = self.timed >= FIRST_RUNS && self.takes >= limit && self.has_workers();
    }

    /// Whether there are workers. They are started when this is first asked.
    fn has_workers(&mut self) -> bool {
        if !self.started {
            self.started = true;
            for number in 0..self.threads {
                if (self.start)(number).is_err() {
                    break;
                }
            }
        }
        self.pool.workers() > 1
    }

    pub(super) fn hands_over(&self) -> bool {
        self.handing_over
    }

    /// Whether answers are worth noting.
    pub(super) fn keeps_a_journal(&self) -> bool {
        self.timed < FIRST_RUNS || self.takes * 4 > WORTH_IT
    }
}

/// Predicts answers: after three acceptances in a row a fourth is likely; a bisection alternates. Works like a
/// processor's branch predictor.
#[derive(Clone, Copy)]
pub(super) struct Habits {
    /// The last three answers, one bit each.
    last: usize,
    /// For each way in which they can come, how likely a yes follows.
    yes: [f32; 8],
}

/// A new answer counts as much as this part of those before it.
const NEW: f32 = 0.125;
/// Unexpected outcomes have a small probability.
const LEAST_LIKELY: f32 = 0.03;

impl Default for Habits {
    fn default() -> Self {
        let mut yes = [0.1; 8];
        yes[0b111] = 0.6;
        Self { last: 0, yes }
    }
}

impl Habits {
    /// How likely the next answer is a yes.
    pub(super) fn likely(&self) -> f32 {
        self.yes[self.last].clamp(LEAST_LIKELY, 1.0 - LEAST_LIKELY)
    }

    pub(super) fn guess(&self) -> bool {
        self.likely() > 0.5
    }

    pub(super) fn learn(&mut self, accepted: bool) {
        let yes = &mut self.yes[self.last];
        *yes += (f32::from(u8::from(accepted)) - *yes) * NEW;
        self.assume(accepted);
    }

    pub(super) fn assume(&mut self, accepted: bool) {
        self.last = (self.last << 1 | usize::from(accepted)) & 0b111;
    }
}
