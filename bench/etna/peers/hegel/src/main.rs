//! The ETNA tasks with hegeltest: its loop runs a test that draws from its test case.

use etna::runner::{Budget, Search};
use etna_peers::{DefaultRun, Peer, Test};
use hegel::generators as gs;
use hegel::{Database, HealthCheck, Hegel, Phase, Settings, TestCase, Verbosity};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

struct Hegeltest;

fn main() -> ExitCode {
    // A failed test panics; the verdict is all that matters here.
    std::panic::set_hook(Box::new(|_| {}));
    etna_peers::main::<Hegeltest>()
}

impl Peer for Hegeltest {
    type Source = TestCase;

    fn integer(source: &mut TestCase) -> i32 {
        source.draw_silent(gs::integers::<i32>())
    }

    fn below(bound: usize, source: &mut TestCase) -> usize {
        source.draw_silent(gs::integers::<usize>().min_value(0).max_value(bound - 1))
    }

    fn search(test: &Arc<Test<TestCase>>, seed: u64, budget: &Budget) -> Search {
        let settings = settings(seed).test_cases(budget.evaluations).suppress_health_check(HealthCheck::all());
        run(settings, test, budget.evaluations)
    }

    /// Health checks stay enabled, as in a plain test.
    const DEFAULT_RUN: Option<DefaultRun<TestCase>> = Some(|test, seed| run(settings(seed), test, u64::MAX));
}

/// The defaults, but for what happens after the first failure.
fn settings(seed: u64) -> Settings {
    Settings::new()
        .seed(Some(seed))
        .database(Database::Disabled)
        .phases([Phase::Generate])
        .verbosity(Verbosity::Quiet)
        .stop_on_first_failure(true)
        .print_blob(false)
}

fn run(settings: Settings, test: &Arc<Test<TestCase>>, most: u64) -> Search {
    let evaluations = AtomicU64::new(0);
    let solved = AtomicBool::new(false);
    let run = Hegel::new(|mut source: TestCase| {
        if solved.load(Ordering::Relaxed) {
            // Replays of the failure do not count.
            panic!("falsified");
        }
        if evaluations.fetch_add(1, Ordering::Relaxed) >= most {
            // The cap counts discarded tests too, which hegeltest does not: the rest does nothing.
            return;
        }
        match test(&mut source) {
            Some(true) => {}
            Some(false) => {
                solved.store(true, Ordering::Relaxed);
                panic!("falsified");
            }
            None => source.reject(),
        }
    });
    let _ = catch_unwind(AssertUnwindSafe(|| run.settings(settings).run()));
    let evaluations = evaluations.load(Ordering::Relaxed);
    Search { solved: solved.load(Ordering::Relaxed), evaluations: evaluations.min(most) }
}
