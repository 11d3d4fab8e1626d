//! The speedup of shrinking with more workers: for the planted bugs, and for candidates that take a given time.

use crate::Plan;
use crate::measure::Row;
use crate::programs::Program;
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Counterexample, Identity, Run, Schedule, Settings, Store, Tester};
use forall::shrink::Shrinker;
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub const NAME: &str = "shrinking";

/// The number of failures of each kind to shrink; fewer if candidates are slow.
const FAILURES: u64 = 20;
const SLOW_FAILURES: u64 = 3;
const SLOW: Duration = Duration::from_millis(50);

/// The approximate time for repetitions of one way of shrinking one failure, and their maximum number.
const ROUNDS_TIME: Duration = Duration::from_millis(20);
const MAX_ROUNDS: f64 = 50.0;

/// A failing property to shrink.
struct Shrunk {
    name: String,
    property: Box<dyn Property + Sync>,
    size: Schedule,
    slow: bool,
}

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

/// Few candidates fail: the numbers must stay distinct. There are so few candidates that shrinking ends in time even if
/// each takes 50 ms.
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

/// Nearly all candidates fail: the next step is known, and each step leads to another.
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
    let ways = &plan.workers;
    let (mut alone, mut rates) = (Vec::new(), Vec::new());
    let mut times: Vec<Vec<f64>> = ways.iter().map(|_| Vec::new()).collect();
    for seed in 0..failures {
        let found = find(shrunk, seed)?;
        let tester = Tester::new(&shrunk.name, &*shrunk.property, seed);
        let shrink = |threads| {
            let shrinker = Shrinker::new(&tester, found.case.clone(), found.failure.clone());
            let shrinker = shrinker.threads(&*shrunk.property, threads);
            shrinker.shrink(|_, _, _| {}).2
        };
        let first = shrink(1);
        rates.push(first.accepted as f64 / first.evaluations.max(1) as f64);
        // Work of microseconds is repeated many times, alternating between the variants: the caches are cold the first
        // time.
        let rounds = (ROUNDS_TIME.as_secs_f64() / first.time.as_secs_f64()).clamp(1.0, MAX_ROUNDS) as usize;
        let (mut once, mut each) = (Vec::new(), vec![Vec::new(); ways.len()]);
        for _ in 0..rounds {
            once.push(shrink(1).time.as_secs_f64());
            for (workers, took) in ways.iter().zip(&mut each) {
                took.push(shrink(*workers).time.as_secs_f64());
            }
        }
        alone.push(median(once));
        for (took, times) in each.into_iter().zip(&mut times) {
            times.push(median(took));
        }
    }
    let row = |workers, tool, metric| Row { question: NAME, benchmark: &shrunk.name, workers, tool, metric };
    row(1, "sequential", "shrink_seconds").print(&alone);
    row(1, "sequential", "shrink_success_rate").print(&rates);
    for (workers, times) in ways.iter().zip(&times) {
        row(*workers, "deterministic", "shrink_seconds").print(times);
        let speedups: Vec<f64> = alone.iter().zip(times).map(|(alone, took)| alone / took).collect();
        row(*workers, "deterministic", "shrink_speedup").print(&speedups);
    }
    Ok(())
}

/// Finds a failure, without shrinking it.
fn find(shrunk: &Shrunk, seed: u64) -> Result<Box<Counterexample>, String> {
    let settings = Settings::new().seed(seed).tests(100_000).size(shrunk.size).enumerate(false);
    let settings = settings.store(Store::Off).explain(0).shrink_evaluations(0);
    let report = Run::named_parallel(Identity::new(shrunk.name.clone()), &*shrunk.property).settings(settings).report();
    report.counterexample.map(Box::new).ok_or_else(|| format!("{}: nothing failed", shrunk.name))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Computes for about this long: always the same number of steps, whatever the load of the machine.
pub(super) fn work(time: Duration) {
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
