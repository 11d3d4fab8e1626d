//! The workers' threads compared with a new thread per test, and with a process per worker.

use super::speedup::timed;
use crate::Plan;
use crate::child;
use crate::measure::{Row, seconds};
use crate::runs::{Path, Prepared};
use std::process::Stdio;

pub const NAME: &str = "threads";

/// The maximum number of tests with a thread each: starting threads takes long compared with fast tests.
const MOST_THREADS: u64 = 20_000;

pub fn ask(plan: &Plan) -> Result<(), String> {
    for program in plan.programs.iter().filter(|program| program.shareable) {
        let prepared = Prepared::new(program, plan.run_time)?;
        plan.workers.iter().try_for_each(|&workers| measure(&prepared, plan.repetitions, workers))?;
    }
    Ok(())
}

fn measure(prepared: &Prepared, repetitions: u64, workers: usize) -> Result<(), String> {
    let indices = prepared.indices()?;
    let few = indices.min(MOST_THREADS);
    let (mut pooled, mut fresh, mut processes) = (Vec::new(), Vec::new(), Vec::new());
    let microseconds = |seconds: f64, tests: u64| seconds * 1e6 / tests as f64;
    for _ in 0..repetitions {
        pooled.push(microseconds(timed(prepared, Path::Workers(workers), false)?, indices));
        fresh.push(microseconds(seconds(|| prepared.fresh_threads(few, workers)), few));
        let mut ended = Ok(());
        processes.push(microseconds(seconds(|| ended = in_processes(prepared, indices, workers)), indices));
        ended?;
    }
    for (tool, times) in [("pooled_threads", pooled), ("fresh_threads", fresh), ("processes", processes)] {
        let metric = "microseconds_per_test";
        Row { question: NAME, benchmark: prepared.program.name, workers, tool, metric }.print(&times);
    }
    Ok(())
}

/// Runs the tests in one process per worker.
fn in_processes(prepared: &Prepared, indices: u64, workers: usize) -> Result<(), String> {
    let start = |worker| child::start(&child::share(prepared, indices, worker, workers), Stdio::null());
    let children: Vec<_> = (0..workers).map(start).collect::<Result<_, _>>()?;
    for mut child in children {
        let status = child.wait().map_err(|error| format!("a process is lost: {error}"))?;
        if !status.success() {
            return Err(format!("a process ended with {status}"));
        }
    }
    Ok(())
}
