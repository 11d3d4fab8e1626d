//! The runners that are compared.
//!
//! A runner takes a property and a seed, and searches for a counterexample until it finds one or exhausts its budget.
//! To add a runner, write such a function and add a line to [`RUNNERS`].

use crate::clock::{self, cpu_time};
use forall::choice::Source;
use forall::coverage::Coverage;
use forall::guide::{Corpus, Energy, Fifo, Filo, Guide, Heap, Interactions, Novelty, Singleton};
use forall::guide::{combinatorial, constructor_guided, coverage_guided, guided};
use forall::property::{Block, Property};
use forall::run::{
    Event, Observer, Report, Run, Schedule, Session, Settings, Statistics, Store, Tested, Tester, Verdict,
};
use std::time::Duration;

/// A way to search for counterexamples.
#[derive(Clone, Copy, Debug)]
pub struct Runner {
    /// The name on the command line and in results.
    pub name: &'static str,
    /// The search function.
    pub search: Loop,
}

/// A function that searches for a counterexample.
#[derive(Clone, Copy, Debug)]
pub enum Loop {
    /// Over a property as data.
    OverProperties(fn(&dyn Property, seed: u64, &Budget) -> Search),
    /// Over a property as a closure, if the workload has that form.
    OverClosures(fn(&Closure, seed: u64, &Budget) -> Search),
}

/// A runner that keeps interesting inputs in a pool: those that take a new branch in an instrumented program, otherwise
/// those with new interactions of up to three constructors. Used for the comparison of pools.
macro_rules! pool {
    ($name:literal, $pool:expr) => {
        Runner {
            name: $name,
            search: Loop::OverProperties(|property, seed, budget| {
                let run = |session: Session<'_>| match Coverage::new() {
                    Ok(mut coverage) => {
                        coverage.forget();
                        guided(session, &mut [Guide::new(coverage, $pool)])
                    }
                    Err(_) => guided(session, &mut [Guide::new(Novelty::of(Interactions::new(3)), $pool)]),
                };
                of_library(run, property, seed, budget)
            }),
        }
    };
}

/// All runners. The first is the default.
pub const RUNNERS: &[Runner] = &[
    Runner { name: "generational", search: Loop::OverProperties(generational) },
    Runner {
        name: "combinatorial",
        search: Loop::OverProperties(|property, seed, budget| of_library(combinatorial, property, seed, budget)),
    },
    Runner {
        name: "constructors",
        search: Loop::OverProperties(|property, seed, budget| of_library(constructor_guided, property, seed, budget)),
    },
    // Requires an instrumented program, which the suite builds for it.
    Runner {
        name: "coverage",
        search: Loop::OverProperties(|property, seed, budget| of_library(coverage_guided, property, seed, budget)),
    },
    Runner { name: "default", search: Loop::OverProperties(default) },
    Runner { name: "shallow", search: Loop::OverClosures(shallow) },
    Runner { name: "plain", search: Loop::OverProperties(plain) },
    pool!("pool-fifo-1", Fifo::new(Energy::up_to(1))),
    pool!("pool-fifo-10", Fifo::new(Energy::up_to(10))),
    pool!("pool-fifo-100", Fifo::new(Energy::up_to(100))),
    pool!("pool-fifo-1000", Fifo::new(Energy::up_to(1000))),
    pool!("pool-filo-1", Filo::new(Energy::up_to(1))),
    pool!("pool-filo-10", Filo::new(Energy::up_to(10))),
    pool!("pool-filo-100", Filo::new(Energy::up_to(100))),
    pool!("pool-filo-1000", Filo::new(Energy::up_to(1000))),
    pool!("pool-heap-1", Heap::new(Energy::up_to(1))),
    pool!("pool-heap-10", Heap::new(Energy::up_to(10))),
    pool!("pool-heap-100", Heap::new(Energy::up_to(100))),
    pool!("pool-heap-1000", Heap::new(Energy::up_to(1000))),
    pool!("pool-monotonic-1", Singleton::monotonic(Energy::up_to(1))),
    pool!("pool-monotonic-10", Singleton::monotonic(Energy::up_to(10))),
    pool!("pool-monotonic-100", Singleton::monotonic(Energy::up_to(100))),
    pool!("pool-monotonic-1000", Singleton::monotonic(Energy::up_to(1000))),
    pool!("pool-resetting-1", Singleton::resetting(Energy::up_to(1))),
    pool!("pool-resetting-10", Singleton::resetting(Energy::up_to(10))),
    pool!("pool-resetting-100", Singleton::resetting(Energy::up_to(100))),
    pool!("pool-resetting-1000", Singleton::resetting(Energy::up_to(1000))),
    pool!("pool-fixed", Singleton::fixed()),
    pool!("pool-corpus", Corpus::new()),
    Runner {
        name: "generational-log2",
        search: Loop::OverProperties(|property, seed, budget| scheduled(property, seed, budget, Schedule::Log2)),
    },
    Runner {
        name: "generational-constant",
        search: Loop::OverProperties(|property, seed, budget| {
            scheduled(property, seed, budget, Schedule::Constant(100))
        }),
    },
];

/// A property as a closure: draws its input, and returns whether the property holds; `None` if the precondition fails.
pub type Closure = dyn Fn(&mut Source) -> Option<bool>;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The maximum number of evaluated inputs, including discarded ones.
    pub evaluations: u64,
    /// The CPU time of the process at which the search ends.
    pub until: Option<Duration>,
}

impl Budget {
    /// Returns whether there is time left.
    pub fn has_time(&self) -> bool {
        self.until.is_none_or(|until| cpu_time() < until)
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Whether a counterexample was found.
    pub solved: bool,
    /// The number of evaluated inputs, including discarded ones and the counterexample.
    pub evaluations: u64,
}

impl Runner {
    /// Returns the runner of this name.
    pub fn named(name: &str) -> Option<Self> {
        RUNNERS.iter().copied().find(|runner| runner.name == name)
    }
}

/// Forall's own loop: the tests of a run, in their order.
fn generational(property: &dyn Property, seed: u64, budget: &Budget) -> Search {
    scheduled(property, seed, budget, Schedule::default())
}

/// The tests of a run with other sizes.
fn scheduled(property: &dyn Property, seed: u64, budget: &Budget, schedule: Schedule) -> Search {
    /// Short enough to check the time limit regularly.
    const BLOCK: u64 = 256;
    in_blocks(property, seed, budget, |index, end| schedule.block(seed, index..end.min(index + BLOCK)))
}

/// Runs blocks one after the other. `block` creates a block from its first test and the end of its range.
fn in_blocks(property: &dyn Property, seed: u64, budget: &Budget, block: impl Fn(u64, u64) -> Block) -> Search {
    let tester = Tester::new("etna", property, seed);
    let mut evaluations = 0;
    while evaluations < budget.evaluations && budget.has_time() {
        let ended = tester.run_block(&block(evaluations, budget.evaluations));
        evaluations = ended.index;
        match ended.stopped_by {
            None => {}
            Some(Tested::Fail(_)) => return Search { solved: true, evaluations: evaluations + 1 },
            Some(other) => panic!("the generator is at fault: {other:?}"),
        }
    }
    Search { solved: false, evaluations }
}

/// A runner of the library, with the sizes of [`generational`]. Its time includes confirming and describing the
/// failure, but not shrinking or explaining it.
fn of_library(run: fn(Session<'_>) -> Report, property: &dyn Property, seed: u64, budget: &Budget) -> Search {
    let mut settings = Settings::new().tests(budget.evaluations).seed(seed).discard_ratio(1);
    settings = settings.shrink_evaluations(0).explain(0).enumerate(false).store(Store::Off);
    if let Some(until) = budget.until {
        settings = settings.max_time(until.saturating_sub(cpu_time()));
    }
    let session = match Run::new("etna", property).settings(settings).session() {
        Ok(session) => session,
        Err(report) => panic!("invalid settings: {:?}", report.verdict),
    };
    let report = run(session);
    if let Verdict::Misconfigured(why) = &report.verdict {
        panic!("the runner cannot run here: {why}");
    }
    let found = report.counterexample.is_some();
    let evaluations = report.statistics.valid + report.statistics.discarded + u64::from(found);
    // The library counts valid and discarded tests separately, so it may exceed the budget.
    Search { solved: found && evaluations <= budget.evaluations, evaluations: evaluations.min(budget.evaluations) }
}

/// Returns the settings of a plain `#[forall::test]`, except that after the first failure nothing is saved, shrunk or
/// explained.
///
/// If default runs get another phase, add it here.
fn forall_default_settings() -> Settings {
    // Enabled explicitly, since setting the seed disables exploring.
    Settings::new().explores_as_at_desk().store(Store::Off).shrink_evaluations(0).explain(0)
}

/// Stops the clock at the first failure.
struct UpToAFailure;

impl Observer for UpToAFailure {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Failed { .. } = event {
            clock::stop();
        }
    }
}

/// One default run. The library decides when it ends: the budget does not apply.
fn default(property: &dyn Property, seed: u64, _: &Budget) -> Search {
    let settings = forall_default_settings().seed(seed);
    let report = Run::new("etna", property).settings(settings).observer(&mut UpToAFailure).report();
    let solved = report.counterexample.is_some();
    let Statistics { valid, discarded, explored, .. } = report.statistics;
    let evaluations = valid + discarded + explored.valid + explored.discarded + u64::from(solved);
    Search { solved, evaluations }
}

/// The tests of [`generational`] without shapes: the inputs of [`shallow`].
fn plain(property: &dyn Property, seed: u64, budget: &Budget) -> Search {
    let (tester, schedule) = (Tester::new("etna", property, seed), Schedule::default());
    for index in 0..budget.evaluations {
        if index.is_multiple_of(256) && !budget.has_time() {
            return Search { solved: false, evaluations: index };
        }
        let source = Source::record(seed, index, schedule.size(index));
        if let (_, Tested::Fail(_)) = tester.run_source(source, &[]) {
            return Search { solved: true, evaluations: index + 1 };
        }
    }
    Search { solved: false, evaluations: budget.evaluations }
}

/// A loop over closures: plain random inputs, without any knowledge about them.
fn shallow(property: &Closure, seed: u64, budget: &Budget) -> Search {
    let schedule = Schedule::default();
    for index in 0..budget.evaluations {
        if index.is_multiple_of(256) && !budget.has_time() {
            return Search { solved: false, evaluations: index };
        }
        let mut source = Source::random(seed, index, schedule.size(index));
        if property(&mut source) == Some(false) {
            return Search { solved: true, evaluations: index + 1 };
        }
    }
    Search { solved: false, evaluations: budget.evaluations }
}
