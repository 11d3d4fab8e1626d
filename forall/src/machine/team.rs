//! Threads that are started once and run one job after the other, and the barrier at which they wait for each other.

use crate::panic;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What all members of a team do, each with its number.
pub(super) type Job = Arc<dyn Fn(usize) + Send + Sync>;

/// Threads that wait for jobs.
pub(super) struct Team {
    members: Vec<Sender<(Job, Sender<()>)>>,
}

/// Teams that have nothing to do.
static IDLE: Mutex<Vec<Team>> = Mutex::new(Vec::new());

/// How often it is looked whether a job that takes long still gets somewhere.
const LOOK: Duration = Duration::from_millis(50);

impl Team {
    /// A team of this size: one that is idle, or a new one. An error if the system has no more threads.
    pub(super) fn of(size: usize) -> Result<Team, String> {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = idle.iter().position(|team| team.members.len() == size) {
            return Ok(idle.swap_remove(at));
        }
        drop(idle);
        let mut members = Vec::new();
        for number in 0..size {
            let (sender, jobs) = channel();
            thread::Builder::new()
                .name(format!("branch {}", number + 1))
                .spawn(move || work(number, jobs))
                .map_err(|error| no_thread(number + 1, &error))?;
            members.push(sender);
        }
        Ok(Team { members })
    }

    /// Has all members do the job. Whether it came to its end: it is given up when `pulse` says the same for as long as
    /// `hangs_after`. A team that was given up is left to itself, since threads cannot be stopped.
    pub(super) fn run(self, job: &Job, pulse: &dyn Fn() -> u64, hangs_after: Duration) -> Watched {
        let (done, ends) = channel();
        for member in &self.members {
            // A member that is gone is noticed by its missing end.
            let _ = member.send((Arc::clone(job), done.clone()));
        }
        drop(done);
        let (mut last, mut since) = (pulse(), Instant::now());
        let (mut left, mut longest_pause) = (self.members.len(), Duration::ZERO);
        while left > 0 {
            match ends.recv_timeout(LOOK) {
                Ok(()) => left -= 1,
                Err(RecvTimeoutError::Disconnected) => return Watched { came_to_its_end: false, longest_pause },
                Err(RecvTimeoutError::Timeout) => {
                    let now = pulse();
                    if now != last {
                        longest_pause = longest_pause.max(since.elapsed().saturating_sub(LOOK));
                        (last, since) = (now, Instant::now());
                    } else if since.elapsed() >= hangs_after {
                        return Watched { came_to_its_end: false, longest_pause };
                    }
                }
            }
        }
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self);
        Watched { came_to_its_end: true, longest_pause }
    }
}

/// What was seen of a team that did a job.
pub(super) struct Watched {
    pub(super) came_to_its_end: bool,
    /// About how long at most nothing happened, before something did.
    pub(super) longest_pause: Duration,
}

/// The system gives no more threads.
fn no_thread(branch: usize, error: &std::io::Error) -> String {
    format!(
        "no thread for branch {branch}: {error}; run fewer tests at once (`--test-threads`), or allow more threads (`ulimit -u`)"
    )
}

fn work(number: usize, jobs: Receiver<(Job, Sender<()>)>) {
    while let Ok((job, done)) = jobs.recv() {
        let ended = catch_unwind(AssertUnwindSafe(|| job(number)));
        // The job is gone before anyone hears that it is done, so that nobody else holds what it holds. What that drops may panic;
        // there is nobody left to tell.
        let _ = panic::catch_once(|| drop(job));
        if ended.is_ok() {
            let _ = done.send(());
        }
    }
}

/// Lets threads go on when all have arrived, as close together as can be.
pub(super) struct Barrier {
    size: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    abandoned: AtomicBool,
    spins_at_start: u32,
}

/// So long a thread spins before it lets others run: about as long as the others take if they have a core each. Where they
/// have none, spinning keeps them from arriving.
const SPINS: u32 = 2_000;

/// The same at the start line, a few milliseconds, where there is a core for each: on a busy machine a thread that lets others
/// run there is not running when they start, and nothing happens at the same time.
const SPINS_AT_START: u32 = 50_000;

impl Barrier {
    pub(super) fn new(size: usize) -> Self {
        let (arrived, round) = (AtomicUsize::new(0), AtomicUsize::new(0));
        // Once: it reads files.
        static CORES: OnceLock<usize> = OnceLock::new();
        let cores = *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from));
        let spins_at_start = if size <= cores { SPINS_AT_START } else { SPINS };
        Self { size, arrived, round, abandoned: AtomicBool::new(false), spins_at_start }
    }

    /// Waits for the others. False if nobody waits any more.
    pub(super) fn wait(&self) -> bool {
        self.wait_spinning(SPINS)
    }

    /// Waits for the others at the start line: all should be running when it ends.
    pub(super) fn wait_to_start(&self) -> bool {
        self.wait_spinning(self.spins_at_start)
    }

    fn wait_spinning(&self, most: u32) -> bool {
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.size {
            self.arrived.store(0, Ordering::Relaxed);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            return !self.abandoned.load(Ordering::Relaxed);
        }
        let mut spins = 0;
        while self.round.load(Ordering::Acquire) == round {
            if spins < most {
                spins += 1;
                std::hint::spin_loop();
            } else {
                if self.abandoned.load(Ordering::Relaxed) {
                    return false;
                }
                thread::yield_now();
            }
        }
        !self.abandoned.load(Ordering::Relaxed)
    }

    /// Lets everybody go who waits or comes.
    pub(super) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::no_thread;

    #[test]
    fn want_of_threads_is_told_with_what_to_do() {
        let error = std::io::Error::other("Resource temporarily unavailable");
        insta::assert_snapshot!(no_thread(2, &error));
    }
}
