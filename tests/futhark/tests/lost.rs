//! Cases, properties and labels that crash their server or never end: each is reported by name, and the rest of the
//! file is run.

use forall_futhark::programs::{Options, Outcome, test_program};
use std::path::Path;
use std::time::Duration;

fn outcome(test: &str, change: impl Fn(&mut Options)) -> Outcome {
    let directory = std::env::temp_dir().join(format!("forall-lost-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let source = directory.join("lost.fut");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/lost.fut"), &source).unwrap();
    let mut options = Options::default();
    options.futhark = env!("CARGO_BIN_EXE_forall-futhark-tests").to_owned();
    options.seed = 7;
    change(&mut options);
    let outcome = test_program(&source, &options);
    std::fs::remove_dir_all(&directory).unwrap();
    outcome
}

fn one_begins(lines: &[String], with: &str) -> bool {
    lines.iter().any(|line| line.starts_with(with))
}

#[test]
fn a_case_that_ends_its_server_does_not_stop_the_others() {
    let outcome = outcome("rest", |options| {
        options.call_timeout = Duration::from_secs(2);
        options.timeout = Duration::from_secs(60);
    });
    let text = outcome.text();
    for failed in [
        "Entry point: boom; dataset: #1 (\"-1i64\"):\nthe server was lost after `call boom",
        "Entry point: boom; dataset: #2 (\"-2i64\"):\nthe server was lost after `call boom",
        "Entry point: boom; dataset: #3 (\"6i64\"):\n",
        "Property hangs (size=50, seed=7) failed",
        "Property fails (size=50, seed=7) failed",
    ] {
        assert!(one_begins(&outcome.failures, failed), "{failed}: {text}");
    }
    assert_eq!((outcome.runs, outcome.failures.len(), outcome.passed), (9, 6, 3), "{text}");
    assert!(outcome.skipped.is_empty(), "{:?}", outcome.skipped);
}

#[test]
fn a_property_that_never_ends_leaves_time_for_the_others() {
    let outcome = outcome("time", |options| {
        options.call_timeout = Duration::from_secs(3);
        options.timeout = Duration::from_secs(40);
    });
    let hangs = outcome.failures.iter().find(|failure| failure.starts_with("Property hangs ")).unwrap();
    assert!(hangs.contains("\nproperty hangs: the server was lost after `call hangs"), "{hangs}");
    let why = "not shrunk any further: calls that time out take as long each time, and this happened once \
               (a shorter --call-timeout leaves time to retry and shrink)";
    assert!(hangs.contains(why), "{hangs}");
    assert!(hangs.contains("\nThe server was lost once and restarted."), "{hangs}");
    assert!(outcome.failures.iter().any(|failure| failure.contains("\nCounterexample: 1000i64")), "{}", outcome.text());
}

#[test]
fn a_call_that_ran_out_of_time_is_not_a_counterexample() {
    let outcome = outcome("no-time", |options| {
        options.call_timeout = Duration::from_secs(60);
        options.timeout = Duration::from_secs(4);
        options.entry_point = Some("hangs".to_owned());
    });
    let text = outcome.text();
    let begin = "Property hangs (size=50, seed=7): the time limit of this program was reached (--timeout raises it), \
                 during property hangs and the candidate ";
    assert!(one_begins(&outcome.failures, begin), "{text}");
    assert!(!text.contains("Counterexample") && outcome.failed[0].counterexample.is_none(), "{text}");
    assert!(outcome.failed[0].phase.starts_with("property hangs and the candidate"), "{text}");
}

#[test]
fn a_failing_label_does_not_decide_the_property_and_one_that_loses_the_server_fails() {
    let outcome = outcome("label", |options| {
        options.call_timeout = Duration::from_secs(2);
        options.timeout = Duration::from_secs(60);
    });
    let warned = |property: &str, why: &str| {
        let begin = format!(": {property}: label {why}");
        outcome.warnings.iter().any(|warning| warning.contains(&begin))
    };
    assert!(warned("labelled", "bad_label, for property labelled failed:\nError: division by zero"));
    let (_, passed) = outcome.properties.iter().find(|(property, _)| property == "labelled").unwrap();
    assert_eq!((passed.tests, passed.labels.len()), (100, 0));
    let lost = "Property slowly_labelled (size=50, seed=7): it held for 100 candidates, but the server was lost once and no candidate \
                reproduces it, so the property does not pass:\n\
                label slow_label, for property slowly_labelled: the server was lost after `call slow_label";
    let lost = outcome
        .failures
        .iter()
        .find(|failure| failure.starts_with(lost))
        .unwrap_or_else(|| panic!("{}", outcome.text()));
    assert!(lost.ends_with("\n  Later candidates were not labelled."), "{lost}");
}

#[test]
fn skipped_properties_are_named() {
    let outcome = outcome("named", |options| options.timeout = Duration::from_secs(8));
    let text = outcome.text();
    assert!(
        one_begins(&outcome.failures, "Entry point: boom; dataset: #2 (\"-2i64\"):\nthe server was lost"),
        "{text}"
    );
    assert!(one_begins(&outcome.skipped, "Entry point: boom; dataset: #3 (\"6i64\"): not run: "), "{text}");
    for property in ["hangs", "fails", "labelled", "slowly_labelled", "holds"] {
        let left_out = format!("Property {property}: not run: the time limit of this program was reached");
        assert!(one_begins(&outcome.skipped, &left_out), "{:?}", outcome.skipped);
    }
}
