//! Tests that start processes or close descriptors: nothing is left behind, and other tests are not blamed.

use super::{Meeting, found, isolated, trouble, value, wait_until};
use forall::prelude::*;
use forall::report::{Style, render};
use forall::run::{Run, Verdict};
use std::ffi::c_int;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

unsafe extern "C" {
    fn close(descriptor: c_int) -> c_int;
    fn fork() -> c_int;
    fn setsid() -> c_int;
    fn pause() -> c_int;
}

/// All that a test has started, as it said, is gone.
fn none_is_left(meeting: &Meeting) {
    let processes = meeting.said();
    assert!(!processes.is_empty());
    for process in processes {
        // The kernel needs a moment to end it.
        wait_until(&format!("process {process} is left"), || !trouble::runs(&process));
    }
}

#[test]
fn processes_that_a_test_starts_are_killed_with_it() {
    let meeting = Meeting::new();
    let property = property! {
        forall n in 0..1000u32;
        check if *n >= 10 {
            let sleeps = Command::new("sleep").arg("1000").spawn().unwrap();
            meeting.first(sleeps.id());
            std::process::abort();
        }
    };
    found(Run::new("sleeps", &property).settings(isolated().explain(0)).report());
    none_is_left(&meeting);
}

#[test]
fn processes_that_leave_the_group_are_killed_when_the_run_ends() {
    let meeting = Meeting::new();
    let property = property! {
        forall n in 0..1000u32;
        check if *n >= 10 {
            // SAFETY: the copy makes only calls of the system.
            let copy = unsafe { fork() };
            if copy == 0 {
                // SAFETY: they take nothing.
                unsafe { setsid() };
                loop {
                    // SAFETY: as above.
                    unsafe { pause() };
                }
            }
            meeting.first(copy);
            // So that the copy has surely left.
            sleep(Duration::from_millis(20));
            std::process::abort();
        }
    };
    let found = found(Run::new("leaves", &property).settings(isolated().explain(0)).report());
    assert_eq!(value(&found), "10");
    none_is_left(&meeting);
}

#[test]
fn a_fork_that_returns_from_its_test_is_killed() {
    let meeting = Meeting::new();
    let property = property! {
        forall n in 0..1000u32;
        check if *n >= 10 {
            // SAFETY: it takes nothing. The copy goes on in the library, which ends it.
            let copy = unsafe { fork() };
            if copy != 0 {
                meeting.first(copy);
            }
        }
    };
    let report = Run::new("copies", &property).settings(isolated().tests(50)).report();
    assert_eq!(report.verdict, Verdict::Passed, "{}", render(&report, &Style::plain()));
    none_is_left(&meeting);
}

#[test]
fn the_test_that_closes_the_connection_fails() {
    let closed_from = |first: c_int| {
        let property = property! {
            forall n in 0..1000u32;
            check if *n >= 7 {
                for descriptor in first..1024 {
                    // SAFETY: closes descriptors of the library and the harness, as a stray `close` would.
                    unsafe { close(descriptor) };
                }
            }
        };
        Run::new("closes", &property).settings(isolated().explain(0)).report()
    };
    let (all, others) = (closed_from(0), closed_from(3));
    for report in [all, others] {
        let found = found(report);
        assert_eq!(value(&found), "7");
        assert!(
            found.failure.message.contains("it closed a file descriptor that it did not open"),
            "{}",
            found.failure.message
        );
    }
}
