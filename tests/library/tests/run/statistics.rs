//! Labels, tables, coverage requirements and notes, and when they are counted.

use forall::prelude::*;
use forall::property::Property;
use forall::run::{Report, Run, Settings, Store, Verdict};

fn run(property: &dyn Property) -> Report {
    Run::new("statistics", property).settings(Settings::new().seed(1).tests(200).store(Store::Off)).report()
}

#[test]
fn every_valid_test_counts_once_for_each_of_its_labels() {
    let property = property! {
        forall n: u64;
        check {
            label!("any");
            label!("any");
            classify!(n % 2 == 0, "even");
            true
        }
    };
    let statistics = run(&property).statistics;
    assert_eq!(statistics.labels["any"], 200);
    assert!((40..160).contains(&statistics.labels["even"]), "{statistics:?}");
}

#[test]
fn labels_of_discarded_tests_do_not_count() {
    let by_body = property! {
        forall n: u64;
        check {
            label!("seen");
            assume!(n % 2 == 0);
            label!("even");
            true
        }
    };
    let statistics = run(&by_body).statistics;
    assert_eq!((statistics.labels["seen"], statistics.labels["even"], statistics.valid), (200, 200, 200));
    let by_generator = property! {
        forall n in from_fn(|s| {
            let n = s.draw(any::<u64>());
            label!("drawn");
            n
        });
        implies n % 2 == 0;
        check true
    };
    assert_eq!(run(&by_generator).statistics.labels["drawn"], 200);
}

#[test]
fn collected_values_and_tables_are_counted_by_row() {
    let property = property! {
        forall n in 0..1_000_000u32;
        check {
            collect!(n % 3);
            tabulate!("digits", n.to_string().len());
            true
        }
    };
    let statistics = run(&property).statistics;
    let digits = &statistics.tables["digits"];
    assert_eq!(digits.values().sum::<u64>(), 200);
    assert!(digits.keys().all(|row| (1..=6).contains(&row.parse::<u32>().unwrap())));
    let collected: u64 = statistics.tables.values().chain([&statistics.labels]).flat_map(|rows| rows.values()).sum();
    assert_eq!(collected, 400);
}

#[test]
fn an_unmet_requirement_fails_with_the_figures_and_the_confidence() {
    let property = property! {
        forall n: u64;
        check {
            cover!(90.0, *n == 12_345, "one number");
            cover!(1.0, *n < 1000, "small");
            true
        }
    };
    let report = run(&property);
    let Verdict::Uncovered(why) = &report.verdict else { panic!("{:?}", report.verdict) };
    assert!(why.to_string().contains("0.0 % of 200 tests covered `one number`, but 90 % is required"), "{why}");
    assert!(
        why.to_string().contains("between 0.0 % and 15.7 %, with an error probability of one in a billion"),
        "{why}"
    );
    assert_eq!(report.warnings, []);
}

/// A number is below `limit` with a chance of `limit` in ten thousand.
fn demanding(percent: f64, limit: u32) -> impl Property + Sync {
    property! {
        move forall n in from_fn(|s| s.choice(9_999) as u32);
        check {
            cover!(percent, *n < limit, "below");
        }
    }
}

#[test]
fn a_run_continues_until_its_requirements_are_decided() {
    let sure = |percent, limit| {
        let settings = Settings::new().seed(1).tests(200).enumerate(false).store(Store::Off);
        let report = Run::new("sure", &demanding(percent, limit)).settings(settings).report();
        (report.verdict, report.statistics.valid, report.warnings.len())
    };
    // Far above the requirement: the requested number of tests is enough.
    assert_eq!(sure(20.0, 8000), (Verdict::Passed, 200, 0));
    // Exactly the requirement: distinguishing it from nine tenths takes many tests.
    let (verdict, tests, warnings) = sure(20.0, 2000);
    assert_eq!((verdict, warnings), (Verdict::Passed, 0));
    assert!((3_200..200_000).contains(&tests) && (tests / 200).is_power_of_two(), "{tests}");
    // Too little.
    let (verdict, tests, _) = sure(20.0, 1500);
    assert!(matches!(verdict, Verdict::Uncovered(_)) && tests > 200, "{verdict:?} after {tests}");
}

#[test]
fn an_extended_run_gives_the_same_report_on_any_number_of_threads() {
    let of = |threads| {
        let settings = Settings::new().seed(3).tests(200).enumerate(false).store(Store::Off).threads(threads);
        let report = Run::parallel("sure", &demanding(20.0, 2000)).settings(settings).report();
        (report.verdict, report.statistics)
    };
    assert_eq!(of(1), of(3));
}

#[test]
fn a_failure_is_found_and_replayed_in_an_extended_run() {
    let property = property! {
        forall n in 0..10_000u32;
        check {
            cover!(20.0, *n < 2000, "below");
            *n != 9_999
        }
    };
    let settings = Settings::new().seed(2).tests(100).enumerate(false).store(Store::Off);
    let report = Run::new("rare", &property).settings(settings).report();
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(report.counterexample.expect("it failed").bindings[0].printed.text(), "9999");
}

#[test]
fn a_time_limit_ends_an_undecided_run_with_a_warning() {
    let settings = Settings::new().seed(1).tests(10).enumerate(false).store(Store::Off).max_time("1ms");
    let property = property! {
        forall n in 0..1000u32;
        check {
            cover!(50.0, *n < 500, "half");
            std::thread::sleep(std::time::Duration::from_micros(100));
        }
    };
    let report = Run::new("hasty", &property).settings(settings).report();
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(
        report.warnings.iter().any(|warning| warning.to_string().contains("too few tests to decide")),
        "{:?}",
        report.warnings
    );
}

#[test]
fn where_all_inputs_are_tried_they_are_counted() {
    let verdict = |percent: f64| {
        let property = property! { forall n in 0..10u32; check { cover!(percent, *n < 5, "low"); } };
        run(&property).verdict
    };
    assert!(verdict(50.0).is_success());
    let Verdict::Uncovered(why) = verdict(51.0) else { panic!("five of ten are not 51 %") };
    assert!(why.to_string().contains("All inputs were tested."), "{why}");
}

#[test]
fn each_label_has_a_minimal_example() {
    let property = property! {
        forall xs: Vec<i32>;
        check {
            assume!(xs.len() != 2);
            classify!(xs.iter().any(|x| *x < 0), "negative");
            classify!(xs.len() > 3, "long");
            cover!(1.0, xs.contains(&0), "zero");
            collect!(!xs.is_empty());
            assert!(xs.len() < 90, "tests that fail bear no label");
        }
    };
    let examples = forall::run::labelled_examples(&property);
    let shown: Vec<(&str, &str)> =
        examples.iter().map(|example| (&*example.label, example.bindings[0].printed.text())).collect();
    assert_eq!(
        shown,
        [
            ("false", "vec![]"),
            ("long", "vec![0, 0, 0, 0]"),
            ("negative", "vec![-1]"),
            ("true", "vec![0]"),
            ("zero", "vec![0]")
        ]
    );
    assert!(examples.iter().all(|example| example.tests > 0));
}

#[test]
fn labels_of_shrinking_and_replay_do_not_count() {
    let property = property! {
        forall n: u64;
        check {
            label!("run");
            *n < 1_000_000
        }
    };
    let report = run(&property);
    assert_eq!(report.verdict, Verdict::Failed);
    assert_eq!(report.statistics.labels.get("run").copied().unwrap_or(0), report.statistics.valid);
}

#[test]
fn notes_are_those_of_the_run_that_is_shown() {
    let property = property! {
        forall n: u64;
        check {
            note!("n is {n}");
            *n < 1000
        }
    };
    assert_eq!(run(&property).counterexample.unwrap().notes, ["n is 1000"]);
}

#[test]
fn the_macros_do_nothing_outside_of_a_test() {
    note!("nobody hears this");
    label!("nor this");
    cover!(5.0, true, "nor this");
    assume!(true);
    let refused = std::panic::catch_unwind(|| assume!(1 > 2)).unwrap_err();
    assert!(refused.downcast_ref::<String>().unwrap().contains("1 > 2"));
}

#[test]
fn a_requirement_of_100_percent_is_met_by_every_test() {
    let property = property! { forall n: u64; check { cover!(100, true, "always"); let _ = n; } };
    for tests in [256, 300, 1024, 2000] {
        let settings = Settings::new().seed(1).tests(tests).store(Store::Off);
        assert_eq!(Run::new("always", &property).settings(settings).report().verdict, Verdict::Passed, "{tests}");
    }
}

#[test]
fn of_two_requirements_with_the_same_name_the_higher_applies() {
    let property = property! {
        forall n in 0..1_000_000u32;
        check { cover!(1.0, *n < 200_000, "low"); cover!(90.0, *n < 300_000, "low"); }
    };
    assert!(matches!(run(&property).verdict, Verdict::Uncovered(why) if why.to_string().contains("90 %")));
}

#[test]
fn an_invalid_demand_is_reported_with_its_location() {
    for percent in [f64::NAN, -1.0, 120.0] {
        let property = property! { forall n: u64; check { cover!(percent, *n > 0, "some"); } };
        let failure = run(&property).counterexample.unwrap().failure;
        assert!(failure.message.contains(" % of the tests; use a number from 0 to 100"), "{}", failure.message);
        assert!(failure.location.unwrap().file.ends_with("statistics.rs"));
    }
}
