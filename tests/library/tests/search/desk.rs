//! Exploring by default, in interactive runs only. Each run has a process of its own: the environment and the time for exploring
//! belong to a process.

use crate::not_in_ci::not_in_ci;
use forall::prelude::*;
use forall::run::{Report, Run, Settings, Store};
use std::process::Command;

/// The variable that selects the builder's settings in the child process.
const BUILDER: &str = "DESK_BUILDER";

/// On a busy machine, few runs take less than the 10 ms after which a run does not explore.
const ATTEMPTS: usize = 200;

/// Run by the tests below, in processes of their own: prints whether one of many equal runs explored.
#[test]
#[ignore = "tests below run it"]
fn explores() {
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    let settings = || match std::env::var(BUILDER).as_deref() {
        Ok("seed") => Settings::new().seed(7),
        Ok("tests") => Settings::new().tests(256),
        Ok("max_time") => Settings::new().max_time("100s"),
        Ok("deadline") => Settings::new().deadline("100s"),
        Ok("isolate") => Settings::new().isolate(true),
        Ok("extra_time") => Settings::new().extra_time("1ms"),
        Ok("off") => Settings::new().extra_time("0s"),
        _ => Settings::new(),
    };
    // Processes of isolated tests take a while to start.
    let attempts = if settings().isolate { 3 } else { ATTEMPTS };
    let run = |_| Run::new("desk", &property).settings(settings()).report();
    let explored = |report: &Report| {
        assert!(report.verdict.is_success(), "{:?}", report.verdict);
        report.statistics.explored.valid
    };
    let most = (0..attempts).map(run).map(|report| explored(&report)).find(|explored| *explored > 0);
    println!("explored {}.", if most.is_some() { "more tests" } else { "nothing" });
}

#[track_caller]
fn explored(variables: &[(&str, &str)]) -> bool {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "desk::explores", "--ignored", "--nocapture"]);
    not_in_ci(&mut command);
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("FORALL_")) {
            command.env_remove(name);
        }
    }
    command.env("FORALL_STORE", "off").envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let (more, nothing) = (text.contains("explored more tests."), text.contains("explored nothing."));
    assert!(output.status.success() && more != nothing, "{variables:?}: {text}");
    more
}

#[test]
fn an_interactive_run_explores_by_default() {
    assert!(explored(&[]));
    assert!(explored(&[("CI", "false")]));
}

#[test]
fn runs_in_ci_and_runs_with_set_limits_do_not_explore_by_default() {
    for variable in [
        ("CI", "true"),
        ("GITHUB_ACTIONS", "true"),
        ("FORALL_TESTS", "256"),
        ("FORALL_TESTS", "x1"),
        ("FORALL_SEED", "7"),
        ("FORALL_MAX_TIME", "100s"),
        ("FORALL_DEADLINE", "100s"),
        ("FORALL_SHARD", "1/1"),
        ("FORALL_EXTRA_TIME", "off"),
        (BUILDER, "seed"),
        (BUILDER, "tests"),
        (BUILDER, "max_time"),
        (BUILDER, "deadline"),
        (BUILDER, "off"),
    ] {
        assert!(!explored(&[variable]), "{variable:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn isolated_runs_do_not_explore_by_default() {
    assert!(!explored(&[(BUILDER, "isolate")]));
}

#[test]
fn requests_do_not_explore() {
    let fails = property! { forall n: u64; check *n < 1000 };
    let settings = Settings::new().seed(7).store(Store::Off).shrink_evaluations(0).explain(0);
    let case = Run::new("fails", &fails).settings(settings).report().counterexample.unwrap().case;
    let replay = case.to_text();
    for request in [format!("replay desk {replay}"), "run desk 0..3".to_owned()] {
        assert!(!explored(&[("FORALL_DO", &request)]), "{request}");
    }
}

#[test]
fn a_set_extra_time_applies_in_ci_and_beside_other_settings() {
    let in_ci = ("CI", "true");
    for variable in [("FORALL_EXTRA_TIME", "1ms"), (BUILDER, "extra_time")] {
        assert!(explored(&[in_ci, variable]), "{variable:?}");
    }
    for variable in [("FORALL_SEED", "7"), ("FORALL_TESTS", "20"), ("FORALL_SHARD", "2/3"), ("FORALL_DEADLINE", "100s")]
    {
        assert!(explored(&[in_ci, ("FORALL_EXTRA_TIME", "1ms"), variable]), "{variable:?}");
    }
}
