//! Labels, tables, covers and notes: what is counted, and when.

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
fn what_a_discarded_test_said_does_not_count() {
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
fn a_demand_that_is_not_met_is_a_warning_with_the_figures() {
    let property = property! {
        forall n: u64;
        check {
            cover!(90.0, *n == 12_345, "one number");
            cover!(1.0, *n < 1000, "small");
            true
        }
    };
    let report = run(&property);
    assert_eq!(report.verdict, Verdict::Passed);
    assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
    assert!(report.warnings[0].contains("`one number` was covered by 0"), "{:?}", report.warnings);
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
fn outside_of_a_test_the_macros_do_no_harm() {
    note!("nobody hears this");
    label!("nor this");
    cover!(5.0, true, "nor this");
    assume!(true);
    let refused = std::panic::catch_unwind(|| assume!(1 > 2)).unwrap_err();
    assert!(refused.downcast_ref::<String>().unwrap().contains("1 > 2"));
}
