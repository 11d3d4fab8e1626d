//! Compares several threads with one, on the tasks of search trees, red-black trees and the lambda calculus: the
//! wall-clock time until a bug is found.
//!
//! ```text
//! cargo run --release -p bench-etna --bin threads -- [TRIALS] [THREADS]
//! ```
//!
//! Run this on an idle machine: it measures wall-clock time.

use etna::{Strategy, Workload, bst, rbt, stlc};
use forall::property::Property;
use forall::run::{Identity, Run, Settings, Store};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The maximum number of tests in a trial.
const CAP: u64 = 20_000;

const WORKLOADS: [Workload; 3] = [bst::WORKLOAD, rbt::WORKLOAD, stlc::WORKLOAD];
const STRATEGIES: [Strategy; 3] = [Strategy::Type, Strategy::Specification, Strategy::Bespoke];

/// The classes of ratios, by the difference of the two times: below the first, mostly the start of threads is measured.
const DIFFERENCES: [Duration; 3] = [Duration::from_millis(1), Duration::from_millis(100), Duration::from_secs(1)];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let (Ok(trials), Ok(threads)) = (arguments.next().unwrap_or(Ok(10)), arguments.next().unwrap_or(Ok(2))) else {
        eprintln!("error: this is no number; usage: threads [TRIALS] [THREADS]");
        return ExitCode::from(2);
    };
    println!(
        "| strategy | tasks | differ by more than | tasks that do | time with {threads} threads / with one, mean |"
    );
    println!("|---|---:|---:|---:|---:|");
    for strategy in STRATEGIES {
        let mut times = Vec::new();
        for workload in &WORKLOADS {
            for task in (workload.tasks)() {
                let Some(property) = (workload.property)(task.property, strategy) else { continue };
                let mean = |threads| {
                    workload.with_mutant(Some(task.mutant), || mean_time(&*property, trials.max(1) as u64, threads))
                };
                times.push((mean(1), mean(threads)));
            }
        }
        for difference in DIFFERENCES {
            let mut ratios = Vec::new();
            for &(one, several) in &times {
                if one.abs_diff(several) > difference {
                    ratios.push(several.as_secs_f64() / one.as_secs_f64());
                }
            }
            let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
            let mean = if ratios.is_empty() { "-".to_owned() } else { format!("{mean:.2}") };
            println!(
                "| {} | {} | {} ms | {} | {mean} |",
                strategy.name(),
                times.len(),
                difference.as_millis(),
                ratios.len()
            );
        }
    }
    ExitCode::SUCCESS
}

/// Returns the mean wall-clock time of a run. Seeds, and thus results, are the same for any number of threads.
fn mean_time(property: &(dyn Property + Sync), trials: u64, threads: usize) -> Duration {
    let mut time = Duration::ZERO;
    for seed in 0..trials {
        let settings = Settings::new().tests(CAP).discard_ratio(1).seed(seed).threads(threads);
        let settings = settings.shrink_evaluations(0).explain(0).enumerate(false).store(Store::Off);
        let started = Instant::now();
        Run::named_parallel(Identity::here("threads"), property).settings(settings).report();
        time += started.elapsed();
    }
    time / trials as u32
}
