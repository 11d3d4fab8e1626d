//! The speedup with more workers where a generator has few inputs, each of which is run once.

use super::shrinking::work;
use crate::Plan;
use crate::measure::{Row, seconds};
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Identity, Run, Settings, Store, Verdict};
use std::time::Duration;

pub const NAME: &str = "domains";

/// The number of inputs.
const INPUTS: u64 = 32 * 32;

pub fn ask(plan: &Plan) -> Result<(), String> {
    for (benchmark, time) in [("inputs_100us", 100), ("inputs_1ms", 1000)] {
        let time = Duration::from_micros(time);
        if time * INPUTS as u32 > plan.run_time * 4 {
            continue;
        }
        let property = every_input(time);
        for &workers in &plan.workers {
            measure(plan, benchmark, workers, &*property, time)?;
        }
    }
    Ok(())
}

fn every_input(time: Duration) -> Box<dyn Property + Sync> {
    Box::new(property! {
        move forall a in 0..32u8;
        forall b in 0..32u8;
        check {
            work(time);
            a.max(b) < &32
        }
    })
}

fn measure(
    plan: &Plan,
    benchmark: &str,
    workers: usize,
    property: &(dyn Property + Sync),
    time: Duration,
) -> Result<(), String> {
    let run = |threads| -> Result<f64, String> {
        let settings = Settings::new().seed(1).tests(2 * INPUTS).threads(threads).store(Store::Off);
        let mut ran = 0;
        let took = seconds(|| {
            let report = Run::named_parallel(Identity::new(NAME), property).settings(settings).report();
            ran = if let Verdict::Exhausted { .. } = report.verdict { report.statistics.valid } else { 0 };
        });
        if ran == INPUTS { Ok(took) } else { Err(format!("{ran} of {INPUTS} inputs passed on {threads} threads")) }
    };
    let (mut ours, mut limits, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..plan.repetitions {
        let (alone, together) = (run(1)?, run(workers)?);
        let apart = seconds(|| share_nothing(workers, time));
        ours.push(alone / together);
        limits.push(alone / apart);
        shares.push(apart / together);
    }
    let row = |tool, metric| Row { question: NAME, benchmark, workers, tool, metric };
    row("forall", "speedup").print(&ours);
    row("share_nothing", "share_nothing_speedup").print(&limits);
    row("forall", "share_of_limit").print(&shares);
    Ok(())
}

/// The same work on threads with fixed shares.
fn share_nothing(workers: usize, time: Duration) {
    std::thread::scope(|scope| {
        for worker in 0..workers as u64 {
            let share = (worker..INPUTS).step_by(workers).count();
            scope.spawn(move || (0..share).for_each(|_| work(time)));
        }
    });
}
