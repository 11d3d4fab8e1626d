//! Whether reports differ if the order in which threads take their tests is disturbed.
//!
//! Each test waits for a time that depends on how many tests ran in the process before, not on its input. The same
//! property and seed therefore run in another order each time, and the report must be that of a run on one thread.

use super::whole::without_time;
use crate::Plan;
use crate::measure::Row;
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Identity, Run, Settings, Store};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

pub const NAME: &str = "perturbed";

/// The number of runs for each repetition and number of workers: 12,000 with twenty repetitions on 2, 4, 8 and 16 workers.
const RUNS: u64 = 150;
/// Explaining runs at most this many tests: most of a run is spent there.
const EXPLAIN: u64 = 200;

pub fn ask(plan: &Plan) -> Result<(), String> {
    let property = disturbed();
    let report = |seed, threads| {
        let settings = Settings::new().seed(seed).tests(2000).threads(threads).explain(EXPLAIN).store(Store::Off);
        let report = Run::named_parallel(Identity::new(NAME), &*property).settings(settings).report();
        without_time(&report).ok_or_else(|| format!("the property does not fail with seed {seed}"))
    };
    for repetition in 0..plan.repetitions {
        // One seed for several runs: the run on one thread is the expensive one.
        let alone = report(repetition, 1)?;
        for &workers in &plan.workers {
            let mut differ = Vec::new();
            for _ in 0..if plan.run_time.as_millis() < 100 { 5 } else { RUNS } {
                differ.push(f64::from(u8::from(report(repetition, workers)? != alone)));
            }
            let benchmark = &*format!("seed_{repetition}");
            Row { question: NAME, benchmark, workers, tool: "forall", metric: "report_differs" }.print(&differ);
        }
    }
    Ok(())
}

/// Fails for lists of some length with a large number, and waits now and then.
fn disturbed() -> Box<dyn Property + Sync> {
    static TESTS: AtomicU64 = AtomicU64::new(0);
    Box::new(property! {
        forall xs: Vec<u16>;
        forall n: u32;
        check {
            let test = TESTS.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            match test >> 60 {
                0 => std::thread::yield_now(),
                1 => std::thread::sleep(std::time::Duration::from_micros(1)),
                2..5 => (0..test >> 52).for_each(|step| _ = black_box(step)),
                _ => {}
            }
            !(xs.len() > 12 && xs.iter().any(|x| *x > 60_000) && *n > 1000)
        }
    })
}
