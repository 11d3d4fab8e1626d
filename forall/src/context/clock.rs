//! Time limits of the running test and of the run.

use super::{Context, cpu};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time of a run and of its running test. All times are nanoseconds since `born`.
#[derive(Debug)]
pub(super) struct Clock {
    born: Instant,
    /// The deadline of a test; 0 if it has none.
    deadline: AtomicU64,
    /// When the running test started, if it has a deadline.
    test_began: AtomicU64,
    /// The CPU time of the thread when the running test began, if it has a deadline; `u64::MAX` if it is not known.
    cpu_began: AtomicU64,
    /// When the run's time is up; `u64::MAX` if it has no limit.
    ends_at: AtomicU64,
}

impl Clock {
    pub(super) fn new() -> Self {
        Self {
            born: Instant::now(),
            deadline: AtomicU64::new(0),
            test_began: AtomicU64::new(0),
            cpu_began: AtomicU64::new(u64::MAX),
            ends_at: AtomicU64::new(u64::MAX),
        }
    }
}

impl Context {
    /// Sets the deadline of tests. The caller measures the time; an async test that is waiting gives up by itself.
    pub(crate) fn say_deadline(&self, deadline: Option<Duration>) {
        let nanoseconds = if let Some(deadline) = deadline { deadline.as_nanos().max(1) as u64 } else { 0 };
        self.0.clock.deadline.store(nanoseconds, Ordering::Relaxed);
    }

    pub(crate) fn deadline(&self) -> Option<Duration> {
        let nanoseconds = self.0.clock.deadline.load(Ordering::Relaxed);
        (nanoseconds > 0).then_some(Duration::from_nanos(nanoseconds))
    }

    /// Nanoseconds since the clock was created.
    fn now(&self) -> u64 {
        self.0.clock.born.elapsed().as_nanos() as u64
    }

    /// Starts a test with a deadline.
    pub(crate) fn begin_test(&self) {
        let cpu = cpu::of_this_thread().map_or(u64::MAX, |time| time.as_nanos() as u64);
        self.0.clock.cpu_began.store(cpu, Ordering::Relaxed);
        self.0.clock.test_began.store(self.now(), Ordering::Relaxed);
    }

    /// How much CPU time of this thread the running test has used, if it has a deadline and the system reports it.
    pub(crate) fn cpu_taken(&self) -> Option<Duration> {
        let began = self.0.clock.cpu_began.load(Ordering::Relaxed);
        cpu::of_this_thread().and_then(|now| now.checked_sub(Duration::from_nanos(began)))
    }

    /// The duration of the running test, if it has a deadline.
    pub(crate) fn taken(&self) -> Duration {
        Duration::from_nanos(self.now() - self.0.clock.test_began.load(Ordering::Relaxed))
    }

    /// Whether the running test has exceeded its deadline.
    pub(crate) fn is_overdue(&self) -> bool {
        let deadline = self.0.clock.deadline.load(Ordering::Relaxed);
        deadline > 0 && self.now() - self.0.clock.test_began.load(Ordering::Relaxed) > deadline
    }

    /// Limits the run to this many nanoseconds from now.
    pub(crate) fn end_in(&self, nanoseconds: u64) {
        self.0.clock.ends_at.store(self.now().saturating_add(nanoseconds), Ordering::Relaxed);
    }

    /// The remaining time of the run, in nanoseconds.
    pub(super) fn time_left(&self) -> u64 {
        self.0.clock.ends_at.load(Ordering::Relaxed).saturating_sub(self.now())
    }

    /// Whether the time of the run is up.
    pub(crate) fn is_out_of_time(&self) -> bool {
        let end = self.0.clock.ends_at.load(Ordering::Relaxed);
        end != u64::MAX && self.now() >= end
    }
}
