//! The CPU time of this process, and of a search up to its first failure.

use nix::time::{ClockId, clock_gettime};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

static FAILED: Mutex<Option<Duration>> = Mutex::new(None);

/// Runs a search. Also returns its CPU time up to the first failure, or to its end: what tools do with a failure, such as
/// rerunning or printing it, does not count.
pub fn timed<T>(search: impl FnOnce() -> T) -> (T, Duration) {
    let failed = || FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    *failed() = None;
    let start = cpu_time();
    let found = search();
    let end = failed().take().unwrap_or_else(cpu_time);
    (found, end - start)
}

/// Stops the clock of [`timed`], unless it has been stopped.
pub fn stop() {
    FAILED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(cpu_time);
}

/// Returns the CPU time of all threads of the process so far.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("every process has a CPU clock");
    Duration::new(time.tv_sec().try_into().unwrap_or(0), time.tv_nsec().try_into().unwrap_or(0))
}
