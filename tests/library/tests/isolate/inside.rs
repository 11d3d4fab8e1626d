//! Runs inside of another property's test: they have no processes of their own, and nothing of that is silent.

use super::{found, isolated, value};
use forall::prelude::*;
use forall::property::FailureKind;
use forall::run::{Report, Run, Settings, Store, Verdict};
use std::cell::RefCell;
use std::time::Duration;

/// The verdict of a run with these settings inside another property's test. If it ran, it would end the process.
fn inside_of(outer: Settings, inner: impl Fn() -> Settings) -> (Verdict, Report) {
    let verdict = RefCell::new(None);
    let property = property! {
        forall n in 0..1000u32;
        check {
            let aborts = property! { forall m in 0..1000u32; check if *m < 1000 { std::process::abort() } };
            let inner = Run::new("inner", &aborts).settings(inner()).report().verdict;
            let shown = format!("{inner:?}");
            verdict.replace(Some(inner));
            assert!(*n >= 1000, "{shown}");
        }
    };
    let report = Run::new("outer", &property).settings(outer.store(Store::Off).tests(1)).report();
    (verdict.take().unwrap_or(Verdict::Passed), report)
}

#[test]
fn an_isolated_run_inside_of_a_plain_test_is_not_run() {
    for inner in [Settings::new().isolate(true), Settings::new().timeout("1s"), Settings::new().memory("1GB")] {
        let (verdict, _) = inside_of(Settings::new(), || inner.clone().store(Store::Off));
        let Verdict::Misconfigured(why) = verdict else { panic!("{verdict:?}") };
        assert!(why.to_string().contains("This run is nested in another property's test"), "{why}");
        assert!(why.to_string().contains("Isolate the outer property"), "{why}");
    }
}

#[test]
fn a_nested_isolated_run_uses_the_outer_isolation() {
    let (_, report) = inside_of(isolated(), isolated);
    let found = found(report);
    assert_eq!((value(&found), found.failure.kind), ("0", FailureKind::Crash));
    assert!(found.failure.message.contains("SIGABRT"), "{}", found.failure.message);
}

#[test]
fn a_tighter_limit_inside_of_an_isolated_test_is_not_run() {
    let (_, timeout) = inside_of(isolated().timeout("5s"), || isolated().timeout("100ms"));
    let (_, of_default) = inside_of(isolated(), || isolated().timeout("100ms"));
    let (_, memory) = inside_of(isolated(), || isolated().memory("100MB"));
    let (_, stack) = inside_of(isolated().stack("2MiB"), || isolated().stack("1MiB"));
    for (report, limit) in [(timeout, "timeout"), (of_default, "timeout"), (memory, "memory"), (stack, "stack")] {
        let found = found(report);
        let told = format!("tighter-inside {{ limit: {limit:?} }}");
        assert_eq!(found.failure.kind, FailureKind::Panic, "the inner run has not aborted: {}", found.failure.message);
        assert!(found.failure.message.contains(&told), "{}", found.failure.message);
    }
}

#[test]
fn a_limit_of_the_outer_test_is_enforced() {
    let property = property! {
        forall n in 0..1000u32;
        check {
            let slow = property! {
                forall _m in 0..1000u32;
                check if *n >= 10 { std::thread::sleep(Duration::from_secs(1000)) }
            };
            Run::new("slow", &slow).settings(isolated().tests(3).timeout("400ms")).test();
        }
    };
    let found = found(Run::new("around", &property).settings(isolated().timeout("400ms").explain(0)).report());
    assert_eq!(value(&found), "10");
    assert!(found.failure.message.starts_with("timeout: the test did not end within"), "{}", found.failure.message);
}
