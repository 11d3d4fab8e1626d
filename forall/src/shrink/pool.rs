//! Candidates that run on other threads before the search asks for them.
//!
//! The search is a sequential program, and stays one: it asks for the outcome of one candidate after the other. What it will
//! most likely ask for next stands in a line. Workers run what stands there, the front first; the search takes outcomes
//! from the front. Where it asks for something else, what stands in the line was run for nothing, and a new line begins. So the
//! search sees the outcomes that it would see if it ran the candidates itself, and comes to the same result.

use crate::context::Context;
use crate::run::{Case, Tested, Tester};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often whoever waits for an outcome looks whether the run was stopped.
const PATIENCE: Duration = Duration::from_millis(10);

/// A candidate, and how much it may draw.
pub(super) type Candidate = (Case, usize);

/// What came of a candidate: what it drew, what became of it, and how long that took.
pub(super) type Outcome = (Case, Tested, Duration);

/// The line, and what the workers share.
pub(super) struct Pool {
    state: Mutex<State>,
    /// There may be something to run.
    work: Condvar,
    /// There may be an outcome.
    done: Condvar,
    /// The context of the search.
    context: Context,
}

#[derive(Default)]
struct State {
    /// In the order in which they will be asked for.
    line: VecDeque<Job>,
    /// The number of the next job.
    next: u64,
    /// How many workers there are, and how many candidates they have run.
    workers: usize,
    runs: u64,
    over: bool,
}

struct Job {
    number: u64,
    candidate: Arc<Candidate>,
    stage: Stage,
}

enum Stage {
    Waiting,
    /// Running, by the worker with this context.
    Running(Context),
    Done(Outcome),
}

impl Pool {
    /// An empty line, for a search whose tests have this context.
    pub(super) fn new(context: Context) -> Self {
        Self { state: Mutex::default(), work: Condvar::new(), done: Condvar::new(), context }
    }

    /// One worker: runs what stands in the line, until the pool is closed.
    pub(super) fn work(&self, tester: &Tester<'_>) {
        let context = tester.context();
        let mut state = self.lock();
        while !state.over {
            let Some(job) = state.line.iter_mut().find(|job| matches!(job.stage, Stage::Waiting)) else {
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            context.abandon(false);
            job.stage = Stage::Running(context.clone());
            let (number, candidate) = (job.number, Arc::clone(&job.candidate));
            drop(state);
            let started = Instant::now();
            let (drawn, tested) = tester.run_within(&candidate.0, candidate.1);
            let outcome = (drawn, tested, started.elapsed());
            if context.is_cancelled() {
                self.context.cancel();
            }
            state = self.lock();
            state.runs += 1;
            if let Some(job) = state.line.iter_mut().find(|job| job.number == number) {
                job.stage = Stage::Done(outcome);
                self.done.notify_one();
            }
        }
    }

    /// There is one worker more.
    pub(super) fn add_worker(&self) {
        self.lock().workers += 1;
    }

    /// A worker cannot do its work.
    pub(super) fn remove_worker(&self) {
        self.lock().workers -= 1;
    }

    /// How many workers there are.
    pub(super) fn workers(&self) -> usize {
        self.lock().workers
    }

    /// How many candidates the workers have run.
    pub(super) fn runs(&self) -> u64 {
        self.lock().runs
    }

    /// Moves a candidate to the front of the line. Those before it will not be asked for any more; if it does not stand in the
    /// line, none will. How many stand behind it that nobody has begun with.
    pub(super) fn ask(&self, case: &Case, items: usize) -> usize {
        let mut state = self.lock();
        while let Some(job) = state.line.front() {
            if job.candidate.1 == items && is_same(&job.candidate.0, case) {
                break;
            }
            job.give_up();
            state.line.pop_front();
        }
        if state.line.is_empty() {
            state.add(Arc::new((case.clone(), items)));
            self.work.notify_one();
        }
        state.line.iter().skip(1).filter(|job| matches!(job.stage, Stage::Waiting)).count()
    }

    /// Says what will stand in the line behind its front.
    pub(super) fn expect(&self, candidates: Vec<Candidate>) {
        let mut state = self.lock();
        let mut place = 1;
        let mut candidates = candidates.into_iter().peekable();
        while let (Some(job), Some((case, items))) = (state.line.get(place), candidates.peek()) {
            if job.candidate.1 != *items || !is_same(&job.candidate.0, case) {
                break;
            }
            place += 1;
            candidates.next();
        }
        state.give_up_behind(place);
        for candidate in candidates {
            state.add(Arc::new(candidate));
            self.work.notify_one();
        }
    }

    /// The outcome of the front of the line, which leaves it; or, if there is one earlier, an outcome that is `good_enough`,
    /// and the candidate that it is of. If there is no worker left, the front is run by `tester`.
    pub(super) fn wait(
        &self,
        tester: &Tester<'_>,
        good_enough: &dyn Fn(&Case, &Tested) -> bool,
    ) -> (Option<Arc<Candidate>>, Outcome) {
        let mut state = self.lock();
        loop {
            if state.workers == 0
                && let Some(Job { candidate, stage: Stage::Waiting, .. }) = state.line.front()
            {
                let started = Instant::now();
                let (drawn, tested) = tester.run_within(&candidate.0, candidate.1);
                state.line.pop_front();
                state.runs += 1;
                return (None, (drawn, tested, started.elapsed()));
            }
            let mut found = None;
            for (place, job) in state.line.iter().enumerate() {
                if let Stage::Done((drawn, tested, _)) = &job.stage
                    && (place == 0 || good_enough(drawn, tested))
                {
                    found = Some(place);
                    break;
                }
            }
            if let Some(Job { candidate, stage: Stage::Done(outcome), .. }) =
                found.and_then(|place| state.line.remove(place))
            {
                return ((found != Some(0)).then_some(candidate), outcome);
            }
            if self.context.is_cancelled() {
                state.give_up_behind(1);
                if let Some(front) = state.line.front() {
                    front.give_up();
                }
            }
            state = self.done.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Nothing more will be asked for when the guard is dropped: then the workers end.
    pub(super) fn close_when_dropped(&self) -> Closing<'_> {
        Closing(self)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes the pool when it is dropped.
pub(super) struct Closing<'p>(&'p Pool);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.over = true;
        state.give_up_behind(0);
        self.0.work.notify_all();
    }
}

impl State {
    fn add(&mut self, candidate: Arc<Candidate>) {
        self.line.push_back(Job { number: self.next, candidate, stage: Stage::Waiting });
        self.next += 1;
    }

    /// Nobody will ask for what stands at this place of the line, nor behind it.
    fn give_up_behind(&mut self, place: usize) {
        for job in self.line.drain(place.min(self.line.len())..) {
            job.give_up();
        }
    }
}

impl Job {
    /// Nobody waits for it: if it runs, it stops at its next checkpoint.
    fn give_up(&self) {
        if let Stage::Running(context) = &self.stage {
            context.abandon(true);
        }
    }
}

/// Whether two cases are run alike.
fn is_same(a: &Case, b: &Case) -> bool {
    a.sequence.size == b.sequence.size && a.steps == b.steps && a.sequence.items == b.sequence.items
}
