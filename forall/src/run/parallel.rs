//! Random tests on several threads, with the same result as on one.
//!
//! Test *i* is a function of the seed and of *i*, so it does not matter who runs it. Workers claim blocks of indices, and no
//! index is claimed that the run may not need: those below the number of wanted tests, and one more for each test that was
//! discarded. Where the run ends is known only at its end: at the first failure, the discard that was one too many, or the
//! last test. Only what lies before that counts. So what came of a block is kept apart as long as one before it is under way,
//! and counted then, in the order of the blocks. No block is cut by the end: it stops at a failure by itself, and where the
//! number of discards may become too large inside of it, it has one test.
//!
//! What the workers share is behind one lock, and they take turns: while one has its turn it touches little, and what came of
//! its blocks it keeps to itself and hands in now and then.

use super::budget::{BLOCK_TIME, next_length};
use super::generational::{run_tests, stopped};
use super::keeping::Stage;
use super::session::Session;
use super::workers::Workers;
use super::{Budget, Case, Report, Schedule, Statistics};
use crate::choice::Sequence;
use crate::context::Context;
use crate::fact::Fact;
use crate::property::{Failure, Property};
use crate::testing::{Tested, Tester};
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The first block of a worker: tests may be slow, and whoever stops stops between blocks.
const FIRST_BLOCK: u64 = 1;

/// The largest block of one worker. Larger than on one thread: claiming costs a lock.
const LARGEST_BLOCK: u64 = 1 << 20;

/// A block takes this part of the time of the run so far, until it takes as long as on one thread. While a worker runs the
/// block that fails, all that the others do is for nothing: with longer blocks, bugs that are found soon would be found no
/// sooner by several.
const PART_OF_RUN: u32 = 256;

/// But no less than this for each worker: they would wait for their turns, and one that sleeps meanwhile is woken late.
const BETWEEN_TURNS: Duration = Duration::from_micros(4);

/// How often a worker that waits for others looks whether the run is over.
const PATIENCE: Duration = Duration::from_millis(10);

/// A worker hands in what came of so many blocks: what tests said takes memory until it is settled.
const HAND_IN: usize = 64;

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
#[doc(hidden)]
pub fn generational_by_workers(mut session: Session<'_>) -> Report {
    let mut budget = Budget::new(&session);
    let stopped_by = match session.workplace.shared {
        Some(property) => run_tests_on_threads(&mut session, property, &mut budget, 0..u64::MAX)
            .map(|(index, tested, sequence)| stopped(&mut session, tested, index, sequence)),
        None => run_tests(&mut session, &mut budget, 0..u64::MAX),
    };
    budget.finish(session, stopped_by)
}

/// Runs tests with indices from `indices`, as far as the budget goes, on the session's thread and on others. The first test that
/// did not pass, what became of it, and its choices.
pub(super) fn run_tests_on_threads(
    session: &mut Session<'_>,
    property: &(dyn Property + Sync),
    budget: &mut Budget,
    indices: Range<u64>,
) -> Option<(u64, Tested, Sequence)> {
    // More would have nothing to do. The session's own thread is one even if it has nothing to do either: a shard may have no test.
    let workers = usize::try_from(budget.wanted).unwrap_or(usize::MAX).min(session.settings.threads).max(1);
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
    session.seen.add_workers(std::mem::take(&mut board.lock().ran));
    let ended = board.end(budget, &session.tester);
    if let Some((threads, error)) = refused {
        session.warn(Fact::ThreadsRefused {
            got: threads as u64,
            wanted: session.settings.threads as u64,
            error: error.to_string(),
        });
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
    /// How many blocks are under way, and how many tests they have.
    running: usize,
    under_way: u64,
    /// How many tests were discarded in all blocks that are no longer under way.
    discarded: u64,
    /// How many workers wait for others.
    waiting: usize,
    /// The first test that did not pass.
    stopped: Option<Stopped>,
    /// Where the first block starts that a worker has claimed and not handed in, by workers.
    owed: Vec<Option<u64>>,
    /// What was handed in, and is not settled yet.
    told: Vec<Told>,
    /// What came of the blocks before these: nothing can change any more whether they count.
    settled: Settled,
    /// How many tests each worker ran.
    ran: Vec<u64>,
    /// The worker that waits for the others when there is nothing left to claim.
    last_there: Option<usize>,
    /// Whether the failure was kept while others did not end.
    kept: bool,
}

/// A test that did not pass.
struct Stopped {
    index: u64,
    tested: Tested,
    /// What it drew, once the worker that ran it has found out.
    sequence: Option<Sequence>,
}

/// What came of a block, or of several that lie side by side.
struct Told {
    start: u64,
    /// Where the next block starts.
    end: u64,
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
                owed: vec![None; workers],
                ran: vec![0; workers],
                ..State::default()
            }),
            changed: Condvar::new(),
            seed: session.seed,
            schedule: settings.size,
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
        let worker = tester.context().worker();
        let (mut told, mut ran, mut failed) = (Vec::new(), 0, None);
        let mut length = if self.one_by_one { 1 } else { FIRST_BLOCK };
        let mut claim = self.claim(self.lock(), length, tester.context());
        while let Some(claimed) = claim {
            let (indices, started) = (claimed.indices.clone(), Instant::now());
            let (mut next, mut discarded, mut stopped) = (indices.start, 0, None);
            // The schedule cuts blocks where the size stops growing.
            let over = || tester.context().is_abandoned() || tester.context().is_out_of_time();
            while next < indices.end && stopped.is_none() && !over() {
                let ended = tester.run_block(&self.schedule.block(self.seed, next..indices.end));
                next = ended.index;
                discarded += ended.discarded;
                stopped = ended.stopped_by.map(|tested| Stopped { index: ended.index, tested, sequence: None });
            }
            if tester.context().is_cancelled() {
                self.context.cancel();
            }
            if !self.one_by_one {
                let now = Instant::now();
                length = next_length(length, now - started, self.aim(now), LARGEST_BLOCK);
            }
            let statistics = tester.context().take_statistics();
            let valid = (next - indices.start).saturating_sub(discarded);
            ran += valid + discarded + u64::from(stopped.is_some());
            told.push(Told { start: indices.start, end: indices.end, valid, discarded, statistics });
            failed = stopped.as_ref().map(|stopped| stopped.index);
            let mut state = self.lock();
            claimed.give_back(&mut state, discarded);
            if let Some(stopped) = stopped {
                self.stop(&mut state, stopped);
            }
            if told.len() >= HAND_IN {
                self.hand_in(&mut state, worker, &mut told);
            }
            claim = self.claim(state, length, tester.context());
        }
        let mut state = self.lock();
        self.hand_in(&mut state, worker, &mut told);
        state.ran[worker] = ran;
        drop(state);
        if let Some(index) = failed {
            self.say_choices(index, tester);
        }
        while let Some((index, failure)) = self.unfinished_after(GRACE, tester.context()) {
            keep(&Case { sequence: self.choices(index, tester), steps: Vec::new() }, &failure);
        }
    }

    /// How long the next block is to take.
    fn aim(&self, now: Instant) -> Duration {
        // Nobody else does anything in vain.
        if self.threads == 1 {
            return BLOCK_TIME;
        }
        let threads = u32::try_from(self.threads).unwrap_or(u32::MAX);
        let least = BETWEEN_TURNS.saturating_mul(threads);
        ((now - self.began) / PART_OF_RUN).max(least).min(BLOCK_TIME)
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
                // So many tests can be discarded, whatever becomes of those under way, before it is one too many.
                let safe = (self.may_discard - state.discarded).saturating_sub(state.under_way).max(1);
                let indices = start..start + length.min(share).min(safe);
                state.next = indices.end;
                state.running += 1;
                state.under_way += indices.end - indices.start;
                state.owed[worker.worker()].get_or_insert(start);
                return Some(Claim { board: self, indices, given_back: false });
            }
            if state.running == 0 {
                return None;
            }
            // Whoever runs may discard something yet.
            state.waiting += 1;
            state = self.wait(state, worker);
            state.waiting -= 1;
        }
    }

    /// Waits until a block is given back, but no longer than `PATIENCE`. It is not this worker that hangs meanwhile.
    fn wait<'b>(&'b self, state: MutexGuard<'b, State>, worker: &Context) -> MutexGuard<'b, State> {
        worker.beat();
        self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0
    }

    /// A test did not pass: it ends the run, unless one before it does.
    fn stop(&self, state: &mut State, stopped: Stopped) {
        if state.stopped.as_ref().is_none_or(|first| stopped.index < first.index) {
            self.context.say_last(stopped.index);
            state.stopped = Some(stopped);
        }
    }

    /// A worker hands in what came of its blocks, all of which have ended. What can be settled is.
    fn hand_in(&self, state: &mut State, worker: usize, told: &mut Vec<Told>) {
        state.told.append(told);
        state.owed[worker] = None;
        self.settle(state);
    }

    /// Finds out what the test drew that ends the run, while others come to their end.
    fn say_choices(&self, index: u64, tester: &Tester<'_>) {
        let sequence = self.choices(index, tester);
        if let Some(stopped) = self.lock().stopped.as_mut().filter(|stopped| stopped.index == index) {
            stopped.sequence = Some(sequence);
        }
    }

    fn choices(&self, index: u64, tester: &Tester<'_>) -> Sequence {
        tester.choices(index, self.schedule.size(index))
    }

    /// Waits until no block is under way, but no longer than `grace` if a test has failed: then that one, and how it failed.
    /// One worker is enough to wait; the session's own relieves others, since it has to wait for all of them anyway.
    fn unfinished_after(&self, grace: Duration, worker: &Context) -> Option<(u64, Failure)> {
        let (mut state, mut waited, number) = (self.lock(), Duration::ZERO, worker.worker());
        if state.last_there.is_some_and(|other| other != number) {
            if number != 0 {
                return None;
            }
            self.changed.notify_all();
        }
        state.last_there = Some(number);
        while state.running > 0 && state.last_there == Some(number) {
            if let Some(Stopped { index, tested: Tested::Fail(failure), .. }) =
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

    /// Settles what lies before all blocks that are not handed in, up to the discard that was one too many.
    fn settle(&self, state: &mut State) {
        let mut bound = state.stopped.as_ref().map_or(state.next, |stopped| stopped.index);
        for start in state.owed.iter().flatten() {
            bound = bound.min(*start);
        }
        let (mut before, mut others) = (Vec::new(), Vec::new());
        for told in std::mem::take(&mut state.told) {
            if told.start < bound { &mut before } else { &mut others }.push(told);
        }
        state.told = self.joined(state, others);
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

    /// What cannot be settled yet, blocks side by side as one: a test that does not end would else have memory fill with what
    /// others tell meanwhile. Only as long as the end of the run lies in none of the blocks: none has failed, and there are not
    /// enough discards, whatever becomes of those under way.
    fn joined(&self, state: &State, mut told: Vec<Told>) -> Vec<Told> {
        if state.stopped.is_some() || state.discarded.saturating_add(state.under_way) > self.may_discard {
            return told;
        }
        crate::sort::sort_by(&mut told, |a, b| a.start.cmp(&b.start));
        let mut joined: Vec<Told> = Vec::new();
        for later in told {
            match joined.last_mut() {
                Some(last) if last.end == later.start => {
                    last.end = later.end;
                    last.valid += later.valid;
                    last.discarded += later.discarded;
                    last.statistics.add(&later.statistics);
                }
                _ => joined.push(later),
            }
        }
        joined
    }

    /// Counts what lies before the end of the run, as on one thread. The test that ended it, if it is one that did not pass.
    fn end(self, budget: &mut Budget, tester: &Tester<'_>) -> Option<(u64, Tested, Sequence)> {
        let mut state = std::mem::take(&mut *self.lock());
        self.settle(&mut state);
        let State { settled, stopped, .. } = state;
        (budget.valid, budget.discarded) = (settled.valid, settled.discarded);
        self.context.add_statistics(&settled.statistics);
        let Stopped { index, tested, sequence } = stopped.filter(|_| settled.discarded <= self.may_discard)?;
        // It is this one that is run again, and not the one that the session's own worker ran last.
        self.context.progress().index.store(index, Ordering::Relaxed);
        Some((index, tested, sequence.unwrap_or_else(|| self.choices(index, tester))))
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
    /// The block has ended, and so many of its tests were discarded.
    fn give_back(mut self, state: &mut State, discarded: u64) {
        self.given_back = true;
        state.running -= 1;
        state.under_way -= self.indices.end - self.indices.start;
        state.discarded += discarded;
        // To wake nobody costs something, too.
        if state.waiting > 0 || state.running == 0 && state.last_there.is_some() {
            self.board.changed.notify_all();
        }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if !self.given_back {
            let Self { board, indices, .. } = self;
            let mut state = board.lock();
            Claim { board, indices: indices.clone(), given_back: false }.give_back(&mut state, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::run::{Run, Settings};

    #[test]
    fn what_waits_for_a_test_that_does_not_end_is_kept_as_one() {
        let property = property! { forall n: u64; check n.count_ones() <= 64 };
        let run = Run::parallel("bits", &property).settings(Settings::new().tests(1000).threads(2));
        let session = run.session().unwrap();
        let board = Board::new(&session, &Budget::new(&session), 0..1000, 2);
        let claim = |worker: &Context| board.claim(board.lock(), 1, worker).expect("there are tests left");
        let tell = |claimed: &Claim<'_>, discarded| Told {
            start: claimed.indices.start,
            end: claimed.indices.end,
            valid: 1 - discarded,
            discarded,
            statistics: Statistics::default(),
        };
        let (slow, fast) = (session.tester.context().clone(), session.tester.context().for_worker(1));
        let first = claim(&slow);
        for index in 1..=100 {
            let (claimed, discarded) = (claim(&fast), u64::from(index % 4 == 0));
            let mut told = vec![tell(&claimed, discarded)];
            claimed.give_back(&mut board.lock(), discarded);
            board.hand_in(&mut board.lock(), 1, &mut told);
            let state = board.lock();
            assert_eq!((state.told.len(), state.told[0].start, state.told[0].end), (1, 1, index + 1));
            assert_eq!(state.settled.valid, 0);
        }
        let mut told = vec![tell(&first, 0)];
        first.give_back(&mut board.lock(), 0);
        board.hand_in(&mut board.lock(), 0, &mut told);
        let state = board.lock();
        assert_eq!((state.told.len(), state.settled.valid, state.settled.discarded), (0, 76, 25));
    }
}
