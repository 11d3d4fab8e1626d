//! Trouble on several threads that this process would not survive, or not forget: it is made in children.

#![cfg(target_os = "linux")]

use forall::prelude::*;
use forall::report::print_uncaptured;
use forall::run::{Found, Run, Settings, Store, Verdict};
use forall::store::{Entry, Places};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

const NAME: &str = "trouble";
const STORE: &str = "TROUBLE_STORE";

/// This test binary again, for one of the `child_…` tests below.
fn child(test: &str, store: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("parallel_trouble::{test}"), "--nocapture", "--ignored", "--test-threads=1"]);
    command.env(STORE, store).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn settings() -> Settings {
    let store = PathBuf::from(std::env::var_os(STORE).expect("run by its parent"));
    Settings::new().seed(7).threads(3).store(Store::Directory(store))
}

fn stored(store: &Path) -> Vec<Entry> {
    let places = Places::for_package(Path::new(""), &Store::Directory(store.to_owned()), false);
    places.failures(NAME).into_iter().map(|(_, entry)| entry.unwrap()).collect()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
#[ignore = "run by its parent"]
fn child_without_threads() {
    let property = property! {
        forall xs: Vec<u16>;
        check { sleep(Duration::from_micros(300)); xs.len() < 5 }
    };
    let report = Run::parallel(NAME, &property).settings(settings()).report();
    let found = report.counterexample.expect("it fails");
    println!("{:?} {} {}", report.verdict, found.bindings[0].printed.text(), found.shrinking.handed_over);
    for warning in &report.warnings {
        println!("{warning}");
    }
}

#[test]
fn refused_threads_are_reported_and_the_result_is_the_same() {
    let store = forall::scratch_dir().unwrap();
    // Each thread would need more memory for its stack than the process may have.
    let mut limited = Command::new("sh");
    let program = std::env::current_exe().unwrap();
    limited.args(["-c", "ulimit -v 8000000 && exec \"$0\" \"$@\""]).arg(program);
    limited.args([
        "--exact",
        "parallel_trouble::child_without_threads",
        "--nocapture",
        "--ignored",
        "--test-threads=1",
    ]);
    let output = limited.env(STORE, &*store).env("RUST_MIN_STACK", (16u64 << 30).to_string()).output().unwrap();
    let text = text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Failed vec![0, 0, 0, 0, 0] 0"), "{text}");
    assert!(text.contains("Only 1 of 3 threads could be started"), "{text}");
}

#[test]
#[ignore = "run by its parent"]
fn child_that_exits() {
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            if forall::context().index() == 100 { std::process::exit(0) }
            sleep(Duration::from_micros(100));
        }
    };
    Run::parallel(NAME, &property).settings(settings().tests(1000)).test();
}

#[test]
fn a_test_that_exits_the_process_is_named_alone() {
    let store = forall::scratch_dir().unwrap();
    let output = child("child_that_exits", &store).output().unwrap();
    let text = text(&output);
    assert!(!output.status.success(), "{text}");
    assert_eq!(text.matches("forall: The process exited").count(), 1, "{text}");
    assert!(text.contains("during test 100 of property `trouble`"), "{text}");
}

#[test]
#[ignore = "run by its parent"]
fn child_that_sleeps() {
    let asleep = AtomicBool::new(false);
    let property = property! {
        forall n: u64;
        check {
            if forall::context().index() == 0 {
                asleep.store(true, Ordering::SeqCst);
                sleep(Duration::from_secs(3600));
            }
            while !asleep.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            assert!(n.count_ones() > 64, "the one after it");
        }
    };
    Run::parallel(NAME, &property).settings(settings()).test();
}

#[test]
#[ignore = "slow: 10 s"]
fn a_failure_is_saved_although_another_test_hangs_and_that_one_is_named() {
    let store = forall::scratch_dir().unwrap();
    let mut child = child("child_that_sleeps", &store).spawn().unwrap();
    let started = Instant::now();
    while stored(&store).is_empty() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing was kept");
        sleep(Duration::from_millis(50));
    }
    // After ten seconds the one that sleeps is named.
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let named = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("has been running"))).unwrap().unwrap();
    let command = lines.next().unwrap().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(named.contains("trouble has been running test 0 for"), "{named}");
    assert!(command.ends_with("cargo test parallel_trouble::child_that_sleeps"), "whichever thread it is: {command}");
    assert_eq!(stored(&store)[0].message, "the one after it");
}

#[test]
#[ignore = "run by its parent"]
fn child_that_panics_twice() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("and again");
        }
    }
    let property = property! {
        forall n: u64;
        check {
            let _bomb = (forall::context().index() == 50).then(|| Bomb);
            assert!(forall::context().index() != 50, "once {n}");
        }
    };
    Run::parallel(NAME, &property).settings(settings()).test();
}

#[test]
fn a_test_that_panics_in_drop_while_it_panics_is_named() {
    let store = forall::scratch_dir().unwrap();
    let output = child("child_that_panics_twice", &store).output().unwrap();
    let text = text(&output);
    assert!(!output.status.success());
    assert!(text.contains("forall: ") && text.contains("and again") && text.contains("once"), "{text}");
}

/// Fails for vectors that sum to more than 1000, and takes its time about it.
fn slow_sum(pause: Duration) -> impl forall::property::Property + Sync {
    use forall::property::{Empty, Telescope};
    Empty.forall("xs", |(), s| s.draw(vec(any::<u16>()))).printed_by(forall::property::Printed::code).check(
        move |(xs, ())| {
            sleep(pause);
            xs.iter().map(|&x| u64::from(x)).sum::<u64>() <= 1000
        },
    )
}

#[test]
#[ignore = "run by its parent"]
fn child_that_shrinks() {
    Run::parallel(NAME, &slow_sum(Duration::from_millis(100))).settings(settings()).test();
}

/// How many failures are saved by a process that a signal ends at once: it may have saved a better case and not yet
/// deleted the one before it.
const AT_ONCE: std::ops::RangeInclusive<usize> = 1..=2;

#[test]
fn ctrl_c_while_several_threads_shrink_keeps_the_best_so_far() {
    let store = forall::scratch_dir().unwrap();
    let mut child = child("child_that_shrinks", &store).env("FORALL_VERBOSE", "1").spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    for _ in 0..3 {
        let shrunk = lines.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("forall: shrunk (")));
        assert!(shrunk.is_some(), "the child ended before it had shrunk three times");
    }
    interrupt(&child);
    // The parent sees that the signal ended it: a shell reports 130.
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    let kept = stored(&store);
    assert!(AT_ONCE.contains(&kept.len()), "{kept:?}");
    assert!(kept.iter().all(|kept| !kept.minimal && kept.unfinished == 1), "shrinking was not at its end: {kept:?}");
    let settings = Settings::new().threads(3).store(Store::Directory(store.to_path_buf()));
    let report = Run::parallel(NAME, &slow_sum(Duration::ZERO)).settings(settings).report();
    let found = report.counterexample.unwrap();
    assert!(matches!(found.found, Found::Stored(_)), "a later run goes on from there");
    assert_eq!((report.verdict, found.bindings[0].printed.text()), (Verdict::Failed, "vec![1001]"));
}

#[test]
#[ignore = "run by its parent"]
fn child_that_cleans_up() {
    let property = property! {
        forall n: u64;
        check {
            let directory = forall::scratch_dir().unwrap();
            std::fs::write(directory.join("n"), n.to_string()).unwrap();
            if forall::context().index() >= 40 { print_uncaptured(&format!("directory {}\n", directory.display())) }
            forall::graceful(|| print_uncaptured("cleaned up\n"), || loop {
                if forall::context().index() < 40 { break }
                forall::checkpoint();
                sleep(Duration::from_millis(1));
            });
        }
    };
    Run::parallel(NAME, &property).settings(settings().tests(1000)).test();
}

/// The signal that a terminal sends for Ctrl-C.
fn interrupt(child: &Child) {
    send("-INT", child);
}

fn send(signal: &str, child: &Child) {
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

#[test]
fn ctrl_c_cleans_up_and_shows_how_far_it_was() {
    let store = forall::scratch_dir().unwrap();
    let mut child = child("child_that_cleans_up", &store).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let directories = lines.by_ref().filter_map(|line| line.strip_prefix("directory ").map(PathBuf::from));
    // Each of the three threads is in a test that does not end.
    let directories: Vec<PathBuf> = directories.take(3).collect();
    assert!(directories.iter().all(|directory| directory.is_dir()));
    interrupt(&child);
    let rest: Vec<String> = lines.collect();
    assert_eq!(child.wait().unwrap().signal(), Some(2), "{rest:?}");
    assert!(directories.iter().all(|directory| !directory.exists()), "{rest:?}");
    assert_eq!(rest.iter().filter(|line| *line == "cleaned up").count(), 3, "one on each thread: {rest:?}");
    let has = |text: &str| rest.iter().any(|line| line.contains(text));
    assert!(has("was stopped after 40 of 1,000 tests") && has(": 40 tests, "), "{rest:?}");
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "run by its parent"]
fn child_in_its_own_directory() {
    let property = property! {
        forall n: u64;
        check {
            std::fs::write("n", n.to_string()).unwrap();
            print_uncaptured(&format!("directory {}\n", std::env::current_dir().unwrap().display()));
            for _ in 0..3_600_000 {
                forall::checkpoint();
                sleep(Duration::from_millis(1));
            }
        }
    };
    Run::parallel(NAME, &property).settings(settings().own_cwd(true)).test();
}

/// Starts a child whose three threads are in tests that do not end, and returns their directories as well.
#[cfg(target_os = "linux")]
fn in_directories(test: &str, store: &Path) -> (Child, impl Iterator<Item = String>, Vec<PathBuf>) {
    let mut child = child(test, store).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let directories = lines.by_ref().filter_map(|line| line.strip_prefix("directory ").map(PathBuf::from));
    let directories: Vec<PathBuf> = directories.take(3).collect();
    assert!(directories.len() == 3 && directories.iter().all(|directory| directory.is_dir()));
    (child, lines, directories)
}

#[cfg(target_os = "linux")]
#[test]
fn signals_remove_the_current_directories_of_tests() {
    for (name, number) in [("-INT", 2), ("-TERM", 15)] {
        let store = forall::scratch_dir().unwrap();
        let (mut child, lines, directories) = in_directories("child_in_its_own_directory", &store);
        send(name, &child);
        let rest: Vec<String> = lines.collect();
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{rest:?}");
        assert!(directories.iter().all(|directory| !directory.parent().unwrap().exists()), "{directories:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "run by its parent"]
fn child_that_does_not_stop_in_its_own_directory() {
    let property = property! {
        forall n: u64;
        check {
            std::fs::write("n", n.to_string()).unwrap();
            print_uncaptured(&format!("directory {}\n", std::env::current_dir().unwrap().display()));
            sleep(Duration::from_secs(3600));
        }
    };
    Run::parallel(NAME, &property).settings(settings().own_cwd(true)).test();
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_again_removes_the_current_directories_of_tests() {
    let store = forall::scratch_dir().unwrap();
    let (mut child, mut lines, directories) = in_directories("child_that_does_not_stop_in_its_own_directory", &store);
    interrupt(&child);
    lines.find(|line| line.contains("Ctrl-C")).expect("what it waits for is said");
    sleep(Duration::from_millis(1200));
    assert!(directories.iter().all(|directory| directory.exists()), "{directories:?}");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert!(directories.iter().all(|directory| !directory.parent().unwrap().exists()), "{directories:?}");
}

#[test]
#[ignore = "run by its parent"]
fn child_of_make() {
    let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let property = property! {
        forall n: u64;
        check {
            let here = inside.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(here, Ordering::SeqCst);
            // Until the thread with the token is here as well.
            let until = Instant::now() + Duration::from_secs(20);
            while most.load(Ordering::SeqCst) < 2 && Instant::now() < until {
                sleep(Duration::from_millis(1));
            }
            sleep(Duration::from_millis(1));
            inside.fetch_sub(1, Ordering::SeqCst);
            n.count_ones() <= 64
        }
    };
    Run::parallel(NAME, &property).settings(settings().threads(4).tests(40)).test();
    assert_eq!(most.into_inner(), 2, "the thread of the property, and one with the token");
}

#[test]
fn threads_take_the_tokens_of_a_jobserver_and_return_them() {
    let (store, directory) = (forall::scratch_dir().unwrap(), forall::scratch_dir().unwrap());
    let pipe = directory.join("jobserver");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut jobserver = File::options().read(true).write(true).open(&pipe).unwrap();
    jobserver.write_all(b"+").unwrap();
    let flags = format!("-j2 --jobserver-auth=fifo:{}", pipe.display());
    let output = child("child_of_make", &store).env("MAKEFLAGS", flags).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    // Without the token, reading would wait.
    jobserver.write_all(b"||").unwrap();
    let mut back = [0; 2];
    jobserver.read_exact(&mut back).unwrap();
    assert_eq!(&back, b"+|", "the token is back");
}

#[test]
fn ctrl_c_ends_a_run_without_cleanup_at_once_and_gracefully_on_request() {
    for (wanted, says) in [("", false), ("1", true)] {
        let store = forall::scratch_dir().unwrap();
        let mut child = child("child_that_shrinks", &store);
        let mut child = child.env("FORALL_VERBOSE", "1").env("FORALL_INTERRUPT", wanted).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        lines.find(|line| line.starts_with("forall: shrunk (")).unwrap();
        interrupt(&child);
        let rest: Vec<String> = lines.collect();
        assert_eq!(child.wait().unwrap().signal(), Some(2), "{rest:?}");
        assert_eq!(rest.iter().any(|line| line.starts_with("FAILED trouble")), says, "{rest:?}");
        let expected = if says { 1..=1 } else { AT_ONCE };
        assert!(expected.contains(&stored(&store).len()), "{:?}", stored(&store));
    }
}

#[test]
#[ignore = "run by its parent"]
fn child_that_does_not_stop() {
    let property = property! {
        forall n: u64;
        check forall::graceful(|| {}, || { print_uncaptured(&format!("begun {n}\n")); sleep(Duration::from_secs(3600)) })
    };
    Run::parallel(NAME, &property).settings(settings()).test();
}

#[test]
fn ctrl_c_again_ends_at_once() {
    let store = forall::scratch_dir().unwrap();
    let mut child = child("child_that_does_not_stop", &store).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.starts_with("begun ")).unwrap();
    interrupt(&child);
    let waits = lines.find(|line| line.contains("Ctrl-C")).expect("what it waits for is said");
    let told = "Ctrl-C: running tests stop at their next `forall::checkpoint()`, or when they end; press Ctrl-C again \
                to exit immediately.";
    assert_eq!(waits.trim_start_matches("forall: "), told);
    sleep(Duration::from_millis(1200));
    interrupt(&child);
    assert_eq!(child.wait().unwrap().signal(), Some(2));
}
