//! Cases that run on other threads before they are requested.
//!
//! A search is a sequential program, and stays one: it requests the outcome of one case after the other. The cases that
//! it may request next form a *plan*: a tree in which each case follows another one, either always or after one of its
//! two outcomes (it fails, or it does not). Workers run the cases of the plan in its order, except those that an
//! outcome has ruled out. The search sees only the outcomes of the cases that it requests, just as if it ran all cases
//! itself, so it has the same result.

#[cfg(test)]
mod tests;

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
    /// The number of choices that it may draw.
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
    /// Signalled at the end, for workers that could run a case but have no turn.
    turns: Condvar,
    /// Signalled when there may be an outcome.
    done: Condvar,
    /// The context of the search.
    context: Context,
}

#[derive(Default)]
struct State {
    /// In the order in which they run: a case comes after the one that it follows. The first is the one that is
    /// requested, if one is.
    plan: VecDeque<Job>,
    /// No case before this place is waiting. Workers ask for the next case under the lock, and plans may be long.
    waiting_from: usize,
    /// Whether a case of the plan follows another one than the one before it.
    branches: bool,
    /// Whether the search waits for other outcomes than that of the first case.
    is_impatient: bool,
    /// The number of the next job.
    next: u64,
    workers: usize,
    /// Whether a worker has the core of the search, which waits while workers run. That one needs no turn, so there is
    /// always progress.
    core_taken: bool,
    /// The number of cases that the workers have run.
    runs: u64,
    over: bool,
}

struct Job {
    number: u64,
    case: Arc<Case>,
    items: usize,
    /// The number of the job that it follows, and whether that has to fail.
    after: Option<(u64, Option<bool>)>,
    /// Whether an outcome has ruled it out.
    is_ruled_out: bool,
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
        let (state, work, turns, done) = (Mutex::default(), Condvar::new(), Condvar::new(), Condvar::new());
        Self { state, work, turns, done, context }
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
        let mut turn = Turn::shared();
        let mut state = self.lock();
        while !state.over {
            if !state.core_taken {
                state.core_taken = true;
                turn = Turn::own();
            }
            let Some(place) = state.next_job().filter(|_| turn.take()) else {
                turn.give_back();
                state = if state.next_job().is_some() {
                    // The signal was for a worker that may run.
                    self.work.notify_one();
                    self.turns.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0
                } else {
                    self.work.wait(state).unwrap_or_else(PoisonError::into_inner)
                };
                continue;
            };
            let job = &mut state.plan[place];
            context.abandon(false);
            job.stage = Stage::Running(context.clone());
            let (number, case, items) = (job.number, Arc::clone(&job.case), job.items);
            if state.is_impatient && state.next_job().is_none() {
                self.done.notify_one();
            }
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
                    state.core_taken &= !turn.is_own();
                    Stage::Waiting
                }
            };
            let leaves = matches!(stage, Stage::Waiting);
            if state.end(number, stage) {
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

    /// The number of cases that the workers have run.
    pub(crate) fn runs(&self) -> u64 {
        self.lock().runs
    }

    /// Requests a case. Only the cases that follow it stay in the plan. Returns how many of those workers can still
    /// start.
    pub(crate) fn request(&self, case: &Case, items: usize) -> usize {
        let mut state = self.lock();
        match state.plan.iter().position(|job| job.is(case, items)) {
            Some(place) => {
                if state.keep_what_follows(place) {
                    self.work.notify_all();
                }
            }
            None => {
                state.drop_from(0);
                state.add(case.clone(), items, None);
                self.work.notify_one();
            }
        }
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
        (state.waiting_from, state.branches) = (0, true);
        let mut numbers = Vec::with_capacity(plan.len());
        for Planned { case, items, after } in plan {
            let after = after.map(|after| (numbers[after.place], after.fails));
            let known = before.iter().position(|job| job.is(&case, items)).and_then(|place| before.remove(place));
            match known {
                Some(job) => {
                    numbers.push(job.number);
                    let is_ruled_out = state.is_ruled_out(after);
                    state.plan.push_back(Job { after, is_ruled_out, ..job });
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
        state.plan.back().is_some_and(|added| !added.is_ruled_out)
    }

    /// Waits for the outcome of the requested case, which then stays in the plan only for the cases that follow it. If
    /// no worker is left, `tester` runs it. With `patient` set, nothing else ends the wait.
    pub(crate) fn wait(&self, tester: &Tester<'_>, patient: bool) -> Waited {
        let mut state = self.lock();
        state.is_impatient = !patient;
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
                && let Some(Job { number, stage: Stage::Done(outcome), .. }) = state.take_first()
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
        self.0.turns.notify_all();
    }
}

impl State {
    fn add(&mut self, case: Case, items: usize, after: Option<(u64, Option<bool>)>) -> u64 {
        let number = self.next;
        self.next += 1;
        let (case, is_ruled_out) = (Arc::new(case), self.is_ruled_out(after));
        self.plan.push_back(Job { number, case, items, after, is_ruled_out, stage: Stage::Waiting });
        number
    }

    /// Whether a case that follows another one of the plan is ruled out.
    fn is_ruled_out(&self, after: Option<(u64, Option<bool>)>) -> bool {
        let Some((number, fails)) = after else { return false };
        // It is usually the last one.
        let before = self.plan.iter().rev().find(|job| job.number == number);
        before.is_some_and(|before| {
            before.is_ruled_out
                || matches!((&before.stage, fails), (Stage::Done(outcome), Some(fails)) if outcome.fails() != fails)
        })
    }

    /// Ends a job. Returns whether to notify the search.
    fn end(&mut self, number: u64, stage: Stage) -> bool {
        let Some(place) = self.plan.iter().position(|job| job.number == number) else { return false };
        if let Stage::Done(outcome) = &stage {
            self.rule_out(place, outcome.fails());
        } else {
            self.waiting_from = self.waiting_from.min(place);
        }
        self.plan[place].stage = stage;
        place == 0 || self.workers == 0 || self.is_impatient
    }

    /// Rules out the cases that follow the other outcome of a case.
    fn rule_out(&mut self, place: usize, failed: bool) {
        let number = self.plan[place].number;
        let mut ruled_out = Vec::new();
        let mut later = place + 1;
        while later < self.plan.len() {
            let job = &mut self.plan[later];
            if let Some((before, fails)) = job.after
                && (before == number && fails.is_some_and(|fails| fails != failed)
                    || ruled_out.iter().rev().any(|out| *out == before))
            {
                job.is_ruled_out = true;
                ruled_out.push(job.number);
            } else if !self.branches {
                // Nothing after it follows the case in another way.
                return;
            }
            later += 1;
        }
    }

    /// The place of the first case that is waiting and not ruled out.
    fn next_job(&mut self) -> Option<usize> {
        while let Some(job) = self.plan.get(self.waiting_from) {
            if job.is_waiting() && !job.is_ruled_out {
                return Some(self.waiting_from);
            }
            self.waiting_from += 1;
        }
        None
    }

    /// The number of cases that are waiting and not ruled out.
    fn waiting(&self) -> usize {
        self.plan.iter().skip(self.waiting_from).filter(|job| job.is_waiting() && !job.is_ruled_out).count()
    }

    /// Moves a case to the front, and drops all cases that do not follow it. Returns whether there is more to run: an
    /// outcome had ruled it out.
    fn keep_what_follows(&mut self, place: usize) -> bool {
        if self.branches {
            self.drop_others(place);
        } else {
            // All later cases follow it.
            for job in self.plan.drain(..place) {
                job.give_up();
            }
            self.waiting_from = self.waiting_from.saturating_sub(place);
        }
        let Some(first) = self.plan.front_mut() else { return false };
        first.after = None;
        let was_ruled_out = first.is_ruled_out;
        if was_ruled_out {
            self.waiting_from = 0;
            let mut place = 0;
            while place < self.plan.len() {
                self.plan[place].is_ruled_out = self.is_ruled_out(self.plan[place].after);
                place += 1;
            }
        }
        was_ruled_out
    }

    /// Moves a case to the front, and drops all cases that do not follow it.
    fn drop_others(&mut self, place: usize) {
        let Some(first) = self.plan.remove(place) else { return };
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
        self.waiting_from = 0;
    }

    /// Removes the first case.
    fn take_first(&mut self) -> Option<Job> {
        self.waiting_from = self.waiting_from.saturating_sub(1);
        let first = self.plan.pop_front();
        self.branches &= !self.plan.is_empty();
        first
    }

    /// Drops the cases that follow the other outcome of a case that has run and left the plan.
    fn settle(&mut self, number: u64, failed: bool) {
        let is_wrong =
            |(before, fails): (u64, Option<bool>)| before == number && fails.is_some_and(|fails| fails != failed);
        if !self.branches {
            if self.plan.front().and_then(|job| job.after).is_some_and(is_wrong) {
                self.drop_from(0);
            }
            return;
        }
        let mut dropped = Vec::new();
        self.plan.retain(|job| {
            let is_ruled_out = job.after.is_some_and(|after| dropped.contains(&after.0) || is_wrong(after));
            if is_ruled_out {
                dropped.push(job.number);
                job.give_up();
            }
            !is_ruled_out
        });
        self.waiting_from = 0;
    }

    /// Drops the cases from this place of the plan on.
    fn drop_from(&mut self, place: usize) {
        for job in self.plan.drain(place.min(self.plan.len())..) {
            job.give_up();
        }
        self.waiting_from = self.waiting_from.min(self.plan.len());
        self.branches &= !self.plan.is_empty();
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
