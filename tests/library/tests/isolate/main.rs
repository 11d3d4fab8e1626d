//! Isolation: whatever a test does to its process, the run goes on, and has a counterexample.

#![cfg(target_os = "linux")]

mod directories;
mod inside;
mod machines;
mod processes;
mod threads;
mod trouble;

use forall::choice::Sequence;
use forall::prelude::*;
use forall::property::FailureKind;
use forall::report::{Style, render};
use forall::run::{Case, Counterexample, Example, Found, Report, Run, Settings, Store, Tested, Verdict};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::hint::black_box;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{sleep, spawn};
use std::time::Duration;

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

/// Waits until a condition holds. Counts polls and not seconds, since each takes longer on a busy machine.
#[track_caller]
fn wait_until(otherwise: &str, mut holds: impl FnMut() -> bool) {
    let did = (0..6000).any(|_| {
        sleep(Duration::from_millis(5));
        holds()
    });
    assert!(did, "{otherwise}");
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

    /// Whether this is the first call.
    fn first(&self, what: impl Display) -> bool {
        fs::create_dir(self.0.join(what.to_string())).is_ok()
    }

    /// The output, without `finds`.
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

/// Contains the trouble of this name.
#[track_caller]
fn is_contained(name: &str) -> Counterexample {
    let trouble = trouble::ALL.iter().find(|trouble| trouble.name == name).unwrap();
    trouble::contained(trouble, &Meeting::new().0).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn a_null_write_is_contained() {
    is_contained("null-write");
}

#[test]
fn an_abort_is_contained() {
    is_contained("abort");
}

#[test]
#[ignore = "slow: 4 s"]
fn an_infinite_loop_is_contained() {
    is_contained("infinite-loop");
}

#[test]
#[ignore = "slow: 4 s"]
fn a_deadlock_is_contained() {
    is_contained("deadlock");
}

#[test]
#[ignore = "slow: 4 s"]
fn a_livelock_is_contained() {
    is_contained("livelock");
}

#[test]
fn a_call_of_exit_is_contained() {
    is_contained("exit");
}

#[test]
fn a_closed_stdout_is_contained() {
    is_contained("closed-stdout");
}

#[test]
fn a_panic_in_drop_is_contained() {
    is_contained("panic-in-drop");
}

#[test]
fn a_crash_that_needs_the_state_of_earlier_tests_is_contained() {
    is_contained("state");
}

#[test]
fn a_stack_overflow_is_contained_with_its_last_words() {
    let found = is_contained("stack-overflow");
    assert!(found.notes[1].contains("has overflowed its stack"), "{:?}", found.notes);
}

#[test]
fn a_double_panic_is_contained_with_its_last_words() {
    let found = is_contained("double-panic");
    assert!(found.notes[1].contains("panicked while unwinding"), "{:?}", found.notes);
}

#[test]
#[ignore = "slow: 4 s"]
fn a_memory_balloon_is_contained_with_its_last_words() {
    let found = is_contained("memory-balloon");
    assert!(found.notes[1].contains("memory allocation of"), "{:?}", found.notes);
}

#[test]
fn the_tests_that_a_crash_needs_are_shown_and_stored() {
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
    assert!(shown.contains("only after 3 earlier tests in the same process"), "{shown}");
    assert!(shown.contains("  n = 3\n  n = 3\n  n = 3\n"), "{shown}");
    // They are saved as well.
    let again = found(again);
    assert!(matches!(again.found, Found::Stored(_)));
    assert_eq!((value(&again), again.before.len()), ("11", 3));
}

#[test]
fn a_crash_on_repeated_input_needs_one_earlier_test() {
    static DONE: AtomicU32 = AtomicU32::new(0);
    let property = property! {
        forall n in 0..1000u32;
        check if *n >= 10 && DONE.fetch_add(1, Ordering::Relaxed) > 0 { std::process::abort() }
    };
    let found = found(Run::new("again", &property).settings(isolated()).report());
    assert_eq!((value(&found), found.before.len()), ("10", 1));
    assert_eq!(found.before[0].bindings[0].printed.text(), "10");
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
    assert!(report.warnings[0].to_string().contains("the crash did not reproduce"), "{:?}", report.warnings);
    let found = report.counterexample.unwrap();
    assert!(found.failure.message.contains("SIGKILL"), "{}", found.failure.message);
    assert_eq!(found.other_run, [(Tested::Pass, 31)]);
}

#[test]
fn a_crash_that_shows_in_half_of_the_runs_is_shrunk_and_called_flaky() {
    let property = property! {
        forall n in 0..1_000_000u32;
        check if *n >= 1000 && RandomState::new().hash_one(1).is_multiple_of(2) { std::process::abort() }
    };
    let report = Run::new("now and then", &property).settings(isolated()).report();
    let found = report.counterexample.unwrap();
    // By chance it may seem to crash each time, or only after others.
    assert!(matches!(report.verdict, Verdict::Flaky | Verdict::Failed), "{:?}", report.verdict);
    if report.verdict == Verdict::Flaky && found.reruns.failed > 0 {
        let n: u32 = value(&found).parse().unwrap();
        // The last candidates may pass ten times each, but not what was found, and all on the way from there.
        assert!((1000..2000).contains(&n), "{found:?}");
        assert!(found.shrinking.retries <= 500);
    }
}

#[test]
fn the_reported_input_ran_in_a_new_process() {
    static BROKEN: AtomicU32 = AtomicU32::new(0);
    let property = property! {
        forall n in 0..1_000_000u32;
        check {
            // A large number breaks everything that runs after it in this process.
            let was = if *n >= 1000 { BROKEN.swap(1, Ordering::Relaxed) } else { BROKEN.load(Ordering::Relaxed) };
            assert_eq!(was, 0, "broken by an earlier test");
        }
    };
    let report = Run::new("left behind", &property).settings(isolated()).report();
    assert_eq!(report.verdict, Verdict::Flaky);
    let found = report.counterexample.unwrap();
    assert!(found.original.is_none() && found.reruns.failed == 0, "{found:?}");
}

/// A property that discards, in two ways, and says much of itself.
fn talks(n: u32) {
    assume!(n % 11 != 4);
    label!("{} bits", n.count_ones());
    tabulate!("digit", (n % 10).to_string());
    cover!(10.0, n.is_multiple_of(3), "thirds");
}

#[test]
fn a_run_that_never_crashes_has_the_report_of_a_plain_one() {
    let property = property! { forall n in 0..1_000_000u32; implies n % 5 != 0; check talks(*n) };
    let statistics = |settings: Settings| {
        let report =
            Run::parallel("talks", &property).settings(settings.seed(1).tests(2000).store(Store::Off)).report();
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

#[test]
fn a_failure_that_ends_no_process_is_the_same_as_without_isolation() {
    let property = property! {
        forall xs: Vec<u32>;
        check {
            note!("{} numbers", xs.len());
            assert!(xs.iter().sum::<u32>() < 1000, "the sum is too large");
        }
    };
    let run = |settings: Settings| {
        Run::new("sums", &property).settings(settings.seed(1).store(Store::Off).size(20).explain(0)).report()
    };
    let (isolated, plain) = (run(Settings::new().isolate(true)), run(Settings::new()));
    assert_eq!(isolated.statistics, plain.statistics);
    let (isolated, plain) = (found(isolated), found(plain));
    assert_eq!(isolated.case, plain.case);
    assert_eq!(isolated.failure, plain.failure);
    assert_eq!(isolated.notes, plain.notes);
    assert_eq!(isolated.shrinking.evaluations, plain.shrinking.evaluations);
}

#[test]
fn every_runner_is_isolated() {
    let property = property! {
        forall n in 0..100_000u32;
        check {
            target!(f64::from(*n));
            if *n >= 99_900 { std::process::abort() }
        }
    };
    let run = |runner: &str| {
        let settings = isolated().runner(runner).tests(3000);
        Run::new(runner.to_owned(), &property).settings(settings).report()
    };
    let targeted = run("targeted");
    let generational = run("generational");
    let combinatorial = run("combinatorial");
    assert_eq!(value(&found(targeted)), "99900", "the scores came from the child");
    assert_eq!(value(&found(generational)), "99900");
    assert_eq!(value(&found(combinatorial)), "99900");
}

#[test]
fn every_input_of_a_small_domain_is_isolated() {
    let property = property! { forall n in 0..20u32; check if *n == 13 { std::process::abort() } };
    let found = found(Run::new("small", &property).settings(isolated()).report());
    assert_eq!((value(&found), &found.found), ("13", &Found::Enumerated));
}

#[test]
fn each_worker_has_its_own_process() {
    // A type that threads cannot share.
    let seen = std::cell::Cell::new(0u32);
    let property = property! {
        forall n in 0..1_000_000u32;
        check {
            seen.set(seen.get() + 1);
            label!("worker {}", forall::context().worker());
            if *n >= 900_000 { std::process::abort() }
        }
    };
    let report = Run::new("workers", &property).settings(isolated().tests(5000).threads(2)).report();
    assert_eq!(value(&found(report)), "900000");
}

#[test]
fn an_example_is_isolated() {
    let property = property! { forall n in 0..1_000_000u32; check *n < 1_000_000 };
    let aborts = Example { bindings: &[("n", "u32", "7")], run: || std::process::abort() };
    let found = found(Run::new("examples", &property).settings(isolated()).examples(&[aborts]).report());
    assert_eq!((value(&found), &found.found), ("7", &Found::Example(0)));
    assert!(found.failure.message.contains("SIGABRT"));
}

#[test]
fn a_crashing_generator_and_a_crashing_debug_are_reported() {
    struct Cursed;
    impl std::fmt::Debug for Cursed {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            std::process::abort()
        }
    }
    let aborts = from_fn(|source: &mut Source| if source.choice(99) > 50 { std::process::abort() } else { 0u32 });
    let property = property! { forall n in &aborts; check *n == 0 };
    let generator = Run::new("generator", &property).settings(isolated()).report();
    let cursed = from_fn(|_: &mut Source| Cursed);
    let property = property! { forall _c in &cursed; check false };
    let printer = Run::new("printer", &property).settings(isolated()).report();
    assert!(
        matches!(&generator.verdict, Verdict::Faulty(why) if why.to_string().contains("SIGABRT")),
        "{:?}",
        generator.verdict
    );
    assert!(value(&found(printer)).contains("SIGABRT"));
}

#[test]
fn limits_isolate_by_themselves() {
    fn deep(depth: u32) -> u32 {
        let here = black_box([depth; 64]);
        if depth == 0 { 0 } else { deep(depth - 1).wrapping_add(here[0]) }
    }
    let property = property! { forall depth in 0..10_000u32; check { black_box(deep(*depth)); } };
    let depth = |stack: &str| {
        let settings = Settings::new().seed(1).store(Store::Off).tests(30).explain(0).stack(stack);
        Run::new("depth", &property).settings(settings).report()
    };
    let (small, large) = (depth("256KiB"), depth("64MiB"));
    assert!(found(small).failure.message.contains("stack overflow"));
    assert_eq!(large.verdict, Verdict::Passed, "{}", render(&large, &Style::plain()));
}

#[test]
fn a_deadline_is_enforced_without_killing() {
    let property =
        property! { forall n in 0..100u64; check sleep(Duration::from_millis(if *n >= 10 { 30 } else { 0 })) };
    let settings = isolated().deadline("20ms").tests(50).enumerate(false).shrink_time("1s");
    let found = found(Run::new("deadline", &property).settings(settings).report());
    assert_eq!(found.failure.kind, FailureKind::Deadline);
}

/// Does nothing but for the next test, which kills it.
#[test]
fn hangs_on_request() {
    if std::env::var_os(HANG).is_none() {
        return;
    }
    let meeting = Meeting::new();
    let property = property! {
        forall _n in 0..1000u32;
        check {
            meeting.first(std::process::id());
            while black_box(true) {}
        }
    };
    Run::new("hangs", &property).settings(isolated().timeout("100s")).test();
}

const HANG: &str = "HANG_TO_BE_KILLED";

#[test]
fn a_child_dies_with_its_parent() {
    let mut parent = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "hangs_on_request"])
        .env(HANG, "1")
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let place = Meeting(std::env::temp_dir().join(format!("forall-isolate-{}-hangs_on_request", parent.id())));
    let mut child = None;
    wait_until("no child began", || {
        child = place.0.exists().then(|| place.said().pop()).flatten();
        child.is_some()
    });
    let child = child.unwrap();
    assert!(trouble::runs(&child));
    parent.kill().unwrap();
    parent.wait().unwrap();
    wait_until(&format!("process {child} is left"), || !trouble::runs(&child));
}

#[test]
fn a_thread_outside_of_tests_needs_an_entry_point() {
    let property = property! { forall n: u8; check n.count_ones() <= 8 };
    let run = move || Run::new("no test", &property).settings(isolated()).report().verdict;
    let verdict = spawn(run).join().unwrap();
    assert!(
        matches!(&verdict, Verdict::Misconfigured(why) if why.to_string().contains("forall::isolate::entry()")),
        "{verdict:?}"
    );
}

#[test]
fn a_nested_property_runs_in_the_outer_process() {
    let property = property! {
        forall limit in 1..1000u32;
        check {
            let inner = property! { forall n in 0..*limit; check *n < *limit };
            Run::new("inner", &inner).settings(isolated().tests(5)).test();
            assert!(*limit < 500, "too much");
        }
    };
    let found = found(Run::new("outer", &property).settings(isolated()).report());
    assert_eq!((value(&found), found.failure.kind), ("500", FailureKind::Panic));
}

#[forall::test(isolate, timeout = "5s", memory = "256MB", stack = "4MiB", tests = 50)]
fn an_attribute_isolates(xs: Vec<u8>) {
    assert_ne!(std::os::unix::process::parent_id(), 1);
    assert!(std::env::var("FORALL_DO").unwrap().starts_with("isolated "));
    assert!(xs.iter().rev().rev().eq(&xs));
}

#[test]
fn the_environment_enables_and_disables_isolation() {
    let with = |settings: Settings, variables: &[(&str, &str)]| {
        let value =
            |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned());
        settings.with_environment(value)
    };
    let set =
        with(Settings::new(), &[("FORALL_ISOLATE", "1"), ("FORALL_MEMORY", "64MB"), ("FORALL_STACK", "1MiB")]).unwrap();
    assert_eq!((set.isolate, set.memory, set.stack), (true, Some(64_000_000), Some(1 << 20)));
    let limited = Settings::new().isolate(true).timeout("2s").memory("1GB").stack("1MB");
    let off = with(limited, &[("FORALL_ISOLATE", "0")]).unwrap();
    assert_eq!((off.isolate, off.timeout, off.memory, off.stack), (false, None, None, None));
    let wrong = with(Settings::new(), &[("FORALL_MEMORY", "lots")]).unwrap_err();
    assert!(wrong.to_string().contains("FORALL_MEMORY=lots") && wrong.to_string().contains("512MB"), "{wrong}");
}

/// Does nothing but for the next test, which looks at what it prints.
#[test]
fn prints_on_request() {
    if std::env::var_os(PRINT).is_some() {
        let property = property! { forall n in 0..3u32; check println!("this is {n}") };
        Run::new("prints", &property).settings(isolated()).test();
    }
}

const PRINT: &str = "PRINT_TO_BE_READ";

#[test]
fn the_output_of_tests_is_forwarded_by_their_parent() {
    let printed = |arguments: &[&str]| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let output = command.args(["--exact", "prints_on_request"]).args(arguments).env(PRINT, "1").output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    };
    let shown = printed(&["--nocapture"]);
    assert!(["this is 0", "this is 1", "this is 2"].iter().all(|line| shown.contains(line)), "{shown}");
    assert_eq!(
        shown.matches("running 1 test").count(),
        1,
        "the output of the child's harness is not forwarded: {shown}"
    );
    assert!(!printed(&[]).contains("this is"), "the harness captures it");
}

#[test]
fn a_child_that_does_not_reach_the_property_is_reported() {
    if std::env::var("FORALL_DO").is_ok_and(|request| request.starts_with("isolated ")) {
        panic!("this way is closed");
    }
    let property = property! { forall n: u8; check n.count_ones() <= 8 };
    let verdict = Run::new("out of reach", &property).settings(isolated()).report().verdict;
    let Verdict::Misconfigured(why) = verdict else { panic!("{verdict:?}") };
    assert!(
        why.to_string().contains("before it reached the property, it called `exit(101)`")
            && why.to_string().contains("this way is closed"),
        "{why}"
    );
}

#[test]
#[ignore = "slow: 4 s"]
fn runs_of_the_same_name_are_distinguished() {
    let above = |limit: u32| {
        let property = property! { forall n in 0..1000u32; check if *n >= limit { std::process::abort() } };
        Run::new("above", &property).settings(isolated()).report()
    };
    let (ten, twenty) = (above(10), above(20));
    assert_eq!((value(&found(ten)), value(&found(twenty))), ("10", "20"));
}

#[test]
fn a_process_that_ends_between_two_tests_is_reported() {
    let property = property! {
        forall n in 0..1000u32;
        check if *n >= 10 {
            // Late, and in no test's thread.
            spawn(|| {
                sleep(Duration::from_millis(20));
                std::process::abort();
            });
        }
    };
    let report = Run::new("late", &property).settings(isolated().tests(1).size(50)).runner(|session| {
        let mut budget = forall::run::Budget::new(&session);
        let (mut session, mut index) = (session, 0);
        while index < 20 {
            let (case, tested) = budget.run(&mut session, index, Source::record(7, index, 50), &[]);
            if let forall::run::Tested::Fail(failure) = tested {
                let ending = session.found(case, failure, Found::Guided { index });
                return budget.finish(session, Some(ending));
            }
            sleep(Duration::from_millis(10));
            index += 1;
        }
        budget.finish(session, None)
    });
    let report = report.report();
    assert!(!report.verdict.is_success(), "{:?}", report.verdict);
    assert!(report.counterexample.unwrap().failure.message.contains("SIGABRT"));
}

#[test]
fn a_history_is_replayed_from_its_text() {
    use forall::run::protocol::Request;
    let text = |n: u64| Case { sequence: Sequence::from_values(50, &[n]), steps: vec![] }.to_text();
    let request = Request::parse(&format!("replay notches {},{},{}", text(3), text(4), text(5))).unwrap();
    let Request::Replay { case, before, .. } = request else { panic!("{request:?}") };
    assert_eq!((case.to_text(), before.len(), before[0].to_text()), (text(5), 2, text(3)));
    assert!(Request::parse(&format!("replay notches {},", text(3))).is_err());
}

/// The output of an isolated test on a system where `script` ran before.
fn where_it_was_told_to(script: &str) -> Option<String> {
    let script = format!(r#"{script} && exec "$@""#);
    let system = |arguments: &[&OsStr]| {
        let mut command = Command::new("unshare");
        // A separate namespace: its mounts disappear with the process.
        command.args(["-rm", "bash", "-c", &script, "elsewhere"]).args(arguments).output()
    };
    if !system(&["true".as_ref()]).is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED {}: nothing can be mounted (unshare -rm)", std::thread::current().name().unwrap());
        assert_ne!(std::env::var_os("FORALL_REQUIRE_TOOLS"), Some("1".into()), "every tool is required");
        return None;
    }
    let program = std::env::current_exe().unwrap();
    let output = system(&[program.as_ref(), "--exact".as_ref(), "an_attribute_isolates".as_ref()]).unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    // Lines are broken where they are full.
    Some(said.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn a_process_that_cannot_be_started_is_reported() {
    let Some(said) = where_it_was_told_to("mount -t tmpfs none /proc") else { return };
    assert!(said.contains("NOT RUN isolate::an_attribute_isolates"), "{said}");
    assert!(said.contains("this program could not be restarted: No such file or directory"), "{said}");
    assert!(said.contains("set `FORALL_ISOLATE=0`"), "{said}");
}

#[test]
fn shared_memory_that_cannot_be_created_is_reported() {
    let Some(said) = where_it_was_told_to("mount -t tmpfs -o ro none /dev/shm && export TMPDIR=/nowhere") else {
        return;
    };
    assert!(said.contains("shared memory could not be created: No such file or directory"), "{said}");
}

#[test]
fn limits_too_low_for_any_test_are_rejected() {
    let property = property! { forall n: u8; check n.count_ones() <= 8 };
    let refused = |settings: Settings| match Run::new("limits", &property).settings(settings).report().verdict {
        Verdict::Misconfigured(why) => why,
        other => panic!("{other:?}"),
    };
    let why = refused(isolated().timeout("0s"));
    assert!(
        why.to_string().contains("A `timeout` of 0 would kill every test")
            && why.to_string().contains("`timeout = \"2s\"`"),
        "{why}"
    );
    let why = refused(isolated().stack("1B"));
    assert!(
        why.to_string().contains("A `stack` of 1 byte is too small")
            && why.to_string().contains("the minimum is 128 KiB"),
        "{why}"
    );
}

#[test]
fn the_minimum_stack_suffices_to_reach_a_test() {
    let property = property! { forall n: u32; check n.count_ones() <= 32 };
    let report = Run::new("least stack", &property).settings(isolated().stack("128KiB")).report();
    assert_eq!(report.verdict, Verdict::Passed, "{}", render(&report, &Style::plain()));
}

#[test]
fn a_test_that_closes_stdout_fails() {
    unsafe extern "C" {
        fn close(file: std::ffi::c_int) -> std::ffi::c_int;
    }
    let property = property! {
        forall n in 0..1000u32;
        check if *n >= 10 {
            // SAFETY: nothing but printing uses it, and that copes.
            unsafe { close(1) };
        }
    };
    let found = found(Run::new("closes its output", &property).settings(isolated()).report());
    assert!(
        found.failure.message.contains("closed a file descriptor that it did not open"),
        "{}",
        found.failure.message
    );
    assert_eq!((value(&found), found.before.len()), ("10", 0));
}
