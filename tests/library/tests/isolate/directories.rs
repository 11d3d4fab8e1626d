//! Tests that have a current directory of their own in a process of their own: because they are isolated, or because the system has
//! none for threads.

use super::{Meeting, found, isolated, value};
use forall::prelude::*;
use forall::run::{Run, Settings, Store, Verdict};
use std::ffi::{c_int, c_ulong};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Three workers write a file of the same name into their current directories. Where they were.
fn write_where_they_are(settings: Settings) -> Vec<PathBuf> {
    let (outside, meeting) = (std::env::current_dir().unwrap(), Meeting::new());
    let property = property! {
        forall n in 0..1000u32;
        check {
            let here = std::env::current_dir().unwrap();
            meeting.first(here.file_name().unwrap().to_str().unwrap());
            fs::write("n", n.to_string()).unwrap();
            std::thread::sleep(Duration::from_micros(300));
            assert_eq!(fs::read_to_string("n").unwrap(), n.to_string(), "someone else was here");
            assert!(*n < 900, "too large");
        }
    };
    let run = Run::parallel("in their directories", &property).settings(settings.threads(3).own_cwd(true).explain(0));
    let found = found(run.report());
    assert_eq!((value(&found), &*found.failure.message), ("900", "too large"));
    assert_eq!(std::env::current_dir().unwrap(), outside);
    assert!(!outside.join("n").exists(), "it is in the directory of a worker");
    meeting.said().iter().map(|name| std::env::temp_dir().join(name)).collect()
}

#[track_caller]
fn each_had_its_own(directories: &[PathBuf]) {
    assert!(directories.len() >= 3, "{directories:?}");
    assert!(directories.iter().all(|directory| !directory.exists()), "they are gone");
}

#[test]
fn each_isolated_worker_has_its_own_directory() {
    each_had_its_own(&write_where_they_are(isolated()));
}

#[test]
fn concurrent_runs_in_a_child_have_their_own_directories_which_its_parent_removes() {
    let meeting = Meeting::new();
    let property = property! {
        forall n in 0..1000u32;
        check {
            assert_eq!(fs::read_dir(".").unwrap().count(), 0, "files of another run");
            fs::write("n", n.to_string()).unwrap();
            meeting.first(std::env::current_dir().unwrap().to_str().unwrap().replace('/', "|"));
            if *n >= 900 { std::process::abort(); }
        }
    };
    let found =
        found(Run::parallel("beside", &property).settings(isolated().own_cwd(true).beside(2).explain(0)).report());
    assert_eq!(value(&found), "900");
    let directories: Vec<PathBuf> = meeting.said().iter().map(|name| PathBuf::from(name.replace('|', "/"))).collect();
    each_had_its_own(&directories);
}

#[test]
fn where_threads_have_no_directory_processes_do() {
    refuse_unshare();
    each_had_its_own(&write_where_they_are(Settings::new().seed(1).store(Store::Off)));
}

#[test]
fn a_test_in_a_directory_that_ends_its_process_leaves_nothing_there() {
    let meeting = Meeting::new();
    let property = property! {
        forall n in 0..1000u32;
        check {
            meeting.first(std::env::current_dir().unwrap().file_name().unwrap().to_str().unwrap());
            fs::write("n", n.to_string()).unwrap();
            if *n >= 10 { std::process::abort(); }
        }
    };
    let found = found(Run::new("aborts", &property).settings(isolated().own_cwd(true).explain(0)).report());
    assert_eq!(value(&found), "10");
    let left: Vec<PathBuf> = meeting.said().iter().map(|name| std::env::temp_dir().join(name)).collect();
    assert!(!left.is_empty() && left.iter().all(|directory| !directory.exists()), "{left:?}");
}

#[test]
fn a_nested_run_without_processes_is_reported() {
    refuse_unshare();
    let inner = property! { forall n: u64; check n.count_ones() <= 64 };
    let outer = property! {
        forall _n in 0..2u32;
        check match Run::new("inner", &inner).settings(Settings::new().own_cwd(true).store(Store::Off)).report().verdict {
            Verdict::Misconfigured(why) => assert!(why.to_string().contains("`own_cwd`") && why.to_string().contains("scratch_dir"), "{why}"),
            other => panic!("{other:?}"),
        }
    };
    let report = Run::new("outer", &outer).settings(Settings::new().store(Store::Off)).report();
    assert!(report.verdict.is_success(), "{:?}", report.counterexample);
}

/// From now on the system refuses this thread, and all threads and processes that it starts, what a directory of a thread's own takes;
/// as containers do.
fn refuse_unshare() {
    const SET_NO_NEW_PRIVILEGES: c_int = 38;
    const SET_SECCOMP: c_int = 22;
    const FILTER: c_ulong = 2;
    const UNSHARE: u32 = if cfg!(target_arch = "x86_64") { 272 } else { 97 };
    let instruction = |code, unless, number| Instruction { code, then: 0, unless, number };
    // Load the number of the call; if it is `unshare`, answer with EPERM, else allow it.
    let program = [
        instruction(0x20, 0, 0),
        instruction(0x15, 1, UNSHARE),
        instruction(0x06, 0, 0x0005_0001),
        instruction(0x06, 0, 0x7fff_0000),
    ];
    let program = Program { length: program.len() as u16, first: program.as_ptr() };
    // SAFETY: the first call takes numbers; the second reads the instructions, which live until it returns.
    let refused = unsafe {
        [
            prctl(SET_NO_NEW_PRIVILEGES, 1 as c_ulong, 0 as c_ulong, 0 as c_ulong, 0 as c_ulong),
            prctl(SET_SECCOMP, FILTER, &raw const program),
        ]
    };
    assert_eq!(refused, [0, 0], "{}", std::io::Error::last_os_error());
}

#[repr(C)]
struct Instruction {
    code: u16,
    then: u8,
    unless: u8,
    number: u32,
}

#[repr(C)]
struct Program {
    length: u16,
    first: *const Instruction,
}

unsafe extern "C" {
    fn prctl(option: c_int, ...) -> c_int;
}
