//! The speedup with more workers from the start of a run to its report: testing, shrinking and explaining together.
//!
//! The properties fail, and a test takes a given time on one core. Each is run with several seeds, alternating between
//! one thread and several. The reports must be equal.

use super::shrinking::work;
use crate::Plan;
use crate::measure::Row;
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Identity, Report, Run, Settings, Store};
use std::time::{Duration, Instant};

pub const NAME: &str = "whole";

/// The number of seeds; tests of 10 ms have fewer.
const SEEDS: u64 = 5;
const SLOW_SEEDS: u64 = 2;
const SLOW: Duration = Duration::from_millis(10);
/// In a quick plan, runs on one thread take less than this: it has the fastest tests, and explains with few runs.
const QUICK: Duration = Duration::from_millis(100);
const FEW_RUNS: u64 = 100;

pub fn ask(plan: &Plan) -> Result<(), String> {
    for (text, time) in [("100us", 100), ("1ms", 1000), ("10ms", 10_000)] {
        let time = Duration::from_micros(time);
        let is_quick_enough = plan.run_time >= QUICK || time < Duration::from_millis(1);
        if time <= plan.slowest_candidate && is_quick_enough {
            measure(plan, &format!("list_{text}"), &*list(time), time)?;
            measure(plan, &format!("numbers_{text}"), &*numbers(time), time)?;
        }
    }
    Ok(())
}

/// Fails for lists of some length with a large number: about one in twenty.
fn list(time: Duration) -> Box<dyn Property + Sync> {
    Box::new(property! {
        move forall xs: Vec<u16>;
        check {
            work(time);
            !(xs.len() > 30 && xs.iter().any(|x| *x > 60_000))
        }
    })
}

/// Fails for related numbers, next to an irrelevant one: about one in forty.
fn numbers(time: Duration) -> Box<dyn Property + Sync> {
    Box::new(property! {
        move forall a: u32;
        forall b: u32;
        forall c: (i16, Option<u8>);
        check {
            work(time);
            !(a > b && a % 8 == 3 && c.0 > 100 && c.1.is_some())
        }
    })
}

fn measure(plan: &Plan, name: &str, property: &(dyn Property + Sync), time: Duration) -> Result<(), String> {
    let seeds = if time >= SLOW { SLOW_SEEDS } else { SEEDS }.min(plan.repetitions);
    let explain = if plan.run_time < QUICK { FEW_RUNS } else { Settings::new().explain };
    let run = |threads, seed| -> Result<(f64, String), String> {
        let settings = Settings::new().seed(seed).tests(2000).threads(threads).explain(explain).store(Store::Off);
        let started = Instant::now();
        let report = Run::named_parallel(Identity::new("whole"), property).settings(settings).report();
        let took = started.elapsed().as_secs_f64();
        Ok((took, without_time(&report).ok_or_else(|| format!("{name} does not fail with seed {seed}"))?))
    };
    let mut alone = Vec::new();
    let mut several = vec![(Vec::new(), Vec::new(), Vec::new()); plan.workers.len()];
    for seed in 0..seeds {
        let (took_alone, text) = run(1, seed)?;
        alone.push(took_alone);
        for (workers, (seconds, speedups, differ)) in plan.workers.iter().zip(&mut several) {
            let (took, other) = run(*workers, seed)?;
            seconds.push(took);
            speedups.push(took_alone / took);
            differ.push(f64::from(u8::from(other != text)));
        }
    }
    let row = |workers, metric| Row { question: NAME, benchmark: name, workers, tool: "forall", metric };
    row(1, "seconds").print(&alone);
    for (workers, (seconds, speedups, differ)) in plan.workers.iter().zip(&several) {
        row(*workers, "seconds").print(seconds);
        row(*workers, "speedup").print(speedups);
        row(*workers, "report_differs").print(differ);
    }
    Ok(())
}

/// Returns the report without durations; `None` if the property did not fail.
pub(super) fn without_time(report: &Report) -> Option<String> {
    let found = report.counterexample.as_ref()?;
    let values: Vec<&str> = found.bindings.iter().map(|binding| binding.printed.text()).collect();
    let claims: Vec<String> = found.explanation.claims.iter().map(ToString::to_string).collect();
    let (shrinking, explanation) = (&found.shrinking, &found.explanation);
    Some(format!(
        "{:?} {:?} {values:?} {claims:?} {} {} {}",
        report.verdict, report.statistics, shrinking.evaluations, shrinking.accepted, explanation.evaluations
    ))
}
