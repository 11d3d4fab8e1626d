//! Threads in unusual numbers and company: a thousand, one core, several properties at once, tests with threads and locks of their own.

use forall::prelude::*;
use forall::property::Property;
use forall::report::{Style, render};
use forall::run::{Identity, Report, Run, Settings, Store, Verdict, all_threads};
use std::io::ErrorKind;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread::{scope, sleep};
use std::time::Duration;

/// Explains nothing: how far an explanation of slow tests gets depends on their durations.
fn settings(threads: usize) -> Settings {
    Settings::new().seed(7).threads(threads).store(Store::Off).enumerate(false).explain(0)
}

fn run(property: &(dyn Property + Sync), settings: Settings) -> Report {
    Run::named_parallel(Identity::new("many threads"), property).settings(settings).report()
}

/// The report without durations, and without what depends on them.
fn text(mut report: Report) -> String {
    report.time = Duration::ZERO;
    report.workers.clear();
    if let Some(found) = &mut report.counterexample {
        (found.shrinking.time, found.shrinking.handed_over, found.shrinking.wasted) = (Duration::ZERO, 0, 0);
        found.repeats = 0;
    }
    render(&report, &Style::plain().verbose(true))
}

fn same_on(property: &(dyn Property + Sync), base: &Settings, numbers: &[usize]) -> String {
    let alone = text(run(property, base.clone().threads(1)));
    for &threads in numbers {
        assert_eq!(text(run(property, base.clone().threads(threads))), alone, "{threads} threads");
    }
    alone
}

#[test]
fn a_thousand_threads_give_the_report_of_one() {
    let property = property! { forall xs: Vec<u16>; check xs.iter().map(|&x| u64::from(x)).sum::<u64>() < 900_000 };
    let report = same_on(&property, &settings(1).tests(3000), &[1000]);
    assert!(report.contains("FAILED"), "{report}");
}

#[test]
fn a_runner_that_uses_one_thread_warns() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    let warned = |threads| run(&property, settings(threads).tests(10).runner("targeted")).warnings;
    let text = "2 threads were requested, but the `targeted` runner tests on one thread: each input depends on earlier results";
    assert!(warned(2)[0].to_string().starts_with(text), "{:?}", warned(2));
    assert!(warned(1).is_empty());
}

#[test]
fn tests_may_start_threads() {
    let property = property! {
        forall xs: Vec<u8>;
        check {
            let sum: u64 = scope(|scope| {
                let halves = xs.split_at(xs.len() / 2);
                let sum = |half: &[u8]| half.iter().map(|&x| u64::from(x)).sum::<u64>();
                let first = scope.spawn(move || sum(halves.0));
                sum(halves.1) + first.join().unwrap()
            });
            assert!(sum < 3000);
        }
    };
    let report = same_on(&property, &settings(1).tests(300), &[2, 4]);
    assert!(report.contains("FAILED"), "{report}");
}

#[test]
fn tests_that_hold_one_lock_have_the_same_report() {
    static LOCK: Mutex<u64> = Mutex::new(0);
    let property = property! {
        forall n in 0..100_000u32;
        check {
            // A test that fails poisons it.
            let mut runs = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
            *runs += 1;
            sleep(Duration::from_micros(50));
            assert!(*n < 90_000);
        }
    };
    let report = same_on(&property, &settings(1), &[2, 8]);
    assert!(report.contains("n: u32 = 90000"), "{report}");
}

#[test]
fn a_directory_that_cannot_be_removed_disturbs_no_other_test() {
    use std::os::unix::fs::PermissionsExt;
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            assert_eq!(std::fs::read_dir(".").unwrap().count(), 0, "of another test");
            std::fs::create_dir("locked").unwrap();
            std::fs::write("locked/file", "x").unwrap();
            // Only root can remove what is in it.
            std::fs::set_permissions("locked", std::fs::Permissions::from_mode(0o555)).unwrap();
        }
    };
    let report = run(&property, settings(2).tests(5).own_cwd(true));
    assert_eq!(report.verdict, Verdict::Passed, "{:?}", report.counterexample);
}

#[test]
fn properties_that_run_side_by_side_share_the_cores() {
    // Other tests of this process use more threads.
    let mut child = Command::new(std::env::current_exe().unwrap());
    let output = child.args(["--exact", "many_threads::child_with_three_properties", "--ignored"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
#[ignore = "run by its parent"]
fn child_with_three_properties() {
    // They have no more threads than one of them requests, and one for each of the others.
    const PROPERTIES: usize = 3;
    let wanted = 2 * all_threads().max(2);
    let (running, most, start) = (AtomicUsize::new(0), AtomicUsize::new(0), Barrier::new(PROPERTIES));
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            sleep(Duration::from_millis(2));
            running.fetch_sub(1, Ordering::SeqCst);
        }
    };
    scope(|scope| {
        for _ in 0..PROPERTIES {
            scope.spawn(|| {
                start.wait();
                let report = run(&property, settings(wanted).tests(100));
                assert_eq!((report.verdict, report.statistics.valid), (Verdict::Passed, 100));
            });
        }
    });
    let most = most.into_inner();
    assert!((2..wanted + PROPERTIES).contains(&most), "{most} tests at once, of {wanted}");
}

#[test]
#[ignore = "run by its parent"]
fn child_on_one_core() {
    let property = property! {
        forall xs: Vec<u16>;
        check {
            sleep(Duration::from_micros(300));
            xs.len() < 5
        }
    };
    println!("cores: {}", all_threads());
    same_on(&property, &settings(1), &[all_threads(), 4]);
}

#[test]
fn several_threads_on_one_core_give_the_report_of_one() {
    let mut child = Command::new("taskset");
    child.args(["-c", "0"]).arg(std::env::current_exe().unwrap());
    child.args(["--exact", "many_threads::child_on_one_core", "--nocapture", "--ignored"]);
    let output = match child.output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return eprintln!("SKIPPED: `taskset` is not installed");
        }
        output => output.unwrap(),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("cores: 1\n"), "{text}");
}
