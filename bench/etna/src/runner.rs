//! The runners that are compared.
//!
//! A runner takes a property and a seed, and looks for a counterexample until it has one or has used up its budget. To add
//! one, write such a function and add a line to [`RUNNERS`].

use crate::clock::cpu_time;
use forall::property::{Block, Property};
use forall::run::{Schedule, Tested, Tester};
use std::time::Duration;

/// A way to look for counterexamples.
#[derive(Clone, Copy, Debug)]
pub struct Runner {
    /// Its name on the command line and in results.
    pub name: &'static str,
    /// Looks for a counterexample of the property.
    pub run: fn(&dyn Property, seed: u64, &Budget) -> Search,
}

/// All runners.
pub const RUNNERS: &[Runner] = &[Runner { name: "generational", run: generational }];

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The most inputs that are evaluated, discarded ones included.
    pub evaluations: u64,
    /// The CPU time of the process at which the search ends, if it has not ended before.
    pub until: Option<Duration>,
}

impl Budget {
    /// Whether there is time left.
    pub fn has_time(&self) -> bool {
        self.until.is_none_or(|until| cpu_time() < until)
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Whether a counterexample was found.
    pub solved: bool,
    /// How many inputs were evaluated, discarded ones and the counterexample included.
    pub evaluations: u64,
}

impl Runner {
    /// The runner of this name.
    pub fn named(name: &str) -> Option<Self> {
        RUNNERS.iter().copied().find(|runner| runner.name == name)
    }
}

/// Forall's own loop: random inputs, one after the other. Sizes are those of a run with the default settings, from 0 to 100
/// in 256 tests, and then again from the beginning.
fn generational(property: &dyn Property, seed: u64, budget: &Budget) -> Search {
    const TESTS: u64 = 256;
    let schedule = Schedule::default();
    sized(property, seed, budget, |index, end| {
        let start = index - index % TESTS;
        let block = schedule.block(seed, index - start..(end - start).min(TESTS), TESTS);
        Block { indices: block.indices.start + start..block.indices.end + start, ..block }
    })
}

/// The loop of [`generational`], with blocks of any sizes.
pub fn sized(property: &dyn Property, seed: u64, budget: &Budget, block: impl Fn(u64, u64) -> Block) -> Search {
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
