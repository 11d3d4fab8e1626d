//! Stored counterexamples do not vanish: not when their property is renamed, not when their file is broken, not when the
//! process ends while they are worked on. This binary runs itself, in packages that are made for it.

#![cfg(target_os = "linux")]

use forall::choice::Sequence;
use forall::run::{Case, Store};
use forall::store::{Entry, Places};
use std::path::Path;
use std::process::{Command, Output};

#[forall::test]
fn passes(n: u64) {
    let _ = n;
}

mod inner {
    #[forall::test]
    fn passes_too(n: u64) {
        let _ = n;
    }
}

/// Fails from a thousand on; of smaller numbers, some end the process.
#[forall::test(seed = 1)]
#[ignore = "run by its parent"]
fn exits_for_some_simpler_inputs(n: u64) {
    if (100..1000).contains(&n) {
        std::process::exit(0)
    }
    assert!(n < 1000);
}

#[forall::test(seed = 1)]
#[ignore = "run by its parent"]
fn aborts_for_some_simpler_inputs(n: u64) {
    if (100..1000).contains(&n) {
        std::process::abort()
    }
    assert!(n < 1000);
}

#[forall::test(seed = 1)]
#[ignore = "run by its parent"]
fn exits_for_a_stored_input(n: u64) {
    if n == 7 {
        std::process::exit(0)
    }
}

/// Ends the process for a literal, which is tried before what is random.
#[forall::test(seed = 1)]
#[ignore = "run by its parent"]
fn exits_for_a_literal(n: u64) {
    if n == 0x5eed_cafe_0bad_f00d {
        std::process::exit(0)
    }
}

/// Ends the process for what is tried to explain the number that fails: only then others come after it.
#[forall::test(seed = 1, shrink_evaluations = 0)]
#[ignore = "run by its parent"]
fn exits_when_it_is_explained(n: u64) {
    static FOUND: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    if n >= 1000 && *FOUND.get_or_init(|| n) != n {
        std::process::exit(0)
    }
    assert!(n < 1000);
}

/// Runs a test of this binary as one of the package in `package`.
fn run(test: &str, package: &Path) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--include-ignored", "--test-threads=1"]);
    command.env("CARGO_MANIFEST_DIR", package).env_remove("RUST_BACKTRACE").output().unwrap()
}

/// The output of a run, captured and uncaptured, on one line.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn seven(property: &str) -> Entry {
    Entry::failure(property, Case { sequence: Sequence::from_values(100, &[7]), steps: Vec::new() })
}

/// Commits a regression. Its file.
fn commit(package: &Path, property: &str) -> std::path::PathBuf {
    Places::for_package(package, &Store::Default, false).keep(&seven(property)).unwrap()
}

#[test]
fn regressions_of_a_removed_property_are_reported() {
    let package = forall::scratch_dir().unwrap();
    for property in ["regressions::passes", "regressions::inner::passes_too", "other_program::gone", "a chosen name"] {
        commit(&package, property);
    }
    let output = run("passes", &package);
    assert!(output.status.success() && !said(&output).contains("are never replayed"), "{}", said(&output));

    commit(&package, "regressions::inner::renamed");
    let output = run("passes", &package);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert_eq!(text.matches("the committed regressions of").count(), 1, "{text}");
    assert!(text.contains("`regressions::inner::renamed` (forall-regressions/regressions-inner-renamed-"), "{text}");
    assert!(!text.contains("other_program"), "{text}");
}

#[test]
fn a_library_and_a_binary_with_the_same_name_do_not_claim_each_others_regressions() {
    let package = forall::scratch_dir().unwrap();
    std::fs::create_dir(package.join("src")).unwrap();
    for file in ["lib.rs", "main.rs"] {
        std::fs::write(package.join("src").join(file), "").unwrap();
    }
    commit(&package, "regressions::renamed");
    let text = said(&run("passes", &package));
    assert!(!text.contains("Nothing runs"), "{text}");
}

#[test]
fn a_committed_regression_that_cannot_be_read_fails_the_test() {
    let package = forall::scratch_dir().unwrap();
    let file = commit(&package, "regressions::passes");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let output = run("passes", &package);
    let text = said(&output);
    assert!(!output.status.success() && text.contains("NOT RUN regressions::passes"), "{text}");
    assert!(
        text.contains("The committed regression") && text.contains("Restore the file from version control"),
        "{text}"
    );

    // A local one is skipped with a warning.
    std::fs::remove_file(&file).unwrap();
    let places = Places::for_package(&package, &Store::Default, false);
    let saved = places.save(&seven("regressions::passes")).unwrap();
    std::fs::write(saved.path().unwrap(), &whole[..whole.len() / 2]).unwrap();
    let output = run("passes", &package);
    assert!(output.status.success() && said(&output).contains("It was skipped"), "{}", said(&output));
}

#[test]
fn an_exit_while_shrinking_is_reported_with_the_value() {
    let package = forall::scratch_dir().unwrap();
    let text = said(&run("exits_for_some_simpler_inputs", &package));
    let told = "while a failing input was being shrunk (property `regressions::exits_for_some_simpler_inputs`)";
    assert!(text.contains(told) && !text.contains("while test 0"), "{text}");
    let [(_, Ok(entry))] = &Places::for_package(&package, &Store::Default, false)
        .failures("regressions::exits_for_some_simpler_inputs")[..]
    else {
        panic!("one failure is kept")
    };
    assert!(text.contains(&format!("n = {}", entry.printed[0].text)), "{text}");
}

#[test]
fn an_exit_is_reported_with_the_activity() {
    for (test, doing) in [
        ("exits_for_a_literal", "a test with literals ran"),
        ("exits_when_it_is_explained", "a failure was being explained"),
    ] {
        let text = said(&run(test, &forall::scratch_dir().unwrap()));
        assert!(text.contains(&format!("while {doing} (property `regressions::{test}`)")), "{text}");
    }
}

#[test]
fn an_exit_while_replaying_a_saved_failure_is_reported() {
    let package = forall::scratch_dir().unwrap();
    let n = forall::property::Binding {
        name: "n",
        type_text: Some("u64"),
        printed: forall::property::Printed::code(&7u64),
    };
    let entry = seven("regressions::exits_for_a_stored_input").describe(&[n], "it failed then");
    Places::for_package(&package, &Store::Default, false).save(&entry).unwrap();
    let text = said(&run("exits_for_a_stored_input", &package));
    assert!(text.contains("while a saved failure was replayed") && text.contains("n = 7"), "{text}");
}

#[test]
fn after_an_abort_the_next_run_names_the_property_and_the_value_before_it_runs_anything() {
    let package = forall::scratch_dir().unwrap();
    let name = "regressions::aborts_for_some_simpler_inputs";
    let places = || Places::for_package(&package, &Store::Default, false);
    assert!(!run("aborts_for_some_simpler_inputs", &package).status.success());
    for times in ["the process ended while", "the process ended 2 times while"] {
        let [(_, Ok(entry))] = &places().failures(name)[..] else { panic!("one failure is kept") };
        let value = format!("n = {}", entry.printed[0].text);
        let output = run("aborts_for_some_simpler_inputs", &package);
        let text = said(&output);
        assert!(!output.status.success() && text.contains(&format!("warning: {name}: {times}")), "{text}");
        assert!(text.contains(&value) && text.contains("assertion failed: n < 1000"), "{text}");
    }
    let text = said(&run("aborts_for_some_simpler_inputs", &package));
    assert!(text.contains("reports it without shrinking") && text.contains("FAILED regressions::aborts"), "{text}");
}
