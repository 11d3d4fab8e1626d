//! Random tests on several threads, with the same result as on one.
//!
//! Test *i* is a function of the seed and of *i*, so it does not matter who runs it. Workers claim blocks of indices, and no
//! index is claimed that the run may not need: those below the number of wanted tests, and one more for each test that was
//! discarded. What each test said is kept apart until the end of the run is known: the first failure, the discard that was
//! one too many, or the last test. Only what lies before it counts.

use super::budget::{BLOCK_TIME, next_length};
use super::session::Session;
use super::tester::{Tested, Tester};
use super::{Budget, Schedule, watch};
use crate::context::{Context, Said};
use crate::property::Property;
use crate::report::advice;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
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

/// Where random tests on several threads ended.
pub(super) struct Ended {
    /// The first test that was not run; or the test that did not pass.
    pub(super) index: u64,
    /// What became of the test that did not pass.
    pub(super) stopped_by: Option<Tested>,
}

/// Runs tests with indices from `indices`, as far as the budget goes, on the session's thread and on others.
pub(super) fn test_in_parallel(
    session: &mut Session<'_>,
    property: &(dyn Property + Sync),
    budget: &mut Budget,
    indices: Range<u64>,
) -> Ended {
    let board = Board::new(session, budget, indices.clone());
    let main = &session.tester;
    main.context().keep_apart(true);
    // More would have nothing to do.
    let workers = usize::try_from(budget.wanted).unwrap_or(usize::MAX).min(session.settings.threads);
    let refused = std::thread::scope(|scope| {
        let mut refused = None;
        for number in 1..workers {
            let board = &board;
            // A tester is made by the thread that uses it: its context is that thread's.
            let make = main.for_worker(property, number);
            let spawned = Builder::new().name(format!("forall-worker-{number}")).spawn_scoped(scope, move || {
                let tester = make();
                let _watched = watch::watch(tester.context(), false);
                board.work(&tester);
            });
            if let Err(error) = spawned {
                refused = Some((number, error));
                break;
            }
        }
        board.work(main);
        refused
    });
    main.context().keep_apart(false);
    main.context().forget_last();
    let ended = board.end(main.context(), budget, indices.start);
    if let Some((threads, error)) = refused {
        session.warn(advice::threads_refused(threads, session.settings.threads, &error.to_string()));
    }
    ended
}

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
    /// Cancelled when the run is to end.
    context: Context,
    until: Option<Instant>,
    began: Instant,
}

#[derive(Default)]
struct State {
    /// The first index that nobody has claimed.
    next: u64,
    /// How many blocks are under way.
    running: usize,
    /// The indices of the tests that were discarded.
    discarded: Vec<u64>,
    /// What the tests said, by index.
    said: Vec<(u64, Said)>,
    /// Tests that were claimed and did not run, since nobody waited for them.
    missing: Vec<Range<u64>>,
    /// The first test that did not pass.
    stopped: Option<(u64, Tested)>,
}

impl Board {
    fn new(session: &Session<'_>, budget: &Budget, indices: Range<u64>) -> Self {
        let settings = &session.settings;
        Self {
            state: Mutex::new(State { next: indices.start, ..State::default() }),
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
            until: settings.time.and_then(|time| Instant::now().checked_add(time.saturating_sub(session.elapsed()))),
            began: Instant::now(),
        }
    }

    /// One worker: claims, runs, tells, until there is nothing left to claim.
    fn work(&self, tester: &Tester<'_>) {
        let mut length = if self.one_by_one { 1 } else { FIRST_BLOCK };
        while let Some(Claim { indices, .. }) = &self.claim(length) {
            let started = Instant::now();
            let (mut next, mut stopped) = (indices.start, None);
            // The schedule cuts blocks where the size stops growing.
            while next < indices.end && stopped.is_none() && !tester.context().is_abandoned() {
                let ended = tester.run_block(&self.schedule.block(self.seed, next..indices.end, self.tests));
                next = ended.index;
                stopped = ended.stopped_by.map(|tested| (ended.index, tested));
            }
            if tester.context().is_cancelled() {
                self.context.cancel();
            }
            let missing = if stopped.is_none() { next..indices.end } else { 0..0 };
            self.tell(tester.context().take_apart(), stopped, missing);
            if !self.one_by_one {
                let aim = BLOCK_TIME.min(self.began.elapsed() / PART_OF_RUN);
                length = next_length(length, started.elapsed(), aim, LARGEST_BLOCK);
            }
        }
    }

    /// The next block, if the run needs one.
    fn claim(&self, length: u64) -> Option<Claim<'_>> {
        let mut state = self.lock();
        loop {
            let over = self.context.is_cancelled() || self.until.is_some_and(|until| Instant::now() >= until);
            if over || state.stopped.is_some() || state.discarded.len() as u64 > self.may_discard {
                return None;
            }
            // Each discarded test is made up for by one more. No other index is needed for certain.
            let needed = self.wanted.saturating_add(state.discarded.len() as u64).saturating_add(self.indices.start);
            let bound = self.indices.end.min(needed);
            if state.next < bound {
                let start = state.next;
                // Towards the end blocks get smaller, so that all workers finish together.
                let share = (bound - start).div_ceil(self.threads.saturating_mul(2));
                state.next = start + length.min(share);
                state.running += 1;
                return Some(Claim { board: self, indices: start..state.next });
            }
            if state.running == 0 {
                return None;
            }
            // Whoever runs may discard something yet.
            state = self.changed.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// What came of a block.
    fn tell(
        &self,
        (mut discarded, mut said): (Vec<u64>, Vec<(u64, Said)>),
        stopped: Option<(u64, Tested)>,
        missing: Range<u64>,
    ) {
        let mut state = self.lock();
        if !missing.is_empty() {
            state.missing.push(missing);
        }
        state.discarded.append(&mut discarded);
        state.said.append(&mut said);
        if let Some((index, _)) = &stopped
            && state.stopped.as_ref().is_none_or(|(first, _)| index < first)
        {
            self.context.say_last(*index);
            state.stopped = stopped;
        }
    }

    /// Where the run ends, as it would on one thread. Counts what lies before.
    fn end(self, context: &Context, budget: &mut Budget, start: u64) -> Ended {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        crate::sort::sort_by(&mut state.discarded, u64::cmp);
        let mut ended = Ended { index: state.next, stopped_by: None };
        if let Some((index, tested)) = state.stopped {
            ended = Ended { index, stopped_by: Some(tested) };
        }
        // The discard that was one too many, if nothing failed before it.
        if let Some(&last) = usize::try_from(self.may_discard).ok().and_then(|at| state.discarded.get(at))
            && last < ended.index
        {
            ended = Ended { index: last + 1, stopped_by: None };
        }
        budget.discarded = state.discarded.iter().filter(|&&index| index < ended.index).count() as u64;
        // Before a failure nothing is missing, unless the run was stopped.
        let mut missing = 0;
        for range in &state.missing {
            missing += range.end.min(ended.index).saturating_sub(range.start);
        }
        budget.valid = (ended.index - start).saturating_sub(budget.discarded + missing);
        for (index, said) in state.said {
            if index < ended.index {
                context.count(said);
            }
        }
        ended
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A block that a worker has taken on. Others wait for it until it is dropped.
struct Claim<'b> {
    board: &'b Board,
    indices: Range<u64>,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.board.lock().running -= 1;
        self.board.changed.notify_all();
    }
}
