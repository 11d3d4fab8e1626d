//! Clocks, and the statistics of measurements as printed rows.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// A quantity that was measured many times. Printed as a line of tab-separated fields.
pub struct Row<'a> {
    /// The question that the row answers.
    pub question: &'a str,
    /// The benchmark.
    pub benchmark: &'a str,
    /// The number of workers.
    pub workers: usize,
    /// The way of running.
    pub tool: &'a str,
    /// The metric.
    pub metric: &'a str,
}

impl Row<'_> {
    /// Prints the mean, the standard deviation, the median and the number of some measurements.
    pub fn print(&self, values: &[f64]) {
        if values.is_empty() {
            return;
        }
        let Row { question, benchmark, workers, tool, metric } = self;
        let (mean, spread, median) = summary(values);
        let count = values.len();
        println!("{question}\t{benchmark}\t{workers}\t{tool}\t{metric}\t{mean:e}\t{spread:e}\t{median:e}\t{count}");
    }
}

/// Returns the mean, the standard deviation and the median of some numbers.
fn summary(values: &[f64]) -> (f64, f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let spread = (squares / (count - 1.0).max(1.0)).sqrt();
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (lower, upper) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
    (mean, spread, (lower + upper) / 2.0)
}

/// Returns the CPU time of this process and of its children that have ended.
fn cpu_time() -> Duration {
    let own = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("every process has a CPU clock");
    let own = Duration::new(own.tv_sec().try_into().unwrap_or(0), own.tv_nsec().try_into().unwrap_or(0));
    let children = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system counts what children use");
    let children = children.user_time().num_microseconds() + children.system_time().num_microseconds();
    own + Duration::from_micros(children.try_into().unwrap_or(0))
}

/// Returns the seconds of CPU time that a function takes.
pub fn cpu_seconds(body: impl FnOnce()) -> f64 {
    let before = cpu_time();
    body();
    (cpu_time() - before).as_secs_f64()
}

/// Returns the seconds that a function takes.
pub fn seconds(body: impl FnOnce()) -> f64 {
    let before = Instant::now();
    body();
    before.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn many_numbers_come_to_mean_spread_and_median() {
        assert_eq!(summary(&[1.0, 3.0, 5.0, 7.0]), (4.0, (20.0f64 / 3.0).sqrt(), 4.0));
        assert_eq!(summary(&[9.0]), (9.0, 0.0, 9.0));
    }
}
