//! How many runs an explanation may take.
//!
//! Counts end an explanation, so that it is the same on any number of threads. Slow tests have fewer runs, in coarse steps, so that
//! a property hardly ever is at the border of two. The step is chosen by the shortest of a few runs of the case itself, on one thread. The
//! clock is the last resort. Where tests are slow, the report says that it may differ on another machine.

use super::part::ENOUGH;
use std::time::{Duration, Instant};

/// The shortest of this many runs is the duration of a run: others may have been interrupted.
const TIMED: u32 = 10;
/// If runs take longer than `TIMING`, only this many are timed.
const TIMED_IF_SLOW: u32 = 3;
const TIMING: Duration = Duration::from_millis(50);
/// For each run, this many more test what no run has refuted, where tests are quick.
const MORE_RUNS: u64 = 10;
/// The clock ends an explanation that takes this many times as long: some runs take longer than the case itself.
const LAST_RESORT: u32 = 2;

/// The number of runs for tests that take up to a certain time.
struct Step {
    /// The time of all runs that the settings allow, over this, is that of one test: 5 s for 2,000 runs allow tests of 2.5 ms.
    longest: f64,
    /// The runs are divided by this, and those that test what no run has refuted by this.
    fewer: u64,
    fewer_more: u64,
}

/// With the usual settings the steps end at 160 µs, 1.5 ms and 13 ms: not where people choose durations. On one thread, the
/// slowest tests of a step take 3.5, 6.8 and 8.5 s.
const STEPS: [Step; 4] = [
    Step { longest: 0.064, fewer: 1, fewer_more: 1 },
    Step { longest: 0.6, fewer: 1, fewer_more: 8 },
    Step { longest: 5.2, fewer: 4, fewer_more: 128 },
    Step { longest: f64::INFINITY, fewer: 16, fewer_more: 1024 },
];

pub(super) struct Effort {
    /// As the settings have it.
    max_runs: u64,
    max_time: Duration,
    started: Instant,
    timed: u32,
    shortest: Duration,
    /// The limits, by how long a run takes.
    pub(super) runs: u64,
    pub(super) more_runs: u64,
}

impl Effort {
    pub(super) fn new(max_runs: u64, max_time: Duration) -> Self {
        let (runs, more_runs) = (max_runs, max_runs.saturating_mul(MORE_RUNS));
        Self { max_runs, max_time, started: Instant::now(), timed: 0, shortest: Duration::MAX, runs, more_runs }
    }

    /// The runs that the settings allow.
    pub(super) fn max_runs(&self) -> u64 {
        self.max_runs
    }

    /// Whether to time another run of the case.
    pub(super) fn wants_time(&self) -> bool {
        let timed = if self.started.elapsed() > TIMING { TIMED_IF_SLOW } else { TIMED };
        self.timed < timed
    }

    /// Notes the duration of a run.
    pub(super) fn took(&mut self, time: Duration) {
        self.timed += 1;
        self.shortest = self.shortest.min(time);
        let allowed = self.max_time.as_secs_f64() / self.max_runs.max(1) as f64;
        let step = STEPS.iter().find(|step| self.shortest.as_secs_f64() <= allowed * step.longest);
        let (fewer, fewer_more) = step.map_or((1, 1), |step| (step.fewer, step.fewer_more));
        self.runs = (self.max_runs / fewer).max(ENOUGH.min(self.max_runs));
        self.more_runs = self.max_runs.saturating_mul(MORE_RUNS) / fewer_more;
    }

    /// Whether there are fewer runs than the settings allow, because tests are slow.
    pub(super) fn has_fewer_runs(&self) -> bool {
        self.runs < self.max_runs
    }

    /// The same of those that test what no run has refuted.
    pub(super) fn has_fewer_more_runs(&self) -> bool {
        self.more_runs < self.max_runs.saturating_mul(MORE_RUNS)
    }

    /// Whether the time is over, or would be before the runs say anything.
    pub(super) fn is_out_of_time(&self) -> bool {
        let is_timed = self.timed >= TIMED_IF_SLOW;
        let times = if is_timed { LAST_RESORT } else { 1 };
        let is_hopeless = is_timed && self.shortest * ENOUGH as u32 >= self.max_time;
        is_hopeless || self.started.elapsed() >= self.max_time * times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(each: Duration) -> (u64, u64) {
        let mut effort = Effort::new(2000, Duration::from_secs(5));
        for _ in 0..TIMED {
            effort.took(each);
        }
        (effort.runs, effort.more_runs)
    }

    #[test]
    fn slow_tests_have_fewer_runs_in_coarse_steps() {
        let [us, ms] = [Duration::from_micros, Duration::from_millis];
        assert_eq!([runs(us(1)), runs(us(150))], [(2000, 20_000); 2]);
        assert_eq!([runs(us(200)), runs(ms(1))], [(2000, 2500); 2]);
        assert_eq!([runs(ms(2)), runs(ms(5)), runs(ms(10))], [(500, 156); 3]);
        assert_eq!([runs(ms(20)), runs(ms(40))], [(125, 19); 2]);
    }

    #[test]
    fn interrupted_runs_do_not_count() {
        let mut effort = Effort::new(2000, Duration::from_secs(5));
        for micros in [90_000, 3000, 20] {
            effort.took(Duration::from_micros(micros));
        }
        assert!(!effort.has_fewer_runs() && !effort.has_fewer_more_runs() && !effort.is_out_of_time());
    }

    #[test]
    fn tests_that_take_too_long_are_not_explained() {
        let mut effort = Effort::new(2000, Duration::from_secs(5));
        for _ in 0..TIMED_IF_SLOW {
            assert!(!effort.is_out_of_time());
            effort.took(Duration::from_millis(60));
        }
        assert!(effort.is_out_of_time());
    }
}
