//! The ETNA tasks with quickcheck: its loop runs a [`Testable`] that draws from its generator.

use etna::runner::{Budget, Search};
use etna_peers::{DefaultRun, Peer, Test};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use std::cell::Cell;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

struct Quickcheck;

fn main() -> ExitCode {
    etna_peers::main::<Quickcheck>()
}

/// The size that quickcheck has unless told otherwise. It is not looked at by integers.
const SIZE: usize = 100;

impl Peer for Quickcheck {
    type Source = Gen;

    fn integer(source: &mut Gen) -> i32 {
        i32::arbitrary(source)
    }

    /// Quickcheck has no ranges, only a choice among the elements of a slice.
    fn below(bound: usize, source: &mut Gen) -> usize {
        static NUMBERS: [usize; 128] = {
            let mut numbers = [0; 128];
            let mut i = 0;
            while i < numbers.len() {
                numbers[i] = i;
                i += 1;
            }
            numbers
        };
        source.choose(&NUMBERS[..bound]).copied().unwrap_or(0)
    }

    fn search(test: &Arc<Test<Gen>>, seed: u64, budget: &Budget) -> Search {
        run(QuickCheck::new().tests(budget.evaluations).max_tests(budget.evaluations), test, seed)
    }

    const DEFAULT_RUN: Option<DefaultRun<Gen>> = Some(|test, seed| run(QuickCheck::new(), test, seed));
}

fn run(quickcheck: QuickCheck, test: &Arc<Test<Gen>>, seed: u64) -> Search {
    let evaluations = Rc::new(Cell::new(0));
    let test = Counted { test: Arc::clone(test), evaluations: Rc::clone(&evaluations) };
    let solved = quickcheck.rng(Gen::from_size_and_seed(SIZE, seed)).quicktest(test).is_err();
    Search { solved, evaluations: evaluations.get() }
}

/// A test that knows how often it was run.
struct Counted {
    test: Arc<Test<Gen>>,
    evaluations: Rc<Cell<u64>>,
}

impl Testable for Counted {
    fn result(&self, source: &mut Gen) -> TestResult {
        self.evaluations.set(self.evaluations.get() + 1);
        (self.test)(source).map_or_else(TestResult::discard, TestResult::from_bool)
    }
}
