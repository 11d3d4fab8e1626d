//! `forall strength`: mutants are judged in one build, survivors are told apart, and the workspace stays as it is.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::{Workspace, unwrapped};

const SOURCE: &str = "\
#![no_std]
#![deny(warnings)]
extern crate alloc;
use alloc::vec::Vec;

/// Half of the sum, rounded down.
pub fn middle(low: u32, high: u32) -> u32 {
    low / 2 + high / 2 + (low % 2 + high % 2) / 2
}

/// Never ends, if it is changed.
pub fn down(mut n: u8) -> u8 {
    while n > 0 {
        n -= 1;
    }
    n
}

/// A stack of at most three.
#[derive(Debug, Default)]
pub struct Stack(Vec<u8>);

impl Stack {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    pub fn push(&mut self, value: u8) -> bool {
        if self.0.len() >= 3 {
            return false;
        }
        self.0.push(value);
        true
    }

    pub fn pop(&mut self) -> Option<u8> {
        self.0.pop()
    }
}

/// Neither generated nor printed: it is private, and has no Debug.
struct Hidden(u8);

fn hidden(it: &Hidden) -> u8 {
    it.0 / 2
}

pub fn is_small(n: u8) -> bool {
    hidden(&Hidden(n)) < 200
}

pub fn not_tested(n: u32) -> u32 {
    n + 1
}

pub const fn constant(n: u32) -> u32 {
    n + 1
}

#[cfg(feature = \"never\")]
pub fn not_built(n: u32) -> u32 {
    n + 1
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    #[forall::test]
    fn the_middle_is_between(a: u8, b: u8) {
        let (low, high) = (u32::from(a.min(b)), u32::from(a.max(b)));
        assert!((low..=high).contains(&middle(low, high)));
    }

    #[forall::test]
    fn down_is_zero(n: u8) {
        assert_eq!(down(n), 0);
    }

    #[forall::test]
    fn what_is_pushed_is_popped(value: u8) {
        let mut stack = Stack::new();
        assert!(stack.push(value));
        assert_eq!(stack.pop(), Some(value));
    }

    #[forall::test]
    fn nothing_is_checked(value: u8) {
        let mut stack = Stack::new();
        stack.push(value);
    }

    #[forall::test]
    fn all_are_small(n: u8) {
        assert!(is_small(n));
    }

    #[test]
    fn one_more() {
        assert_eq!((not_tested(1), constant(1)), (2, 2));
    }
}
";

/// All files of a workspace, with their contents.
fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(directory).unwrap().flatten() {
        match entry.path().is_dir() {
            true => all.extend(files(&entry.path())),
            false => all.push((entry.path().display().to_string(), fs::read(entry.path()).unwrap())),
        }
    }
    all.sort();
    all
}

fn json(workspace: &Workspace, file: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(workspace.path(file)).unwrap()).unwrap()
}

#[test]
#[ignore = "slow: 60 s"]
fn survivors_get_a_distinguishing_input_and_the_workspace_is_unchanged() {
    let workspace = Workspace::new("strength", &["shop"]);
    workspace.write("shop/src/lib.rs", SOURCE);
    let before = files(&workspace.path("."));
    let outcome = std::env::temp_dir().join(format!("forall-strength-{}.json", std::process::id()));
    let outcome = outcome.to_str().unwrap();
    let said = workspace.forall(&["strength", "--show", "40", "--at-least", "99%", "--json", outcome]);
    let words = unwrapped(&said);
    assert_eq!(files(&workspace.path(".")), before, "nothing is written to the workspace: {said}");
    assert!(said.starts_with("exit code 1\n"), "{said}");
    assert!(words.contains("forall: building "), "{said}");
    assert!(words.contains("forall: built ") && words.contains("are disabled by `cfg`"), "{said}");
    assert!(words.contains("1 `const` or `unsafe` function skipped"), "{said}");
    assert!(words.contains("Survivors, most often executed first"), "{said}");
    assert!(
        words.contains(
            "original and mutant differ for let mut it = Stack::new(); it.push(0); it.push(0); it.push(0); it.push(0)"
        ),
        "{said}"
    );
    assert!(words.contains("original: false, then Stack([0, 0, 0])"), "{said}");
    assert!(words.contains("a property that checks the result kills it:"), "{said}");
    assert!(words.contains("fn push_returns_the_expected_value(value: u8) { let mut it = Stack::new();"), "{said}");
    assert!(words.contains("assert_eq!(it.push(value.clone()), todo!(\"expected value\"));"), "{said}");
    assert!(words.contains("original and mutant differ for hidden(_)"), "{said}");
    assert!(words.contains("shop::tests::all_are_small makes this call and passes"), "{said}");
    assert!(words.contains("shop::tests::nothing_is_checked kills none of the"), "{said}");
    assert!(words.contains("not reached by any test"), "{said}");
    assert!(words.contains("timed out, "), "{said}");
    assert!(words.contains("the score is below --at-least 99 %"), "{said}");
    let document: Value = serde_json::from_str(&fs::read_to_string(outcome).unwrap()).unwrap();
    let verdicts = |function: &str| -> Vec<String> {
        let mutants = document["mutants"].as_array().unwrap().iter().filter(|mutant| mutant["function"] == function);
        mutants.map(|mutant| mutant["verdict"].as_str().unwrap().to_owned()).collect()
    };
    assert!(verdicts("not_tested").iter().all(|verdict| verdict == "not_reached"), "{document}");
    assert!(verdicts("down").contains(&"timed_out".to_owned()), "{document}");
    assert!(verdicts("constant").is_empty() && verdicts("not_built").is_empty(), "{document}");
    // Ordinary tests, one file, all killers.
    let said = workspace.forall(&[
        "strength",
        "shop/src/lib.rs",
        "--tests",
        "--all-killers",
        "--no-inputs",
        "--json",
        outcome,
    ]);
    assert!(said.starts_with("exit code 0\n") && unwrapped(&said).contains("of them alone"), "{said}");
    let document: Value = serde_json::from_str(&fs::read_to_string(outcome).unwrap()).unwrap();
    let killed =
        document["mutants"].as_array().unwrap().iter().find(|mutant| mutant["function"] == "not_tested").unwrap();
    assert_eq!(killed["killed_by"][0], "tests::one_more", "{killed}");
    fs::remove_file(outcome).unwrap();
    // Excluded code has no mutants, whether excluded by an attribute or by `forall.toml`.
    workspace.write(
        "forall.toml",
        "[strength]\nexclude = \"middle; Stack::push\"\nequivalent = \"down: replace '>' by '>='\"\n",
    );
    let said = workspace.forall(&["strength", "tests::", "--no-inputs", "--json", "outcome.json"]);
    let document = json(&workspace, "outcome.json");
    let functions: Vec<&str> =
        document["mutants"].as_array().unwrap().iter().filter_map(|mutant| mutant["function"].as_str()).collect();
    assert!(functions.contains(&"down") && !functions.contains(&"middle"), "{said}");
}

#[test]
#[ignore = "slow: 40 s"]
fn tests_that_fail_or_do_not_build_are_reported_before_any_mutant_is_judged() {
    let workspace = Workspace::new("strength-unfit", &["shop"]);
    let failing = SOURCE.replace("assert_eq!(down(n), 0)", "assert_eq!(down(n), 1)");
    workspace.write("shop/src/lib.rs", &failing);
    let said = unwrapped(&workspace.forall(&["strength"]));
    assert!(
        said.starts_with("exit code 2")
            && said.contains("1 of 5 tests fail without a mutant: shop::tests::down_is_zero"),
        "{said}"
    );
    assert!(said.contains("Fix them first; `cargo forall run` prints their counterexamples"), "{said}");
    workspace.write("shop/src/lib.rs", &SOURCE.replace("n + 1", "n + \"one\""));
    let said = unwrapped(&workspace.forall(&["strength"]));
    assert!(
        said.contains(
            "the tests do not build even without mutants: see the errors above, or run `cargo test --no-run`"
        ),
        "{said}"
    );
    workspace.write(
        "shop/src/lib.rs",
        "#[cfg(test)]\nmod tests {\n    #[forall::test]\n    fn holds(n: u8) {\n        let _ = n;\n    }\n}\n",
    );
    let said = unwrapped(&workspace.forall(&["strength"]));
    assert!(
        said.contains(
            "no function can be mutated: procedural macros, `const` functions and code in macros have no mutants"
        ),
        "{said}"
    );
}

#[test]
#[ignore = "slow: 40 s"]
fn a_score_below_that_of_a_commit_or_a_file_fails() {
    let workspace = Workspace::new("strength-worse", &["shop"]);
    workspace.write("shop/src/lib.rs", SOURCE);
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(workspace.path(".")).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "a"]);
    workspace.write("shop/src/lib.rs", &SOURCE.replace("assert_eq!(stack.pop(), Some(value))", "stack.pop()"));
    let outcome = std::env::temp_dir().join(format!("forall-strength-worse-{}.json", std::process::id()));
    let outcome = outcome.to_str().unwrap();
    let said = workspace.forall(&["strength", "--no-inputs", "--no-worse-than", "HEAD", "--json", outcome]);
    let words = unwrapped(&said);
    assert!(said.starts_with("exit code 1\n") && words.contains("testing `HEAD` first, for comparison"), "{said}");
    assert!(words.contains("the score is lower than that of `HEAD`: "), "{said}");
    assert!(words.contains("mutants detected there and not here shop/src/lib.rs:"), "{said}");
    assert_eq!(git(&["status", "--short"]), " M shop/src/lib.rs\n");
    let same = workspace.forall(&["strength", "--no-inputs", "--no-worse-than", outcome]);
    assert!(
        same.starts_with("exit code 0\n") && unwrapped(&same).contains("the score is not lower than that of"),
        "{same}"
    );
    fs::remove_file(outcome).unwrap();
}

#[test]
fn invalid_arguments_are_rejected() {
    let workspace = Workspace::new("strength-arguments", &["shop"]);
    let said = |arguments: &[&str]| unwrapped(&workspace.forall(&[&["strength"], arguments].concat()));
    let percent = said(&["--at-least", "many"]);
    assert!(percent.contains("`many` is not a percentage: write 80%, for example"), "{percent}");
    let archive = said(&["--archive", "x"]);
    assert!(archive.contains("an archive has no source code to mutate: remove --archive"), "{archive}");
    let option = said(&["--since=-x"]);
    assert!(option.contains("`-x` is not a commit: name a commit, a branch or a tag"), "{option}");
    let git = |arguments: &[&str]| {
        assert!(
            Command::new("git").args(arguments).current_dir(workspace.path(".")).output().unwrap().status.success()
        );
    };
    git(&["init", "--quiet"]);
    let unknown = said(&["--since", "nowhere"]);
    assert!(
        unknown.contains("cannot list the changes since `nowhere`: ")
            && unknown.contains(". Name a commit, a branch or a tag of this repository"),
        "{unknown}"
    );
    let neither = said(&["--no-worse-than", "nowhere"]);
    assert!(
        neither.contains("`nowhere` is neither a file nor a git commit: ")
            && neither.contains(". Name a file written by --json, a commit, a branch or a tag"),
        "{neither}"
    );
    let no_outcome = said(&["--no-worse-than", "Cargo.toml"]);
    assert!(no_outcome.contains("Cargo.toml was not written by `forall strength --json`"), "{no_outcome}");
    git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "a"]);
    git(&["add", "."]);
    git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "b"]);
    let unchanged = said(&["--since", "HEAD"]);
    assert!(
        unchanged.contains("no function that can be mutated changed since `HEAD`: there is nothing to test"),
        "{unchanged}"
    );
    workspace.write("shop/src/lib.rs", "");
    git(&["add", "."]);
    git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "no functions"]);
    let unfit = said(&["--no-worse-than", "HEAD"]);
    assert!(unfit.contains("cannot test the properties of `HEAD`: see the error above"), "{unfit}");
    workspace.write("forall.toml", "[strength]\nexcept = \"x\"\n");
    let file = said(&[]);
    assert!(
        file.contains(
            "forall.toml:2: expected `exclude = \"src/file.rs; function\"` or `equivalent = \"function: change\"`"
        ),
        "{file}"
    );
}
