//! The threads of the branches, started once, and the caller that starts runs and watches them.

use super::core::{Core, STRAYS, Slot, Spin, ended_at};
use super::plan::{Plan, name};
use super::search::Strategy;
use super::state::Status;
use super::{End, Happened, Search, kernel};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The job of the branches of a run, called with the number of each.
pub(crate) type Job = Arc<dyn Fn(usize) + Send + Sync>;

/// How often the caller checks whether the running thread makes progress.
const LOOK: Duration = Duration::from_millis(20);

/// When every thread waits, how long a thread unknown to the scheduler has to wake one.
const GRACE: Duration = Duration::from_millis(10);

/// How long threads that outlive a run have to end before the next run begins: a scoped thread is about to end when its
/// scope is left.
const ENDING: Duration = Duration::from_millis(100);

/// After each wait that times out, the next one is half as long, down to this.
const LEAST_ENDING: Duration = Duration::from_millis(1);

/// The threads of a run.
pub(crate) struct Crew {
    core: Arc<Core>,
    job: Arc<Mutex<Option<Job>>>,
}

/// Crews that have nothing to do.
static IDLE: Mutex<Vec<Crew>> = Mutex::new(Vec::new());

impl Crew {
    /// Returns a crew for this many branches: an idle one, or a new one. Returns an error if no more threads can be
    /// started.
    pub(crate) fn of(branches: usize) -> Result<Self, (usize, std::io::Error)> {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = idle.iter().position(|crew| crew.core.lock().branches == branches) {
            return Ok(idle.swap_remove(at));
        }
        drop(idle);
        notice_forks();
        let (core, job) = (Core::new(), Arc::new(Mutex::new(None)));
        for branch in 0..branches {
            let slot = core.add(&mut core.lock());
            let job = Arc::clone(&job);
            thread::Builder::new()
                .name(format!("branch {}", branch + 1))
                .spawn(move || work(&slot, &job))
                .map_err(|error| (branch + 1, error))?;
        }
        core.lock().branches = branches;
        Ok(Self { core, job })
    }

    /// Runs the job by a plan. If the run does not end, the crew is lost with it: threads cannot be stopped.
    pub(crate) fn follow(
        self,
        plan: Plan,
        job: &Job,
        hangs_after: Duration,
        wants_places: bool,
    ) -> (Happened, Option<Self>) {
        self.run(plan, None, job, hangs_after, wants_places).0
    }

    /// Runs the job once more in a search. Returns `None` when the search is over.
    pub(crate) fn search(
        self,
        search: &mut Search,
        job: &Job,
        hangs_after: Duration,
    ) -> Result<(Happened, Option<Self>), Self> {
        let Some(strategy) = search.next() else { return Err(self) };
        let (ended, strategy) = self.run(Plan::default(), Some(strategy), job, hangs_after, false);
        if let Some(mut strategy) = strategy {
            strategy.forgoes |= !ended.0.uncontrolled.is_empty();
            search.learn(strategy);
        }
        Ok(ended)
    }

    fn run(
        self,
        plan: Plan,
        strategy: Option<Strategy>,
        job: &Job,
        hangs_after: Duration,
        wants_places: bool,
    ) -> ((Happened, Option<Self>), Option<Strategy>) {
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(job));
        await_ending_threads();
        let mut state = self.core.lock();
        state.begin(plan, strategy, wants_places);
        if STRAYS.load(Ordering::Acquire) > 0 {
            state.uncontrolled.push("a thread that was started before the branches".to_owned());
        }
        state.dispatch();
        self.core.pass_on(state);
        let end = self.watch(hangs_after);
        let mut state = self.core.lock();
        ended_at(state.clock);
        let strategy = state.strategy.take();
        let made = state.made();
        let plan =
            strategy.as_ref().map_or(made.clone(), |strategy| Plan { order: strategy.plan.order.clone(), ..made });
        let switched = state.take_switched();
        let uncontrolled = std::mem::take(&mut state.uncontrolled);
        drop(state);
        self.job.lock().unwrap_or_else(PoisonError::into_inner).take();
        let happened = Happened { end, plan, switched, uncontrolled };
        if happened.end != End::Finished {
            self.core.retire();
            return ((happened, None), strategy);
        }
        self.release();
        ((happened, Some(self)), strategy)
    }

    /// Returns the crew to the idle ones.
    pub(crate) fn rest(self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Waits for the end of a run, and takes the turn from threads that block where the scheduler cannot see it.
    fn watch(&self, hangs_after: Duration) -> End {
        let core = &self.core;
        let (mut last, mut since, mut idle) = (None, Instant::now(), None);
        let mut slept = false;
        loop {
            core.caller.wait_for(if idle.is_some() { GRACE } else { LOOK });
            let mut state = core.lock();
            if let Some(end) = &state.end {
                return end.clone();
            }
            let pulse: u64 = state.threads.iter().map(|thread| thread.slot.count.load(Ordering::Relaxed)).sum();
            let seen = (state.running, pulse);
            if last != Some(seen) {
                (last, since, slept) = (Some(seen), Instant::now(), false);
            }
            let Some(running) = state.running else {
                if state.wake_changed() {
                    state.dispatch();
                    core.pass_on(state);
                    idle = None;
                    continue;
                }
                let is_certain = !state.has_outside() && STRAYS.load(Ordering::Acquire) == 0;
                let began = *idle.get_or_insert_with(Instant::now);
                let limit = if is_certain { GRACE } else { hangs_after };
                if began.elapsed() >= limit {
                    let stuck = state.all_stuck();
                    let end = if is_certain { End::Deadlock(stuck) } else { End::Hangs(stuck) };
                    state.end = Some(end.clone());
                    return end;
                }
                continue;
            };
            idle = None;
            if since.elapsed() >= hangs_after {
                let end = End::Hangs(state.all_stuck());
                state.end = Some(end.clone());
                return end;
            }
            if since.elapsed() < LOOK {
                continue;
            }
            let slot = Arc::clone(&state.threads[running].slot);
            // On a busy machine, a thread may sleep because its predecessor was preempted before it gave it the turn.
            let is_expected = slot.is_sure.load(Ordering::SeqCst) || slot.turn.is_due();
            if is_expected || !kernel::sleeps(slot.kernel_id()) {
                slept = false;
                continue;
            }
            if !std::mem::replace(&mut slept, true) {
                continue;
            }
            // From here on the thread checks whether it was let go before it continues. If it sleeps now, the check is
            // still ahead.
            slot.outside.store(true, Ordering::SeqCst);
            slot.next.store(0, Ordering::SeqCst);
            if kernel::sleeps(slot.kernel_id()) {
                let name = name(running, state.branches);
                state.let_go(running, name);
                core.pass_on(state);
            }
        }
    }

    /// Threads that the system spawned and that have not ended continue without a scheduler.
    fn release(&self) {
        let mut state = self.core.lock();
        let first = state.branches;
        let mut spawned = Vec::new();
        for thread in state.threads.drain(first..).filter(|thread| thread.status != Status::Ended) {
            STRAYS.fetch_add(1, Ordering::AcqRel);
            // While the lock is held: a thread that returns finds either that it was released, or its slot.
            thread.slot.released.store(true, Ordering::Release);
            thread.slot.next.store(0, Ordering::Relaxed);
            spawned.push(thread.slot);
        }
        drop(state);
        for slot in spawned {
            slot.turn.give();
        }
    }
}

/// Waits until threads without a scheduler end. Those that do not end in time, such as the threads of a pool, are not
/// waited for again. If every run leaves more of them, the wait becomes shorter from run to run.
fn await_ending_threads() {
    static STAYING: AtomicUsize = AtomicUsize::new(0);
    static LIMIT: Spin<Duration> = Spin::new(ENDING);
    let staying = STAYING.load(Ordering::Relaxed);
    let are_ending = || STRAYS.load(Ordering::Acquire) > staying;
    if are_ending() {
        let (began, limit) = (Instant::now(), *LIMIT.lock());
        while are_ending() && began.elapsed() < limit {
            thread::sleep(Duration::from_micros(100));
        }
        *LIMIT.lock() = if are_ending() { LEAST_ENDING.max(limit / 2) } else { ENDING };
    }
    STAYING.store(STRAYS.load(Ordering::Acquire), Ordering::Relaxed);
}

fn work(slot: &Arc<Slot>, job: &Mutex<Option<Job>>) {
    slot.attach();
    loop {
        slot.turn.wait();
        let job = job.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(job) = job {
            let _ = catch_unwind(AssertUnwindSafe(|| job(slot.number)));
        }
        slot.ends();
    }
}

/// The child of a fork has one thread, which is not scheduled.
fn notice_forks() {
    use std::ffi::c_int;
    unsafe extern "C" {
        fn pthread_atfork(
            prepare: Option<extern "C" fn()>,
            parent: Option<extern "C" fn()>,
            child: Option<extern "C" fn()>,
        ) -> c_int;
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the function sets thread-local variables that need no initialisation, which the child of a fork may.
        let _ = unsafe { pthread_atfork(None, None, Some(super::core::forget_after_fork)) };
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_whose_turn_is_given_late_is_not_let_go() {
        let crew = Crew::of(2).unwrap();
        *crew.job.lock().unwrap() = Some(Arc::new(|_| {}));
        let mut state = crew.core.lock();
        state.begin(Plan::default(), None, false);
        state.dispatch();
        drop(state);
        let core = Arc::clone(&crew.core);
        let late = thread::spawn(move || {
            thread::sleep(5 * LOOK);
            core.pass_on(core.lock());
        });
        assert_eq!(crew.watch(Duration::from_secs(60)), End::Finished);
        late.join().unwrap();
        assert_eq!(crew.core.lock().uncontrolled, [""; 0]);
    }
}
