//! How much faster more workers shrink: the planted bugs, and candidates that take a given time.

use crate::Plan;
use crate::measure::Row;
use crate::programs::Program;
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Counterexample, Identity, Run, Schedule, Settings, Store};
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub const NAME: &str = "shrinking";

/// Failures of each kind that are shrunk; where candidates are slow, fewer.
const FAILURES: u64 = 20;
const SLOW_FAILURES: u64 = 3;
const SLOW: Duration = Duration::from_millis(50);

/// Something that fails, to be shrunk.
struct Shrunk {
    name: String,
    property: Box<dyn Property + Sync>,
    size: Schedule,
    slow: bool,
}

/// How several threads shrink.
#[derive(Clone, Copy)]
struct Variant {
    name: &'static str,
    settings: fn(Settings) -> Settings,
}

/// Both variants. The deterministic one is what several threads do by themselves.
const VARIANTS: &[Variant] = &[
    Variant { name: "deterministic", settings: |settings| settings },
    Variant { name: "greedy", settings: |settings| settings.shrink_greedily(true) },
];

pub fn ask(plan: &Plan) -> Result<(), String> {
    let quick_enough = |program: &&Program| program.cpu_bound || plan.slowest_candidate >= SLOW;
    for program in plan.programs.iter().filter(|program| program.with_bug.is_some()).filter(quick_enough) {
        let (name, property, slow) = (program.name.to_owned(), (program.property)(), !program.cpu_bound);
        program.run_with(true, || measure(plan, &Shrunk { name, property, size: program.size, slow }))?;
    }
    for (text, time) in [("1us", 1), ("1ms", 1000), ("50ms", 50_000)] {
        let time = Duration::from_micros(time);
        if time > plan.slowest_candidate {
            continue;
        }
        let slow = time >= SLOW;
        let size = Schedule::Constant(100);
        measure(plan, &Shrunk { name: format!("few_{text}"), property: few_successes(time), size, slow })?;
        measure(plan, &Shrunk { name: format!("many_{text}"), property: many_successes(time), size, slow })?;
    }
    Ok(())
}

/// Few candidates fail: the numbers must stay different from each other. There are so few that shrinking ends in time even
/// if each candidate takes 50 ms.
fn few_successes(time: Duration) -> Box<dyn Property + Sync> {
    let lists = vec(0..1000u32).len(6..=6);
    Box::new(property! {
        move forall list in &lists;
        check {
            work(time);
            let mut sorted = list.clone();
            sorted.sort_unstable();
            sorted.dedup();
            sorted.len() < list.len()
        }
    })
}

/// Nearly all candidates fail: the shrinker knows the next step, and each step leads to another.
fn many_successes(time: Duration) -> Box<dyn Property + Sync> {
    Box::new(property! {
        move forall n in 80..120u32, shrink |n| n.checked_sub(1);
        check {
            work(time);
            *n < 10
        }
    })
}

fn measure(plan: &Plan, shrunk: &Shrunk) -> Result<(), String> {
    let failures = if shrunk.slow { SLOW_FAILURES } else { FAILURES }.min(plan.repetitions);
    let ways: Vec<(usize, &Variant)> =
        plan.workers.iter().flat_map(|&workers| VARIANTS.iter().map(move |variant| (workers, variant))).collect();
    let (mut alone, mut rates) = (Vec::new(), Vec::new());
    let mut times: Vec<Vec<f64>> = ways.iter().map(|_| Vec::new()).collect();
    for seed in 0..failures {
        let found = shrink(shrunk, Settings::new().seed(seed))?;
        rates.push(found.shrinking.accepted as f64 / found.shrinking.evaluations.max(1) as f64);
        alone.push(found.shrinking.time.as_secs_f64());
        for ((workers, variant), times) in ways.iter().zip(&mut times) {
            let settings = (variant.settings)(Settings::new().seed(seed).threads(*workers));
            times.push(shrink(shrunk, settings)?.shrinking.time.as_secs_f64());
        }
    }
    let row = |workers, tool, metric| Row { question: NAME, benchmark: &shrunk.name, workers, tool, metric };
    row(1, "sequential", "shrink_seconds").print(&alone);
    row(1, "sequential", "shrink_success_rate").print(&rates);
    for ((workers, variant), times) in ways.iter().zip(&times) {
        row(*workers, variant.name, "shrink_seconds").print(times);
        let speedups: Vec<f64> = alone.iter().zip(times).map(|(alone, took)| alone / took).collect();
        row(*workers, variant.name, "shrink_speedup").print(&speedups);
    }
    Ok(())
}

/// Finds a failure and shrinks it.
fn shrink(shrunk: &Shrunk, settings: Settings) -> Result<Box<Counterexample>, String> {
    let settings = settings.tests(100_000).size(shrunk.size).exhaustive(false).store(Store::Off).explain(0);
    let report = Run::named_parallel(Identity::new(shrunk.name.clone()), &*shrunk.property).settings(settings).report();
    report.counterexample.map(Box::new).ok_or_else(|| format!("{}: nothing failed", shrunk.name))
}

/// Computes for about so long: the same number of steps each time, however busy the machine is.
fn work(time: Duration) {
    static PER_SECOND: OnceLock<f64> = OnceLock::new();
    const TRIAL: u64 = 1 << 20;
    let steps = |count: u64| (0..count).fold(1u64, |x, _| black_box(x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (x >> 31)));
    let per_second = PER_SECOND.get_or_init(|| {
        let trial = || {
            let began = Instant::now();
            black_box(steps(TRIAL));
            TRIAL as f64 / began.elapsed().as_secs_f64()
        };
        (0..10).map(|_| trial()).fold(0.0, f64::max)
    });
    black_box(steps((per_second * time.as_secs_f64()) as u64));
}
