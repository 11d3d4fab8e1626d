//! The real compiler: programs are compiled, and their servers tested.
//!
//! The compiler is the one that `FUTHARK` names, or `futhark`; `.ci/futhark FOLDER` makes one.

use forall_futhark::programs::{Options, Outcome, test_program};
use std::path::Path;

/// The compiler, if there is one.
fn compiler() -> Option<String> {
    let name = std::env::var("FUTHARK").unwrap_or_else(|_| "futhark".to_owned());
    let answers =
        std::process::Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success());
    answers.then_some(name)
}

/// Tests a program of `programs/` with the real compiler; `None` if there is none.
fn outcome(test: &str, program: &str) -> Option<Outcome> {
    let Some(futhark) = compiler() else {
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{test} needs the compiler futhark");
        eprintln!("SKIPPED {test}: there is no compiler called futhark");
        return None;
    };
    let directory = std::env::temp_dir().join(format!("forall-real-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let source = directory.join(program);
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(program), &source).unwrap();
    let mut options = Options::default();
    options.futhark = futhark;
    options.seed = 7;
    let outcome = test_program(&source, &options);
    std::fs::remove_dir_all(&directory).unwrap();
    Some(outcome)
}

#[test]
fn programs_that_are_right_pass() {
    for program in ["reverse.fut", "sorting.fut", "trailing_zeros.fut", "hashmap.fut"] {
        let Some(outcome) = outcome("programs_that_are_right_pass", program) else { return };
        assert!(outcome.failures.is_empty(), "{program}: {}", outcome.text());
        assert_eq!(outcome.passed, outcome.runs, "{program}");
        assert!(outcome.runs > 0, "{program}");
    }
}

#[test]
fn planted_bugs_are_found_and_made_small() {
    let Some(outcome) = outcome("planted_bugs_are_found_and_made_small", "wrong.fut") else { return };
    let text = outcome.text();
    for expected in [
        "Property sort_loses_nothing (size=10, seed=7) failed",
        "Counterexample: [0i32, 0i32]",
        "Property sum_is_small (size=10, seed=7) failed",
        "Counterexample: [1000i32]",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
