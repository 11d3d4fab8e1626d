//! How long the running test and the whole run may take.

use super::Context;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time of a run and of its running test. All times are nanoseconds since `born`.
#[derive(Debug)]
pub(super) struct Clock {
    born: Instant,
    /// How long a test may take; 0 if it may take as long as it likes.
    deadline: AtomicU64,
    /// When the running test began, if it has a deadline.
    test_began: AtomicU64,
    /// When the time of the run is over; `u64::MAX` if it has no limit.
    ends_at: AtomicU64,
}

impl Clock {
    pub(super) fn new() -> Self {
        Self {
            born: Instant::now(),
            deadline: AtomicU64::new(0),
            test_began: AtomicU64::new(0),
            ends_at: AtomicU64::new(u64::MAX),
        }
    }
}

impl Context {
    /// How long a test may take. Whoever runs it measures; one that waits gives up by itself.
    pub(crate) fn say_deadline(&self, deadline: Option<Duration>) {
        let nanoseconds = if let Some(deadline) = deadline { deadline.as_nanos().max(1) as u64 } else { 0 };
        self.0.clock.deadline.store(nanoseconds, Ordering::Relaxed);
    }

    pub(crate) fn deadline(&self) -> Option<Duration> {
        let nanoseconds = self.0.clock.deadline.load(Ordering::Relaxed);
        (nanoseconds > 0).then_some(Duration::from_nanos(nanoseconds))
    }

    /// In nanoseconds since this was made.
    fn now(&self) -> u64 {
        self.0.clock.born.elapsed().as_nanos() as u64
    }

    /// A test begins that has a deadline.
    pub(crate) fn begin_test(&self) {
        self.0.clock.test_began.store(self.now(), Ordering::Relaxed);
    }

    /// How long the running test has taken, if it has a deadline.
    pub(crate) fn taken(&self) -> Duration {
        Duration::from_nanos(self.now() - self.0.clock.test_began.load(Ordering::Relaxed))
    }

    /// Whether the running test has taken longer than it may.
    pub(crate) fn is_overdue(&self) -> bool {
        let deadline = self.0.clock.deadline.load(Ordering::Relaxed);
        deadline > 0 && self.now() - self.0.clock.test_began.load(Ordering::Relaxed) > deadline
    }

    /// The run ends in so many nanoseconds, whatever is left to do.
    pub(crate) fn end_in(&self, nanoseconds: u64) {
        self.0.clock.ends_at.store(self.now().saturating_add(nanoseconds), Ordering::Relaxed);
    }

    /// How much of the time of the run is left, in nanoseconds.
    pub(super) fn time_left(&self) -> u64 {
        self.0.clock.ends_at.load(Ordering::Relaxed).saturating_sub(self.now())
    }

    /// Whether the time of the run is over.
    pub(crate) fn is_out_of_time(&self) -> bool {
        let end = self.0.clock.ends_at.load(Ordering::Relaxed);
        end != u64::MAX && self.now() >= end
    }
}
