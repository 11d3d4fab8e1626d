//! `forall.toml`: its settings, their precedence, and messages about mistakes. Whole runs are in processes of their
//! own, since the environment belongs to all tests.

use crate::not_in_ci::not_in_ci;
use forall::prelude::*;
use forall::run::profiles::Profiles;
use forall::run::{Schedule, Settings, Store};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

fn parse(text: &str) -> Profiles {
    Profiles::parse(text, "forall.toml").expect("it is right")
}

#[track_caller]
fn wrong(text: &str, place: (usize, usize), parts: &[&str]) {
    let error = Profiles::parse(text, "forall.toml").expect_err(text);
    assert_eq!((error.line, error.column), place, "{error}");
    for part in parts {
        assert!(error.message.contains(part), "`{part}` is not in: {error}");
    }
}

#[test]
fn every_setting_of_the_environment_can_be_written() {
    let profiles = parse(
        "tests = 1_000 # a comment\nseed = 0x1f\nsize = 50\ndiscard_ratio = 20\nhealth = false\nmax_time = '30s'\nextra_time = \"off\"\ndeadline = \"200ms\"\n\
         shrink_evaluations = 5\nshrink_time = \"5s\"\nshrink_on = \"both\"\nexplain = \"off\"\n\
         enumerate = false\nrunner = \"targeted\"\ndepth = 5\nevaluations = 7\nthreads = 3\nisolate = true\n\
         timeout = \"2s\"\nmemory = \"512MB\"\nstack = \"1MB\"\nstore = \"off\"\nread_only = true\nverbose = true\n",
    );
    let settings = profiles.under("", Settings::new()).unwrap();
    assert_eq!((settings.tests, settings.seed, settings.discard_ratio), (1000, Some(31), 20));
    assert!(matches!(settings.size, Schedule::Constant(50)));
    assert_eq!(
        (settings.max_time, settings.deadline),
        (Some(Duration::from_secs(30)), Some(Duration::from_millis(200)))
    );
    assert_eq!(settings.extra_time, Some(Duration::ZERO));
    assert_eq!((settings.explain, settings.enumerate, settings.threads, settings.health), (0, false, 3, false));
    assert_eq!((settings.memory, settings.store, settings.verbose), (Some(512_000_000), Store::Off, true));
    assert_eq!((&*settings.runner, settings.depth, settings.evaluations), ("targeted", Some(5), 7));
}

#[test]
fn profiles_inherit_and_builders_win() {
    let profiles = parse(
        "tests = 10\nthreads = 2\n\n[ci]\ntests = 100\nmax_time = \"1m\"\n[nightly]\ninherits = \"ci\"\ntests = \"x10\"\n",
    );
    let under = |name, settings| profiles.under(name, settings).unwrap();
    let figures = |settings: Settings| (settings.tests, settings.threads, settings.max_time.map(|time| time.as_secs()));
    assert_eq!(figures(under("", Settings::new())), (10, 2, None));
    assert_eq!(figures(under("ci", Settings::new())), (100, 2, Some(60)));
    assert_eq!(figures(under("nightly", Settings::new())), (1000, 2, Some(60)));
    assert_eq!(figures(under("ci", Settings::new().tests(7).threads(5))), (7, 5, Some(60)));
}

#[test]
fn mistakes_are_reported_with_line_column_and_advice() {
    wrong("tests 5", (1, 7), &["`=` and a value are missing after `tests`"]);
    wrong("\n[ci\ntests = 5", (2, 4), &["`]` is missing"]);
    wrong("[ci] tests = 5", (1, 6), &["unexpected `tests"]);
    wrong("tests = ", (1, 9), &["missing value"]);
    wrong("  tests = many", (1, 11), &["`many` is not a number", "`\"many\"`"]);
    wrong("max_time = \"30", (1, 12), &["unterminated string"]);
    wrong("max_time = \"30 years\"", (1, 12), &["`30 years` is not valid", "`30s`"]);
    wrong("extra_time = \"soon\"", (1, 14), &["`soon` is not valid", "`1h`, or `off`"]);
    wrong("extra_time = off", (1, 14), &["`off` is not a number", "`\"off\"`"]);
    wrong("tests = -5", (1, 9), &["`-5` has a sign", "whole numbers from 0 up"]);
    wrong("tests = [5,", (1, 9), &["a list or a table", "one value"]);
    wrong("[ci]\ntets = 5", (2, 1), &["`tets` is not a setting", "`tests`?"]);
    wrong("cases = 100", (1, 1), &["`cases` is not a setting; did you mean `tests`?"]);
    wrong("[ci]\nwhatever = 5", (2, 1), &["`whatever` is not a setting", "`deadline`"]);
    wrong("tests = 5\ntests = 6", (2, 1), &["already set in line 1"]);
    wrong("[ci]\n[dev]\n[ci]", (3, 2), &["duplicate profile `ci`"]);
    wrong("[ci]\ninherits = \"dev\"", (2, 12), &["unknown profile `dev`", "`ci`"]);
    wrong("[a]\ninherits = \"b\"\n[b]\ninherits = \"a\"", (2, 12), &["inherits from itself"]);
    wrong("deadline = 5s", (1, 12), &["`5s` is not a number", "`\"5s\"`"]);
    wrong("inherits = \"ci\"\n[ci]", (1, 1), &["only a profile can inherit"]);
    wrong("[ci]\ntests = 0", (2, 9), &["`tests` is 0"]);
    wrong("threads = 0", (1, 11), &["threads"]);
    wrong("ünïcode = 5", (1, 1), &["`ünïcode`"]);
    wrong("store = \"a\\b\"", (1, 9), &["use single quotes"]);
}

#[test]
fn any_text_is_read_or_refused() {
    let property = property! {
        forall text in vec(elements(["[", "]", "ci", "tests", "=", " ", "5", "\n", "\"", "#", "inherits", "\\", "é", "'"])).map(|parts| parts.concat());
        check {
            if let Err(error) = Profiles::parse(text, "forall.toml") {
                let lines: Vec<&str> = text.lines().collect();
                assert!((1..=lines.len()).contains(&error.line), "{error}");
                assert!((1..=lines[error.line - 1].chars().count() + 1).contains(&error.column), "{error}");
            }
        }
    };
    forall::check("any text", &property);
}

#[test]
fn a_factor_multiplies_the_inherited_value() {
    let text = "[ci]\ntests = 1_000\n[nightly]\ninherits = \"ci\"\ntests = \"x10\"\n[alone]\ntests = \"x10\"";
    let profiles = Profiles::parse(text, "forall.toml").unwrap();
    let tests = |name| profiles.under(name, Settings::new()).unwrap().tests;
    assert_eq!((tests("ci"), tests("nightly"), tests("alone")), (1_000, 10_000, 2_560));
}

#[test]
fn a_builder_overrides_even_with_the_default() {
    let text = "tests = 9\nhealth = false\nthreads = 3\nshrink_on = \"both\"\nsize = 7\nrunner = \"targeted\"";
    let profiles = Profiles::parse(text, "forall.toml").unwrap();
    let default = Settings::new();
    let built = Settings::new().tests(default.tests).health(true).threads(1).size(default.size).runner("generational");
    let settings = profiles.under("", built).unwrap();
    assert_eq!((settings.tests, settings.health, settings.threads), (256, true, 1));
    assert_eq!((settings.size.size(10), &*settings.runner), (default.size.size(10), "generational"));
    assert_eq!(settings.shrink_on, forall::run::ShrinkOn::Both, "the builder says nothing of it");
}

/// Run by the tests below, in a process of its own and a directory of its own.
#[forall::test(discard_ratio = 33)]
#[ignore = "tests below run it"]
fn counted(n: u64) {
    label!("{}", n % 2);
}

struct Project(PathBuf);

impl Project {
    fn new(name: &str, toml: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("profiles-{name}-{}", std::process::id()));
        std::fs::create_dir_all(root.join("member")).unwrap();
        if !toml.is_empty() {
            std::fs::write(root.join("forall.toml"), toml).unwrap();
        }
        Self(root)
    }

    /// The output of a run, in a directory below that of the file.
    fn run(&self, variables: &[(&str, &str)]) -> (bool, String) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "profiles::counted", "--ignored", "--nocapture"]);
        for name in ["FORALL_TESTS", "FORALL_PROFILE", "FORALL_VERBOSE"] {
            command.env_remove(name);
        }
        not_in_ci(&mut command);
        command.env("CARGO_MANIFEST_DIR", self.0.join("member")).env("FORALL_STORE", "off").env("NO_COLOR", "1");
        command.envs(variables.iter().copied());
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned();
        // Reports are wrapped to the width of a terminal.
        (status.success(), text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_run_takes_the_profile_that_fits() {
    let toml = "[dev]\ntests = 11\n[ci]\ntests = 22\n[nightly]\ntests = 33\n";
    let project = Project::new("fits", toml);
    for (variables, tests) in [
        (&[][..], "11 tests"),
        (&[("CI", "true")], "22 tests"),
        (&[("GITHUB_ACTIONS", "true")], "22 tests"),
        (&[("JENKINS_URL", "http://localhost/")], "22 tests"),
        (&[("TF_BUILD", "True")], "22 tests"),
        (&[("TEAMCITY_VERSION", "")], "11 tests"),
        (&[("CI", "false")], "11 tests"),
        (&[("CI", "false"), ("GITHUB_ACTIONS", "true")], "11 tests"),
        (&[("CI", "true"), ("FORALL_PROFILE", "nightly")], "33 tests"),
        (&[("FORALL_PROFILE", "nightly"), ("FORALL_TESTS", "44")], "44 tests"),
    ] {
        let (passed, text) = project.run(variables);
        assert!(passed && text.contains(tests), "{variables:?}: {text}");
    }
}

#[test]
fn precedence_is_printed_on_request() {
    let project = Project::new("printed", "tests = 11\n[ci]\ntests = 22\ndiscard_ratio = 5\n");
    let (_, text) = project.run(&[("FORALL_VERBOSE", "1"), ("CI", "1"), ("FORALL_TESTS", "33")]);
    assert!(text.contains("forall.toml, profile `ci`"), "{text}");
    assert!(text.contains(" tests: FORALL_TESTS=33; over "), "{text}");
    assert!(text.contains("forall.toml:3: 22; over ") && text.contains("forall.toml:1: 11 "), "{text}");
    assert!(text.contains(" discard_ratio: builder or attribute: 33; over "), "{text}");
    let (_, text) = project.run(&[]);
    assert!(!text.contains("settings:"), "{text}");
    let (_, text) = project.run(&[("FORALL_VERBOSE", "1")]);
    assert!(text.contains("/forall.toml, no profile "), "{text}");
}

#[test]
fn invalid_environment_variables_are_reported_with_advice() {
    let project = Project::new("environment", "");
    let told = |name: &str, value: &str| {
        let (passed, text) = project.run(&[(name, value)]);
        assert!(!passed, "{text}");
        let (_, told) = text.split_once(&format!("`{name}=")).unwrap_or_else(|| panic!("{text}"));
        let (told, _) = told.split_once("; the property was not run.").unwrap();
        format!("`{name}={told}")
    };
    let all = [
        told("FORALL_THREADS", "many"),
        told("FORALL_EXPLAIN", "much"),
        told("FORALL_STORE", "stored \u{fffd}"),
        told("FORALL_MAX_TIME", "soon"),
        told("FORALL_EXTRA_TIME", "soon"),
        told("FORALL_MEMORY", "some"),
        told("FORALL_SHRINK_ON", "luck"),
        told("FORALL_VERBOSE", "perhaps"),
    ];
    insta::assert_snapshot!("environment", all.join("\n"));
}

#[test]
fn an_unknown_profile_and_an_invalid_file_stop_the_run() {
    let (passed, text) = Project::new("absent", "[ci]\n").run(&[("FORALL_PROFILE", "nightly")]);
    assert!(!passed && text.contains("unknown profile `nightly`; available profiles: `ci`"), "{text}");
    let (passed, text) = Project::new("wrong", "[ci]\ntests = lots\n").run(&[]);
    assert!(!passed && text.contains("forall.toml:2:9: `lots` is not a number"), "{text}");
    let project = Project::new("bytes", "[ci]\n");
    std::fs::write(project.0.join("forall.toml"), b"tests = 5\n# caf\xe9\n").unwrap();
    let (passed, text) = project.run(&[]);
    assert!(!passed && text.contains("forall.toml:2:6: this line is not UTF-8; save the file as UTF-8"), "{text}");
    let (passed, text) = Project::new("no-file", "").run(&[("FORALL_PROFILE", "ci")]);
    let begin = "FORALL_PROFILE=ci, but there is no `forall.toml` in ";
    assert!(!passed && text.contains(begin), "{text}");
    assert!(text.contains(" or above it. Create one with a section `[ci]`, or unset FORALL_PROFILE."), "{text}");
}

#[test]
fn an_unknown_runner_is_an_error_only_of_a_selected_profile() {
    let profiles = Profiles::parse("[ci]\nrunner = \"foo\"\n[dev]\ntests = 5", "forall.toml").unwrap();
    assert_eq!(profiles.under("dev", Settings::new()).unwrap().tests, 5);
    let error = profiles.under("ci", Settings::new()).unwrap_err();
    assert_eq!((error.line, error.column), (2, 10));
    let error = error.to_string();
    assert!(error.contains("Unknown runner `foo`") && error.contains("`generational`"), "{error}");
}

#[test]
fn a_profile_names_a_registered_runner() {
    let profiles = Profiles::parse("[ci]\nrunner = \"at_size_7\"", "forall.toml").unwrap();
    assert_eq!(profiles.under("ci", Settings::new()).unwrap().runner, "at_size_7");
}
