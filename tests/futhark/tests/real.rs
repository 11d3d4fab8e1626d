//! Tests with the real compiler: programs are compiled, and their servers tested.
//!
//! `FUTHARK` names the compiler; the default is `futhark`. `.ci/futhark FOLDER` installs one.

use forall_futhark::programs::{Options, Outcome, test_program};
use std::path::Path;
use std::time::Duration;

/// Returns the compiler, if there is one.
fn compiler() -> Option<String> {
    let name = std::env::var("FUTHARK").unwrap_or_else(|_| "futhark".to_owned());
    let answers =
        std::process::Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success());
    answers.then_some(name)
}

/// Tests a program of `programs/` with the real compiler; `None` if there is none.
fn outcome(test: &str, program: &str) -> Option<Outcome> {
    outcome_with(test, program, |_| {})
}

fn outcome_with(test: &str, program: &str, change: impl Fn(&mut Options)) -> Option<Outcome> {
    let Some(futhark) = compiler() else {
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none(), "{test} needs the compiler futhark");
        eprintln!("SKIPPED {test}: there is no compiler called futhark");
        return None;
    };
    let directory = std::env::temp_dir().join(format!("forall-real-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let source = directory.join(program);
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(program), &source).unwrap();
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../forall-futhark/futhark/lib/forall");
    std::fs::create_dir_all(directory.join("lib/forall")).unwrap();
    for file in ["generate.fut", "shrink.fut"] {
        std::fs::copy(library.join(file), directory.join("lib/forall").join(file)).unwrap();
    }
    let tables = "type~ table = ?[n].{keys: [n]i64, vals: [n]i32}\ndef width : i64 = 3\n";
    std::fs::write(directory.join("lib/tables.fut"), tables).unwrap();
    std::fs::write(directory.join("numbers.in"), "[10i64, 20i64, 30i64]").unwrap();
    let packed = std::process::Command::new("gzip").args(["-k", "numbers.in"]).current_dir(&directory).status();
    assert!(packed.is_ok_and(|status| status.success()), "gzip is needed");
    let mut options = Options::default();
    options.futhark = futhark;
    options.seed = 7;
    // Generous time limits: the machine may be busy, and the results must not depend on that.
    options.shrink_time = Some(Duration::from_secs(600));
    options.timeout = Duration::from_secs(900);
    change(&mut options);
    let outcome = test_program(&source, &options);
    std::fs::remove_dir_all(&directory).unwrap();
    Some(outcome)
}

#[test]
#[ignore = "slow: 10 s"]
fn programs_that_are_right_pass() {
    for program in ["reverse.fut", "sorting.fut", "trailing_zeros.fut", "hashmap.fut", "scripts.fut", "steady.fut"] {
        let Some(outcome) = outcome("programs_that_are_right_pass", program) else { return };
        assert!(outcome.failures.is_empty(), "{program}: {}", outcome.text());
        assert_eq!(outcome.passed, outcome.runs, "{program}");
        assert!(outcome.runs > 0, "{program}");
    }
}

#[test]
#[ignore = "slow: 10 s"]
fn planted_bugs_are_found_and_shrunk() {
    let Some(outcome) = outcome("planted_bugs_are_found_and_shrunk", "wrong.fut") else { return };
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

fn all_are_in(text: &str, expected: &[&str]) {
    for expected in expected {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
#[ignore = "slow: 10 s"]
fn bugs_beyond_futhark_test_are_found_and_shrunk() {
    let Some(outcome) = outcome("bugs_beyond_futhark_test_are_found_and_shrunk", "ours.fut") else { return };
    let text = outcome.text();
    assert_eq!((outcome.runs, outcome.passed), (10, 4), "{text}");
    all_are_in(
        &text,
        &[
            "Counterexample: 5i32 [0u8, 0u8]",
            "Property at_most_nine (size=50, seed=7) failed",
            "Counterexample: [50i64]",
            "Counterexample: 17i32",
            "Counterexample: [0i32, 1i32, 1i32]",
            "Counterexample: 1 command, from size=1 and seed=0\n  1. jump",
            "The final states differ:\nmodel:  2i64\nsystem: 1i64",
            "Property ring_is_a_queue (size=50, seed=7) failed",
            "Counterexample: 9 commands\n  1. 0i32",
        ],
    );
    let tables = outcome.properties.iter().find(|(name, _)| name == "tables_fit").unwrap();
    assert!(tables.1.statistics[0].starts_with(".keys: length 0 to "), "{:?}", tables.1);
}

#[test]
#[ignore = "slow: 10 s"]
fn sizes_that_types_relate_are_held_to() {
    let Some(outcome) = outcome("sizes_that_types_relate_are_held_to", "sizes.fut") else { return };
    let text = outcome.text();
    let passed = ["one_longer", "always_three_hundred", "twice_as_wide", "tables_fit", "counts_agree"];
    assert_eq!(outcome.succeeded, passed, "{text}");
    all_are_in(
        &text,
        &[
            "Counterexample: {keys = [0i64], vals = [7i32]}",
            "property made_wrongly with a candidate of size=1",
            "Counterexample: 5i64 [0i32, 0i32, 0i32, 0i32, 0i32]",
            "Counterexample: [0u8, 0u8, 0u8, 0u8] [0u8, 0u8]",
            "Counterexample: {borders = [0i32, 0i32, 0i32, 0i32], cells = [0i32, 0i32, 9i32]}",
            "Counterexample: {borders = [0i32, 0i32, 0i32, 20i32], cells = [0i32, 0i32, 0i32]}",
            "Property too_many (size=50, seed=7): its type has arrays of 1000000000 elements",
            "Property computed_elsewhere (size=50, seed=7): the size `next 3` in its type is not supported; give it a gen(..)",
        ],
    );
    assert_eq!(text.matches("invalid sizes").count(), 1, "only of what the program made itself: {text}");
}

#[test]
#[ignore = "slow: 10 s"]
fn warnings_are_expected_as_futhark_test_does() {
    let Some(outcome) = outcome("warnings_are_expected_as_futhark_test_does", "warnings.fut") else { return };
    let expected = "Expected warning:\n  nothing of the kind\nGot warnings:\n";
    assert_eq!((outcome.failures.len(), outcome.passed), (1, 1), "{}", outcome.text());
    assert!(outcome.failures[0].starts_with(expected), "{}", outcome.text());
    assert!(outcome.failures[0].contains("Unmatched") || outcome.failures[0].contains("arning"), "{}", outcome.text());
}

#[test]
#[ignore = "slow: 10 s"]
fn automatic_outputs_are_those_of_sequential_c() {
    let test = "automatic_outputs_are_those_of_sequential_c";
    let multicore = |options: &mut Options| options.backend = "multicore".to_owned();
    let Some(outcome) = outcome_with(test, "automatic.fut", multicore) else { return };
    assert_eq!((outcome.runs, outcome.passed), (2, 2), "{}", outcome.text());
    // A compiler with an incorrect second backend.
    let script = std::env::temp_dir().join(format!("forall-wrong-backend-{}", std::process::id()));
    let real = compiler().unwrap();
    let text = format!(
        "#!/bin/sh\nfor last; do :; done\nif [ \"$1\" != c ]; then sed -i 's/x + 1/x + 2/' \"$last\"; else sed -i 's/x + 2/x + 1/' \"$last\"; fi\nexec {real} \"$@\"\n"
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let wrong = |options: &mut Options| {
        multicore(options);
        options.futhark = script.display().to_string();
    };
    let outcome = outcome_with(test, "automatic.fut", wrong).unwrap();
    std::fs::remove_file(&script).unwrap();
    assert_eq!(outcome.passed, 0, "{}", outcome.text());
    all_are_in(&outcome.text(), &["do not match:\nValue #0: expected 8, got 9", "Value #0 index [0]: expected"]);
}

#[test]
#[ignore = "slow: 10 s"]
fn entry_points_are_found_without_blanks_after_their_names() {
    let test = "entry_points_are_found_without_blanks_after_their_names";
    let Some(outcome) = outcome(test, "dense.fut") else { return };
    assert_eq!((outcome.runs, outcome.passed), (3, 3), "{}", outcome.text());
}

#[test]
#[ignore = "slow: 10 s"]
fn the_library_of_generators_and_shrinkers_works() {
    let Some(outcome) = outcome("the_library_of_generators_and_shrinkers_works", "combinators.fut") else { return };
    let text = outcome.text();
    assert_eq!((outcome.runs, outcome.passed), (6, 4), "{text}");
    all_are_in(&text, &["Counterexample: (0i32, [10i64])", "Counterexample: 1000i64"]);
}

#[test]
#[ignore = "slow: 10 s"]
fn shrinkers_of_the_program_do_not_overrun_the_server() {
    let Some(outcome) = outcome("shrinkers_of_the_program_do_not_overrun_the_server", "shrinkers.fut") else { return };
    let text = outcome.text();
    let smallest = ["[0i32, 0i32]", "[1000i32, 1000i32]", "[0i32] [0i32]"];
    for (property, smallest) in ["by_tactics", "by_chance", "of_a_pair"].iter().zip(smallest) {
        let expected =
            format!("Property {property} (size=50, seed=7) failed after 1 test:\nCounterexample: {smallest}\n");
        assert!(format!("{text}\n").contains(&expected), "{expected}: {text}");
    }
    assert!(!text.contains("lost") && !text.contains("was given up"), "{text}");
}

#[test]
#[ignore = "slow: 10 s"]
fn coverage_finds_bugs_that_random_testing_misses() {
    let test = "coverage_finds_bugs_that_random_testing_misses";
    let more = |options: &mut Options| options.tests = 20_000;
    let Some(by_chance) = outcome_with(test, "narrow.fut", more) else { return };
    assert_eq!(by_chance.passed, 1, "{}", by_chance.text());
    let guided = |options: &mut Options| (options.tests, options.coverage) = (20_000, true);
    let found = || outcome_with(test, "narrow.fut", guided).map(|outcome| outcome.text());
    let Some(first) = found() else { return };
    all_are_in(
        &first,
        &["Property reaches_the_end (size=50, seed=7) failed", "Counterexample: [7u8, 19u8, 23u8, 30u8]"],
    );
    assert_eq!(Some(first), found(), "coverage is the same in each run");
}

#[test]
#[ignore = "slow: 40 s"]
fn coverage_finds_conditions_on_parts_of_a_number() {
    let test = "coverage_finds_conditions_on_parts_of_a_number";
    let guided = |options: &mut Options| (options.tests, options.coverage) = (100_000, true);
    let Some(outcome) = outcome_with(test, "conditions.fut", guided) else { return };
    let text = outcome.text();
    // 77 + 256 * 99 + 65536 * 33
    all_are_in(&text, &["Property nested (size=50, seed=7) failed", "Property at_once (size=50, seed=7) failed"]);
    assert_eq!(text.matches("Counterexample: 2188109u32").count(), 2, "{text}");
}

#[test]
#[ignore = "slow: 10 s"]
fn coverage_that_does_not_help_is_reported() {
    let guided = |options: &mut Options| (options.tests, options.coverage) = (200, true);
    let Some(outcome) = outcome_with("coverage_that_does_not_help_is_reported", "reverse.fut", guided) else { return };
    assert!(outcome.failures.is_empty(), "{}", outcome.text());
    for (name, passed) in &outcome.properties {
        let line = passed.statistics.last().unwrap();
        assert!(
            line.starts_with("coverage: ") && line.contains(" features, the last new one at candidate "),
            "{name}: {line}"
        );
    }
}

/// Status shrinkers, cycling shrinkers, a time budget for shrinking, labels and conditions. The libraries of generators
/// and shrinkers, systems with state, and coverage have separate tests in this file; JSON, JUnit and the Python backend
/// are tested in `cargo-forall`.
#[test]
#[ignore = "slow: 10 s"]
fn future_work_of_the_paper_is_implemented() {
    let test = "future_work_of_the_paper_is_implemented";
    let Some(outcome) = outcome(test, "future.fut") else { return };
    let text = outcome.text();
    all_are_in(
        &text,
        &[
            "Property status (size=50, seed=7) failed after 1 test:\nCounterexample: 1000i64",
            "Property cycling (size=50, seed=7) failed after 1 test:\nCounterexample: ",
            "\nnote: shrinker circle cycles: ",
        ],
    );
    let cycling = text.split("Property cycling").nth(1).unwrap().split("Counterexample: ").nth(1).unwrap();
    assert!(["5i64", "6i64", "7i64"].iter().any(|number| cycling.starts_with(number)), "{text}");
    assert_eq!(outcome.succeeded, ["labelled", "valid_only"], "{text}");
    let passed = |name: &str| &outcome.properties.iter().find(|(property, _)| property == name).unwrap().1;
    let mut labels: Vec<&str> = passed("labelled").labels.iter().map(|(label, _)| &**label).collect();
    labels.sort_unstable();
    assert_eq!(labels, ["even", "odd"]);
    assert!(passed("valid_only").statistics[0].contains(" discarded"), "{:?}", passed("valid_only"));
    // The shrinker of `budget` would take a billion steps.
    let in_time = |options: &mut Options| options.shrink_time = Some(Duration::from_secs(1));
    let text = outcome_with(test, "budget.fut", in_time).unwrap().text();
    let number = text.split("Property budget (size=50, seed=7) failed after 1 test:\nCounterexample: ").nth(1).unwrap();
    let number: i64 = number.split("i64").next().unwrap().parse().unwrap();
    assert!(number > 900_000_000, "{text}");
    assert!(
        text.contains("\nnote: shrinking stopped at its time limit (--shrink-time raises it), so a smaller"),
        "{text}"
    );
    // Without time for shrinking, a counterexample is reported as it was found.
    let at_once = |options: &mut Options| {
        options.shrink_time = Some(Duration::ZERO);
        options.entry_point = Some("status".to_owned());
    };
    let outcome = outcome_with(test, "future.fut", at_once).unwrap();
    let text = outcome.text();
    assert!(text.contains("Counterexample: ") && !text.contains("Counterexample: 1000i64"), "{text}");
}

/// `futhark test` finds -8 to -12 for `tup`, and the first failing size of one seed for matrices.
#[test]
#[ignore = "slow: 30 s"]
fn default_runs_find_and_shrink_at_least_as_far_as_futhark_test() {
    for seed in 0..10 {
        let with_seed = |options: &mut Options| options.seed = seed;
        let Some(outcome) = outcome_with("small", "small.fut", with_seed) else { return };
        let text = outcome.text();
        let number = text.split("Counterexample: (").nth(1).unwrap().split("i8").next().unwrap();
        assert!((-8..=-7).contains(&number.parse::<i32>().unwrap()), "seed {seed}: {text}");
        all_are_in(&text, &["Property matrix_trace", "Counterexample: [[100i32]]", "Counterexample: 24000i16"]);
        let matrix = text.split("Property matrix_trace").nth(1).unwrap().split("Property").next().unwrap();
        assert_eq!(matrix.matches("i32").count(), 4, "two rows, seed {seed}: {text}");
    }
}

#[test]
#[ignore = "slow: 10 s"]
fn types_that_an_old_server_does_not_describe_are_reported() {
    let Some(outcome) = outcome("types_that_an_old_server_does_not_describe_are_reported", "sums.fut") else { return };
    let text = outcome.text();
    // Newer servers describe sums.
    match text.contains("the server does not describe the type shape") {
        true => all_are_in(
            &text,
            &[
                "gen(..)",
                "Servers of Futhark 0.26.3 and newer",
                "Property deep_named: the server does not describe the type shape, which holder is made of, so the program must \
                 generate values of the type holder: add gen(..)",
            ],
        ),
        false => all_are_in(&text, &["Counterexample: #square 7i32", "held = #square "]),
    }
    all_are_in(&text, &["Counterexample: [(0i32, false), (0i32, false), (0i32, false)]"]);
}

/// Servers of Futhark 0.25 crash when a tuple is used that could not be built, because its generator failed.
#[test]
#[ignore = "slow: 10 s"]
fn a_failing_generator_of_tuples_does_not_crash_the_server() {
    let test = "a_failing_generator_of_tuples_does_not_crash_the_server";
    let Some(outcome) = outcome(test, "tuples.fut") else { return };
    let text = outcome.text();
    all_are_in(
        &text,
        &[
            "generator rarely with size=1 and seed=",
            "failed:\nError: Index [8] out of bounds for array of shape [8].",
            "The property continued with other sizes and seeds, and held for 100 candidates.",
        ],
    );
    assert!(!text.contains("lost"), "{text}");
}
