//! Isolation: whatever a test does to its process, the run goes on, and has a counterexample.

#![cfg(target_os = "linux")]

use forall::prelude::*;
use forall::property::FailureKind;
use forall::run::{Counterexample, Report, Run, Settings, Store, Verdict};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

fn isolated() -> Settings {
    Settings::new().isolate(true).seed(1).store(Store::Off)
}

fn found(report: Report) -> Counterexample {
    assert_eq!(report.verdict, Verdict::Failed, "{}", forall::report::render(&report, &forall::report::Style::plain()));
    report.counterexample.unwrap()
}

/// The counterexample of a property that does something terrible from ten on: it is ten, and says what happened.
#[track_caller]
fn is_contained(name: &'static str, settings: Settings, says: &str, trouble: fn()) -> Counterexample {
    let property = property! {
        forall n in 0..1000u32;
        check {
            note!("n is {n}");
            if *n >= 10 { trouble() }
        }
    };
    let finds = forall::scratch_dir().unwrap();
    let settings = settings.store(Store::Directory(finds.to_owned()));
    let found = found(Run::new(name, &property).settings(settings).report());
    assert_eq!(found.failure.kind, FailureKind::Crash);
    assert!(found.failure.message.contains(says), "{}", found.failure.message);
    assert_eq!(found.bindings[0].printed.text(), "10");
    assert_eq!(found.notes[0], "n is 10");
    assert!(std::fs::exists(found.stored.as_ref().unwrap()).unwrap());
    found
}

#[test]
fn a_null_write_is_contained() {
    is_contained("null write", isolated(), "SIGSEGV", || {
        let nowhere: *mut u32 = black_box(std::ptr::null_mut());
        // SAFETY: there is none; that is the point.
        unsafe { nowhere.write_volatile(1) }
    });
}

#[test]
fn an_abort_is_contained() {
    is_contained("abort", isolated(), "SIGABRT", || std::process::abort());
}
