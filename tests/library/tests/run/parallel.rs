//! Several threads: the same answer as one, and trouble that only several have.

use forall::prelude::*;
use forall::property::Property;
use forall::report::{Style, render};
use forall::run::{Report, Run, Settings, Store, Verdict};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::Duration;

fn settings(threads: usize) -> Settings {
    Settings::new().seed(7).threads(threads).store(Store::Off).enumerate(false)
}

fn run(property: &(dyn Property + Sync), settings: Settings) -> Report {
    Run::named_parallel(forall::run::Identity::new("parallel"), property).settings(settings).report()
}

/// Everything a report says but times, and what else chance has a part in.
fn without_times(mut report: Report) -> String {
    report.time = Duration::ZERO;
    report.workers.clear();
    if let Some(found) = &mut report.counterexample {
        let shrinking = &mut found.shrinking;
        (shrinking.time, shrinking.handed_over, shrinking.wasted) = (Duration::ZERO, 0, 0);
        (found.explanation.time, found.repeats) = (Duration::ZERO, 0);
    }
    format!("{}\n{:?}", render(&report, &Style::plain().verbose(true)), report.statistics)
}

/// Checks that the report is the same on any number of threads, with delays that shake the order of blocks.
fn same_on_any_number(property: &(dyn Property + Sync), base: &Settings) -> String {
    let alone = without_times(run(property, base.clone().threads(1)));
    for threads in [2, 3, 7, 64] {
        assert_eq!(without_times(run(property, base.clone().threads(threads))), alone, "{threads} threads");
    }
    alone
}

/// Delays some tests, independently of everything in the report.
fn dawdle(n: u64) {
    if n.is_multiple_of(97) {
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn a_run_that_passes_has_the_same_statistics() {
    let property = property! {
        forall n: u64;
        implies n % 3 != 0;
        check {
            dawdle(*n);
            label!("{} trailing zeros", n.trailing_zeros().min(3));
            classify!(*n > 1000, "large");
            tabulate!("low digit", n % 10);
            cover!(10, n % 2 == 0, "even");
            assume!(n % 5 != 0);
        }
    };
    let text = same_on_any_number(&property, &settings(1).tests(3000));
    assert!(text.contains("valid: 3000"), "{text}");
}

#[test]
fn large_inputs_get_the_same_warning_on_any_number_of_threads() {
    let property = property! {
        forall long in 0..10usize;
        forall xs in vec(any::<u8>()).len(if *long == 0 { 0 } else { 30_000 });
        check std::thread::sleep(Duration::from_micros(xs.len() as u64 / 100))
    };
    let text = same_on_any_number(&property, &settings(1).tests(150));
    assert!(text.contains("inputs are large"), "{text}");
}

#[test]
fn the_failure_with_the_smallest_index_is_reported() {
    let property = property! {
        forall n: u64;
        forall m in 0..1000u32;
        check {
            dawdle(*n);
            label!("before");
            assert!(*m != 777 || *n < 100);
        }
    };
    let text = same_on_any_number(&property, &settings(1).tests(100_000));
    assert!(text.contains("let m: u32 = 777"), "{text}");
}

#[test]
fn a_run_that_gives_up_does_so_at_the_same_test() {
    let property = property! {
        forall n: u64;
        check {
            dawdle(*n);
            label!("seen");
            assume!(n % 1_000_003 == 17);
        }
    };
    let text = same_on_any_number(&property, &settings(1).tests(500).discard_ratio(10));
    assert!(text.starts_with("GAVE UP"), "{text}");
}

/// Many runs with random numbers of threads and random delays, testing and shrinking: one and the same report.
#[test]
#[ignore = "slow: 41 s"]
fn random_numbers_of_threads_and_random_delays_give_one_report() {
    // Delays that differ from run to run, so that workers overtake each other in ever new ways.
    let (salt, fails) = (AtomicU64::new(0), AtomicBool::new(false));
    let noise = |n: u64| (n ^ salt.load(Ordering::Relaxed)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let property = property! {
        forall n: u64;
        forall amounts: Vec<u16>;
        implies n % 7 != 0;
        check {
            let noise = noise(*n);
            // When it has failed, candidates take long enough to be handed over, in one run of four.
            if fails.load(Ordering::Relaxed) && salt.load(Ordering::Relaxed) % 4 == 1 {
                std::thread::sleep(Duration::from_micros(150 + noise % 200));
            } else if noise % 200 == 0 {
                std::thread::sleep(Duration::from_micros(noise / 256 % 200));
            }
            label!("{}", n % 4);
            if n % 1009 == 5 && amounts.iter().map(|&amount| u64::from(amount)).sum::<u64>() > 3000 {
                fails.store(true, Ordering::Relaxed);
                panic!("five");
            }
        }
    };
    let base = settings(1).tests(2000).explain(0);
    let alone = without_times(run(&property, base.clone()));
    assert!(alone.contains("five"), "{alone}");
    // A thousand took five minutes and showed nothing more.
    const ROUNDS: u64 = 150;
    let mut handed_over = 0;
    for round in 0..ROUNDS {
        salt.store(round.wrapping_mul(0xd134_2543_de82_ef95), Ordering::Relaxed);
        fails.store(false, Ordering::Relaxed);
        let threads = 1 + noise(round) as usize % 13;
        let report = run(&property, base.clone().threads(threads));
        handed_over += u64::from(report.counterexample.as_ref().is_some_and(|found| found.shrinking.handed_over > 0));
        assert_eq!(without_times(report), alone, "{threads} threads, round {round}");
    }
    assert!(handed_over > ROUNDS / 10, "shrinking was parallel in {handed_over} of {ROUNDS} runs");
}

#[test]
fn tests_really_run_side_by_side() {
    // Each of the first tests waits for the other: on one thread that would never end.
    let (barrier, met) = (Barrier::new(2), AtomicBool::new(false));
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            if !met.load(Ordering::SeqCst) {
                barrier.wait();
                met.store(true, Ordering::SeqCst);
            }
        }
    };
    assert_eq!(run(&property, settings(2).tests(2)).verdict, Verdict::Passed);
}

#[test]
fn every_test_runs_once_with_its_worker_number() {
    let ran = Mutex::new(Vec::new());
    let property = property! {
        forall n: u64;
        check {
            let test = forall::context();
            assert!(test.worker() < 4 && test.property() == "parallel" && test.seed() == 7);
            ran.lock().unwrap().push((test.index(), *n));
            dawdle(*n);
        }
    };
    assert_eq!(run(&property, settings(4).tests(1000)).verdict, Verdict::Passed);
    let mut parallel = std::mem::take(&mut *ran.lock().unwrap());
    parallel.sort_unstable();
    assert_eq!(parallel.iter().map(|test| test.0).collect::<Vec<_>>(), (0..1000).collect::<Vec<_>>());
    run(&property, settings(1).tests(1000));
    assert_eq!(*ran.lock().unwrap(), parallel, "and has the same input as on one thread");
}

#[test]
fn the_report_has_the_number_of_tests_of_each_worker() {
    let property = property! { forall n: u64; check dawdle(*n) };
    let report = run(&property, settings(3).tests(2000));
    assert_eq!((report.workers.len(), report.workers.iter().sum::<u64>()), (3, 2000));
    let text = render(&report, &Style::plain().verbose(true));
    assert!(text.contains("workers:") && text.contains("2 ran "), "{text}");
    assert!(!render(&report, &Style::plain()).contains("workers:"));
    assert!(run(&property, settings(1).tests(20)).workers.is_empty());
}

#[test]
fn the_tests_of_each_worker_are_summed_up_over_rounds() {
    // The first tests do not decide the requirement, so more follow.
    let property = property! {
        forall n: u64;
        check cover!(24, n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62 == 0, "a quarter")
    };
    let report = run(&property, settings(3).tests(300));
    assert!(report.statistics.valid > 300, "{}", report.statistics.valid);
    assert_eq!(report.workers.iter().sum::<u64>(), report.statistics.valid);
}

#[test]
fn labels_are_counted_in_the_order_of_tests() {
    // Of several requirements under one label the highest counts.
    let property = property! {
        forall n: u64;
        check {
            dawdle(*n);
            let index = forall::context().index();
            cover!((index % 50) as f64, true, "covered");
            assume!(!index.is_multiple_of(3));
        }
    };
    let text = same_on_any_number(&property, &settings(1).tests(3000));
    assert!(text.contains("percent: 49.0") && text.contains("discarded: 1500"), "{text}");
}

#[test]
fn one_worker_reports_the_same_as_the_loop_without_workers() {
    let property =
        property! { forall n: u64; implies n % 3 != 0; check { label!("{}", n % 2); assert!(n % 501 != 7) } };
    let one = || Run::parallel("parallel", &property).settings(settings(1).tests(5000));
    assert_eq!(without_times(one().report()), without_times(one().by_workers().report()));
}

#[test]
fn a_serial_property_runs_on_one_thread_and_warns() {
    let inside = AtomicU64::new(0);
    let property = property! {
        forall xs: Vec<u8>;
        check {
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two at once");
            std::thread::sleep(Duration::from_micros(200));
            inside.fetch_sub(1, Ordering::SeqCst);
            assert_eq!(forall::worker(), 0);
            xs.len() < 20
        }
    };
    let report = run(&property, settings(4).serial(true));
    assert_eq!(report.verdict, Verdict::Failed, "{:?}", report.counterexample);
    assert_eq!(report.warnings.len(), 1);
    assert!(report.warnings[0].to_string().contains("`serial`"), "{:?}", report.warnings);
    assert_eq!(report.counterexample.unwrap().shrinking.handed_over, 0);
    assert!(run(&property, settings(1).serial(true)).warnings.is_empty(), "only one thread was requested");
}

#[forall::test(serial, threads = 3, tests = 50)]
fn the_attribute_takes_serial(n: u64) {
    assert!(n.count_ones() <= 64 && forall::worker() == 0);
}

#[cfg(target_os = "linux")]
#[forall::test(own_cwd, threads = 3, tests = 200)]
fn the_attribute_takes_own_cwd(n: u64) {
    std::fs::write("file-of-a-test", n.to_string()).unwrap();
    assert_eq!(std::fs::read_to_string("file-of-a-test").unwrap(), n.to_string());
}

#[cfg(target_os = "linux")]
#[forall::test(own_cwd = per_thread, tests = 50)]
fn tests_of_a_thread_can_share_a_current_directory(n: u64) {
    assert!(std::path::Path::new("number").exists() || forall::context().index() == 0);
    std::fs::write("number", n.to_string()).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn each_test_starts_in_an_empty_current_directory() {
    let property = property! {
        forall xs: Vec<u16>;
        check {
            let left = std::fs::read_dir(".").unwrap().count();
            assert_eq!(left, 0, "files of another test");
            std::fs::create_dir_all("inner/most").unwrap();
            std::fs::write("inner/xs", format!("{xs:?}")).unwrap();
            if xs.len() % 2 == 0 { std::env::set_current_dir("inner").unwrap(); }
            assert!(xs.len() < 30, "too long");
        }
    };
    for threads in [1, 3] {
        let report = run(&property, settings(threads).own_cwd(true).explain(0));
        let found = report.counterexample.expect("vectors of 30 elements are generated");
        assert_eq!((report.verdict, &*found.failure.message), (Verdict::Failed, "too long"));
    }
}

#[test]
fn a_test_that_misses_its_deadline_only_under_load_passes() {
    let inside = AtomicUsize::new(0);
    let property = property! {
        forall n: u64;
        check {
            let others = inside.fetch_add(1, Ordering::SeqCst);
            // Long enough for the other threads to begin their tests.
            std::thread::sleep(Duration::from_millis(20));
            if others > 0 { std::thread::sleep(Duration::from_millis(400)); }
            inside.fetch_sub(1, Ordering::SeqCst);
            n.count_ones() <= 64
        }
    };
    let report = run(&property, settings(4).tests(4).deadline("300ms").explain(0));
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 4));
}

#[cfg(target_os = "linux")]
#[test]
fn each_thread_has_a_current_directory_of_its_own() {
    let outside = std::env::current_dir().unwrap();
    let (seen, store) = (Mutex::new(Vec::new()), forall::scratch_dir().unwrap());
    let property = property! {
        forall xs: Vec<u16>;
        check {
            let here = std::env::current_dir().unwrap();
            std::fs::write("xs", format!("{xs:?}")).unwrap();
            std::thread::sleep(Duration::from_micros(300));
            assert_eq!(std::fs::read_to_string("xs").unwrap(), format!("{xs:?}"), "someone else was here");
            let mut seen = seen.lock().unwrap();
            if !seen.contains(&here) { seen.push(here); }
            drop(seen);
            assert!(xs.len() < 30, "too long");
        }
    };
    let settings = settings(4).own_cwd(true).store(Store::Directory(store.to_path_buf()));
    let report = run(&property, settings);
    assert_eq!(report.verdict, Verdict::Failed);
    let found = report.counterexample.unwrap();
    assert_eq!(found.failure.message, "too long");
    assert!(found.shrinking.handed_over > 0);
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() >= 4 && !seen.contains(&outside), "{seen:?}");
    assert!(seen.iter().all(|directory| !directory.exists()), "they are gone");
    assert_eq!(std::env::current_dir().unwrap(), outside);
    assert_eq!(kept(&store), 1, "the store stays where it is");
}

#[test]
fn the_inputs_of_a_small_domain_are_shared_between_threads() {
    let workers = Mutex::new(std::collections::BTreeSet::new());
    let property = property! {
        forall a in 0..12u8;
        forall b: bool;
        check {
            std::thread::sleep(Duration::from_millis(1));
            workers.lock().unwrap().insert(forall::worker());
            assume!(*a != 5);
            label!("{}", a % 3);
        }
    };
    let all = settings(1).enumerate(true);
    let text = same_on_any_number(&property, &all);
    assert!(text.contains("exhaustively") || text.contains("all 24"), "{text}");
    workers.lock().unwrap().clear();
    // The cores may be in use by other tests of this program.
    for _ in 0..200 {
        let report = run(&property, all.clone().threads(3));
        assert_eq!(report.verdict, Verdict::Exhausted { inputs: 24, at_size: None });
        assert_eq!((report.statistics.valid, report.statistics.discarded), (22, 2));
        if workers.lock().unwrap().len() > 1 {
            return;
        }
    }
    panic!("one thread ran all inputs in each of 200 runs");
}

#[test]
fn a_domain_that_is_not_held_in_memory_is_shared_between_threads() {
    let most = AtomicU64::new(10_000);
    let property = property! {
        forall a in 0..100u64;
        forall b in 0..60u64;
        implies a % 10 != 3 || *b < 50;
        check {
            dawdle(a * b);
            label!("{}", a % 3);
            assume!(b % 7 != 5);
            cover!(10, a % 2 == 0, "even");
            assert!(a * b <= most.load(Ordering::SeqCst), "too large");
        }
    };
    let all = settings(1).enumerate(true).tests(6000).explain(0);
    let text = same_on_any_number(&property, &all);
    assert!(text.contains("6,000"), "{text}");
    let report = run(&property, all.clone().threads(3));
    assert_eq!(report.verdict, Verdict::Exhausted { inputs: 6000, at_size: None });
    assert_eq!((report.workers.len(), report.workers.iter().sum::<u64>()), (3, 6000));
    most.store(4999, Ordering::SeqCst);
    assert!(same_on_any_number(&property, &all).contains("too large"));
}

#[test]
fn a_failure_in_a_small_domain_is_the_same_on_any_number_of_threads() {
    let property = property! {
        forall a in 0..14u8;
        forall b in 0..9u8;
        check {
            std::thread::sleep(Duration::from_micros(u64::from(a * 3 + b) * 7 % 500));
            assert!(a * b < 60, "too large");
        }
    };
    let text = same_on_any_number(&property, &settings(1).enumerate(true));
    assert!(text.contains("too large"), "{text}");
}

#[test]
fn more_threads_than_tests_work() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    let report = run(&property, settings(50).tests(3));
    assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 3));
    assert!(matches!(run(&property, settings(50).tests(0)).verdict, Verdict::Misconfigured(_)));
    assert!(matches!(run(&property, settings(0)).verdict, Verdict::Misconfigured(_)));
}

#[test]
fn a_property_that_panics_in_drop_fails_as_on_one_thread() {
    #[derive(Debug, Arbitrary)]
    struct Bomb(u32);
    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(self.0 != 13, "boom");
        }
    }
    let property = property! { forall bomb in from_fn(|s| Bomb(s.draw(0..1000u32))); check bomb.0 < 1000 };
    let text = same_on_any_number(&property, &settings(1).tests(20_000));
    assert!(text.contains("boom"), "{text}");
}

#[test]
fn a_panic_payload_may_panic_when_it_is_dropped() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    let property = property! { forall n: u64; check if *n >= 1000 { std::panic::panic_any(Bomb) } };
    let text = same_on_any_number(&property, &settings(1));
    assert!(text.contains("let n: u64 = 1000"), "{text}");
}

#[test]
fn a_run_can_be_cancelled_from_a_test() {
    let property = property! {
        forall n: u64;
        check {
            if *n > u64::MAX / 2 { forall::context().cancel(); }
            std::thread::sleep(Duration::from_micros(50));
        }
    };
    let report = run(&property, settings(4).tests(1_000_000));
    assert!(report.statistics.valid < 100_000);
}

#[test]
fn deadlines_hold_on_every_thread() {
    let property = property! {
        forall n in 0..1000u64;
        check if *n == 500 { std::thread::sleep(Duration::from_millis(60)) }
    };
    let report = run(&property, settings(3).tests(100_000).deadline("50ms"));
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "500");
}

#[test]
fn time_budgets_end_the_run() {
    let property = property! { forall n: u64; check { let _ = n; std::thread::sleep(Duration::from_millis(1)) } };
    let report = run(&property, settings(4).tests(1_000_000).max_time("50ms"));
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.warnings.iter().any(|warning| warning.to_string().contains("time limit")), "{:?}", report.warnings);
}

#[test]
fn a_race_between_tests_of_one_property_is_reported_as_such() {
    // Counts up and down again; two tests at once see each other.
    let inside = AtomicU64::new(0);
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            let others = inside.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_micros(300));
            inside.fetch_sub(1, Ordering::SeqCst);
            assert_eq!(others, 0, "someone else is here");
        }
    };
    let report = run(&property, settings(4).tests(10_000));
    assert!(!report.verdict.is_success(), "{:?}", report.verdict);
    let warning = &report.warnings[0];
    assert!(warning.to_string().contains("several threads") && warning.to_string().contains("alone"), "{warning}");
}

#[test]
fn threads_for_a_property_that_is_not_sync_warn() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    let report = Run::new("alone", &property).settings(settings(4)).report();
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.warnings[0].to_string().contains("Run::parallel"), "{:?}", report.warnings);
}

#[test]
fn a_property_that_threads_cannot_share_is_tested_on_one() {
    let largest = std::cell::Cell::new(0);
    let property = property! { forall n: u64; check { largest.set(largest.get().max(*n)); *n <= largest.get() } };
    let report = Run::new("alone", &property).settings(settings(1)).report();
    assert_eq!((report.verdict, report.warnings.len()), (Verdict::Passed, 0));
    assert!(largest.get() > 0);
}

#[forall::test(threads = all, tests = 2000)]
fn the_attribute_takes_all_threads(n: u64) {
    assert!(n.count_ones() <= 64);
}

#[test]
fn concurrent_tests_stop_at_their_next_checkpoint_after_a_failure() {
    // The first test fails at once. The others would run for minutes, if they were not given up.
    let (entered, cleaned) = (AtomicU64::new(0), AtomicU64::new(0));
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            if forall::context().index() == 0 {
                while entered.load(Ordering::SeqCst) == 0 {
                    std::thread::yield_now();
                }
                panic!("the first");
            }
            entered.fetch_add(1, Ordering::SeqCst);
            let clean_up = || {
                cleaned.fetch_add(1, Ordering::SeqCst);
            };
            forall::graceful(clean_up, || {
                for _ in 0..100_000 {
                    forall::checkpoint();
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
        }
    };
    let report = run(&property, settings(3).tests(1000).shrink_evaluations(0));
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(report.counterexample.unwrap().failure.message, "the first");
    assert!(entered.load(Ordering::SeqCst) <= 2);
    assert_eq!(cleaned.into_inner(), entered.into_inner());
}

#[test]
fn a_cancelled_run_counts_only_the_tests_that_ran() {
    let ran = AtomicU64::new(0);
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            if ran.fetch_add(1, Ordering::SeqCst) == 500 {
                forall::context().cancel();
            }
            forall::checkpoint();
        }
    };
    for threads in [1, 4] {
        ran.store(0, Ordering::SeqCst);
        let report = run(&property, settings(threads).tests(1_000_000));
        let (ran, valid) = (ran.load(Ordering::SeqCst), report.statistics.valid);
        assert_eq!(report.verdict, Verdict::Passed);
        assert!(valid <= ran && valid + 8 >= ran, "{valid} of {ran} on {threads}");
    }
}

#[test]
fn scratch_directories_are_separate_and_removed() {
    let seen = Mutex::new(Vec::new());
    let property = property! {
        forall n in 0..1000u64;
        check {
            let directory = forall::scratch_dir().unwrap();
            std::fs::write(directory.join("n"), n.to_string()).unwrap();
            seen.lock().unwrap().push(directory.to_path_buf());
            assert_eq!(std::fs::read_to_string(directory.join("n")).unwrap(), n.to_string());
            assert!(*n < 990);
        }
    };
    let report = run(&property, settings(4).tests(2000));
    assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "990");
    let mut seen = seen.into_inner().unwrap();
    assert!(seen.iter().all(|path| !path.exists()));
    let all = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), all, "no two tests had the same");
}

/// Files in a store of its own.
fn kept(store: &std::path::Path) -> usize {
    std::fs::read_dir(store).map_or(0, |folders| folders.count())
}

#[test]
fn a_property_that_holds_and_is_stopped_at_a_checkpoint_does_not_fail() {
    let store = forall::scratch_dir().unwrap();
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            if forall::context().index() == 20 { forall::context().cancel(); }
            forall::checkpoint();
        }
    };
    for threads in [1, 4] {
        for runner in ["generational", "targeted"] {
            let settings = settings(threads).tests(1000).runner(runner).store(Store::Directory(store.to_path_buf()));
            let report = run(&property, settings);
            assert_eq!((&report.verdict, kept(&store)), (&Verdict::Passed, 0), "{threads} threads, {runner}");
        }
    }
}

#[test]
fn a_failure_is_confirmed_even_if_the_run_is_cancelled() {
    let property = property! {
        forall n: u64;
        check {
            forall::checkpoint();
            if *n > 1000 {
                forall::context().cancel();
                panic!("too large");
            }
        }
    };
    for threads in [1, 4] {
        let report = run(&property, settings(threads).tests(1000));
        assert_eq!(report.verdict, Verdict::Failed, "{threads} threads");
    }
}

#[test]
fn a_clean_up_that_panics_does_not_end_the_process() {
    let property = property! {
        forall n: u64;
        check forall::graceful(|| panic!("clean-up"), || assert!(*n < 10, "the property"))
    };
    let found = run(&property, settings(1)).counterexample.unwrap();
    assert_eq!(found.failure.message, "the property");
}
