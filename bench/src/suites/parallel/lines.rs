//! The lines that the program prints.

/// The summary of repeated measurements.
#[derive(Clone, Debug)]
pub struct Line {
    pub question: String,
    pub benchmark: String,
    pub workers: usize,
    pub tool: String,
    pub metric: &'static Metric,
    pub mean: f64,
    /// The standard deviation.
    pub spread: f64,
    pub median: f64,
    pub count: u64,
}

/// The metric.
#[derive(Debug)]
pub struct Metric {
    pub name: &'static str,
    /// The name of its spread.
    pub spread: &'static str,
    /// Whether it is a ratio of two runs that were made one after the other. Then one slow run would spoil the mean, and the
    /// median is what counts.
    pub is_paired: bool,
}

/// All of them.
const METRICS: &[Metric] = &[
    Metric { name: "one_worker_overhead", spread: "one_worker_overhead_spread", is_paired: true },
    Metric { name: "speedup", spread: "speedup_spread", is_paired: true },
    Metric { name: "share_nothing_speedup", spread: "share_nothing_speedup_spread", is_paired: true },
    Metric { name: "share_of_limit", spread: "share_of_limit_spread", is_paired: true },
    Metric { name: "shrink_speedup", spread: "shrink_speedup_spread", is_paired: true },
    Metric { name: "seconds", spread: "seconds_spread", is_paired: false },
    Metric { name: "cpu_seconds", spread: "cpu_seconds_spread", is_paired: false },
    Metric { name: "seconds_to_bug", spread: "seconds_to_bug_spread", is_paired: false },
    Metric { name: "tests_to_bug", spread: "tests_to_bug_spread", is_paired: false },
    Metric { name: "shrink_seconds", spread: "shrink_seconds_spread", is_paired: false },
    Metric { name: "shrink_success_rate", spread: "shrink_success_rate_spread", is_paired: false },
    Metric { name: "microseconds_per_test", spread: "microseconds_per_test_spread", is_paired: false },
    Metric { name: "repeated_tests", spread: "repeated_tests_spread", is_paired: false },
    Metric { name: "report_differs", spread: "report_differs_spread", is_paired: false },
    Metric { name: "race_recognised", spread: "race_recognised_spread", is_paired: false },
];

impl Line {
    /// Reads a line.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::read(text).ok_or_else(|| format!("this is no measurement: {text:?}"))
    }

    fn read(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.split('\t').collect();
        let &[question, benchmark, workers, tool, metric, mean, spread, median, count] = &fields[..] else {
            return None;
        };
        Some(Self {
            question: question.to_owned(),
            benchmark: benchmark.to_owned(),
            workers: workers.parse().ok()?,
            tool: tool.to_owned(),
            metric: METRICS.iter().find(|known| known.name == metric)?,
            mean: mean.parse().ok()?,
            spread: spread.parse().ok()?,
            median: median.parse().ok()?,
            count: count.parse().ok()?,
        })
    }

    /// The number that counts.
    pub fn value(&self) -> f64 {
        if self.metric.is_paired { self.median } else { self.mean }
    }

    /// The name in results.
    pub fn case(&self) -> String {
        format!("{}/{}", self.benchmark, self.workers)
    }
}

/// The benchmarks and numbers of workers that a question has answers for, in the order in which they were measured.
pub fn cases<'a>(lines: &'a [Line], question: &str) -> Vec<(&'a str, usize)> {
    let mut cases = Vec::new();
    for line in lines.iter().filter(|line| line.question == question) {
        let case = (&*line.benchmark, line.workers);
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    cases
}

/// The answer to a question.
pub fn find<'a>(
    lines: &'a [Line],
    question: &str,
    (benchmark, workers): (&str, usize),
    tool: &str,
    metric: &str,
) -> Option<&'a Line> {
    let wanted = |line: &&Line| {
        line.question == question
            && line.benchmark == benchmark
            && line.workers == workers
            && line.tool == tool
            && line.metric.name == metric
    };
    lines.iter().find(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_counts_by_its_median_and_a_time_by_its_mean() {
        let ratio = Line::parse("speedup\tverse\t2\tforall\tspeedup\t1.9e0\t3e-2\t1.95e0\t20").unwrap();
        assert_eq!((ratio.case(), ratio.value(), ratio.count), ("verse/2".to_owned(), 1.95, 20));
        let time = Line::parse("bugs\tverse\t2\tforall\tseconds_to_bug\t2e-1\t3e-2\t1e-1\t20").unwrap();
        assert_eq!(time.value(), 0.2);
        assert!(Line::parse("bugs\tverse\t2\tforall\tlines_to_bug\t2\t3\t1\t20").is_err());
        assert!(Line::parse("warning: something").is_err());
    }
}
