//! The thresholds for the results.

use super::lines::{Line, cases, find};
use crate::report::{Bar, Limit};

/// The benchmarks that spend their time in this process, so that the cost of the loop is visible.
const CPU_BOUND: &[&str] = &["constant", "system_f", "verse"];

/// The most that one worker may cost.
const OVERHEAD: f64 = 1.02;
/// The least part of what the machine can do.
const OF_LIMIT: f64 = 0.95;
/// How much faster two workers shrink, at least, where candidates are slow and few of them fail.
const SHRINKING: f64 = 1.7;
/// How much sooner two workers report a failure, at least, where tests take a millisecond.
const WHOLE: f64 = 1.6;
/// How much slower they may be where candidates are fast.
const SLOWER: f64 = 1.05;

pub fn bars(lines: &[Line]) -> Vec<Bar> {
    let mut bars = Vec::new();
    let mut bar = |what: String, value: Option<f64>, limit| bars.push(Bar { what, value, limit });
    let is_cpu_bound = |benchmark: &str| CPU_BOUND.contains(&benchmark);
    for case @ (benchmark, _) in cases(lines, "overhead").into_iter().filter(|case| is_cpu_bound(case.0)) {
        let value = find(lines, "overhead", case, "forall", "one_worker_overhead").map(Line::value);
        bar(format!("{benchmark}: one worker against the sequential loop"), value, Limit::AtMost(OVERHEAD));
    }
    for case @ (benchmark, workers) in cases(lines, "speedup").into_iter().filter(|case| is_cpu_bound(case.0)) {
        let value = find(lines, "speedup", case, "forall", "share_of_limit").map(Line::value);
        bar(
            format!("{benchmark}/{workers}: speed-up, of that of threads that share nothing"),
            value,
            at_least(OF_LIMIT),
        );
    }
    for (question, bug) in [("bugs", "the bug"), ("rare_bugs", "a rare bug")] {
        for case @ (benchmark, workers) in cases(lines, question) {
            if !is_cpu_bound(benchmark) || workers < 2 {
                continue;
            }
            // Against threads that run the same tests: how much faster they are in long runs says little of short ones.
            let seconds = |tool| find(lines, question, case, tool, "seconds_to_bug").map(Line::value);
            let value = seconds("share_nothing").zip(seconds("forall")).map(|(limit, ours)| limit / ours);
            bar(
                format!("{benchmark}/{workers}: time to {bug} falls, of what it does by threads that share nothing"),
                value,
                at_least(OF_LIMIT),
            );
        }
    }
    let speedup =
        |benchmark: &str| find(lines, "shrinking", (benchmark, 2), "deterministic", "shrink_speedup").map(Line::value);
    for benchmark in ["few_1ms", "few_50ms"] {
        bar(format!("{benchmark}/2: deterministic shrinking, speed-up"), speedup(benchmark), at_least(SHRINKING));
    }
    for benchmark in ["few_1us", "many_1us"] {
        let slower = speedup(benchmark).map(|speedup| 1.0 / speedup);
        bar(format!("{benchmark}/2: deterministic shrinking, slow-down"), slower, Limit::AtMost(SLOWER));
    }
    for case @ (benchmark, workers) in cases(lines, "whole").into_iter().filter(|case| case.1 > 1) {
        let value = |metric| find(lines, "whole", case, "forall", metric).map(Line::value);
        bar(format!("{benchmark}/{workers}: reports that differ"), value("report_differs"), Limit::AtMost(0.0));
        if workers == 2 && !benchmark.ends_with("100us") {
            bar(format!("{benchmark}/2: from start to report, speed-up"), value("speedup"), at_least(WHOLE));
        }
    }
    for case @ (benchmark, workers) in cases(lines, "domains") {
        let value = find(lines, "domains", case, "forall", "share_of_limit").map(Line::value);
        let what = format!(
            "{benchmark}/{workers}: each input of a small domain, of the speed-up of threads that share nothing"
        );
        bar(what, value, at_least(OF_LIMIT));
    }
    for case @ (benchmark, workers) in cases(lines, "perturbed") {
        let value = find(lines, "perturbed", case, "forall", "report_differs").map(Line::value);
        bar(format!("{benchmark}/{workers}: disturbed reports that differ"), value, Limit::AtMost(0.0));
    }
    for case @ (benchmark, workers) in cases(lines, "races") {
        let value = find(lines, "races", case, "forall", "race_recognised").map(Line::value);
        bar(format!("{benchmark}/{workers}: recognised as a race with itself"), value, at_least(1.0));
    }
    bars
}

fn at_least(limit: f64) -> Limit {
    Limit::AtLeast(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_held_against_threads_that_run_its_tests() {
        let line = |tool, value| {
            Line::parse(&format!("bugs\tverse\t2\t{tool}\tseconds_to_bug\t{value}\t0\t{value}\t20")).unwrap()
        };
        let kept = |limit| {
            let bars = bars(&[line("forall", 1.0), line("share_nothing", limit)]);
            bars.iter().find(|bar| bar.value.is_some()).and_then(Bar::kept)
        };
        assert_eq!((kept(0.96), kept(0.94)), (Some(true), Some(false)));
    }

    #[test]
    fn the_overhead_of_waiting_programs_has_no_threshold() {
        let line = |benchmark, value| {
            let text = format!("overhead\t{benchmark}\t1\tforall\tone_worker_overhead\t{value}\t0\t{value}\t20");
            Line::parse(&text).unwrap()
        };
        let bars = bars(&[line("constant", 1.01), line("gzip_pipes", 1.2)]);
        let measured: Vec<Option<bool>> = bars.iter().filter(|bar| bar.value.is_some()).map(Bar::kept).collect();
        assert_eq!(measured, [Some(true)]);
    }
}
