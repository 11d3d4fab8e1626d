//! The CPU time of this process.

use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Returns the CPU time of all threads of the process so far.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("every process has a CPU clock");
    Duration::new(time.tv_sec().try_into().unwrap_or(0), time.tv_nsec().try_into().unwrap_or(0))
}
