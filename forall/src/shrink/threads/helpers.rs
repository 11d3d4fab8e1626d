//! The threads that help a search, when that pays.
//!
//! Candidates that take microseconds are run by the search itself. Only when they take longer than it takes to hand them
//! over, threads are started.

use super::ahead::Journal;
use super::pool::Pool;
use std::io;
use std::time::Duration;

/// Candidates that take longer than this are handed to other threads: it is several times what that costs.
const WORTH_IT: Duration = Duration::from_micros(150);
/// Those of a search that hands them over already, until they take less than this.
const STILL_WORTH_IT: Duration = Duration::from_micros(75);
/// The least of so many runs is what candidates are taken to need at first: the first runs warm up.
const FIRST_RUNS: u64 = 2;
/// Fast candidates are timed one in so many: the clock costs something, too.
const TIMED: u64 = 8;

/// The threads that help a search.
pub(super) struct Helpers<'s> {
    pub(super) pool: &'s Pool,
    /// Starts the worker with a number.
    start: &'s dyn Fn(usize) -> io::Result<()>,
    pub(super) threads: usize,
    /// Whether any candidate that fails is taken, and not only the first.
    pub(super) greedy: bool,
    started: bool,
    /// Whether candidates are handed over.
    pub(super) handing_over: bool,
    /// How long a candidate takes, about, and how many were timed.
    pub(super) takes: Duration,
    timed: u64,
    /// How long all candidates together took that were asked for, and all rehearsals.
    pub(super) ran: Duration,
    pub(super) rehearsed: Duration,
    pub(super) habits: Habits,
    pub(super) journal: Option<Journal>,
}

impl<'s> Helpers<'s> {
    pub(super) fn new(
        pool: &'s Pool,
        start: &'s dyn Fn(usize) -> io::Result<()>,
        threads: usize,
        greedy: bool,
    ) -> Self {
        let (started, handing_over, journal) = (false, false, None);
        let (takes, ran, rehearsed) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        let (timed, habits) = (0, Habits::default());
        Self { pool, start, threads, greedy, started, handing_over, takes, timed, ran, rehearsed, habits, journal }
    }

    /// Whether the next candidate is to be timed.
    pub(super) fn wants_time(&self, evaluations: u64) -> bool {
        self.timed < FIRST_RUNS || self.takes * 4 > WORTH_IT || evaluations.is_multiple_of(TIMED)
    }

    /// A candidate took so long.
    pub(super) fn took(&mut self, took: Duration) {
        self.timed += 1;
        self.ran += took;
        if self.timed <= FIRST_RUNS {
            self.takes = if self.timed == 1 { took } else { self.takes.min(took) };
        } else {
            // One that was interrupted says little of the others.
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
                self.pool.add_worker();
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

/// Which answers follow which: what was accepted three times in a row is accepted a fourth time, mostly; a bisection goes to
/// and fro. Learnt as processors learn which way branches go.
#[derive(Clone, Copy)]
pub(super) struct Habits {
    /// The last three answers, one bit each.
    last: usize,
    /// For each way in which they can come, whether a yes follows: above 0 it is likely.
    yes: [i8; 8],
}

impl Default for Habits {
    fn default() -> Self {
        let mut yes = [-2; 8];
        yes[0b111] = 1;
        Self { last: 0, yes }
    }
}

impl Habits {
    pub(super) fn guess(&self) -> bool {
        self.yes[self.last] > 0
    }

    pub(super) fn learn(&mut self, accepted: bool) {
        let yes = &mut self.yes[self.last];
        *yes = (*yes + if accepted { 1 } else { -1 }).clamp(-2, 3);
        self.assume(accepted);
    }

    pub(super) fn assume(&mut self, accepted: bool) {
        self.last = (self.last << 1 | usize::from(accepted)) & 0b111;
    }
}
