//! The ETNA tasks with proptest, in two forms.
//!
//! The runners `generators` and `default-generators` use strategies as users of proptest write them (`strategies.rs`).
//! With the others, one strategy draws from proptest's random stream by the code that all tools share, and evaluates what
//! it draws; its value is the verdict. That is faster than strategies. Integers are uniform, as with `any::<i32>()`.

mod strategies;

use etna::Workload;
use etna::clock;
use etna::runner::{Budget, Search};
use etna_peers::{DefaultRun, Generated, Peer, Test};
use proptest::prelude::*;
use proptest::strategy::NewTree;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::cell::Cell;
use std::fmt;
use std::process::ExitCode;
use std::sync::Arc;

struct Proptest;

fn main() -> ExitCode {
    etna_peers::main::<Proptest>()
}

impl Peer for Proptest {
    type Source = TestRng;

    fn integer(source: &mut TestRng) -> i32 {
        source.next_u32() as i32
    }

    fn below(bound: usize, source: &mut TestRng) -> usize {
        source.random_range(0..bound)
    }

    fn search(test: &Arc<Test<TestRng>>, seed: u64, budget: &Budget) -> Search {
        run(capped(budget.evaluations), test, seed, budget.evaluations)
    }

    const DEFAULT_RUN: Option<DefaultRun<TestRng>> = Some(|test, seed| run(config(), test, seed, u64::MAX));

    const GENERATORS: Option<fn(&Workload, &str) -> Option<Generated>> = Some(strategies::prepare);
}

/// The defaults, but for what happens after the first failure.
fn config() -> Config {
    Config { max_shrink_iters: 0, failure_persistence: None, ..Config::default() }
}

/// The same, up to a number of tests that includes discarded ones.
fn capped(most: u64) -> Config {
    let cases = u32::try_from(most).unwrap_or(u32::MAX);
    Config { cases, max_global_rejects: u32::MAX, max_local_rejects: u32::MAX, ..config() }
}

fn run(config: Config, test: &Arc<Test<TestRng>>, seed: u64, most: u64) -> Search {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    // An odd word, so that the stream is not that of all zeros.
    bytes[8] = 1;
    let random = TestRng::from_seed(RngAlgorithm::XorShift, &bytes);
    let runner = TestRunner::new_with_rng(config, random);
    search(runner, &Verdicts(Arc::clone(test)), |verdict| verdict, most)
}

/// Proptest's loop over the values of a strategy, up to a failure.
fn search<S: Strategy>(
    mut runner: TestRunner,
    strategy: &S,
    holds: impl Fn(S::Value) -> Option<bool>,
    most: u64,
) -> Search {
    let (evaluations, solved) = (Cell::new(0), Cell::new(false));
    // The result is recorded here: the cap counts discarded tests, which proptest does not.
    let _ = runner.run(strategy, |value| {
        let verdict = holds(value);
        evaluations.set(evaluations.get() + 1);
        if verdict == Some(false) {
            solved.set(true);
            clock::stop();
        }
        match verdict {
            Some(false) => Err(TestCaseError::fail("falsified")),
            _ if evaluations.get() >= most => Err(TestCaseError::fail("enough")),
            Some(true) => Ok(()),
            None => Err(TestCaseError::reject("precondition")),
        }
    });
    Search { solved: solved.get(), evaluations: evaluations.get() }
}

/// Draws, evaluates, and gives the verdict.
struct Verdicts(Arc<Test<TestRng>>);

impl fmt::Debug for Verdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Verdicts")
    }
}

impl Strategy for Verdicts {
    type Tree = Just<Option<bool>>;
    type Value = Option<bool>;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        Ok(Just((self.0)(runner.rng())))
    }
}
