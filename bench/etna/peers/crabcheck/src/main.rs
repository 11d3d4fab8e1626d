//! The ETNA tasks with crabcheck: its loop runs a generator that draws from its source.
//!
//! The generator evaluates what it draws, and its value is the verdict, which the property then looks at: a property of
//! crabcheck sees one value, and the inputs of ours depend on each other.

use crabcheck::{Arbitrary, Config, Gen, Source, Status, TestResult, check};
use etna::runner::{Budget, Search};
use etna_peers::{Peer, Test};
use std::process::ExitCode;
use std::sync::{Arc, LazyLock};

struct Crabcheck;

fn main() -> ExitCode {
    etna_peers::main::<Crabcheck>()
}

impl Peer for Crabcheck {
    type Source = Source;

    fn integer(source: &mut Source) -> i32 {
        static ANY: LazyLock<crabcheck::BoxGen<i32>> = LazyLock::new(i32::arbitrary);
        ANY.generate(source)
    }

    fn below(bound: usize, source: &mut Source) -> usize {
        source.index(bound)
    }

    fn search(test: &Arc<Test<Source>>, seed: u64, budget: &Budget) -> Search {
        let config = Config::default()
            .tests(budget.evaluations)
            .seed(seed)
            .max_discard_ratio(f64::MAX)
            .no_shrink()
            .no_regressions();
        let test = Arc::clone(test);
        let mut evaluations = 0;
        let mut solved = false;
        let report = check(
            &config,
            move |source: &mut Source| test(source),
            |verdict: Option<bool>| {
                evaluations += 1;
                solved |= verdict == Some(false) && evaluations <= budget.evaluations;
                match verdict {
                    Some(true) => TestResult::Pass,
                    Some(false) => TestResult::fail("falsified"),
                    _ if evaluations >= budget.evaluations => TestResult::fail("enough"),
                    None => TestResult::Discard(String::new()),
                }
            },
        );
        assert_ne!(report.status, Status::Aborted, "{report}");
        Search { solved, evaluations: evaluations.min(budget.evaluations) }
    }
}
