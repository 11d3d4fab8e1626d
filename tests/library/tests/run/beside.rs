//! Inputs that run on several threads at once (`beside`), and failures that show only there.

use forall::prelude::*;
use forall::property::Property;
use forall::report::{Style, render};
use forall::run::{Event, Fact, Observer, Report, Run, Settings, Store, Verdict};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{ThreadId, current};
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

/// Fails by a race in the first run of each test, or in its first run on each thread, and by a bug in all others.
#[derive(Default)]
struct RaceAndBug {
    raced: Mutex<HashSet<(u64, Option<ThreadId>)>>,
}

impl RaceAndBug {
    fn check(&self, xs: &[u16], on_each: bool) {
        if xs.len() >= 3 {
            // Candidates of shrinking have the index of the test that failed.
            let run = (forall::context().index(), on_each.then(|| current().id()));
            assert!(!self.raced.lock().unwrap().insert(run), "raced");
            panic!("too long");
        }
    }
}

#[test]
fn a_bug_beside_a_race_is_reported_and_shrunk_as_the_bug() {
    for (threads, beside) in [(4, 1), (1, 3)] {
        let tested = RaceAndBug::default();
        let property = property! { forall xs: Vec<u16>; check tested.check(xs, beside > 1) };
        let store = forall::scratch_dir().unwrap();
        let settings = Settings::new().store(Store::Directory(store.to_path_buf())).threads(threads).beside(beside);
        let report = run(&property, settings);
        let text = render(&report, &Style::plain());
        let found = report.counterexample.as_ref().unwrap();
        assert_eq!((report.verdict, &*found.failure.message), (Verdict::Failed, "too long"), "{text}");
        assert_eq!((found.bindings[0].printed.text(), found.beside), ("vec![0, 0, 0]", 1), "{text}");
        let on = threads.max(beside);
        assert!(text.contains(&format!("on {on} threads, this input failed in another way: raced.")), "{text}");
        assert!(!saved_in(&store).contains("\nbeside "), "{}", saved_in(&store));
    }
}

#[test]
fn a_bug_that_needs_no_threads_is_shrunk_and_replayed_on_one() {
    let property = property! { forall n in 0..1000u32; check assert!(*n <= 20, "too large") };
    let report = run(&property, Settings::new().store(Store::Off).beside(3));
    let found = report.counterexample.as_ref().unwrap();
    assert_eq!((report.verdict, found.bindings[0].printed.text(), found.beside), (Verdict::Failed, "21", 1));
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}

#[test]
fn a_failure_of_all_inputs_after_the_first_is_not_a_bug_beside_a_race() {
    let (section, entered) = (Mutex::new(()), AtomicUsize::new(0));
    let property = property! { forall n in 0..1000u32; check {
        let _guard = section.lock().expect("poisoned");
        entered.fetch_add(1, Ordering::SeqCst);
        assert!(*n < 900, "too large");
    } };
    let report = run(&property, Settings::new().store(Store::Off).enumerate(false).threads(2));
    assert_eq!(report.verdict, Verdict::Flaky, "{}", render(&report, &Style::plain()));
    assert!(entered.into_inner() > 1, "tests passed before");
}

#[test]
fn a_test_that_fails_by_chance_is_not_called_a_race() {
    let runs = AtomicUsize::new(0);
    let property = property! { forall _n: u64; check {
        assert!(runs.fetch_add(1, Ordering::SeqCst) % 40 != 10, "by chance");
    } };
    let report = run(&property, Settings::new().store(Store::Off).threads(4));
    assert_eq!(report.verdict, Verdict::Flaky, "{}", render(&report, &Style::plain()));
    let is_race = |fact: &Fact| matches!(fact, Fact::RaceWithItself { .. });
    assert!(!report.warnings.iter().any(is_race), "{:?}", report.warnings);
}

/// Saves a race, and returns the store.
fn saved_race(section: &Unguarded) -> forall::ScratchDir {
    let store = forall::scratch_dir().unwrap();
    let property = property! { forall n in 0..1000u32; check if *n > 20 { section.enter() } };
    let settings = Settings::new().store(Store::Directory(store.to_path_buf()));
    assert!(is_found(&run(&property, settings.beside(2))));
    assert!(saved_in(&store).contains("\nbeside 2\n"), "{}", saved_in(&store));
    store
}

#[test]
fn a_saved_race_that_cannot_run_concurrently_is_kept_with_a_warning() {
    let section = Unguarded::default();
    let store = saved_race(&section);
    let runs = std::cell::Cell::new(0);
    let property = property! { forall n in 0..1000u32; check { runs.set(runs.get() + 1); *n < 1000 } };
    let settings = Settings::new().store(Store::Directory(store.to_path_buf())).seed(7).tests(1);
    let report = Run::new("beside", &property).settings(settings).report();
    assert!(report.verdict.is_success() && runs.get() > 1, "it ran alone");
    assert!(
        matches!(&report.warnings[..], [Fact::RaceNotReplayed { threads: 2, isolated: false, .. }]),
        "{:?}",
        report.warnings
    );
    assert!(saved_in(&store).contains("\nbeside 2\n"), "{}", saved_in(&store));
}

/// Collects what became of saved failures.
#[derive(Default)]
struct Replays(Vec<String>);

impl Observer for Replays {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Replayed { outcome, .. } = event {
            self.0.push(outcome.to_string());
        }
    }
}

#[test]
fn a_saved_race_that_is_repaired_names_the_threads_that_ran_it() {
    for (serial, on) in [(false, "no longer fails on 2 threads at once; "), (true, "no longer fails on one thread; ")] {
        let section = Unguarded::default();
        let store = saved_race(&section);
        let property = property! { forall n in 0..1000u32; check *n < 1000 };
        let settings = Settings::new().store(Store::Directory(store.to_path_buf())).seed(7).tests(1).serial(serial);
        let mut replays = Replays::default();
        let run = Run::named_parallel(forall::run::Identity::new("beside"), &property).settings(settings);
        assert!(run.observer(&mut replays).report().verdict.is_success());
        assert!(matches!(&replays.0[..], [text] if text.contains(on)), "{:?}", replays.0);
        assert_eq!(saved_in(&store), "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn each_concurrent_run_has_its_own_current_directory() {
    let (seen, outside) = (Mutex::new(BTreeSet::new()), std::env::current_dir().unwrap());
    let property = property! { forall n in 0..1000u32; check {
        let left = std::fs::read_dir(".").unwrap().count();
        assert_eq!(left, 0, "files of another run");
        std::fs::write("n", n.to_string()).unwrap();
        seen.lock().unwrap().insert(std::env::current_dir().unwrap());
        std::thread::sleep(Duration::from_micros(100));
        assert_eq!(std::fs::read_to_string("n").unwrap(), n.to_string(), "someone else was here");
    } };
    let report = run(&property, Settings::new().store(Store::Off).tests(5).beside(3).own_cwd(true));
    assert_eq!(report.verdict, Verdict::Passed, "{}", render(&report, &Style::plain()));
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() >= 15 && !seen.contains(&outside), "{seen:?}");
    assert!(seen.iter().all(|directory| !directory.exists()), "they are gone");
}

#[cfg(target_os = "linux")]
#[test]
fn concurrent_runs_can_keep_their_files() {
    let left = AtomicUsize::new(0);
    let property = property! { forall _n in 0..1000u32; check {
        left.fetch_add(std::fs::read_dir(".").unwrap().count(), Ordering::SeqCst);
        let thread = format!("{:?}", std::thread::current().id());
        for entry in std::fs::read_dir(".").unwrap() {
            assert_eq!(entry.unwrap().file_name().to_str(), Some(&*thread), "another thread was here");
        }
        std::fs::write(thread, "").unwrap();
    } };
    let settings = Settings::new().store(Store::Off).tests(5).beside(2).own_cwd(forall::run::Cwd::PerThread);
    let report = run(&property, settings);
    assert_eq!(report.verdict, Verdict::Passed, "{}", render(&report, &Style::plain()));
    assert!(left.into_inner() > 0, "the files of earlier runs stay");
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
fn the_environment_sets_the_number_of_threads() {
    let with = |value: &'static str| {
        Settings::new().beside(2).with_environment(move |name| (name == "FORALL_BESIDE").then(|| value.to_owned()))
    };
    for (value, beside) in [("4", 4), ("1", 1), ("", 2), ("256", 256)] {
        assert_eq!(with(value).unwrap().beside, beside, "{value}");
    }
    for value in ["many", "-1", "1000"] {
        assert!(with(value).unwrap_err().to_string().contains(&format!("FORALL_BESIDE={value}")), "{value}");
    }
    let section = Unguarded::default();
    let property = property! { forall n in 0..1000u32; check if *n > 20 { section.enter() } };
    let settings = with("2").unwrap().store(Store::Off);
    assert!(is_found(&run(&property, settings)));
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
