//! Inputs that run on several threads at once (`beside`), and failures that show only there.

use forall::prelude::*;
use forall::property::Property;
use forall::report::{Style, render};
use forall::run::{Fact, Report, Run, Settings, Store, Verdict};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A section that one thread at a time may be in; it does not see to that itself.
#[derive(Default)]
struct Unguarded {
    inside: AtomicUsize,
}

impl Unguarded {
    /// Stays inside long enough for another thread to come in.
    fn enter(&self) {
        let others = self.inside.fetch_add(1, Ordering::SeqCst);
        let until = Instant::now() + Duration::from_micros(50);
        while Instant::now() < until {
            std::thread::yield_now();
        }
        self.inside.fetch_sub(1, Ordering::SeqCst);
        assert_eq!(others, 0, "two threads inside");
    }
}

fn run(property: &(dyn Property + Sync), settings: Settings) -> Report {
    Run::named_parallel(forall::run::Identity::new("beside"), property).settings(settings.seed(7).explain(0)).report()
}

/// Whether the race was found. On a busy machine it may not show again, which is flaky.
fn is_found(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Failed | Verdict::Flaky)
}

fn saved_in(directory: &Path) -> String {
    let mut saved = String::new();
    let mut folders = vec![directory.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            match entry.unwrap().path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|extension| extension == "case") => {
                    saved += &std::fs::read_to_string(path).unwrap();
                }
                _ => {}
            }
        }
    }
    saved
}

#[test]
fn thread_unsafe_code_fails_when_run_concurrently_and_shrinks() {
    let section = Unguarded::default();
    let property = property! { forall xs: Vec<u8>; check if xs.len() > 3 { section.enter() } };
    let settings = Settings::new().store(Store::Off);
    assert_eq!(run(&property, settings.clone()).verdict, Verdict::Passed, "one thread is never beside another");
    let report = run(&property, settings.beside(3));
    assert!(is_found(&report));
    let text = render(&report, &Style::plain());
    assert!(text.contains("vec![0, 0, 0, 0]") && text.contains("two threads inside"), "{text}");
    assert!(text.contains("FORALL_BESIDE=3 cargo test"), "{text}");
}

#[test]
fn a_saved_failure_is_replayed_on_as_many_threads_as_it_failed_on() {
    let (section, store) = (Unguarded::default(), forall::scratch_dir().unwrap());
    let property = property! { forall n in 0..1000u32; check if *n > 20 { section.enter() } };
    let settings = Settings::new().store(Store::Directory(store.to_path_buf()));
    assert!(is_found(&run(&property, settings.clone().beside(2))));
    assert!(saved_in(&store).contains("\nbeside 2\n"), "{}", saved_in(&store));
    let report = run(&property, settings.tests(1));
    assert!(is_found(&report));
    assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "21");
}

#[test]
fn a_race_between_tests_is_shrunk_and_replayed_concurrently() {
    let (section, store) = (Unguarded::default(), forall::scratch_dir().unwrap());
    let property = property! { forall xs: Vec<u16>; check if xs.len() > 1 { section.enter() } };
    let settings = Settings::new().store(Store::Directory(store.to_path_buf()));
    let report = run(&property, settings.clone().threads(4));
    assert!(is_found(&report), "{}", render(&report, &Style::plain()));
    assert!(report.warnings.iter().any(|fact| matches!(fact, Fact::RaceWithItself { threads: 4 })));
    assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "vec![0, 0]");
    let report = run(&property, settings);
    assert!(is_found(&report), "on one thread it would pass");
}

#[test]
fn statistics_count_each_input_once() {
    let property = property! { forall n in 0..10u32; check { label!("{}", n % 2); note!("seen"); assume!(*n != 3); } };
    let report = run(&property, Settings::new().store(Store::Off).tests(100).beside(2));
    let labelled: u64 = report.statistics.labels.iter().map(|(_, count)| count).sum();
    assert_eq!(labelled, report.statistics.valid);
}

#[test]
fn a_deadline_is_for_one_run_of_the_input() {
    let property = property! { forall _n in 0..1000u32; check std::thread::sleep(Duration::from_micros(200)) };
    let settings = Settings::new().store(Store::Off).tests(3).beside(2).deadline("1s");
    assert_eq!(run(&property, settings).verdict, Verdict::Passed);
}

#[test]
fn invalid_thread_counts_are_rejected() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    for (beside, text) in [(0, "`beside = 0` is out of range"), (1000, "use 1 (off) to 256 threads")] {
        let Verdict::Misconfigured(why) = run(&property, Settings::new().beside(beside)).verdict else {
            panic!("{beside} threads are accepted")
        };
        assert!(why.to_string().contains(text), "{why}");
    }
}

#[test]
fn a_property_that_threads_cannot_share_runs_on_one_and_warns() {
    let runs = std::cell::Cell::new(0);
    let property = property! { forall n: u64; check { runs.set(runs.get() + 1); n.count_ones() <= 64 } };
    let settings = Settings::new().store(Store::Off).seed(1).tests(10).beside(4);
    let report = Run::new("not shared", &property).settings(settings).report();
    assert!(matches!(report.warnings[..], [Fact::NotShared { threads: 4 }]), "{:?}", report.warnings);
    assert_eq!(runs.get(), 10);
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

#[forall::test(beside = 2, tests = 10, seed = 1)]
fn the_attribute_takes_beside(n: u64) {
    CALLS.fetch_add(1, Ordering::SeqCst);
    assert!(n.count_ones() <= 64);
    assert!(CALLS.load(Ordering::SeqCst) > forall::context().index() as usize);
}
