//! Attempts of a test runner: a retry replays what an attempt before it found, and has its seed, so that it hides no bug. Runs of
//! a stress test differ from each other.

use crate::not_in_ci::not_in_ci;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Run by the tests below, in processes of their own.
#[forall::test]
#[ignore = "tests below run it"]
fn fails(n: u64) {
    assert!(n < 1000, "seed {}", forall::context().seed());
}

#[forall::test(tests = 1)]
#[ignore = "tests below run it"]
fn prints_its_seed(n: u64) {
    println!("n {n} seed {}.", forall::context().seed());
}

fn attempt(test: &str, store: &str, variables: &[(&str, &str)]) -> (bool, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("retries::{test}"), "--ignored", "--nocapture"]);
    not_in_ci(&mut command);
    for name in ["NEXTEST_RUN_ID", "NEXTEST_ATTEMPT", "NEXTEST_STRESS_CURRENT", "FORALL_SEED"] {
        command.env_remove(name);
    }
    command.env("FORALL_STORE", store).envs(variables.iter().copied());
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.success(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_retry_replays_the_failure_of_an_earlier_attempt() {
    let store = Scratch(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("retries-{}", std::process::id())));
    let store = store.0.to_str().unwrap();
    let nextest = |attempt| [("NEXTEST_RUN_ID", "one"), ("NEXTEST_ATTEMPT", attempt)];
    let (passed, text) = attempt("fails", store, &nextest("1"));
    assert!(!passed && text.contains("found:    "), "{text}");
    for retry in ["2", "3"] {
        let (passed, text) = attempt("fails", store, &nextest(retry));
        assert!(!passed && text.contains("let n: u64 = 1000;") && !text.contains("found:    "), "{text}");
    }
}

#[test]
fn attempts_have_one_seed_and_stress_runs_have_many() {
    let seed = |variables: &[(&str, &str)]| {
        let (passed, text) = attempt("prints_its_seed", "off", variables);
        assert!(passed, "{text}");
        text.split("seed ").nth(1).and_then(|rest| rest.split('.').next()).expect("it says its seed").to_owned()
    };
    let first = seed(&[("NEXTEST_RUN_ID", "one"), ("NEXTEST_ATTEMPT", "1")]);
    assert_eq!(seed(&[("NEXTEST_RUN_ID", "one"), ("NEXTEST_ATTEMPT", "2")]), first);
    assert_ne!(seed(&[("NEXTEST_RUN_ID", "two"), ("NEXTEST_ATTEMPT", "1")]), first);
    assert_ne!(seed(&[("NEXTEST_RUN_ID", "one"), ("NEXTEST_STRESS_CURRENT", "1")]), first);
    assert_ne!(seed(&[]), seed(&[]), "without a runner each run has a seed of its own");
    let in_ci = seed(&[("CI", "1")]);
    assert_eq!(seed(&[("TEAMCITY_VERSION", "2026.1")]), in_ci, "services that do not set `CI` are recognised as well");
    assert_ne!(seed(&[("TEAMCITY_VERSION", "2026.1"), ("CI", "false")]), in_ci);
    assert_eq!(seed(&[("CI", "1"), ("NEXTEST_RUN_ID", "one"), ("NEXTEST_STRESS_CURRENT", "none")]), in_ci);
    // A stress run in CI should test other inputs.
    assert_ne!(seed(&[("CI", "1"), ("NEXTEST_STRESS_CURRENT", "3")]), in_ci);
}
