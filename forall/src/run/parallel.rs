//! Random tests on several threads, with the same result as on one.
//!
//! Test *i* is a function of the seed and of *i*, so it does not matter who runs it. Workers claim blocks of indices, and no
//! index is claimed that the run may not need: those below the number of wanted tests, and one more for each test that was
//! discarded. Where the run ends is known only at its end: at the first failure, the discard that was one too many, or the
//! last test. Only what lies before that counts. So what came of a block is kept apart as long as one before it is under way,
//! and counted then, in the order of the blocks. No block is cut by the end: it stops at a failure by itself, and where the
//! number of discards may become too large inside of it, it has one test.

use super::budget::{BLOCK_TIME, next_length};
use super::generational::{stopped, test_at_random};
use super::keeping::Stage;
use super::session::Session;
use super::tester::{Tested, Tester};
use super::workers::Workers;
use super::{Budget, Case, Report, Schedule, Statistics};
use crate::context::Context;
use crate::property::{Failure, Property};
use crate::report::advice;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The first block of a worker: tests may be slow, and whoever stops stops between blocks.
const FIRST_BLOCK: u64 = 1;

/// The largest block of one worker. Larger than on one thread: claiming costs a lock.
const LARGEST_BLOCK: u64 = 1 << 20;

/// A block takes this part of the time of the run so far, until it takes as long as on one thread. While a worker runs the
/// block that fails, all that the others do is for nothing: with longer blocks, bugs that are found soon would be found no
/// sooner by several.
const PART_OF_RUN: u32 = 64;

/// How often a worker that waits for others looks whether the run is over.
const PATIENCE: Duration = Duration::from_millis(10);

/// When so many blocks have been told of, those are settled that can be: what tests said takes memory until then.
const SETTLE: usize = 64;

/// When a test has failed, the others are waited for so long before the failure is kept: they may never end.
const GRACE: Duration = Duration::from_secs(1);

/// As [`generational`](super::generational), by the workers of a run on several threads, even if the settings ask for one
/// thread: to measure what workers cost. Small domains are not tried input by input. A property that cannot be shared has no workers.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Run, Settings, Verdict, generational_by_workers};
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// let run = Run::parallel("bits", &property).settings(Settings::new().tests(100).threads(1));
/// let report = run.runner(generational_by_workers).report();
/// assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 100));
/// ```
pub fn generational_by_workers(mut session: Session<'_>) -> Report {
    let mut budget = Budget::new(&session);
    let ending = match session.shared {
        Some(property) => match test_in_parallel(&mut session, property, &mut budget, 0..u64::MAX) {
            Some((index, tested)) => stopped(&mut session, tested, index),
            None => (budget.verdict(&mut session, 0), None),
        },
        None => test_at_random(&mut session, &mut budget, 0..u64::MAX),
    };
    budget.finish(session, Some(ending))
}

/// Runs tests with indices from `indices`, as far as the budget goes, on the session's thread and on others. The first test that
/// did not pass, and what became of it.
pub(super) fn test_in_parallel(
    session: &mut Session<'_>,
    property: &(dyn Property + Sync),
    budget: &mut Budget,
    indices: Range<u64>,
) -> Option<(u64, Tested)> {
    // More would have nothing to do.
    let workers = usize::try_from(budget.wanted).unwrap_or(usize::MAX).min(session.settings.threads);
    let board = Board::new(session, budget, indices, workers);
    let keeper = Mutex::new(&mut session.keeper);
    let keep = |case: &Case, failure: &Failure| {
        let mut keeper = keeper.lock().unwrap_or_else(PoisonError::into_inner);
        // It is kept again when the run ends, and told then if that does not succeed.
        let _ = keeper.keep(case, &[], failure, Stage::Found);
    };
    let (tester, settings) = (&session.tester, &session.settings);
    let workers = Workers { property, tester, settings, count: workers, counts_labels: true };
    let refused = workers.work(&|tester| board.work(tester, &keep));
    session.tester.context().forget_last();
    // There may have been tests before: of another round, or of another part of a shard.
    for (worker, tests) in std::mem::take(&mut board.lock().ran).into_iter().enumerate() {
        match session.workers.get_mut(worker) {
            Some(all) => *all += tests,
            None => session.workers.push(tests),
        }
    }
    let ended = board.end(budget);
    if let Some((threads, error)) = refused {
        session.warn(advice::threads_refused(threads, session.settings.threads, &error.to_string()));
    }
    ended
}

/// Keeps a failing case.
type Keep<'k> = &'k (dyn Fn(&Case, &Failure) + Sync);

/// What the workers share.
struct Board {
    state: Mutex<State>,
    changed: Condvar,
    seed: u64,
    schedule: Schedule,
    tests: u64,
    one_by_one: bool,
    threads: u64,
    wanted: u64,
    may_discard: u64,
    indices: Range<u64>,
    /// The context of the run: cancelled when it is to end.
    context: Context,
    began: Instant,
}

#[derive(Default)]
struct State {
    /// The first index that nobody has claimed.
    next: u64,
    /// The blocks that are under way.
    running: Vec<Range<u64>>,
    /// What came of blocks that are not settled yet.
    told: Vec<Told>,
    /// How many tests were discarded in all blocks that are no longer under way.
    discarded: u64,
    /// What came of the blocks before these: nothing can change any more whether they count.
    settled: Settled,
    /// How many workers wait for others.
    waiting: usize,
    /// How many tests each worker ran.
    ran: Vec<u64>,
    /// The first test that did not pass.
    stopped: Option<(u64, Tested)>,
    /// Whether it was kept while others did not end.
    kept: bool,
}

/// What came of a block.
struct Told {
    start: u64,
    valid: u64,
    discarded: u64,
    statistics: Statistics,
}

#[derive(Default)]
struct Settled {
    valid: u64,
    discarded: u64,
    statistics: Statistics,
}

impl Board {
    fn new(session: &Session<'_>, budget: &Budget, indices: Range<u64>, workers: usize) -> Self {
        let settings = &session.settings;
        Self {
            state: Mutex::new(State {
                next: indices.start,
                settled: Settled { statistics: session.tester.context().take_statistics(), ..Settled::default() },
                ran: vec![0; workers],
                ..State::default()
            }),
            changed: Condvar::new(),
            seed: session.seed,
            schedule: settings.size,
            tests: settings.tests,
            one_by_one: session.one_by_one(),
            threads: settings.threads as u64,
            wanted: budget.wanted,
            may_discard: budget.may_discard,
            indices,
            context: session.tester.context().clone(),
            began: Instant::now(),
        }
    }

    /// One worker: claims, runs, tells, until there is nothing left to claim. When a test has failed and others do not end, the
    /// failure is kept: they may never end.
    fn work(&self, tester: &Tester<'_>, keep: Keep<'_>) {
        let mut length = if self.one_by_one { 1 } else { FIRST_BLOCK };
        let mut claim = self.claim(self.lock(), length, tester.context());
        while let Some(claimed) = claim {
            let (indices, started) = (claimed.indices.clone(), Instant::now());
            let (mut next, mut discarded, mut stopped) = (indices.start, 0, None);
            // The schedule cuts blocks where the size stops growing.
            let over = || tester.context().is_abandoned() || tester.context().is_out_of_time();
            while next < indices.end && stopped.is_none() && !over() {
                let ended = tester.run_block(&self.schedule.block(self.seed, next..indices.end, self.tests));
                next = ended.index;
                discarded += ended.discarded;
                stopped = ended.stopped_by.map(|tested| (ended.index, tested));
            }
            if tester.context().is_cancelled() {
                self.context.cancel();
            }
            if !self.one_by_one {
                let aim = BLOCK_TIME.min(self.began.elapsed() / PART_OF_RUN);
                length = next_length(length, started.elapsed(), aim, LARGEST_BLOCK);
            }
            let statistics = tester.context().take_statistics();
            let valid = (next - indices.start).saturating_sub(discarded);
            let told = Told { start: indices.start, valid, discarded, statistics };
            // One turn at the board for all: with many workers it is what they wait for.
            let mut state = self.lock();
            self.tell(&mut state, tester.context().worker(), told, stopped);
            claimed.give_back(&mut state);
            claim = self.claim(state, length, tester.context());
        }
        while let Some((index, failure)) = self.unfinished_after(GRACE, tester.context()) {
            let sequence = tester.choices(index, self.schedule.size(index, self.tests));
            keep(&Case { sequence, steps: Vec::new() }, &failure);
        }
    }

    /// The next block, if the run needs one.
    fn claim<'b>(&'b self, mut state: MutexGuard<'b, State>, length: u64, worker: &Context) -> Option<Claim<'b>> {
        loop {
            let over = self.context.is_cancelled() || self.context.is_out_of_time();
            if over || state.stopped.is_some() || state.discarded > self.may_discard {
                return None;
            }
            // Each discarded test is made up for by one more. No other index is needed for certain.
            let needed = self.wanted.saturating_add(state.discarded).saturating_add(self.indices.start);
            let bound = self.indices.end.min(needed);
            if state.next < bound {
                let start = state.next;
                // Towards the end blocks get smaller, so that all workers finish together.
                let share = (bound - start).div_ceil(self.threads.saturating_mul(2));
                let mut under_way = 0;
                for block in &state.running {
                    under_way += block.end - block.start;
                }
                // So many tests can be discarded, whatever becomes of those under way, before it is one too many.
                let safe = (self.may_discard - state.discarded).saturating_sub(under_way).max(1);
                let indices = start..start + length.min(share).min(safe);
                state.next = indices.end;
                state.running.push(indices.clone());
                return Some(Claim { board: self, indices, given_back: false });
            }
            if state.running.is_empty() {
                return None;
            }
            // Whoever runs may discard something yet.
            state = self.wait(state, worker);
        }
    }

    /// Waits until a block is given back, but no longer than `PATIENCE`. It is not this worker that hangs meanwhile.
    fn wait<'b>(&'b self, mut state: MutexGuard<'b, State>, worker: &Context) -> MutexGuard<'b, State> {
        worker.beat();
        state.waiting += 1;
        state = self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        state.waiting -= 1;
        state
    }

    /// What came of a block that a worker ran.
    fn tell(&self, state: &mut State, worker: usize, told: Told, stopped: Option<(u64, Tested)>) {
        state.ran[worker] += told.valid + told.discarded + u64::from(stopped.is_some());
        state.discarded += told.discarded;
        state.told.push(told);
        if let Some((index, _)) = &stopped
            && state.stopped.as_ref().is_none_or(|(first, _)| index < first)
        {
            self.context.say_last(*index);
            state.stopped = stopped;
        }
    }

    /// Waits until no block is under way, but no longer than `grace` if a test has failed: then that one, and how it failed.
    /// The first that waits is told.
    fn unfinished_after(&self, grace: Duration, worker: &Context) -> Option<(u64, Failure)> {
        let (mut state, mut waited) = (self.lock(), Duration::ZERO);
        while !state.running.is_empty() {
            if let Some((index, Tested::Fail(failure))) =
                state.stopped.as_ref().filter(|_| waited >= grace && !state.kept)
            {
                let first = (*index, failure.clone());
                state.kept = true;
                return Some(first);
            }
            state = self.wait(state, worker);
            waited += PATIENCE;
        }
        None
    }

    /// Settles what lies before all blocks that are under way, up to the discard that was one too many.
    fn settle(&self, state: &mut State) {
        let mut bound = state.stopped.as_ref().map_or(state.next, |(index, _)| *index);
        for block in &state.running {
            bound = bound.min(block.start);
        }
        let (mut before, mut others) = (Vec::new(), Vec::new());
        for told in std::mem::take(&mut state.told) {
            if told.start < bound { &mut before } else { &mut others }.push(told);
        }
        state.told = others;
        crate::sort::sort_by(&mut before, |a, b| a.start.cmp(&b.start));
        let settled = &mut state.settled;
        for told in before {
            if settled.discarded <= self.may_discard {
                settled.valid += told.valid;
                settled.discarded += told.discarded;
                settled.statistics.add(&told.statistics);
            }
        }
    }

    /// Counts what lies before the end of the run, as on one thread. The test that ended it, if it is one that did not pass.
    fn end(self, budget: &mut Budget) -> Option<(u64, Tested)> {
        let mut state = std::mem::take(&mut *self.lock());
        self.settle(&mut state);
        let State { settled, stopped, .. } = state;
        (budget.valid, budget.discarded) = (settled.valid, settled.discarded);
        self.context.add_statistics(&settled.statistics);
        stopped.filter(|_| settled.discarded <= self.may_discard)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A block that a worker has taken on. Others wait for it until it is given back, at the latest when it is dropped.
struct Claim<'b> {
    board: &'b Board,
    indices: Range<u64>,
    given_back: bool,
}

impl Claim<'_> {
    fn give_back(mut self, state: &mut State) {
        self.given_back = true;
        state.running.retain(|block| block.start != self.indices.start);
        if state.told.len() >= SETTLE {
            self.board.settle(state);
        }
        // To wake nobody costs something, too.
        if state.waiting > 0 {
            self.board.changed.notify_all();
        }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if !self.given_back {
            let Self { board, indices, .. } = self;
            let mut state = board.lock();
            Claim { board, indices: indices.clone(), given_back: false }.give_back(&mut state);
        }
    }
}
