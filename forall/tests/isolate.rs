//! Isolation: whatever a test does to its process, the run goes on, and has a counterexample.

#![cfg(target_os = "linux")]

use forall::prelude::*;
use forall::property::FailureKind;
use forall::report::{Style, render};
use forall::run::{Counterexample, Example, Found, Report, Run, Settings, Store, Verdict};
use std::fs;
use std::hint::black_box;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

fn isolated() -> Settings {
    Settings::new().isolate(true).seed(1).store(Store::Off)
}

#[track_caller]
fn found(report: Report) -> Counterexample {
    assert_eq!(report.verdict, Verdict::Failed, "{}", render(&report, &Style::plain()));
    report.counterexample.unwrap()
}

fn value(found: &Counterexample) -> &str {
    found.bindings[0].printed.text()
}

/// A directory that a test and its child processes both know. It is removed when the test ends.
struct Meeting(PathBuf);

impl Meeting {
    fn new() -> Self {
        let is_child = std::env::var("FORALL_DO").is_ok_and(|request| request.starts_with("isolated "));
        let test = if is_child { std::os::unix::process::parent_id() } else { std::process::id() };
        let name = format!("forall-isolate-{test}-{}", std::thread::current().name().unwrap().replace("::", "-"));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Whether this is the first to say so.
    fn first(&self, what: impl Display) -> bool {
        fs::create_dir(self.0.join(what.to_string())).is_ok()
    }

    /// What was said, but for `finds`.
    fn said(&self) -> Vec<String> {
        let said = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        said.filter(|name| name != "finds").collect()
    }

    fn store(&self) -> Store {
        Store::Directory(self.0.join("finds"))
    }
}

impl Drop for Meeting {
    fn drop(&mut self) {
        // A child that ends tidily drops its own first.
        if !std::env::var("FORALL_DO").is_ok_and(|request| request.starts_with("isolated ")) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }
}

/// Whether a process of this number runs. One that is dead and not waited for does not.
fn runs(pid: &str) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    status.rsplit_once(')').is_some_and(|(_, state)| !state.starts_with(" Z"))
}

/// A property that does something terrible from ten on: the counterexample is ten, it is stored, it says what happened and what
/// was noted before that; and no process is left.
#[track_caller]
fn is_contained(settings: Settings, kind: FailureKind, says: &str, trouble: fn()) -> Counterexample {
    let meeting = Meeting::new();
    let property = property! {
        forall n in 0..1000u32;
        check {
            note!("n is {n}");
            meeting.first(std::process::id());
            if *n >= 10 { trouble() }
        }
    };
    let settings = settings.store(meeting.store());
    let found = found(Run::new("trouble", &property).settings(settings).report());
    assert_eq!(found.failure.kind, kind, "{}", found.failure.message);
    assert!(found.failure.message.contains(says), "{}", found.failure.message);
    assert_eq!(value(&found), "10");
    assert_eq!(found.notes[0], "n is 10");
    assert!(found.before.is_empty());
    assert!(fs::exists(found.stored.as_ref().unwrap()).unwrap());
    let processes = meeting.said();
    assert!(!processes.is_empty());
    for process in processes {
        assert!(!runs(&process), "process {process} is left");
    }
    found
}

#[test]
fn a_null_write_is_contained() {
    is_contained(isolated(), FailureKind::Crash, "SIGSEGV", || {
        let nowhere: *mut u32 = black_box(std::ptr::null_mut());
        // SAFETY: there is none; that is the point.
        unsafe { nowhere.write_volatile(1) }
    });
}

#[test]
fn an_abort_is_contained() {
    is_contained(isolated(), FailureKind::Crash, "SIGABRT", || std::process::abort());
}

#[test]
fn a_stack_overflow_is_contained() {
    fn deeper(depth: u64) -> u64 {
        let here = black_box([depth; 100]);
        if here[0] == u64::MAX { 0 } else { deeper(depth + 1) + here[0] }
    }
    let found = is_contained(isolated(), FailureKind::Crash, "its stack overflowed", || {
        black_box(deeper(0));
    });
    assert!(found.notes[1].contains("has overflowed its stack"), "{:?}", found.notes);
}

#[test]
fn a_double_panic_is_contained() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("while unwinding");
        }
    }
    let found = is_contained(isolated(), FailureKind::Crash, "SIGABRT", || {
        let _panics = Panics;
        panic!("first");
    });
    assert!(found.notes[1].contains("while unwinding"), "{:?}", found.notes);
}

#[test]
fn an_infinite_loop_is_contained() {
    is_contained(isolated().timeout("100ms"), FailureKind::Crash, "did not end within 100ms", || {
        while black_box(true) {}
    });
}

#[test]
fn a_deadlock_is_contained() {
    is_contained(isolated().timeout("100ms"), FailureKind::Crash, "did not end within 100ms", || {
        let (one, other) = (Mutex::new(0), Mutex::new(0));
        let lock = |first: &Mutex<i32>, second: &Mutex<i32>| {
            let _first = first.lock();
            sleep(Duration::from_millis(5));
            drop(second.lock());
        };
        std::thread::scope(|scope| {
            scope.spawn(|| lock(&one, &other));
            lock(&other, &one);
        });
    });
}

#[test]
fn a_livelock_is_contained() {
    is_contained(isolated().timeout("100ms"), FailureKind::Crash, "did not end within 100ms", || {
        // Two who wait until the other has taken the last step, and take one themselves.
        let turn = AtomicU32::new(0);
        let step = |me: u32| while turn.swap(me, Ordering::Relaxed) < 2 {};
        std::thread::scope(|scope| {
            scope.spawn(|| step(1));
            step(0);
        });
    });
}

#[test]
fn a_memory_balloon_is_contained() {
    let found = is_contained(isolated().memory("64MB"), FailureKind::Crash, "it ran out of memory", || {
        let mut balloon = Vec::new();
        while balloon.len() < 1 << 33 {
            balloon.extend_from_slice(&[1u8; 1 << 16]);
        }
    });
    assert!(found.notes[1].contains("memory allocation of"), "{:?}", found.notes);
}

#[test]
fn a_call_of_exit_is_contained() {
    is_contained(isolated(), FailureKind::Crash, "`exit(0)`", || std::process::exit(0));
}

#[test]
fn a_closed_stdout_is_contained() {
    unsafe extern "C" {
        fn close(file: std::ffi::c_int) -> std::ffi::c_int;
    }
    is_contained(isolated(), FailureKind::Panic, "nobody hears this", || {
        // SAFETY: nothing but printing uses these, and that copes.
        unsafe { (close(0), close(1), close(2)) };
        println!("so much for that");
        panic!("nobody hears this");
    });
}

#[test]
fn a_panic_in_drop_is_contained() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    is_contained(isolated(), FailureKind::Panic, "dropped", || drop(Panics));
}

#[test]
fn a_crash_that_needs_three_earlier_tests_is_contained_and_they_are_shown() {
    static NOTCHES: AtomicU32 = AtomicU32::new(0);
    let meeting = Meeting::new();
    let property = property! {
        forall n in 0..1000u32;
        check {
            if n % 7 == 3 {
                NOTCHES.fetch_add(1, Ordering::Relaxed);
            } else if *n >= 10 && NOTCHES.load(Ordering::Relaxed) >= 3 {
                std::process::abort();
            }
        }
    };
    // A child comes to its run by way of those before it, which it leaves out: nothing may be asserted in between.
    let run = || Run::new("notches", &property).settings(isolated().store(meeting.store())).report();
    let (report, again) = (run(), run());
    let shown = render(&report, &Style::plain());
    let first = found(report);
    assert_eq!(value(&first), "11", "10 makes a notch itself");
    let before: Vec<&str> = first.before.iter().map(|earlier| earlier.bindings[0].printed.text()).collect();
    assert_eq!(before, ["3", "3", "3"]);
    assert!(shown.contains("a process that has run 3 earlier tests"), "{shown}");
    assert!(shown.contains("  n = 3\n  n = 3\n  n = 3\n"), "{shown}");
    // They are stored, too.
    let again = found(again);
    assert!(matches!(again.found, Found::Stored(_)));
    assert_eq!((value(&again), again.before.len()), ("11", 3));
}

#[test]
fn a_kill_from_outside_is_not_reproducible() {
    unsafe extern "C" {
        fn kill(process: std::ffi::c_int, signal: std::ffi::c_int) -> std::ffi::c_int;
    }
    let meeting = Meeting::new();
    let property = property! {
        forall n in 0..1000u32;
        check if *n >= 10 && meeting.first("killed") {
            // SAFETY: it takes numbers.
            unsafe { kill(std::process::id() as i32, 9) };
        }
    };
    let report = Run::new("killed", &property).settings(isolated()).report();
    assert_eq!(report.verdict, Verdict::Flaky);
    assert!(report.warnings[0].contains("not reproducible"), "{:?}", report.warnings);
    let found = report.counterexample.unwrap();
    assert!(found.failure.message.contains("SIGKILL"), "{}", found.failure.message);
    assert_eq!(found.other_run.as_deref(), Some("passed (11 of 11)"));
}

/// A property that discards, in two ways, and says much of itself.
fn talks(n: u32) {
    assume!(n % 11 != 4);
    label!("{} bits", n.count_ones());
    tabulate!("digit", (n % 10).to_string());
    cover!(10.0, n % 3 == 0, "thirds");
}

#[test]
fn a_run_that_never_crashes_has_the_report_of_a_plain_one() {
    let property = property! { forall n in 0..1_000_000u32; implies n % 5 != 0; check talks(*n) };
    let statistics = |settings: Settings| {
        let report = Run::parallel("talks", &property).settings(settings.seed(1).tests(2000).store(Store::Off)).report();
        (report.verdict, report.statistics, report.warnings)
    };
    let plain = statistics(Settings::new());
    let isolated = statistics(Settings::new().isolate(true));
    let on_threads = statistics(Settings::new().isolate(true).threads(3));
    let one_by_one = statistics(Settings::new().isolate(true).deadline("10s"));
    assert!(plain.1.labels.len() > 10 && plain.1.discarded > 100);
    assert_eq!(isolated, plain);
    assert_eq!(on_threads, plain);
    assert_eq!(one_by_one, plain);
}
