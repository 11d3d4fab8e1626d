//! Shards: independent workers run the tests of one machine, each once.

use forall::prelude::*;
use forall::property::{Empty, Property, Telescope};
use forall::run::{Report, Run, Settings, Shard, Store, Verdict};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// How often each number was drawn, and how large the largest input with it was. No two plain tests draw the same; shaped tests do.
type Seen = Mutex<BTreeMap<u64, (u32, usize)>>;

/// How many tests there were.
fn count(seen: &BTreeMap<u64, (u32, usize)>) -> u64 {
    seen.values().map(|(times, _)| u64::from(*times)).sum()
}

/// Notes each test.
fn watched(seen: &Seen, is_valid: fn(u64) -> bool) -> impl Property + Sync + '_ {
    // A plain choice, not a number with a bias towards some.
    let numbered = Empty.forall("number", |(), s| s.choice(u64::MAX)).implies(move |(number, ())| is_valid(*number));
    numbered.forall("xs", |_, s| s.draw(any::<Vec<u8>>())).check(|(xs, (number, ()))| {
        let mut seen = seen.lock().unwrap();
        let (times, length) = seen.entry(*number).or_default();
        // Of tests with the same number the order in which they run is open.
        (*times, *length) = (*times + 1, xs.len().max(*length));
        label!("{} elements", xs.len() / 10);
    })
}

fn settings() -> Settings {
    Settings::new().seed(7).store(Store::Off)
}

fn run(property: &(impl Property + Sync), settings: Settings) -> Report {
    Run::parallel("sharded", property).settings(settings).report()
}

fn shards(of: u64) -> impl Iterator<Item = Shard> {
    (1..=of).map(move |number| Shard::new(number, of).unwrap())
}

fn taken(seen: &Seen) -> BTreeMap<u64, (u32, usize)> {
    std::mem::take(&mut *seen.lock().unwrap())
}

#[test]
fn eight_shards_run_each_test_of_one_run_once() {
    let seen = Seen::default();
    let property = watched(&seen, |_| true);
    for (tests, threads) in [(1000, 1), (1000, 3), (77, 1), (5, 1)] {
        let settings = settings().tests(tests).threads(threads);
        let whole = run(&property, settings.clone());
        let by_one = taken(&seen);
        assert_eq!(count(&by_one), tests);
        let mut labels: BTreeMap<String, u64> = BTreeMap::new();
        let mut valid = 0;
        for shard in shards(8) {
            let report = run(&property, settings.clone().shard(shard));
            assert_eq!(report.verdict, Verdict::Passed, "{shard}");
            valid += report.statistics.valid;
            for (label, count) in &report.statistics.labels {
                *labels.entry(label.to_string()).or_default() += count;
            }
        }
        assert_eq!(taken(&seen), by_one, "{tests} tests on {threads} threads");
        assert_eq!(valid, tests);
        let of_one: BTreeMap<String, u64> =
            whole.statistics.labels.iter().map(|(label, count)| (label.to_string(), *count)).collect();
        assert_eq!(labels, of_one);
    }
}

#[test]
fn a_failure_is_found_by_the_shard_that_has_its_test_and_by_no_other() {
    let property = property! { forall n: u64; check n % 100 != 7 };
    let one = run(&property, settings().tests(1000));
    let forall::run::Found::Random { index: first, .. } = one.counterexample.expect("one fails").found else {
        panic!()
    };
    let found: Vec<u64> = shards(4)
        .filter_map(|shard| run(&property, settings().tests(1000).shard(shard)).counterexample)
        .map(|counterexample| match counterexample.found {
            forall::run::Found::Random { index, .. } => index,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(found.iter().min(), Some(&first));
    assert_eq!(found.len(), found.iter().collect::<std::collections::BTreeSet<_>>().len());
}

#[test]
fn a_shard_replaces_its_own_discarded_tests() {
    let seen = Seen::default();
    let property = watched(&seen, |number| number % 3 == 0);
    let settings = settings().tests(600);
    run(&property, settings.clone());
    let by_one = taken(&seen);
    let reports: Vec<Report> = shards(6).map(|shard| run(&property, settings.clone().shard(shard))).collect();
    assert_eq!(reports.iter().map(|report| report.statistics.valid).sum::<u64>(), 600);
    let by_six = taken(&seen);
    assert_eq!((count(&by_one), count(&by_six)), (600, 600));
    // The same tests, except the last: replacements for the last discarded ones.
    let times = |number| by_one.get(number).map_or(0, |(times, _)| *times);
    let common: u32 = by_six.iter().map(|(number, (often, _))| times(number).min(*often)).sum();
    assert!(common > 540, "{common}");
}

#[test]
fn shards_of_an_unlimited_run_continue_with_their_own_blocks() {
    let seen = Seen::default();
    let property = watched(&seen, |_| true);
    for shard in shards(4) {
        let endless = settings().tests(u64::MAX).max_time(Duration::from_millis(200));
        let report = run(&property, endless.shard(shard));
        assert_eq!(report.verdict, Verdict::Passed);
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    }
    let seen = taken(&seen);
    assert!(seen.values().any(|(_, length)| *length > 50), "no large input among {}", seen.len());
    // Shaped tests may draw the same number. From test 4,096 on they are one in a thousand.
    let twice = count(&seen) - seen.len() as u64;
    assert!(twice < 1500 + count(&seen) / 500, "{twice} of {} tests were done twice", count(&seen));
}

#[test]
fn a_small_domain_is_split_input_by_input() {
    let seen = Seen::default();
    let property = Empty.forall("n", |(), s| s.choice(99)).check(|(n, ())| {
        seen.lock().unwrap().entry(*n).or_default().0 += 1;
    });
    for shard in shards(7) {
        assert_eq!(run(&property, settings().tests(1000).shard(shard)).verdict, Verdict::Passed);
    }
    let seen = taken(&seen);
    assert!(seen.len() == 100 && seen.values().all(|(times, _)| *times == 1), "{seen:?}");
}

#[test]
fn a_shard_without_tests_warns_and_passes() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    let report = run(&property, settings().tests(3).shard(Shard::new(4, 4).unwrap()));
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 0));
    assert!(report.warnings[0].to_string().contains("This shard is empty"), "{:?}", report.warnings);
    let idle = Run::parallel("sharded", &property).settings(settings().tests(3).shard(Shard::new(4, 4).unwrap()));
    let report = idle.runner(forall::run::generational_by_workers).report();
    assert_eq!((report.verdict, report.workers), (Verdict::Passed, vec![0]));
    let small = property! { forall n: bool; check u8::from(*n) < 2 };
    let report = run(&small, settings().shard(Shard::new(3, 3).unwrap()));
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 0));
}

#[test]
fn runners_that_learn_have_a_seed_for_each_shard() {
    let property = property! { forall n: u64; check { target!(f64::from(n.count_ones())); } };
    let seeds: Vec<u64> = shards(4)
        .map(|shard| run(&property, settings().tests(64).runner("targeted").shard(shard)))
        .map(|report| {
            assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 16));
            report.seed
        })
        .collect();
    assert_eq!(seeds.iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
}

#[test]
fn invalid_shards_and_runners_that_cannot_be_sharded_are_rejected() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    let report = run(&property, settings().runner("exhaustive").shard(Shard::new(1, 2).unwrap()));
    assert!(matches!(&report.verdict, Verdict::Misconfigured(why) if why.to_string().contains("cannot be sharded")));
    let environment = |name: &str| (name == "FORALL_SHARD").then(|| "5/4".to_owned());
    let wrong = settings().with_environment(environment).unwrap_err();
    assert!(
        wrong.to_string().contains("FORALL_SHARD=5/4") && wrong.to_string().contains("numbered from 1 to 4"),
        "{wrong}"
    );
}

static TRIED: Mutex<Vec<u32>> = Mutex::new(Vec::new());

#[forall::property]
fn tries_literals(n: u32) {
    TRIED.lock().unwrap().push(n);
    assert!(!matches!(n, 0xffff_fff0 | 0xffff_fff1) || n > 5);
}

#[test]
fn tests_with_literals_are_sharded() {
    let run = |settings: Settings| {
        let report = Run::new("literals", &tries_literals::property()).settings(settings.tests(64)).report();
        assert_eq!(report.verdict, Verdict::Passed);
        let mut tried = std::mem::take(&mut *TRIED.lock().unwrap());
        tried.sort_unstable();
        tried
    };
    let whole = run(settings());
    assert!(whole.len() > 64 && whole.contains(&0xffff_fff0), "{whole:?}");
    let mut by_shards: Vec<u32> = shards(4).flat_map(|shard| run(settings().shard(shard))).collect();
    by_shards.sort_unstable();
    assert_eq!(by_shards, whole);
}
