//! Threads that are started once and run one job after the other, and the barrier at which they wait for each other.

use crate::panic;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The job of all members of a team, called with the number of each.
pub(super) type Job = Arc<dyn Fn(usize) + Send + Sync>;

/// Threads that wait for jobs.
pub(super) struct Team {
    members: Vec<Arc<Desk>>,
}

/// Where a member finds its jobs. A channel of the standard library would add hundreds of functions to compile.
#[derive(Default)]
struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    task: Option<Task>,
    /// There will be no more jobs.
    is_closed: bool,
}

/// A job, and where its end is counted.
type Task = (Job, Arc<Ends>);

/// Counts the members of a team that have ended a job.
#[derive(Default)]
struct Ends {
    count: Mutex<Count>,
    all: Condvar,
}

#[derive(Default)]
struct Count {
    left: usize,
    /// Whether a member's job panicked.
    panicked: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Teams that have nothing to do.
static IDLE: Mutex<Vec<Team>> = Mutex::new(Vec::new());

/// How often to check whether a long job still makes progress.
const LOOK: Duration = Duration::from_millis(50);

impl Team {
    /// A team of this size: one that is idle, or a new one. Returns an error if no more threads can be started.
    #[inline]
    pub(super) fn of(size: usize) -> Result<Team, String> {
        let mut idle = lock(&IDLE);
        if let Some(at) = idle.iter().position(|team| team.members.len() == size) {
            return Ok(idle.swap_remove(at));
        }
        drop(idle);
        let mut team = Team { members: Vec::new() };
        for number in 0..size {
            let desk = Arc::new(Desk::default());
            team.members.push(Arc::clone(&desk));
            thread::Builder::new()
                .name(format!("branch {}", number + 1))
                .spawn(move || work(number, &desk))
                .map_err(|error| no_thread(number + 1, &error))?;
        }
        Ok(team)
    }

    /// Has all members run the job, and returns whether it ended: it is given up when `pulse` does not change for
    /// `hangs_after`. A team that was given up is abandoned, since threads cannot be stopped.
    #[inline]
    pub(super) fn run(self, job: &Job, pulse: &dyn Fn() -> u64, hangs_after: Duration) -> Watched {
        let ends = Arc::new(Ends::default());
        lock(&ends.count).left = self.members.len();
        for member in &self.members {
            lock(&member.state).task = Some((Arc::clone(job), Arc::clone(&ends)));
            member.changed.notify_one();
        }
        let (mut last, mut since) = (pulse(), Instant::now());
        let mut longest_pause = Duration::ZERO;
        let mut count = lock(&ends.count);
        while count.left > 0 {
            let waited = ends.all.wait_timeout(count, LOOK).unwrap_or_else(PoisonError::into_inner);
            count = waited.0;
            if !waited.1.timed_out() {
                continue;
            }
            let now = pulse();
            if now != last {
                longest_pause = longest_pause.max(since.elapsed().saturating_sub(LOOK));
                (last, since) = (now, Instant::now());
            } else if since.elapsed() >= hangs_after {
                return Watched { came_to_its_end: false, longest_pause };
            }
        }
        let came_to_its_end = !count.panicked;
        drop(count);
        if came_to_its_end {
            lock(&IDLE).push(self);
        }
        Watched { came_to_its_end, longest_pause }
    }
}

/// Its members end after their current job.
impl Drop for Team {
    #[inline]
    fn drop(&mut self) {
        for member in &self.members {
            lock(&member.state).is_closed = true;
            member.changed.notify_one();
        }
    }
}

impl Desk {
    /// Waits for a task. Returns `None` if there will be no more.
    #[inline]
    fn next(&self) -> Option<Task> {
        let mut state = lock(&self.state);
        loop {
            if let Some(task) = state.task.take() {
                return Some(task);
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Ends {
    #[inline]
    fn end(&self, panicked: bool) {
        let mut count = lock(&self.count);
        count.left -= 1;
        count.panicked |= panicked;
        if count.left == 0 {
            self.all.notify_one();
        }
    }
}

/// Observations of a team that ran a job.
pub(super) struct Watched {
    pub(super) came_to_its_end: bool,
    /// The approximate length of the longest pause that ended.
    pub(super) longest_pause: Duration,
}

/// The message when a thread cannot be started.
#[inline]
pub(super) fn no_thread(branch: usize, error: &std::io::Error) -> String {
    format!(
        "no thread for branch {branch}: {error}; run fewer tests at once (`--test-threads`), or allow more threads (`ulimit -u`)"
    )
}

#[inline]
fn work(number: usize, desk: &Desk) {
    while let Some((job, ends)) = desk.next() {
        let ended = catch_unwind(AssertUnwindSafe(|| job(number)));
        // The job is dropped before its end is reported, so that its data has no other owner then. Dropping it may
        // panic, which cannot be reported any more.
        let _ = panic::catch_once(|| drop(job));
        ends.end(ended.is_err());
    }
}

/// Releases threads when all have arrived, as simultaneously as possible.
pub(super) struct Barrier {
    size: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    abandoned: AtomicBool,
    spins_at_start: u32,
    /// The number of threads that sleep until the round ends.
    sleepers: AtomicUsize,
    asleep: Mutex<()>,
    ended: Condvar,
}

/// The number of times a thread spins before it sleeps: about as long as the others take if each has a core. Otherwise
/// spinning keeps them from arriving.
const SPINS: u32 = 2_000;

/// The same at the start line if each thread has a core, a few milliseconds: on a busy machine a thread that sleeps
/// there is not running when the others start, and nothing runs concurrently.
const SPINS_AT_START: u32 = 50_000;

impl Barrier {
    #[inline]
    pub(super) fn new(size: usize) -> Self {
        let (arrived, round) = (AtomicUsize::new(0), AtomicUsize::new(0));
        // Computed once, because it reads files.
        static CORES: OnceLock<usize> = OnceLock::new();
        let cores = *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from));
        let spins_at_start = if size <= cores { SPINS_AT_START } else { SPINS };
        let (abandoned, sleepers) = (AtomicBool::new(false), AtomicUsize::new(0));
        Self {
            size,
            arrived,
            round,
            abandoned,
            spins_at_start,
            sleepers,
            asleep: Mutex::new(()),
            ended: Condvar::new(),
        }
    }

    /// Waits for the others. Returns false if the barrier was abandoned.
    #[inline]
    pub(super) fn wait(&self) -> bool {
        self.wait_spinning(SPINS)
    }

    /// Waits for the others at the start line: all should be running when it ends.
    #[inline]
    pub(super) fn wait_to_start(&self) -> bool {
        self.wait_spinning(self.spins_at_start)
    }

    #[inline]
    fn wait_spinning(&self, most: u32) -> bool {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.size {
            self.arrived.store(0, Ordering::Relaxed);
            // Sequentially consistent, and so are the accesses of sleepers: either this thread sees that one sleeps, or that one
            // sees the end of the round.
            self.round.store(round.wrapping_add(1), Ordering::SeqCst);
            self.wake();
            return !self.abandoned.load(Ordering::Relaxed);
        }
        let mut spins = 0;
        while self.round.load(Ordering::Acquire) == round {
            if spins < most {
                spins += 1;
                std::hint::spin_loop();
            } else {
                return self.sleep(round);
            }
        }
        !self.abandoned.load(Ordering::Relaxed)
    }

    /// Sleeps until the round ends. Returns false if the barrier was abandoned.
    #[cold]
    fn sleep(&self, round: usize) -> bool {
        let mut asleep = lock(&self.asleep);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        while self.round.load(Ordering::SeqCst) == round && !self.abandoned.load(Ordering::SeqCst) {
            asleep = self.ended.wait(asleep).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        !self.abandoned.load(Ordering::SeqCst)
    }

    fn wake(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            // A thread that holds the lock has counted itself, and is not asleep yet.
            drop(lock(&self.asleep));
            self.ended.notify_all();
        }
    }

    /// Releases all threads that wait or arrive later.
    #[inline]
    pub(super) fn abandon(&self) {
        self.abandoned.store(true, Ordering::SeqCst);
        self.wake();
    }
}

#[cfg(test)]
mod tests {
    use super::{Barrier, no_thread};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn threads_that_sleep_at_a_barrier_are_woken_by_the_last() {
        let (barrier, arrived) = (Barrier::new(3), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..=200 {
                        arrived.fetch_add(1, Ordering::SeqCst);
                        // Without spinning, all but the last sleep.
                        assert!(barrier.wait_spinning(0));
                        assert!(arrived.load(Ordering::SeqCst) >= 3 * round);
                        assert!(barrier.wait_spinning(0));
                    }
                });
            }
        });
        assert_eq!(arrived.into_inner(), 600);
    }

    #[test]
    fn an_abandoned_barrier_wakes_threads_that_sleep() {
        let barrier = Barrier::new(2);
        thread::scope(|scope| {
            let waits = scope.spawn(|| barrier.wait_spinning(0));
            while barrier.sleepers.load(Ordering::SeqCst) == 0 {
                thread::yield_now();
            }
            barrier.abandon();
            assert!(!waits.join().unwrap());
        });
    }

    #[test]
    fn missing_threads_are_reported_with_advice() {
        let error = std::io::Error::other("Resource temporarily unavailable");
        insta::assert_snapshot!(no_thread(2, &error));
    }
}
