//! Tests that are given up at a checkpoint: because they miss their deadline, or because the time of the run is over.

use forall::prelude::*;
use forall::property::{FailureKind, Property};
use forall::run::{Report, Run, Settings, Store, Verdict};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

fn run(property: &(dyn Property + Sync), settings: Settings) -> Report {
    let settings = settings.seed(7).store(Store::Off).enumerate(false);
    Run::named_parallel(forall::run::Identity::new("given up"), property).settings(settings).report()
}

/// Never ends, but for checkpoints.
fn wait_for_ever() {
    loop {
        forall::checkpoint();
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_test_that_never_ends_misses_its_deadline_at_a_checkpoint_and_is_cleaned_up() {
    let (entered, cleaned) = (AtomicU64::new(0), AtomicU64::new(0));
    let clean_up = || {
        cleaned.fetch_add(1, Ordering::SeqCst);
    };
    let property = property! {
        forall n: u64;
        check if *n >= 10 {
            entered.fetch_add(1, Ordering::SeqCst);
            forall::graceful(clean_up, wait_for_ever);
        }
    };
    for threads in [1, 3] {
        let report = run(&property, Settings::new().threads(threads).deadline("30ms"));
        assert_eq!(report.verdict, Verdict::Failed, "{threads} threads");
        let found = report.counterexample.unwrap();
        assert_eq!((found.failure.kind, found.bindings[0].printed.text()), (FailureKind::Deadline, "10"));
        assert!(found.failure.message.contains("its deadline of 30 ms"), "{}", found.failure.message);
    }
    assert!(entered.load(Ordering::SeqCst) > 0);
    assert_eq!(cleaned.into_inner(), entered.into_inner());
}

#[test]
fn a_test_that_is_slow_once_has_not_missed_its_deadline() {
    let slow = AtomicU64::new(0);
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            if forall::context().index() == 5 && slow.fetch_add(1, Ordering::SeqCst) == 0 {
                wait_for_ever();
            }
            label!("to its end");
        }
    };
    let report = run(&property, Settings::new().tests(20).deadline("100ms"));
    assert_eq!((&report.verdict, report.statistics.valid), (&Verdict::Passed, 20));
    assert_eq!(report.statistics.labels.get("to its end"), Some(&20));
    assert_eq!(slow.into_inner(), 2, "it ran again");
}

#[test]
fn tests_are_cancelled_at_the_time_limit() {
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            if forall::context().index() >= 10 { wait_for_ever() }
        }
    };
    for threads in [1, 3] {
        let report = run(&property, Settings::new().threads(threads).tests(1000).max_time("100ms"));
        assert_eq!((&report.verdict, report.statistics.valid), (&Verdict::Passed, 10), "{threads} threads");
        assert!(report.warnings.iter().any(|warning| warning.to_string().contains("The time limit of 100 ms")));
    }
}

#[test]
fn a_custom_runner_also_stops_at_the_time_limit() {
    let property = property! {
        forall n: u64;
        check {
            let _ = n;
            if forall::context().index() >= 10 { wait_for_ever() }
        }
    };
    for runner in ["targeted", "combinatorial", "constructors"] {
        let report = run(&property, Settings::new().runner(runner).tests(1000).max_time("100ms"));
        assert_eq!((&report.verdict, report.statistics.valid), (&Verdict::Passed, 10), "{runner}");
    }
}

#[test]
fn the_time_limit_does_not_stop_shrinking() {
    // It fails when the time is over already, and is made sure of and shrunk all the same.
    let property = property! {
        forall n: u64;
        check {
            if forall::context().index() >= 3 && *n >= 10 {
                sleep(Duration::from_millis(60));
                forall::context().cancel();
                panic!("too late");
            }
        }
    };
    for threads in [1, 3] {
        let report = run(&property, Settings::new().threads(threads).tests(1000).max_time("50ms"));
        assert_eq!(report.verdict, Verdict::Failed, "{threads} threads");
        assert_eq!(report.counterexample.unwrap().failure.message, "too late");
    }
}
