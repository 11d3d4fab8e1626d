//! Corner cases in which a testing tool could report a wrong result; each was found by provoking one here.

use forall::choice::Source;
use forall::generate::any;
use forall::prelude::*;
use forall::property::{Empty, FailureKind, Property, Telescope};
use forall::run::{Example, Report, Run, Settings, Store, Verdict};
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

fn settings() -> Settings {
    Settings::new().seed(1).store(Store::Off)
}

fn run(property: &dyn Property, settings: Settings) -> Report {
    Run::new("corner", property).settings(settings).report()
}

fn shown(report: &Report) -> String {
    let found = report.counterexample.as_ref().unwrap_or_else(|| panic!("{report:?}"));
    found.bindings[0].printed.text().to_owned()
}

#[test]
fn a_discarded_test_misses_no_deadline() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|_| {
        std::thread::sleep(Duration::from_millis(20));
        assume!(false);
    });
    let report = run(&property, settings().tests(2).discard_ratio(2).deadline(Duration::from_millis(5)));
    assert!(matches!(report.verdict, Verdict::GaveUp(_)), "{:?}", report.verdict);
    assert_eq!((report.statistics.valid, report.statistics.discarded), (0, 5));
}

#[test]
fn one_slow_run_misses_no_deadline_and_an_input_that_always_does_is_the_failure() {
    let runs = Cell::new(0u32);
    let property = |reaches: u32| {
        let runs = &runs;
        Empty.forall("n", move |(), s| s.draw(0..reaches)).check(move |(n, ())| {
            runs.set(runs.get() + 1);
            // The machine is slow in some runs; the test itself is slow from 48 on.
            let is_slow = *n >= 48 || runs.get().is_multiple_of(7);
            std::thread::sleep(Duration::from_millis(if is_slow { 60 } else { 0 }));
        })
    };
    for (reaches, exhaustive) in [(48, false), (48, true)] {
        let settings = settings().tests(60).enumerate(exhaustive).deadline("40ms");
        let report = run(&property(reaches), settings);
        assert!(report.verdict.is_success() && report.counterexample.is_none(), "{report:?}");
    }
    let report = run(&property(1000), settings().deadline("40ms"));
    assert_eq!((report.verdict.clone(), shown(&report)), (Verdict::Failed, "48".to_owned()), "{report:?}");
    assert_eq!(report.counterexample.unwrap().failure.kind, FailureKind::Deadline);
}

#[test]
#[ignore = "slow: 11 s"]
fn a_set_with_too_few_distinct_elements_is_reported() {
    let small = forall::generate::btree_set(0..3u8).len(10..20);
    let report = run(&property! { forall s in &small; check s.len() < 20 }, settings());
    let Verdict::GaveUp(why) = &report.verdict else { panic!("{:?}", report.verdict) };
    assert!(
        why.to_string().contains("of `s`")
            && why.to_string().contains("at least 10 elements, but found only 3 distinct elements"),
        "{why}"
    );
}

#[test]
fn names_that_no_command_can_contain_are_rejected() {
    let property = property! { forall n: u64; check *n < 1000 };
    for name in ["", " padded", "a\0b"] {
        let report = Run::new(name, &property).settings(settings()).report();
        assert!(
            matches!(&report.verdict, Verdict::Misconfigured(why) if why.to_string().contains("name")),
            "{:?}",
            report.verdict
        );
    }
    assert_eq!(run(&property, settings()).verdict, Verdict::Failed, "with spaces inside all is well");
}

#[test]
fn draws_of_the_check_from_a_fork_are_replayed_and_shrunk() {
    struct Late(RefCell<Source>);
    let property = Empty
        .forall_opaque("late", |(), s| Late(RefCell::new(s.fork())))
        .check(|(late, ())| late.0.borrow_mut().choice(1_000_000) < 1000);
    let report = run(&property, settings().enumerate(false));
    assert_eq!(report.verdict, Verdict::Failed);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    assert_eq!(report.counterexample.unwrap().case.sequence.values().collect::<Vec<_>>(), [1000]);
}

#[test]
fn a_fork_that_gives_up_discards_the_test() {
    struct Late(RefCell<Source>);
    let property = Empty.forall_opaque("late", |(), s| Late(RefCell::new(s.fork()))).check(|(late, ())| {
        let mut source = late.0.borrow_mut();
        if source.choice(1) == 0 {
            source.reject();
        }
    });
    let report = run(&property, settings().enumerate(false));
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.statistics.discarded > 50);
}

#[test]
fn error_types_with_different_names_are_different_bugs() {
    #[derive(Debug)]
    #[expect(dead_code, reason = "shown by Debug")]
    enum Trouble {
        Large { by: u64 },
        Small(u64),
    }
    let property = property! {
        forall n: u64;
        check match *n {
            0..10 => Ok(()),
            10..20 => Err(Trouble::Small(*n)),
            20..1000 => Ok(()),
            _ => Err(Trouble::Large { by: n - 1000 }),
        }
    };
    for seed in 0..30 {
        let report = run(&property, settings().seed(seed));
        let found = report.counterexample.as_ref().unwrap();
        assert_eq!(found.failure.kind, FailureKind::Error);
        let wanted = if found.failure.message.contains("Large") { "1000" } else { "10" };
        assert_eq!(shown(&report), wanted);
    }
}

#[test]
fn a_nested_property_fails_like_an_assertion() {
    let outer = property! {
        forall limit in 0..1000u32;
        check {
            let inner = property! { forall n in 0..=*limit; check *n < 500 };
            Run::new("inner", &inner).settings(Settings::new().seed(1).store(Store::Off)).test();
        }
    };
    let report = run(&outer, settings());
    assert_eq!(report.verdict, Verdict::Failed, "{:?}", report.counterexample);
    let found = report.counterexample.unwrap();
    assert!(found.failure.message.contains("FAILED inner"), "{}", found.failure.message);
    assert!(found.failure.location.is_some());
}

#[test]
fn a_short_run_does_not_spend_its_time_counting_the_domain() {
    let pairs = property! { forall a: u8; forall b: u8; check a.max(b) >= a };
    // In one second, 65,536 inputs are too many to enumerate; 256 are always few enough.
    let report = run(&pairs, settings().tests(u64::MAX).max_time("1s"));
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.statistics.valid > 100, "{}", report.statistics.valid);
    let bytes = property! { forall a: u8; check a.count_ones() <= 8 };
    let report = run(&bytes, settings().tests(u64::MAX).max_time("500ms"));
    assert!(matches!(report.verdict, Verdict::Exhausted { inputs: 256, .. }), "{:?}", report.verdict);
}

#[test]
fn as_many_tests_as_there_are_numbers_are_cut_by_the_time_budget() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|_| true);
    let report = run(&property, settings().tests(u64::MAX).max_time("1200ms"));
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.statistics.valid > 1000);
}

#[test]
#[ignore = "slow: 2 s"]
fn the_time_budget_applies_to_exhaustive_runs_and_to_slowing_tests() {
    let every = Empty.forall("n", |(), s| s.draw(any::<u8>())).check(|_| std::thread::sleep(Duration::from_millis(20)));
    let report = run(&every, settings().max_time("100ms"));
    assert_eq!(report.verdict, Verdict::Passed, "not exhausted");
    assert!(report.statistics.valid < 50, "{}", report.statistics.valid);
    let slower = Empty.forall("n", |(), s| (s.size(), s.draw(any::<u64>()))).check(|((size, _), ())| {
        if *size > 1 {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    let started = Instant::now();
    run(&slower, settings().tests(100_000).max_time("300ms"));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[test]
fn attributing_discards_to_clauses_runs_no_body_and_counts_no_label() {
    let bodies = Cell::new(0);
    let property = property! {
        forall n: u64;
        implies n % 1_000_003 == 999_999;
        check {
            label!("valid");
            bodies.set(bodies.get() + 1);
        }
    };
    let report = run(&property, settings().tests(50));
    let Verdict::GaveUp(text) = &report.verdict else { panic!("{:?}", report.verdict) };
    assert!(text.to_string().contains("`n % 1_000_003 == 999_999`"), "{text}");
    assert_eq!(bodies.get(), report.statistics.valid);
    assert_eq!(report.statistics.labels.get("valid").copied().unwrap_or(0), report.statistics.valid);
}

#[test]
fn a_generator_without_a_value_is_named_when_the_run_gives_up() {
    let nothing = from_fn(|s| s.reject_now());
    let property = Empty.forall_opaque("nothing", |(), s| -> u8 { s.draw(&nothing) }).check(|_| true);
    let Verdict::GaveUp(text) = run(&property, settings()).verdict else { panic!("gave up") };
    assert!(text.to_string().contains("`nothing`"), "{text}");
}

#[test]
fn a_coverage_requirement_counts_each_test_once() {
    let property = property! {
        forall n: u64;
        check {
            cover!(10.0, true, "always");
            cover!(10.0, *n > 0, "always");
        }
    };
    let report = run(&property, settings());
    assert_eq!(report.statistics.covers.get("always").unwrap().hits, 256);
}

#[test]
fn labels_of_examples_and_of_the_failing_test_do_not_count() {
    let property = property! {
        forall n: u8;
        check {
            label!("test");
            assert!(*n < 5);
        }
    };
    let example = Example {
        bindings: &[],
        run: || {
            label!("test");
            forall::property::Outcome::Pass
        },
    };
    let report = Run::new("corner", &property).settings(settings()).examples(&[example]).report();
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!((report.statistics.labels.get("test").copied(), report.statistics.valid), (Some(1), 1));
}

#[test]
fn a_discarded_example_is_reported() {
    let property = property! { forall n: u8; check n.count_ones() <= 8 };
    let example = Example { bindings: &[], run: || forall::property::Outcome::Discard };
    let report = Run::new("corner", &property).settings(settings()).examples(&[example]).report();
    assert!(report.warnings[0].to_string().contains("example 1"), "{:?}", report.warnings);
}

#[test]
fn an_invalid_duration_is_rejected_before_anything_runs() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|_| true);
    for wrong in [settings().max_time("10 secs"), settings().deadline("soon"), settings().timeout("1s")] {
        let report = run(&property, wrong);
        assert!(matches!(report.verdict, Verdict::Misconfigured(_)), "{:?}", report.verdict);
        assert_eq!(report.statistics.valid, 0);
    }
}

#[test]
fn a_run_without_time_for_one_test_reports_the_time_limit() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).implies(|(n, ())| n % 2 == 0).check(|_| true);
    let report = Run::new("no time", &property).settings(Settings::new().store(Store::Off).max_time("0s")).report();
    let Verdict::GaveUp(text) = report.verdict else { panic!("gave up, not {:?}", report.verdict) };
    assert!(text.to_string().contains("after 0 of 256 tests") && !text.to_string().contains("discarded"), "{text}");
}

#[test]
fn a_run_that_is_cancelled_ends() {
    let property = Empty.forall("n", |(), s| s.draw(any::<u64>())).check(|_| forall::context().cancel());
    let report = run(&property, settings().tests(1_000_000));
    assert!(report.statistics.valid < 10_000, "{}", report.statistics.valid);
}

#[test]
fn a_drop_that_panics_is_a_failure_of_the_test_not_of_the_generator() {
    struct Rude(u64);
    impl Drop for Rude {
        fn drop(&mut self) {
            assert!(self.0 < 1000 || std::thread::panicking(), "rude");
        }
    }
    let property = Empty.forall_opaque("rude", |(), s| Rude(s.draw(any::<u64>()))).check(|_| true);
    let report = run(&property, settings());
    assert_eq!(report.verdict, Verdict::Failed, "{report:?}");
    assert_eq!(report.counterexample.unwrap().failure.message, "rude");
}

#[test]
fn commands_name_the_package_and_the_test_that_ran() {
    let property = property! { forall n: u64; check *n < 1000 };
    let report = run(&property, settings());
    let text = forall::report::render(&report, &forall::report::Style::plain());
    assert!(
        text.contains("cargo test -p forall-tests corners::commands_name_the_package_and_the_test_that_ran\n"),
        "{text}"
    );
}
