//! Tests on several threads, with the same result as on one: random tests, and the inputs of a small domain.
//!
//! Test *i* is a function of the seed and of *i*, so any worker can run it. Workers claim blocks of indices, and only
//! indices that the run may need: those below the number of requested tests, and one more for each discarded test.
//! Where the run ends is known only at its end: at the first failure, the discard that exceeds the limit, or the last
//! test. Only the tests before that count. So the results of a block are held back while an earlier block is running,
//! and counted in the order of the blocks. The end of the run never splits a block: a block stops at a failure, and has
//! one test where the number of discards may exceed the limit inside it.
//!
//! The shared state is behind one lock. A worker holds it only briefly: it collects the results of several blocks
//! before it hands them in.

mod inputs;

use super::budget::{BLOCK_TIME, next_length};
use super::domain::Domain;
use super::generational::{run_tests, stopped};
use super::keeping::Stage;
use super::session::Session;
use super::workers::Workers;
use super::{Budget, Case, Report, Schedule, Statistics};
use crate::choice::{Sequence, Source};
use crate::context::Context;
use crate::fact::{Fact, urgent};
use crate::property::{Failure, FailureKind, Property};
use crate::testing::cores::{Sharing, Turn};
use crate::testing::{BlockTested, Tested, Tester};
use inputs::ByIndex;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The first block of a worker: tests may be slow, and runs stop between blocks.
const FIRST_BLOCK: u64 = 1;

/// The largest block of a worker. Larger than on one thread, because claiming takes a lock.
const LARGEST_BLOCK: u64 = 1 << 20;

/// A block should take this fraction of the run's time so far, at most as long as a block on one thread. While a worker
/// runs the block that fails, the others' work is wasted: with longer blocks, several threads would not find early bugs
/// any sooner.
const PART_OF_RUN: u32 = 256;

/// But at least this long for each worker: otherwise workers contend for the lock, and sleeping ones wake up late.
const BETWEEN_TURNS: Duration = Duration::from_micros(4);

/// How often a waiting worker checks whether the run is over.
const PATIENCE: Duration = Duration::from_millis(10);

/// A worker hands in its results after this many blocks: statistics take memory until they are counted.
const HAND_IN: usize = 64;

/// After a failure, other workers are awaited this long before the failure is saved: their tests may hang.
const GRACE: Duration = Duration::from_secs(1);

/// Like [`generational`](super::generational), but always on the workers of a parallel run, even if the settings ask
/// for one thread: to measure the cost of workers. Small domains are not tested exhaustively. A property that is not
/// `Sync` has no workers.
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

/// Runs tests with indices from `indices`, within the budget, on the session's thread and others. Returns the first
/// test that did not pass, its outcome, and its choices.
pub(super) fn run_tests_on_threads(
    session: &mut Session<'_>,
    property: &(dyn Property + Sync),
    budget: &mut Budget,
    indices: Range<u64>,
) -> Option<(u64, Tested, Sequence)> {
    let work = Work::Random { seed: session.seed, schedule: session.settings.size };
    run_on_threads(session, property, budget, indices, work)
}

/// Runs the inputs of a small domain with indices from `indices`, on the session's thread and others, and adds them to
/// the budget. Returns the first test that did not pass, its outcome, and its choices.
pub(super) fn run_inputs_on_threads(
    session: &mut Session<'_>,
    property: &(dyn Property + Sync),
    budget: &mut Budget,
    domain: &Domain,
    indices: Range<u64>,
) -> Option<(u64, Tested, Sequence)> {
    let inputs = ByIndex::of(domain, session.settings.threads);
    let mut part = budget.clone().wanting(indices.end - indices.start);
    // Each input runs, however many are discarded.
    (part.valid, part.discarded, part.may_discard) = (0, 0, u64::MAX);
    let ended = run_on_threads(session, property, &mut part, indices, Work::Inputs(&inputs));
    budget.add(&part);
    ended
}

fn run_on_threads(
    session: &mut Session<'_>,
    property: &(dyn Property + Sync),
    budget: &mut Budget,
    indices: Range<u64>,
    work: Work<'_>,
) -> Option<(u64, Tested, Sequence)> {
    // More would be idle. The session's own thread is always one: a shard may have no test.
    let workers = usize::try_from(budget.wanted).unwrap_or(usize::MAX).min(session.settings.threads).max(1);
    let board = Board::new(session, budget, indices, workers, work);
    let _sharing = Sharing::begin(workers);
    let (name, keeper) = (session.identity.name.clone(), Mutex::new(&mut session.keeper));
    let keep = |case: &Case, failure: &Failure| {
        let mut keeper = keeper.lock().unwrap_or_else(PoisonError::into_inner);
        // It is saved again when the run ends, with a warning if that fails.
        let _ = keeper.keep(case, &[], failure, Stage::Found);
        let meanwhile = Fact::FailedMeanwhile { message: failure.message.clone(), path: keeper.path() };
        urgent::announce(&name, &[meanwhile]);
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

/// Saves a failing case.
type Keep<'k> = &'k (dyn Fn(&Case, &Failure) + Sync);

/// The tests of a run, by their index.
enum Work<'w> {
    Random { seed: u64, schedule: Schedule },
    Inputs(&'w ByIndex<'w>),
}

impl Work<'_> {
    /// Runs tests from the first of `indices` on, as many as form one block.
    fn run(&self, tester: &Tester<'_>, indices: Range<u64>) -> BlockTested {
        let inputs = match self {
            // The schedule ends blocks where another rule for sizes begins.
            Self::Random { seed, schedule } => return tester.run_block(&schedule.block(*seed, indices)),
            Self::Inputs(inputs) => inputs,
        };
        let index = indices.start;
        let tested = inputs.run(index, tester, |sequence| {
            tester.context().say_chosen(true);
            let ended = tester.run_as(index, Source::replay(&sequence), &[]);
            tester.context().say_chosen(false);
            ended
        });
        let (index, discarded, stopped_by) = match tested {
            Tested::Pass => (index + 1, 0, None),
            // It stopped at a checkpoint: its result is not needed.
            Tested::Discard(_) if tester.context().is_abandoned() => (index, 0, None),
            Tested::Discard(_) | Tested::NoSuchStep => (index + 1, 1, None),
            Tested::Fail(_) | Tested::Fault(_) => {
                // Its labels do not count, as on one thread.
                tester.context().forget();
                (index, 0, Some(tested))
            }
        };
        BlockTested { index, discarded, stopped_by }
    }

    /// The choices of a test.
    fn choices(&self, index: u64, tester: &Tester<'_>) -> Sequence {
        match self {
            Self::Random { schedule, .. } => tester.choices(index, schedule.size(index)),
            Self::Inputs(inputs) => inputs.drawn(index, tester),
        }
    }
}

/// The state shared by the workers.
struct Board<'w> {
    state: Mutex<State>,
    changed: Condvar,
    work: Work<'w>,
    one_by_one: bool,
    threads: u64,
    wanted: u64,
    may_discard: u64,
    indices: Range<u64>,
    /// The context of the run: cancelled to end it.
    context: Context,
    began: Instant,
}

#[derive(Default)]
struct State {
    /// The first unclaimed index.
    next: u64,
    /// The number of running blocks, and of their tests.
    running: usize,
    under_way: u64,
    /// The number of discarded tests in all finished blocks.
    discarded: u64,
    /// The number of waiting workers.
    waiting: usize,
    /// The number of workers that have paused in the middle of a block to run one of its tests
    /// alone, and whether one of them is running it.
    paused: usize,
    alone: bool,
    /// The first test that did not pass.
    stopped: Option<Stopped>,
    /// For each worker, the start of its first block that is claimed but not handed in.
    owed: Vec<Option<u64>>,
    /// Results that are handed in, and not counted yet.
    told: Vec<Told>,
    /// Results of the blocks before these, which are final.
    settled: Settled,
    /// The number of tests that each worker ran.
    ran: Vec<u64>,
    /// The worker that waits for the others when no index is left to claim.
    last_there: Option<usize>,
    /// Whether the failure was saved while other tests hang.
    kept: bool,
}

/// A test that did not pass.
struct Stopped {
    index: u64,
    tested: Tested,
    /// Its choices, once its worker has determined them.
    sequence: Option<Sequence>,
}

/// The results of a block, or of several adjacent ones.
struct Told {
    start: u64,
    /// The start of the next block.
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

impl<'w> Board<'w> {
    fn new(session: &Session<'_>, budget: &Budget, indices: Range<u64>, workers: usize, work: Work<'w>) -> Self {
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
            work,
            one_by_one: session.one_by_one(),
            threads: settings.threads as u64,
            wanted: budget.wanted,
            may_discard: budget.may_discard,
            indices,
            context: session.tester.context().clone(),
            began: Instant::now(),
        }
    }

    /// One worker: claims and runs blocks, and hands in results, until no index is left. If a test has failed and
    /// others hang, saves the failure.
    fn work(&self, tester: &Tester<'_>, keep: Keep<'_>) {
        let worker = tester.context().worker();
        let (mut told, mut ran, mut failed) = (Vec::new(), 0, None);
        let mut length = if self.one_by_one { 1 } else { FIRST_BLOCK };
        let mut turn = if worker == 0 { Turn::own() } else { Turn::shared() };
        let mut claim = self.claim(self.lock(), length, tester.context(), &mut turn);
        while let Some(claimed) = claim {
            let (indices, started) = (claimed.indices.clone(), Instant::now());
            let (mut next, mut discarded, mut stopped) = (indices.start, 0, None);
            let over = || tester.context().is_abandoned() || tester.context().is_out_of_time();
            while next < indices.end && stopped.is_none() && !over() {
                let ended = self.work.run(tester, next..indices.end);
                next = ended.index;
                discarded += ended.discarded;
                stopped = ended.stopped_by.map(|tested| Stopped { index: ended.index, tested, sequence: None });
                if let Some(missed) = stopped.take_if(|stopped| self.may_be_late_because_of_others(stopped)) {
                    let one = missed.index..missed.index + 1;
                    let again = self.alone(tester.context(), || self.work.run(tester, one));
                    next = again.index;
                    discarded += again.discarded;
                    stopped = again.stopped_by.map(|tested| Stopped { tested, ..missed });
                }
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
            claim = self.claim(state, length, tester.context(), &mut turn);
        }
        drop(turn);
        let mut state = self.lock();
        self.hand_in(&mut state, worker, &mut told);
        state.ran[worker] = ran;
        drop(state);
        if let Some(index) = failed {
            self.say_choices(index, tester);
        }
        while let Some((index, failure)) = self.unfinished_after(GRACE, tester.context()) {
            keep(&Case { sequence: self.work.choices(index, tester), steps: Vec::new() }, &failure);
        }
    }

    /// Whether a test missed its deadline while tests on other threads used the cores as well.
    fn may_be_late_because_of_others(&self, stopped: &Stopped) -> bool {
        let missed = matches!(&stopped.tested, Tested::Fail(failure) if failure.kind == FailureKind::Deadline);
        missed && self.threads > 1
    }

    /// Runs a test of a claimed block while the other workers pause.
    fn alone(&self, worker: &Context, run: impl FnOnce() -> BlockTested) -> BlockTested {
        let mut state = self.lock();
        state.paused += 1;
        while state.alone || state.running > state.paused {
            state = self.wait(state, worker);
        }
        state.alone = true;
        drop(state);
        let ended = run();
        let mut state = self.lock();
        state.alone = false;
        state.paused -= 1;
        self.changed.notify_all();
        drop(state);
        ended
    }

    /// The duration of the next block.
    fn aim(&self, now: Instant) -> Duration {
        // No other worker's work would be wasted.
        if self.threads == 1 {
            return BLOCK_TIME;
        }
        let threads = u32::try_from(self.threads).unwrap_or(u32::MAX);
        let least = BETWEEN_TURNS.saturating_mul(threads);
        ((now - self.began) / PART_OF_RUN).max(least).min(BLOCK_TIME)
    }

    /// The next block, if the run needs one.
    fn claim<'b>(
        &'b self,
        mut state: MutexGuard<'b, State>,
        length: u64,
        worker: &Context,
        turn: &mut Turn,
    ) -> Option<Claim<'b, 'w>> {
        loop {
            let over = self.context.is_cancelled() || self.context.is_out_of_time();
            if over || state.stopped.is_some() || state.discarded > self.may_discard {
                return None;
            }
            // Each discarded test is replaced by another one. No other index is certain to be needed.
            let needed = self.wanted.saturating_add(state.discarded).saturating_add(self.indices.start);
            let bound = self.indices.end.min(needed);
            if state.next < bound && state.paused == 0 && turn.take() {
                let start = state.next;
                // Blocks get smaller towards the end, so that all workers finish together.
                let share = (bound - start).div_ceil(self.threads.saturating_mul(2));
                // The number of tests that can be discarded, whatever the outcomes of running tests, before the limit
                // is exceeded.
                let safe = (self.may_discard - state.discarded).saturating_sub(state.under_way).max(1);
                let indices = start..start + length.min(share).min(safe);
                state.next = indices.end;
                state.running += 1;
                state.under_way += indices.end - indices.start;
                state.owed[worker.worker()].get_or_insert(start);
                return Some(Claim { board: self, indices, given_back: false });
            }
            if state.running == 0 && state.next >= bound {
                return None;
            }
            // A running test may still be discarded or have to run alone, or it is the turn of another property's
            // threads.
            turn.give_back();
            state.waiting += 1;
            state = self.wait(state, worker);
            state.waiting -= 1;
        }
    }

    /// Waits until a block is handed in, for at most `PATIENCE`. Meanwhile this worker does not count as hanging.
    fn wait<'b>(&'b self, state: MutexGuard<'b, State>, worker: &Context) -> MutexGuard<'b, State> {
        worker.beat();
        self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Records a test that did not pass: it ends the run, unless an earlier one does.
    fn stop(&self, state: &mut State, stopped: Stopped) {
        if state.stopped.as_ref().is_none_or(|first| stopped.index < first.index) {
            self.context.say_last(stopped.index);
            state.stopped = Some(stopped);
        }
    }

    /// Hands in the results of a worker's blocks, all of which have ended, and counts those that are final.
    fn hand_in(&self, state: &mut State, worker: usize, told: &mut Vec<Told>) {
        state.told.append(told);
        state.owed[worker] = None;
        self.settle(state);
    }

    /// Determines the choices of the test that ends the run, while others finish.
    fn say_choices(&self, index: u64, tester: &Tester<'_>) {
        let sequence = self.work.choices(index, tester);
        if let Some(stopped) = self.lock().stopped.as_mut().filter(|stopped| stopped.index == index) {
            stopped.sequence = Some(sequence);
        }
    }

    /// Waits until no block is running, or for at most `grace` if a test has failed: then returns that test and its
    /// outcome. One worker waits; the session's own takes over, since it has to wait for all of them anyway.
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

    /// Counts the results before all unfinished blocks, up to the discard that exceeds the limit.
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

    /// Merges adjacent results that are not final: otherwise a hanging test would make memory fill with the statistics
    /// of others. Only while the end of the run is in none of the blocks: none has failed, and the discards cannot
    /// exceed the limit.
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

    /// Counts the results before the end of the run, as on one thread. Returns the test that ended it, if one did not
    /// pass.
    fn end(self, budget: &mut Budget, tester: &Tester<'_>) -> Option<(u64, Tested, Sequence)> {
        let mut state = std::mem::take(&mut *self.lock());
        self.settle(&mut state);
        let State { settled, stopped, .. } = state;
        (budget.valid, budget.discarded) = (settled.valid, settled.discarded);
        self.context.add_statistics(&settled.statistics);
        let Stopped { index, tested, sequence } = stopped.filter(|_| settled.discarded <= self.may_discard)?;
        // This test is rerun, not the last one of the session's own worker.
        self.context.progress().index.store(index, Ordering::Relaxed);
        Some((index, tested, sequence.unwrap_or_else(|| self.work.choices(index, tester))))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A claimed block. Others wait until it is handed in, which happens at the latest when it is dropped.
struct Claim<'b, 'w> {
    board: &'b Board<'w>,
    indices: Range<u64>,
    given_back: bool,
}

impl Claim<'_, '_> {
    /// Ends the block, with the number of its discarded tests.
    fn give_back(mut self, state: &mut State, discarded: u64) {
        self.given_back = true;
        state.running -= 1;
        state.under_way -= self.indices.end - self.indices.start;
        state.discarded += discarded;
        // Notifying has a cost even if no one is waiting.
        if state.waiting > 0 || state.paused > 0 || state.running == 0 && state.last_there.is_some() {
            self.board.changed.notify_all();
        }
    }
}

impl Drop for Claim<'_, '_> {
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
    fn blocks_behind_a_test_that_never_ends_are_stored_together() {
        let property = property! { forall n: u64; check n.count_ones() <= 64 };
        let run = Run::parallel("bits", &property).settings(Settings::new().tests(1000).threads(2));
        let session = run.session().unwrap();
        let work = Work::Random { seed: 7, schedule: session.settings.size };
        let board = Board::new(&session, &Budget::new(&session), 0..1000, 2, work);
        let claim =
            |worker: &Context| board.claim(board.lock(), 1, worker, &mut Turn::own()).expect("there are tests left");
        let tell = |claimed: &Claim<'_, '_>, discarded| Told {
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
