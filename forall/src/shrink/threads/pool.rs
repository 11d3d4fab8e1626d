//! Candidates that run on other threads before the search asks for them.
//!
//! The search is a sequential program, and stays one: it asks for the outcome of one candidate after the other. What it will
//! most likely ask for next stands in a line. Workers run what stands there, the front first; the search takes outcomes
//! from the front. Where it asks for something else, what stands in the line was run for nothing, and a new line begins. So the
//! search sees the outcomes that it would see if it ran the candidates itself, and comes to the same result.

use crate::context::Context;
use crate::testing::{Case, Tested, Tester};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often whoever waits for an outcome looks whether the run was stopped.
const PATIENCE: Duration = Duration::from_millis(10);

/// What may be asked for.
pub(super) struct Candidate {
    pub(super) case: Case,
    /// How many choices it may draw.
    pub(super) items: usize,
    /// Whether it is taken to fail. What stands behind it in the line will be asked for only if that is right.
    pub(super) fails: bool,
}

/// What came of a candidate.
pub(super) struct Outcome {
    pub(super) drawn: Case,
    pub(super) tested: Tested,
    /// Whether a generator threw something away and tried again.
    pub(super) retried: bool,
    /// How long it took.
    pub(super) took: Duration,
}

/// What is waited for beside the front of the line.
pub(super) struct Waiting<'w> {
    /// Outcomes that will do as well.
    pub(super) good_enough: &'w dyn Fn(&Case, &Tested) -> bool,
    /// How long the front is waited for all the same.
    pub(super) patience: Duration,
    /// Whether to be told when a candidate came out otherwise than it was taken to.
    pub(super) for_surprises: bool,
}

/// What came first.
pub(super) enum Waited {
    /// The outcome of the front of the line.
    Front(Outcome),
    /// Another outcome that will do, and of which candidate it is.
    Other(Arc<Case>, Outcome),
    /// A candidate came out otherwise than it was taken to: what stands behind it will not be asked for.
    Surprise,
}

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
    case: Arc<Case>,
    items: usize,
    fails: bool,
    stage: Stage,
}

enum Stage {
    Waiting,
    /// Running, by the worker with this context.
    Running(Context),
    Done(Box<Outcome>),
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
            let Some(job) = state.next_job() else {
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            context.abandon(false);
            job.stage = Stage::Running(context.clone());
            let (number, case, items) = (job.number, Arc::clone(&job.case), job.items);
            drop(state);
            let started = Instant::now();
            let run = catch_unwind(AssertUnwindSafe(|| tester.run_within(&case, items)));
            let took = started.elapsed();
            if context.is_cancelled() {
                self.context.cancel();
            }
            state = self.lock();
            state.runs += 1;
            let stage = match run {
                Ok((drawn, tested, retried)) => Stage::Done(Box::new(Outcome { drawn, tested, retried, took })),
                Err(payload) => {
                    // Dropping what a test had panicked with has panicked. Whoever runs it last will tell.
                    std::mem::forget(payload);
                    state.workers -= 1;
                    Stage::Waiting
                }
            };
            let leaves = matches!(stage, Stage::Waiting);
            if let Some(job) = state.line.iter_mut().find(|job| job.number == number) {
                job.stage = stage;
                self.done.notify_one();
            }
            if leaves {
                self.work.notify_all();
                return;
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
        while let Some(job) = state.line.front().filter(|job| !job.is(case, items)) {
            job.give_up();
            state.line.pop_front();
        }
        if state.line.is_empty() {
            state.add(Candidate { case: case.clone(), items, fails: false });
        }
        // There may be a new job, or one before it is gone that stood in the way.
        self.work.notify_all();
        state.line.iter().skip(1).filter(|job| matches!(job.stage, Stage::Waiting)).count()
    }

    /// Whether a candidate is what is asked for.
    pub(super) fn is_at_the_front(&self, candidate: Option<&Candidate>) -> bool {
        let state = self.lock();
        state.line.front().zip(candidate).is_some_and(|(job, candidate)| job.is(&candidate.case, candidate.items))
    }

    /// Says what is to stand in the line, from its front on.
    pub(super) fn expect(&self, candidates: Vec<Candidate>) {
        let mut state = self.lock();
        let mut place = 0;
        let mut candidates = candidates.into_iter().peekable();
        while let (Some(job), Some(candidate)) = (state.line.get_mut(place), candidates.peek())
            && job.is(&candidate.case, candidate.items)
        {
            job.fails = candidate.fails;
            place += 1;
            candidates.next();
        }
        state.give_up_behind(place);
        for candidate in candidates {
            state.add(candidate);
        }
        self.work.notify_all();
    }

    /// Waits for the outcome of the front of the line, which leaves it then; or for something else that happens before. If there
    /// is no worker left, the front is run by `tester`.
    pub(super) fn wait(&self, tester: &Tester<'_>, waiting: &Waiting<'_>) -> Waited {
        let mut state = self.lock();
        let mut seen = None;
        loop {
            if state.workers == 0
                && let Some(Job { case, items, stage: Stage::Waiting, .. }) = state.line.front()
            {
                let started = Instant::now();
                let (drawn, tested, retried) = tester.run_within(case, *items);
                state.line.pop_front();
                state.runs += 1;
                return Waited::Front(Outcome { drawn, tested, retried, took: started.elapsed() });
            }
            if state.line.front().is_some_and(Job::is_done)
                && let Some(Job { stage: Stage::Done(outcome), .. }) = state.line.pop_front()
            {
                return Waited::Front(*outcome);
            }
            let mut patience = PATIENCE;
            let good_enough = state.line.iter().position(|job| job.is_done_and(waiting.good_enough));
            if let Some(place) = good_enough {
                let waited = seen.get_or_insert_with(Instant::now).elapsed();
                patience = waiting.patience.saturating_sub(waited).min(PATIENCE);
                if patience.is_zero()
                    && let Some(Job { case, stage: Stage::Done(outcome), .. }) = state.line.remove(place)
                {
                    return Waited::Other(case, *outcome);
                }
            }
            if waiting.for_surprises && state.line.iter().any(Job::is_a_surprise) {
                return Waited::Surprise;
            }
            if self.context.is_cancelled() {
                state.give_up_behind(1);
                if let Some(front) = state.line.front() {
                    front.give_up();
                }
            }
            state = self.done.wait_timeout(state, patience).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// What is known of a candidate that stands in the line: what it drew and what became of it.
    pub(super) fn look_up(&self, case: &Case, items: usize) -> Option<(Case, Tested)> {
        let state = self.lock();
        let job = state.line.iter().find(|job| job.is(case, items))?;
        match &job.stage {
            Stage::Done(outcome) => Some((outcome.drawn.clone(), outcome.tested.clone())),
            _ => None,
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
    fn add(&mut self, Candidate { case, items, fails }: Candidate) {
        self.line.push_back(Job { number: self.next, case: Arc::new(case), items, fails, stage: Stage::Waiting });
        self.next += 1;
    }

    /// The first that waits, unless one before it came out otherwise than it was taken to.
    fn next_job(&mut self) -> Option<&mut Job> {
        for job in &mut self.line {
            match &job.stage {
                Stage::Waiting => return Some(job),
                _ if job.is_a_surprise() => return None,
                _ => {}
            }
        }
        None
    }

    /// Nobody will ask for what stands at this place of the line, nor behind it.
    fn give_up_behind(&mut self, place: usize) {
        for job in self.line.drain(place.min(self.line.len())..) {
            job.give_up();
        }
    }
}

impl Job {
    /// Whether it is the job to run this case.
    fn is(&self, case: &Case, items: usize) -> bool {
        let (a, b) = (&self.case.sequence, &case.sequence);
        self.items == items && a.size == b.size && self.case.steps == case.steps && a.items == b.items
    }

    fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done(_))
    }

    fn is_done_and(&self, good_enough: &dyn Fn(&Case, &Tested) -> bool) -> bool {
        matches!(&self.stage, Stage::Done(outcome) if good_enough(&outcome.drawn, &outcome.tested))
    }

    /// Whether it came out otherwise than it was taken to.
    fn is_a_surprise(&self) -> bool {
        matches!(&self.stage, Stage::Done(outcome) if matches!(outcome.tested, Tested::Fail(_)) != self.fails)
    }

    /// Nobody waits for it: if it runs, it stops at its next checkpoint.
    fn give_up(&self) {
        if let Stage::Running(context) = &self.stage {
            context.abandon(true);
        }
    }
}
