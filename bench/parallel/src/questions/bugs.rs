//! The time and the number of tests until a planted bug is found: a bug of the paper, and one so rare that the start of
//! threads does not matter. The number of tests does not depend on the number of workers: a difference is an error.
//!
//! The limit is the speed of threads that share nothing and run the same tests, up to the one that fails: they start
//! and end like ours, and are given the end of the search in advance.

use crate::Plan;
use crate::measure::{Row, seconds};
use crate::programs::Program;
use crate::programs::rarity::with_rarity;
use crate::runs::Loose;
use forall::property::Property;
use forall::run::{Event, Identity, Observer, Run, Settings, Store};
use std::time::{Duration, Instant};

pub const NAME: &str = "bugs";
pub const RARE: &str = "rare_bugs";

/// The number of searches for each bug, as in the paper, and for slow tests.
const SEARCHES: u64 = 1000;
const SLOW_SEARCHES: u64 = 50;

/// A rare bug shows in one of this many inputs that trigger it; and the number of searches for it.
const RARITY: u64 = 32;
const RARE_SEARCHES: u64 = 40;

/// The maximum number of tests of a search, which is never reached.
const TESTS: u64 = 10_000_000;

/// The result of a search.
pub struct Found {
    /// The time until the bug was found.
    pub time: Duration,
    /// The number of tests, including discarded ones and the failing one.
    pub tests: u64,
}

pub fn ask(plan: &Plan) -> Result<(), String> {
    for program in plan.programs.iter().filter(|program| program.with_bug.is_some()) {
        answer(NAME, plan, program, if program.cpu_bound { SEARCHES } else { SLOW_SEARCHES })?;
    }
    Ok(())
}

pub fn ask_of_rare_ones(plan: &Plan) -> Result<(), String> {
    for program in plan.programs.iter().filter(|program| program.with_bug.is_some() && program.cpu_bound) {
        with_rarity(RARITY, || answer(RARE, plan, program, RARE_SEARCHES))?;
    }
    Ok(())
}

/// Searches for the bug of a program, with as many seeds as planned.
fn answer(question: &'static str, plan: &Plan, program: &Program, usual: u64) -> Result<(), String> {
    let property = (program.property)();
    let workers: Vec<usize> = std::iter::once(1).chain(plan.workers.iter().copied()).collect();
    let mut found: Vec<Vec<Found>> = workers.iter().map(|_| Vec::new()).collect();
    let mut limits: Vec<Vec<f64>> = workers.iter().map(|_| Vec::new()).collect();
    for seed in 0..plan.searches.unwrap_or(usual) {
        for ((&workers, found), limits) in workers.iter().zip(&mut found).zip(&mut limits) {
            let ended = search(program, &*property, seed, workers)?;
            if workers > 1 {
                limits.push(share_nothing(program, &*property, seed, ended.tests, workers)?);
            }
            found.push(ended);
        }
        let tests = |found: &Vec<Found>| found.last().map(|found| found.tests);
        if found.iter().any(|other| tests(other) != tests(&found[0])) {
            return Err(format!("{}: seed {seed} takes another number of tests on more workers", program.name));
        }
    }
    for ((&workers, found), limits) in workers.iter().zip(&found).zip(&limits) {
        let row = |tool, metric| Row { question, benchmark: program.name, workers, tool, metric };
        let times: Vec<f64> = found.iter().map(|found| found.time.as_secs_f64()).collect();
        row("forall", "seconds_to_bug").print(&times);
        row("share_nothing", "seconds_to_bug").print(limits);
        row("forall", "tests_to_bug").print(&found.iter().map(|found| found.tests as f64).collect::<Vec<_>>());
    }
    Ok(())
}

/// Returns the seconds that the tests of a search take on threads that share nothing. The last test is the one that
/// fails.
fn share_nothing(
    program: &Program,
    property: &(dyn Property + Sync),
    seed: u64,
    tests: u64,
    workers: usize,
) -> Result<f64, String> {
    let loose = Loose { program, property, seed };
    let mut failed = None;
    let took = program.run_with(true, || seconds(|| failed = loose.share_nothing(tests, workers)));
    match failed {
        Some(index) if index + 1 == tests => Ok(took),
        other => Err(format!("{}: test {tests} of seed {seed} is to fail alone, not {other:?}", program.name)),
    }
}

/// Searches for the bug of a benchmark; with one worker, by the sequential loop.
pub fn search(program: &Program, property: &(dyn Property + Sync), seed: u64, workers: usize) -> Result<Found, String> {
    /// Records the time of the failure: later runs only confirm it.
    #[derive(Default)]
    struct Finding(Option<Instant>);
    impl Observer for Finding {
        fn event(&mut self, event: &Event<'_>) {
            if let Event::Failed { .. } = event {
                self.0 = Some(Instant::now());
            }
        }
    }
    let settings = Settings::new().tests(TESTS).seed(seed).size(program.size).threads(workers);
    let settings = settings.enumerate(false).store(Store::Off).explain(0).shrink_evaluations(0);
    let mut finding = Finding::default();
    let run = Run::named_parallel(Identity::new(program.name), property).settings(settings).observer(&mut finding);
    let began = Instant::now();
    let report = program.run_with(true, || run.report());
    let found = finding.0.ok_or_else(|| format!("{}: no bug found with seed {seed}", program.name))?;
    Ok(Found { time: found - began, tests: report.statistics.valid + report.statistics.discarded + 1 })
}
