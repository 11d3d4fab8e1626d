//! How many tests the coverage-guided runner needs to pass each guard: the median of twenty seeds. For an instrumented build.

use forall::prelude::*;
use forall::property::Property;
use forall::guide::coverage_guided;
use forall::run::{Run, Settings, Store, Verdict};
use fuzzed::guarded;

const SEEDS: u64 = 20;

/// More than half of the seeds must find it within as many tests.
const LIMIT: u64 = 10_000;

fn median(name: &'static str, property: &dyn Property) {
    let mut needed = Vec::new();
    for seed in 0..SEEDS {
        let settings = Settings::new().tests(LIMIT).seed(seed).store(Store::Off).shrink_evaluations(0);
        let session = Run::new(name, property).settings(settings).session().unwrap();
        let report = coverage_guided(session);
        let tests = report.statistics.valid + report.statistics.discarded + 1;
        needed.push(if report.verdict == Verdict::Failed { tests } else { u64::MAX });
    }
    needed.sort();
    let median = needed[needed.len() / 2];
    let unsolved = needed.iter().filter(|&&tests| tests == u64::MAX).count();
    println!("demonstration {name}: median {median}, not within {LIMIT}: {unsolved} of {SEEDS} seeds");
    assert!(median <= LIMIT, "{name}: {needed:?}");
}

// One test at a time, for counters belong to the process.
#[test]
#[ignore = "for an instrumented build"]
fn guards_are_passed_quickly() {
    median("number", &property! { forall x: u32; check !guarded::one_number(*x) });
    median("magic", &property! { forall bytes: Vec<u8>; check !guarded::magic_prefix(bytes) });
    median("checksum", &property! { forall bytes: Vec<u8>; check !guarded::checksum(bytes) });
    median("keyword", &property! { forall text: String; check !guarded::keyword(text) });
}

#[test]
#[ignore = "for an instrumented build, with --release"]
fn a_grammar_is_passed_soon() {
    median("nested", &property! { forall text: String; check !guarded::nested(text) });
}

#[test]
#[ignore = "takes minutes: ten million random tests for each guard"]
fn random_testing_passes_no_guard() {
    let none = |name: &'static str, property: &dyn Property| {
        let settings = Settings::new().tests(10_000_000).seed(1).store(Store::Off);
        let report = Run::new(name, property).settings(settings).report();
        println!("demonstration {name}: {:?} after {} random tests", report.verdict, report.statistics.valid);
        assert_eq!(report.verdict, Verdict::Passed);
    };
    none("number", &property! { forall x: u32; check !guarded::one_number(*x) });
    none("magic", &property! { forall bytes: Vec<u8>; check !guarded::magic_prefix(bytes) });
    none("checksum", &property! { forall bytes: Vec<u8>; check !guarded::checksum(bytes) });
    none("keyword", &property! { forall text: String; check !guarded::keyword(text) });
    none("nested", &property! { forall text: String; check !guarded::nested(text) });
}
