//! `forall strength`: mutants are judged in one build, survivors are told apart, and the workspace stays as it is.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use regex::Regex;
use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
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

// Written by the build script, as is the option `made`.
include!(concat!(env!(\"OUT_DIR\"), \"/included.rs\"));

#[cfg(made)]
pub fn made(n: u8) -> u8 {
    included(n) / 2
}

/// The values that a mutant returns are not those of a type parameter.
pub fn largest<T: PartialOrd + Copy>(values: &[T]) -> Option<T> {
    let mut best = *values.first()?;
    for value in values {
        if *value > best {
            best = *value;
        }
    }
    Some(best)
}

pub trait Shape {
    fn sides(&self) -> u32;

    fn corners(&self) -> u32 {
        self.sides()
    }
}

pub struct Square;

impl Shape for Square {
    fn sides(&self) -> u32 {
        4
    }
}

pub async fn later(n: u8) -> u8 {
    n / 2 + 1
}

/// Compared, but not printed, and without a default.
#[derive(PartialEq)]
pub struct Price(u32);

pub fn price(n: u8) -> Price {
    Price(u32::from(n) * 3)
}

/// A reference to a changed text is not valid for so long, which the compiler reports last.
pub fn names() -> &'static [&'static str] {
    &[\"one\", \"two\"]
}

/// Borrows the argument of its constructor; a type of the same name is in another file.
pub struct Table<'a>(&'a [u8]);

impl<'a> Table<'a> {
    pub fn new(cells: &'a [u8]) -> Self {
        Self(cells)
    }

    pub fn width(&self) -> usize {
        self.0.len() | 8
    }
}

pub mod table;

/// Hardly any input has another result.
pub fn rare(n: u64) -> u8 {
    u8::from(n % 50_021 == 2 * 617) * 7
}

/// The last, whose mutants are judged when all others are.
pub fn last(n: u8) -> u8 {
    n / 2
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
        Table::new(&[value]).width();
        table::Table::with_capacity(1).height();
    }

    #[forall::test]
    fn all_are_small(n: u8) {
        assert!(is_small(n));
    }

    #[forall::test]
    fn the_largest_is_not_exceeded(values: std::vec::Vec<u8>) {
        assert_eq!(largest(&values), values.iter().copied().max());
    }

    #[forall::test]
    fn a_square_has_as_many_corners_as_sides(n: u8) {
        assert_eq!((Square.corners(), made(n), names().len()), (4, n / 4, 2));
    }

    #[forall::test]
    fn later_is_ready(n: u8) {
        let mut future = core::pin::pin!(later(n));
        let mut context = core::task::Context::from_waker(core::task::Waker::noop());
        assert_eq!(future.as_mut().poll(&mut context), core::task::Poll::Ready(n / 2 + 1));
    }

    #[forall::test]
    fn a_price_is_not_checked(n: u8) {
        price(n);
    }

    #[forall::test]
    fn rare_numbers_are_seven(n: u64) {
        assert_eq!(rare(n), if n % 50_021 == 2 * 617 { 7 } else { 0 });
    }

    #[forall::test]
    fn the_last_waits_with_a_mutant_if_it_is_asked_to(n: u8) {
        let mutant = std::env::var(\"__FORALL_MUTANT\").unwrap_or_default();
        if let (Some(marker), Ok(_)) = (std::env::var_os(\"SHOP_TESTS_WAIT\"), mutant.parse::<u32>()) {
            std::fs::write(marker, \"\").unwrap();
            loop {
                std::thread::sleep(std::time::Duration::from_secs(1));
            }
        }
        assert_eq!(last(n), n / 2);
    }

    #[test]
    fn one_more() {
        assert_eq!((not_tested(1), constant(1)), (2, 2));
    }
}
";

/// A build script, which waits while the file exists that a variable names.
const SCRIPT: &str = "\
use std::path::Path;

fn main() {
    println!(\"cargo::rustc-check-cfg=cfg(made)\\ncargo::rustc-cfg=made\\ncargo::rerun-if-env-changed=SHOP_BUILD_WAITS\");
    let path = Path::new(&std::env::var_os(\"OUT_DIR\").unwrap()).join(\"included.rs\");
    std::fs::write(path, \"pub fn included(n: u8) -> u8 { n / 2 }\").unwrap();
    if let Some(marker) = std::env::var_os(\"SHOP_BUILD_WAITS\") {
        std::fs::write(&marker, \"\").unwrap();
        while Path::new(&marker).exists() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}
";

fn workspace(name: &str) -> Workspace {
    let workspace = Workspace::new(name, &["shop"]);
    workspace.write("shop/src/lib.rs", SOURCE);
    workspace.write("shop/src/table.rs", TABLE);
    workspace.write("shop/build.rs", SCRIPT);
    workspace
}

/// A capacity that is too large ends the process.
const TABLE: &str = "\
use alloc::vec::Vec;

pub struct Table(pub Vec<u64>);

impl Table {
    pub fn with_capacity(cells: usize) -> Self {
        Self(Vec::with_capacity(cells))
    }

    pub fn height(&self) -> usize {
        self.0.len() | 16
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
#[ignore = "slow: 90 s"]
fn survivors_get_a_distinguishing_input_and_the_workspace_is_unchanged() {
    let workspace = workspace("strength");
    let before = files(&workspace.path("."));
    let outcome = std::env::temp_dir().join(format!("forall-strength-{}.json", std::process::id()));
    let outcome = outcome.to_str().unwrap();
    let said = workspace.forall(&["strength", "--show", "99", "--at-least", "99%", "--json", outcome]);
    let words = unwrapped(&said);
    assert_eq!(files(&workspace.path(".")), before, "nothing is written to the workspace: {said}");
    assert!(said.starts_with("exit code 1\n"), "{said}");
    assert!(words.contains("forall: building "), "{said}");
    assert!(words.contains("forall: built ") && words.contains("are disabled by `cfg`"), "{said}");
    assert!(words.contains(" do not compile; "), "{said}");
    let rounds = Regex::new(r"forall: built \d+ mutants in (\d+) rounds?;").unwrap().captures(&words);
    let rounds: u32 = rounds.expect("they are counted")[1].parse().unwrap();
    assert!((2..=4).contains(&rounds), "{said}");
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
    for function in ["constant", "not_built", "included"] {
        assert!(verdicts(function).is_empty(), "{document}");
    }
    for function in ["made", "largest", "Shape::corners", "<Square as Shape>::sides", "later", "names", "last"] {
        assert!(verdicts(function).contains(&"killed".to_owned()), "{function}: {document}");
    }
    let of = |document: &Value, function: &str, change: &str| -> Value {
        let mut mutants = document["mutants"].as_array().unwrap().iter();
        let is_it = |mutant: &&Value| mutant["function"] == function && mutant["change"] == change;
        mutants.find(is_it).unwrap_or_else(|| panic!("no mutant {function}: {change}")).clone()
    };
    let input = |mutant: Value| mutant["difference"]["input"].as_str().unwrap_or_default().to_owned();
    let width = input(of(&document, "Table::width", "replace `8` by `9`"));
    assert!(width.starts_with("let mut it = Table::new(&[") && width.ends_with("it.width()"), "{width}");
    let height = input(of(&document, "Table::height", "replace `16` by `17`"));
    assert!(height.starts_with("let mut it = Table::with_capacity("), "{height}");
    let price = of(&document, "price", "replace `3` by `4`");
    let difference = (&price["difference"]["input"], &price["difference"]["mutant"]);
    assert_eq!(difference, (&Value::from("price(1)"), &Value::from("a different value")), "{price}");
    for mutant in document["mutants"].as_array().unwrap().iter().filter(|mutant| mutant["verdict"] == "survived") {
        assert!(mutant["difference"].is_object(), "{mutant}");
    }
    // A failure that only the program with this mutant has, and saves.
    let (rare, name) = (of(&document, "rare", "replace `7` by `8`"), "tests::rare_numbers_are_seven");
    assert_eq!(rare["verdict"], "survived", "{rare}");
    let is_it = |test: &&Value| test["name"].as_str().is_some_and(|it| it.ends_with(name));
    let program = document["tests"].as_array().unwrap().iter().find(is_it).unwrap()["program"].as_str().unwrap();
    let mut failing = Command::new(program);
    failing.args(["--exact", name]).env("__FORALL_MUTANT", rare["id"].to_string()).env("FORALL_TESTS", "1000000");
    failing.current_dir(workspace.path("shop")).env("CARGO_MANIFEST_DIR", workspace.path("shop"));
    assert!(!failing.output().unwrap().status.success());
    let before = files(&workspace.path("."));
    assert!(before.iter().any(|(path, _)| path.contains(".forall")), "{before:?}");
    // Ordinary tests, one file, all killers, the saved failure, and enough time.
    let page = outcome.replace(".json", ".html");
    let said = workspace.forall(&[
        "strength",
        "shop/src/lib.rs",
        "--tests",
        "--all-killers",
        "--no-inputs",
        "--for",
        "1h",
        "--html",
        &page,
        "--json",
        outcome,
    ]);
    assert_eq!(files(&workspace.path(".")), before, "the saved failure is read, and no other is saved: {said}");
    assert!(said.starts_with("exit code 0\n") && unwrapped(&said).contains("of them alone"), "{said}");
    let document: Value = serde_json::from_str(&fs::read_to_string(outcome).unwrap()).unwrap();
    let killed =
        document["mutants"].as_array().unwrap().iter().find(|mutant| mutant["function"] == "not_tested").unwrap();
    assert_eq!(killed["killed_by"][0], "tests::one_more", "{killed}");
    let killed = of(&document, "rare", "replace `7` by `8`");
    assert_eq!(killed["verdict"], "killed", "{killed}");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("shop/src/lib.rs:"), "{html}");
    fs::remove_file(outcome).unwrap();
    fs::remove_file(page).unwrap();
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
    let workspace = workspace("strength-unfit");
    let failing = SOURCE.replace("assert_eq!(down(n), 0)", "assert_eq!(down(n), 1)");
    workspace.write("shop/src/lib.rs", &failing);
    let said = unwrapped(&workspace.forall(&["strength"]));
    assert!(
        said.starts_with("exit code 2")
            && said.contains("1 of 11 tests fail without a mutant: shop::tests::down_is_zero"),
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
#[ignore = "slow: 60 s"]
fn a_score_below_that_of_a_commit_or_a_file_fails() {
    let workspace = workspace("strength-worse");
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
    // A process that is killed or interrupted, while it builds or judges mutants, leaves the workspace as it was.
    let before = files(&workspace.path("."));
    let ended = |variable: &str, signal: &str| {
        let marker = std::env::temp_dir().join(format!("forall-strength-marker-{}", std::process::id()));
        let mut command = workspace.command(&["strength", "--no-inputs"]);
        command.env(variable, &marker).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        while !marker.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let status = child.wait().unwrap();
        // The build script ends if the file is removed.
        fs::remove_file(&marker).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(files(&workspace.path(".")), before, "{variable} {signal}");
        assert_eq!(git(&["status", "--short"]), " M shop/src/lib.rs\n", "{variable} {signal}");
        (status.signal(), workspace.said(output))
    };
    assert_eq!(ended("SHOP_BUILD_WAITS", "-KILL").0, Some(9));
    assert_eq!(ended("SHOP_TESTS_WAIT", "-KILL").0, Some(9));
    // A shell reports the signal as exit code 130.
    let (signal, said) = ended("SHOP_TESTS_WAIT", "-INT");
    assert_eq!(signal, Some(2), "{said}");
    let words = unwrapped(&said);
    assert!(
        words.contains("score ") && words.contains(" killed, ") && words.contains(" not tested: stopped early"),
        "{said}"
    );
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
    let unchanged = said(&["--since", "HEAD", "--at-least", "80%", "--json", "outcome.json", "--html", "page.html"]);
    // A pull request that changes only the documentation passes, with an outcome that programs can read.
    assert!(
        unchanged.starts_with("exit code 0 ")
            && unchanged.contains("no function that can be mutated changed since `HEAD`: there is nothing to test"),
        "{unchanged}"
    );
    let (written, page) = (json(&workspace, "outcome.json"), fs::read_to_string(workspace.path("page.html")).unwrap());
    assert_eq!((&written["score"], &written["mutants"]), (&Value::Null, &Value::Array(Vec::new())));
    assert!(page.contains("no mutant was tested"), "{page}");
    workspace.write("shop/src/lib.rs", "");
    git(&["add", "."]);
    git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "no functions"]);
    workspace.write("shop/src/lib.rs", SOURCE);
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
