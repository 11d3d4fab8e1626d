//! Cases that run on other threads before they are requested.
//!
//! A search is a sequential program, and stays one: it requests the outcome of one case after the other. The cases that
//! it may request next form a *plan*: a tree in which each case follows another one, either always or after one of its
//! two outcomes (it fails, or it does not). Workers run the cases of the plan in its order, except those that an
//! outcome has ruled out. The search sees only the outcomes of the cases that it requests, just as if it ran all cases
//! itself, so it has the same result.

use super::cores::Turn;
use super::{Case, Tested, Tester};
use crate::context::Context;
use crate::effects::{Cwd, OwnCwd};
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};
use std::time::{Duration, Instant};

/// How often a waiting search checks whether the run was stopped, and a waiting worker whether it is its turn.
const PATIENCE: Duration = Duration::from_millis(10);

/// A case of a plan.
pub(crate) struct Planned {
    pub(crate) case: Case,
    /// How many choices it may draw.
    pub(crate) items: usize,
    /// The case that it follows; `None` for the first.
    pub(crate) after: Option<After>,
}

/// The case that another one follows.
#[derive(Clone, Copy)]
pub(crate) struct After {
    /// Its place in the plan.
    pub(crate) place: usize,
    /// Whether that case has to fail; `None` if its outcome does not matter.
    pub(crate) fails: Option<bool>,
}

/// The outcome of a case.
pub(crate) struct Outcome {
    pub(crate) drawn: Case,
    pub(crate) tested: Tested,
    /// Whether a generator discarded a value and tried again.
    pub(crate) retried: bool,
    pub(crate) took: Duration,
}

impl Outcome {
    fn fails(&self) -> bool {
        matches!(self.tested, Tested::Fail(_))
    }
}

/// The event that ended a wait.
pub(crate) enum Waited {
    /// The requested case has run.
    Ran(Box<Outcome>),
    /// An outcome ruled out so much of the plan that workers may become idle.
    RanOut,
}

/// The plan, and the state of its workers.
pub(crate) struct Pool {
    state: Mutex<State>,
    /// Signalled when there may be a case to run.
    work: Condvar,
    /// Signalled when there may be an outcome.
    done: Condvar,
    /// The context of the search.
    context: Context,
}

#[derive(Default)]
struct State {
    /// In the order in which they run. The first is the one that is requested, if one is.
    plan: VecDeque<Job>,
    /// The number of the next job.
    next: u64,
    workers: usize,
    /// How many cases the workers have run.
    runs: u64,
    over: bool,
}

struct Job {
    number: u64,
    case: Arc<Case>,
    items: usize,
    /// The number of the job that it follows.
    after: Option<(u64, Option<bool>)>,
    stage: Stage,
}

enum Stage {
    Waiting,
    /// Running, by the worker with this context.
    Running(Context),
    Done(Box<Outcome>),
}

impl Pool {
    /// Creates an empty plan, for a search whose tests have this context.
    pub(crate) fn new(context: Context) -> Self {
        Self { state: Mutex::default(), work: Condvar::new(), done: Condvar::new(), context }
    }

    /// Starts a worker, which ends when the pool is closed.
    pub(crate) fn start<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        name: String,
        own_cwd: Cwd,
        make: impl FnOnce() -> Tester<'env> + Send + 'env,
    ) -> io::Result<()> {
        // A tester is created by the thread that uses it: its context is that thread's.
        let work = move || match OwnCwd::enter(own_cwd) {
            Ok(_own_cwd) => self.work(&make()),
            // Without its own directory it would interfere with the other workers.
            Err(_) => self.lock().workers -= 1,
        };
        // Counted first: it may end at once.
        self.lock().workers += 1;
        let started = Builder::new().name(name).spawn_scoped(scope, work);
        if started.is_err() {
            self.lock().workers -= 1;
        }
        started.map(drop)
    }

    /// One worker: runs cases of the plan until the pool is closed.
    fn work(&self, tester: &Tester<'_>) {
        let context = tester.context();
        // The search waits while others run, so one of them has its core.
        let mut turn = Turn::new(context.worker());
        let mut state = self.lock();
        while !state.over {
            let Some(place) = state.next_job().filter(|_| turn.take()) else {
                turn.give_back();
                let is_refused = state.next_job().is_some();
                state = if is_refused {
                    self.work.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0
                } else {
                    self.work.wait(state).unwrap_or_else(PoisonError::into_inner)
                };
                continue;
            };
            let job = &mut state.plan[place];
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
                    // Dropping a panic's payload panicked. The last thread that runs the case reports it.
                    std::mem::forget(payload);
                    state.workers -= 1;
                    Stage::Waiting
                }
            };
            let leaves = matches!(stage, Stage::Waiting);
            if let Some(job) = state.plan.iter_mut().find(|job| job.number == number) {
                job.stage = stage;
                self.done.notify_one();
            }
            if leaves {
                self.work.notify_all();
                return;
            }
        }
    }

    pub(crate) fn workers(&self) -> usize {
        self.lock().workers
    }

    /// How many cases the workers have run.
    pub(crate) fn runs(&self) -> u64 {
        self.lock().runs
    }

    /// Requests a case. Only the cases that follow it stay in the plan. Returns how many of those workers can still
    /// start.
    pub(crate) fn request(&self, case: &Case, items: usize) -> usize {
        let mut state = self.lock();
        match state.plan.iter().position(|job| job.is(case, items)) {
            Some(place) => state.keep_what_follows(place),
            None => {
                state.drop_from(0);
                state.add(case.clone(), items, None);
            }
        }
        self.work.notify_all();
        state.waiting().saturating_sub(1)
    }

    /// Replaces the plan, unless the new one begins with a case other than the requested one.
    pub(crate) fn plan(&self, plan: Vec<Planned>) {
        let mut state = self.lock();
        let begins_alike =
            state.plan.front().zip(plan.first()).is_some_and(|(job, first)| job.is(&first.case, first.items));
        if !begins_alike {
            return;
        }
        let mut before = std::mem::take(&mut state.plan);
        let mut numbers = Vec::with_capacity(plan.len());
        for Planned { case, items, after } in plan {
            let after = after.map(|after| (numbers[after.place], after.fails));
            let known = before.iter().position(|job| job.is(&case, items)).and_then(|place| before.remove(place));
            match known {
                Some(job) => {
                    numbers.push(job.number);
                    state.plan.push_back(Job { after, ..job });
                }
                None => numbers.push(state.add(case, items, after)),
            }
        }
        for job in before {
            job.give_up();
        }
        self.work.notify_all();
    }

    /// Empties the plan.
    pub(crate) fn clear(&self) {
        self.lock().drop_from(0);
    }

    /// Adds a case that follows the last one of the plan, either always or only if that one fails. Returns false if an
    /// outcome has already ruled it out.
    pub(crate) fn add(&self, case: Case, items: usize, if_it_fails: bool) -> bool {
        let mut state = self.lock();
        let after = state.plan.back().map(|last| (last.number, if_it_fails.then_some(true)));
        state.add(case, items, after);
        self.work.notify_one();
        let mut ruled_out = false;
        state.visit(|_, _, is_ruled_out| {
            ruled_out = is_ruled_out;
            false
        });
        !ruled_out
    }

    /// Waits for the outcome of the requested case, which then stays in the plan only for the cases that follow it. If
    /// no worker is left, `tester` runs it. With `patient` set, nothing else ends the wait.
    pub(crate) fn wait(&self, tester: &Tester<'_>, patient: bool) -> Waited {
        let mut state = self.lock();
        loop {
            if state.workers == 0
                && let Some(Job { case, items, stage: Stage::Waiting, .. }) = state.plan.front()
            {
                let (case, items, started) = (Arc::clone(case), *items, Instant::now());
                state.drop_from(0);
                state.runs += 1;
                drop(state);
                let (drawn, tested, retried) = tester.run_within(&case, items);
                return Waited::Ran(Box::new(Outcome { drawn, tested, retried, took: started.elapsed() }));
            }
            if state.plan.front().is_some_and(Job::is_done)
                && let Some(Job { number, stage: Stage::Done(outcome), .. }) = state.plan.pop_front()
            {
                state.settle(number, outcome.fails());
                return Waited::Ran(outcome);
            }
            if !patient && state.next_job().is_none() && state.plan.iter().any(Job::is_done) {
                return Waited::RanOut;
            }
            if self.context.is_cancelled() {
                state.drop_from(1);
                if let Some(front) = state.plan.front() {
                    front.give_up();
                }
            }
            state = self.done.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The choices and the outcome of a case of the plan, if it has run.
    pub(crate) fn look_up(&self, case: &Case, items: usize) -> Option<(Case, Tested)> {
        let state = self.lock();
        let job = state.plan.iter().find(|job| job.is(case, items))?;
        match &job.stage {
            Stage::Done(outcome) => Some((outcome.drawn.clone(), outcome.tested.clone())),
            _ => None,
        }
    }

    /// Returns a guard that ends the workers when it is dropped.
    pub(crate) fn close_when_dropped(&self) -> Closing<'_> {
        Closing(self)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes the pool when it is dropped.
pub(crate) struct Closing<'p>(&'p Pool);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.over = true;
        state.drop_from(0);
        self.0.work.notify_all();
    }
}

impl State {
    fn add(&mut self, case: Case, items: usize, after: Option<(u64, Option<bool>)>) -> u64 {
        let number = self.next;
        self.next += 1;
        let case = Arc::new(case);
        self.plan.push_back(Job { number, case, items, after, stage: Stage::Waiting });
        number
    }

    /// Visits the cases in order until `stop` returns true, and passes for each whether an outcome has ruled it out. A
    /// case comes after the one that it follows.
    fn visit(&self, mut stop: impl FnMut(usize, &Job, bool) -> bool) {
        let (mut answers, mut ruled_out): (Vec<(u64, bool)>, Vec<u64>) = (Vec::new(), Vec::new());
        for (place, job) in self.plan.iter().enumerate() {
            let is_ruled_out = job.after.is_some_and(|(before, fails)| {
                // The case that it follows is usually the last one.
                let answer = answers.iter().rev().find(|(number, _)| *number == before);
                ruled_out.contains(&before) || matches!((answer, fails), (Some((_, did)), Some(fails)) if *did != fails)
            });
            if is_ruled_out {
                ruled_out.push(job.number);
            } else if let Stage::Done(outcome) = &job.stage {
                answers.push((job.number, outcome.fails()));
            }
            if stop(place, job, is_ruled_out) {
                return;
            }
        }
    }

    /// The place of the first case that is waiting and not ruled out.
    fn next_job(&self) -> Option<usize> {
        let mut next = None;
        self.visit(|place, job, is_ruled_out| {
            next = (job.is_waiting() && !is_ruled_out).then_some(place);
            next.is_some()
        });
        next
    }

    /// How many cases are waiting and not ruled out.
    fn waiting(&self) -> usize {
        let mut waiting = 0;
        self.visit(|_, job, is_ruled_out| {
            waiting += usize::from(job.is_waiting() && !is_ruled_out);
            false
        });
        waiting
    }

    /// Moves a case to the front, and drops all cases that do not follow it.
    fn keep_what_follows(&mut self, place: usize) {
        let Some(mut first) = self.plan.remove(place) else { return };
        first.after = None;
        let mut kept = vec![first.number];
        // In a plan, a case comes after the one that it follows.
        self.plan.retain(|job| {
            let follows = job.after.is_some_and(|(number, _)| kept.contains(&number));
            if follows {
                kept.push(job.number);
            } else {
                job.give_up();
            }
            follows
        });
        self.plan.push_front(first);
    }

    /// Drops the cases that follow the other outcome of a case that has run and left the plan.
    fn settle(&mut self, number: u64, failed: bool) {
        let mut dropped = Vec::new();
        self.plan.retain(|job| {
            let is_ruled_out = job.after.is_some_and(|(before, fails)| {
                dropped.contains(&before) || before == number && fails.is_some_and(|fails| fails != failed)
            });
            if is_ruled_out {
                dropped.push(job.number);
                job.give_up();
            }
            !is_ruled_out
        });
    }

    /// Drops the cases from this place of the plan on.
    fn drop_from(&mut self, place: usize) {
        for job in self.plan.drain(place.min(self.plan.len())..) {
            job.give_up();
        }
    }
}

impl Job {
    /// Whether this job runs the given case.
    fn is(&self, case: &Case, items: usize) -> bool {
        let (a, b) = (&self.case.sequence, &case.sequence);
        self.items == items && a.size == b.size && self.case.steps == case.steps && a.items == b.items
    }

    fn is_waiting(&self) -> bool {
        matches!(self.stage, Stage::Waiting)
    }

    fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done(_))
    }

    /// Cancels it: if it runs, it stops at its next checkpoint.
    fn give_up(&self) {
        if let Stage::Running(context) = &self.stage {
            context.abandon(true);
        }
    }
}
