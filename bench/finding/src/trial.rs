//! One run of a tool, observed from inside the property: the number of tests up to the first failure, and their CPU
//! time.

use nix::time::{ClockId, clock_gettime};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts the tests of a run until the first failure. Later evaluations, for confirming or shrinking, do not count.
pub struct Trial {
    start: Duration,
    tests: AtomicU64,
    failed: OnceLock<Duration>,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    pub found: bool,
    /// Valid tests, up to and including the failing one.
    pub tests: u64,
    /// CPU time of the process up to the first failure, or to the end of the run.
    pub cpu: Duration,
}

impl Trial {
    /// Starts the clock.
    pub fn start() -> Self {
        Self { start: cpu_time(), tests: AtomicU64::new(0), failed: OnceLock::new() }
    }

    /// Evaluates a property once. A panic is a failure, with every tool.
    pub fn test(&self, holds: impl FnOnce() -> Option<bool>) -> Option<bool> {
        let holds = catch_unwind(AssertUnwindSafe(holds)).unwrap_or(Some(false))?;
        if self.failed.get().is_none() {
            self.tests.fetch_add(1, Ordering::Relaxed);
            if !holds {
                self.failed.get_or_init(cpu_time);
            }
        }
        Some(holds)
    }

    /// Whether a test failed.
    pub fn found(&self) -> bool {
        self.failed.get().is_some()
    }

    /// Stops the clock, unless a failure has stopped it.
    pub fn end(&self) -> Search {
        let end = self.failed.get().copied().unwrap_or_else(cpu_time);
        Search { found: self.found(), tests: self.tests.load(Ordering::Relaxed), cpu: end - self.start }
    }
}

/// Returns the CPU time of this process, all its threads together.
pub fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("every Linux has this clock").into()
}
