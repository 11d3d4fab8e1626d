//! The records of runs, enabled by environment variables: `FORALL_EVENTS` and `FORALL_OBSERVE`, by this very binary.

use forall::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[forall::test]
#[ignore = "run by the tests below"]
fn labelled(n: u32, #[forall(0..8u8)] small: u8) {
    assume!(small != 7);
    classify!(n.is_multiple_of(2), "even");
    classify!(n.is_multiple_of(4), "kind");
    tabulate!("small", small);
    cover!(1, small > 3, "large");
    feature!("half", n / 2);
    feature!("kind", if small > 3 { "some" } else { "few" });
    tabulate!("half", small);
    cover!(1, small > 3, "kind");
}

#[forall::test(runner = targeted)]
#[ignore = "run by the tests below"]
fn targeted(n: u32) {
    target!(f64::from(n));
}

#[forall::test]
#[ignore = "fails on purpose; run by the tests below"]
fn fails_from_ten(n: u32) {
    note!("n is {n}");
    assert!(n < 10);
}

/// Fails on a literal that stands in it, and on nothing that chance finds.
#[forall::test]
#[ignore = "fails on purpose; run by the tests below"]
fn fails_on_a_literal(n: u64) {
    classify!(n > 9, "large");
    feature!("n", n);
    assert!(n != 0x5eed_cafe_0bad_f00d);
}

#[forall::test(tests = 20)]
#[ignore = "run by the tests below"]
fn of_large_numbers(#[forall(u64::MAX - 9..=u64::MAX)] n: u64, _m: u64) {
    feature!("n", n);
    feature!("rest", n % 7);
}

/// Has features with the names of the library's own, and long values that differ at their ends.
#[forall::test(tests = 20, runner = targeted)]
#[ignore = "run by the tests below"]
fn with_reserved_feature_names(#[forall(any::<u8>().map(|n| format!("{}{n}", "x".repeat(5000))))] text: String) {
    feature!("size", text.len() * 1000);
    feature!("target", "the other one");
    target!(7.0);
}

/// Fails, and only where sizes have grown: a test of another size passes.
#[forall::test(tests = 100)]
#[ignore = "fails on purpose; run by the tests below"]
fn fails_when_long(bytes: Vec<u8>) {
    assert!(bytes.len() < 40);
}

/// Fails in every other run, but for small numbers.
#[forall::test(seed = 1)]
#[ignore = "fails on purpose; run by the tests below"]
fn fails_now_and_then(n: u64) {
    static RUNS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let run = RUNS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    assert!(n < 1000 || run.is_multiple_of(2), "in every other run");
}

/// Text that a reader must not interpret.
#[derive(Clone)]
struct Hostile(u32);

impl std::fmt::Debug for Hostile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "</script>\u{1b}[2J\"\\\u{0}\n{}{}", self.0, "x".repeat(1 << 20))
    }
}

#[forall::test(tests = 20)]
#[ignore = "run by the tests below"]
fn hostile(#[forall(any::<u32>().map(Hostile))] value: Hostile) {
    label!("<b>\u{7}{}", value.0 % 2);
}

/// A folder of a test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("observe-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn run(&self, property: &str, variables: &[(&str, &str)]) -> Output {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", &format!("observe::{property}"), "--ignored", "--nocapture"]).env("FORALL_SEED", "7");
        for name in ["FORALL_EVENTS", "FORALL_OBSERVE", "FORALL_TESTS", "FORALL_DO"] {
            command.env_remove(name);
        }
        command.env("CI", "false");
        command.env("FORALL_STORE", self.0.join("store"));
        command.envs(variables.iter().copied()).output().unwrap()
    }

    /// The lines of the files whose name ends so.
    fn lines(&self, end: &str) -> Vec<Value> {
        let files = fs::read_dir(self.0.join("observed")).unwrap().flatten().map(|file| file.path());
        let mut lines = Vec::new();
        for file in files.filter(|path| path.to_string_lossy().ends_with(end)) {
            let text = fs::read_to_string(&file).unwrap();
            lines.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()));
        }
        lines
    }

    fn observe(&self, property: &str, variables: &[(&str, &str)]) -> (Vec<Value>, Vec<Value>) {
        let folder = self.0.join("observed");
        let observe = [("FORALL_OBSERVE", folder.to_str().unwrap())];
        self.run(property, &[&observe, variables].concat());
        let (tests, info) = (self.lines("_testcases.jsonl"), self.lines("_info.jsonl"));
        tests.iter().for_each(validate_test);
        info.iter().for_each(validate_info);
        (tests, info)
    }

    fn events(&self, property: &str, variables: &[(&str, &str)]) -> Vec<Value> {
        let path = self.0.join("events.jsonl");
        self.run(property, &[&[("FORALL_EVENTS", path.to_str().unwrap())], variables].concat());
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The rules of OpenPBTStats, as Hypothesis writes it and as Tyche checks it: both must hold.
fn validate_test(line: &Value) {
    let required = [
        "type",
        "run_start",
        "property",
        "status",
        "status_reason",
        "representation",
        "arguments",
        "how_generated",
        "features",
        "coverage",
        "timing",
        "metadata",
    ];
    for field in required {
        assert!(line.get(field).is_some(), "{field} is missing: {line}");
    }
    assert_eq!(line["type"], "test_case");
    assert!(line["run_start"].as_f64().is_some_and(|time| time > 1.7e9), "{line}");
    assert!(matches!(line["status"].as_str(), Some("passed" | "failed" | "gave_up")), "{line}");
    for text in ["property", "status_reason", "representation", "how_generated"] {
        assert!(line[text].is_string(), "{text} is no text: {line}");
    }
    for object in ["arguments", "features", "timing", "metadata"] {
        assert!(line[object].is_object(), "{object} is no object: {line}");
    }
    assert!(line["coverage"].is_null() || line["coverage"].is_object(), "{line}");
    for (what, seconds) in line["timing"].as_object().unwrap() {
        assert!(seconds.as_f64().is_some_and(|seconds| seconds >= 0.0), "{what}: {line}");
    }
    for (name, feature) in line["features"].as_object().unwrap() {
        assert!(feature.is_number() || feature.is_string(), "{name}: {line}");
    }
}

fn validate_info(line: &Value) {
    assert_eq!(line["type"], "info");
    assert!(line["run_start"].is_number() && line["property"].is_string(), "{line}");
    assert!(line["title"].is_string() && line["content"].is_string(), "{line}");
}

fn count(lines: &[Value], key: &str, value: &str) -> usize {
    lines.iter().filter(|line| line[key] == value).count()
}

#[test]
fn tyche_gets_every_test_with_its_values_and_features() {
    let (tests, info) = Folder::new("labelled").observe("labelled", &[("FORALL_TESTS", "200")]);
    let tests: Vec<Value> = tests.into_iter().filter(|test| test["how_generated"] == "at random").collect();
    assert_eq!(count(&tests, "status", "passed"), 200);
    let discarded = count(&tests, "status", "gave_up");
    assert!(discarded > 5 && tests.len() == 200 + discarded, "{discarded}");
    for test in &tests {
        let n: u32 = test["arguments"]["n"].as_str().unwrap().parse().unwrap();
        let small: u8 = test["arguments"]["small"].as_str().unwrap().parse().unwrap();
        assert_eq!(test["representation"], format!("labelled(\n    n = {n},\n    small = {small},\n)"));
        assert_eq!(test["status"] == "gave_up", small == 7);
        let reason = if small == 7 { "discarded by the body or a generator" } else { "" };
        assert_eq!(test["status_reason"], reason);
        let timed: Vec<&String> = test["timing"].as_object().unwrap().keys().collect();
        assert_eq!(timed, ["execute:test", "generate:n", "generate:small"]);
        if test["status"] == "passed" {
            assert_eq!(test["features"]["even"] == "yes", n.is_multiple_of(2), "{test}");
            assert_eq!(test["features"]["small"], f64::from(small), "{test}");
            assert_eq!(test["features"]["large"], if small > 3 { "yes" } else { "no" }, "{test}");
            assert_eq!(test["features"]["half"], f64::from(n / 2), "{test}");
            assert_eq!(test["features"]["kind"], if small > 3 { "some" } else { "few" }, "{test}");
            assert_eq!(test["features"]["kind (label)"] == "yes", n.is_multiple_of(4), "{test}");
            assert_eq!(test["features"]["kind (cover)"], if small > 3 { "yes" } else { "no" }, "{test}");
            assert_eq!(test["features"]["half (table)"], f64::from(small), "{test}");
            assert_eq!(test["metadata"]["tables"], serde_json::json!(["small", "half"]), "{test}");
            assert_eq!(test["metadata"]["covers"], serde_json::json!(["large", "kind"]), "{test}");
            let labels: &[&str] = match n % 4 {
                0 => &["even", "kind"],
                2 => &["even"],
                _ => &[],
            };
            assert_eq!(
                test["metadata"]["labels"],
                if labels.is_empty() { Value::Null } else { labels.into() },
                "{test}"
            );
        }
    }
    let starts: std::collections::HashSet<String> =
        tests.iter().chain(&info).map(|line| line["run_start"].to_string()).collect();
    assert_eq!(starts.len(), 1, "one run");
    assert_eq!(count(&info, "title", "Statistics"), 1);
    let statistics = info.iter().find(|line| line["title"] == "Statistics").unwrap();
    let told = format!(
        "- 200 valid tests, {discarded} discarded\n- stopped because it passed\n- seed 0x7\n- all of the first 1000 \
         tests are recorded, and a sample of later ones\n"
    );
    assert!(statistics["content"].as_str().unwrap().starts_with(&told), "{statistics}");
}

#[test]
fn tests_of_guided_runners_are_recorded_with_their_scores() {
    let (tests, _) = Folder::new("targeted").observe("targeted", &[("FORALL_TESTS", "50")]);
    assert_eq!(tests.len(), 50);
    for test in &tests {
        let n: f64 = test["arguments"]["n"].as_str().unwrap().parse().unwrap();
        assert_eq!(test["features"]["target"].as_f64(), Some(n), "{test}");
    }
}

#[test]
fn a_counterexample_is_the_last_test_and_minimal() {
    let (tests, info) = Folder::new("fails").observe("fails_from_ten", &[]);
    let last = tests.last().unwrap();
    assert_eq!((&last["status"], &last["how_generated"]), (&"failed".into(), &"minimal counterexample".into()));
    assert_eq!(last["arguments"]["n"], "10");
    assert!(last["metadata"]["reproduction_decorator"].as_str().unwrap().starts_with("2-"), "{last}");
    assert!(info.iter().any(|line| line["content"].as_str().unwrap().contains("assertion failed: n < 10")));
}

#[test]
fn long_runs_are_sampled_and_long_values_truncated() {
    let (tests, _) = Folder::new("long").observe("labelled", &[("FORALL_TESTS", "20000")]);
    assert!((1800..4000).contains(&tests.len()), "{}", tests.len());
    let folder = Folder::new("hostile");
    let (tests, _) = folder.observe("hostile", &[]);
    assert_eq!(count(&tests, "how_generated", "at random"), 20);
    for test in &tests {
        let text = test["arguments"]["value"].as_str().unwrap();
        assert!(text.starts_with("</script>\u{1b}[2J\"\\\u{0}\n") && text.len() < 5000, "{} bytes", text.len());
        assert!(text.contains(" bytes, #"), "{text}");
    }
}

#[test]
fn sampled_tests_stand_for_all() {
    let (tests, _) = Folder::new("stand").observe("labelled", &[("FORALL_TESTS", "20000")]);
    let stand_for = |test: &Value| test["metadata"]["stands_for"].as_u64().unwrap();
    let tests: Vec<Value> = tests.into_iter().filter(|test| test["how_generated"] == "at random").collect();
    let all: u64 = tests.iter().map(stand_for).sum();
    let passed: u64 = tests.iter().filter(|test| test["status"] == "passed").map(stand_for).sum();
    assert!((19_000..21_000).contains(&passed), "{passed} of {all}");
    // Sizes grow from 0 to 100 over the run, so half of the tests have more than half of them.
    let large: u64 = tests.iter().filter(|test| test["features"]["size"].as_u64().unwrap() >= 50).map(stand_for).sum();
    assert!((0.45..0.65).contains(&(large as f64 / all as f64)), "{large} of {all}");
}

#[test]
fn user_features_called_size_and_target_are_preserved_and_long_values_stay_distinct() {
    let (tests, _) = Folder::new("names-of-ours").observe("with_reserved_feature_names", &[]);
    let mut texts = std::collections::BTreeSet::new();
    for test in &tests {
        let features = &test["features"];
        assert!(features["size"].as_u64() >= Some(5_001_000) && features["target"] == "the other one", "{test}");
        assert!(features["size of the test"].as_u64() <= Some(100) && features["score of target!"] == 7, "{test}");
        texts.insert(test["representation"].as_str().unwrap());
    }
    assert!(texts.len() > 5, "{} of {}", texts.len(), tests.len());
    assert!(texts.iter().all(|text| text.contains(" bytes, #")));
}

#[test]
fn tests_with_literals_are_recorded_with_their_features() {
    let (tests, info) = Folder::new("literals").observe("fails_on_a_literal", &[]);
    let with_literals: Vec<&Value> = tests.iter().filter(|test| test["how_generated"] == "literals").collect();
    let last = with_literals.last().expect("none is told");
    assert_eq!((&last["status"], &last["features"]["large"]), (&"failed".into(), &"yes".into()), "{last}");
    assert_eq!(last["features"]["n"], "6840346601512103949", "whole numbers stay exact");
    let said = info.iter().map(|line| line["content"].as_str().unwrap()).collect::<String>();
    assert!(said.contains(" with literals"), "{said}");
    // They are recorded, but not counted.
    let events = Folder::new("literals-counted").events("fails_on_a_literal", &[]);
    let finished = events.last().unwrap();
    assert_eq!((&finished["valid"], &finished["counterexample"]["found"]), (&0.into(), &"literals".into()));
    assert_eq!(finished["labels"], serde_json::json!({}));
    let quoted = events.iter().find(|event| event["event"] == "quoted").unwrap();
    assert_eq!(quoted["tests"], with_literals.len(), "{quoted}");
    assert_eq!(quoted["complete"], false, "one failed, so the others did not run: {quoted}");
}

#[test]
fn large_integers_are_recorded_exactly() {
    let (tests, _) = Folder::new("exact").observe("of_large_numbers", &[]);
    for test in tests {
        assert_eq!(test["features"]["n"], test["arguments"]["n"], "{test}");
        assert!(test["features"]["n"].as_str().unwrap().starts_with("184467440737095516"), "{test}");
        assert!(test["features"]["rest"].is_number(), "{test}");
    }
}

#[test]
fn events_describe_the_whole_run() {
    let events = Folder::new("story").events("fails_from_ten", &[]);
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[1], *kinds.last().unwrap()), ("started", "failed", "finished"));
    assert!(kinds.contains(&"shrunk") && kinds.contains(&"explained"), "{kinds:?}");
    let tried: Vec<&Value> = events.iter().filter(|event| event["event"] == "tried").collect();
    assert!(!tried.is_empty(), "{kinds:?}");
    for candidate in tried {
        let n: u32 = candidate["values"][0]["text"].as_str().unwrap().parse().unwrap();
        let outcome = if n < 10 { "passed" } else { "failed in another way, or is not simpler" };
        assert_eq!(candidate["outcome"], outcome, "{candidate}");
        assert!(candidate["pass"].is_string() && candidate["evaluations"].is_u64(), "{candidate}");
    }
    assert!(events.iter().all(|event| event["v"] == 1 && event["property"] == "run::observe::fails_from_ten"));
    let started = &events[0];
    assert_eq!(
        (&started["seed"], &started["tests"], &started["runner"]),
        (&"0x7".into(), &256.into(), &"generational".into())
    );
    let finished = events.last().unwrap();
    assert_eq!(finished["verdict"], "failed");
    let found = &finished["counterexample"];
    assert_eq!((&found["values"][0]["text"], &found["notes"][0]), (&"10".into(), &"n is 10".into()));
    assert!(finished["text"].as_str().unwrap().starts_with("FAILED run::observe::fails_from_ten"));
    let shrunk = events.iter().rfind(|event| event["event"] == "shrunk").unwrap();
    assert_eq!(shrunk["values"][0], serde_json::json!({"name": "n", "type": "u32", "text": "10"}));
}

#[test]
fn the_counts_are_in_the_last_event() {
    let events = Folder::new("counted").events("labelled", &[("FORALL_TESTS", "100"), ("FORALL_THREADS", "3")]);
    let finished = events.last().unwrap();
    assert_eq!((&finished["verdict"], &finished["valid"]), (&"passed".into(), &100.into()));
    let rows = finished["tables"]["small"].as_object().unwrap();
    assert_eq!(rows.values().map(|hits| hits.as_u64().unwrap()).sum::<u64>(), 100);
    assert_eq!(finished["covers"]["large"]["percent"], 1.0);
    let sum = |feature: &str| -> u64 {
        finished["features"][feature].as_object().unwrap().values().map(|hits| hits.as_u64().unwrap()).sum()
    };
    assert_eq!((sum("half"), sum("kind")), (100, 100), "{finished}");
    assert!(finished["explored"].is_null(), "nothing was explored: {finished}");
    let explored = Folder::new("explored")
        .events("labelled", &[("FORALL_TESTS", "100"), ("FORALL_EXTRA_TIME", "200ms")])
        .pop()
        .unwrap();
    assert_eq!(explored["valid"], 100);
    assert!(explored["explored"].as_u64() > Some(0), "{explored}");
    let profiled = events.iter().find(|event| event["event"] == "profiled").unwrap();
    let (inputs, duplicates) = (profiled["inputs"].as_u64().unwrap(), profiled["duplicates"].as_u64().unwrap());
    assert!(inputs >= 100 && duplicates < inputs, "{profiled}");
    let draws: Vec<&str> =
        profiled["draws"].as_array().unwrap().iter().map(|draw| draw["variable"].as_str().unwrap()).collect();
    assert_eq!(draws, ["n", "small"]);
    assert!(profiled["draws"][0]["slowest"].as_f64().unwrap() > 0.0, "{profiled}");
}

#[test]
fn a_feature_of_many_values_is_counted_up_to_a_limit() {
    let events = Folder::new("many").events("labelled", &[("FORALL_TESTS", "5000")]);
    let half = events.last().unwrap()["features"]["half"].as_object().unwrap();
    assert_eq!(half.len(), 1001, "a thousand, and the others together");
    assert!(half["(other values)"].as_u64().unwrap() > 0);
}

#[test]
fn tools_ask_for_samples_and_for_speed() {
    let folder = Folder::new("asked");
    let events = folder.events("labelled", &[("FORALL_DO", "sample run::observe::labelled 5")]);
    let sampled: Vec<&Value> = events.iter().filter(|event| event["event"] == "sampled").collect();
    assert_eq!(sampled.len(), 5);
    assert_eq!((&sampled[1]["size"], &sampled[1]["values"][1]["name"]), (&12.into(), &"small".into()));
    let events = folder.events("labelled", &[("FORALL_DO", "bench run::observe::labelled 3000")]);
    let measured = events.iter().find(|event| event["event"] == "measured").unwrap();
    let (seconds, generating) = (measured["seconds"].as_f64().unwrap(), measured["generating"].as_f64().unwrap());
    assert!(measured["tests"] == 3000 && 0.0 < generating && generating <= seconds, "{measured}");
}

#[test]
fn a_failure_during_a_benchmark_is_reported_and_not_saved() {
    let folder = Folder::new("measured-failing");
    for count in [100, 3000, 20_000] {
        let events =
            folder.events("fails_when_long", &[("FORALL_DO", &format!("bench run::observe::fails_when_long {count}"))]);
        let finished = events.last().unwrap();
        assert_eq!(finished["verdict"], "failed", "{finished}");
        assert_eq!(finished["counterexample"]["values"][0]["text"], format!("vec![{}]", ["0"; 40].join(", ")));
    }
    assert!(!folder.0.join("store").exists(), "something was kept");
}

#[test]
fn how_often_a_flaky_input_failed_is_recorded() {
    let events = Folder::new("flaky").events("fails_now_and_then", &[]);
    let finished = events.last().unwrap();
    assert_eq!(finished["verdict"], "flaky", "{finished}");
    let found = &finished["counterexample"];
    assert_eq!(found["values"][0]["text"], "1000", "{finished}");
    let number = |key: &str| found["reruns"][key].as_u64().unwrap();
    assert!(0 < number("failed") && number("failed") < number("runs"), "{finished}");
}

#[test]
fn nothing_is_recorded_unless_requested_and_errors_are_reported_once() {
    let folder = Folder::new("off");
    let output = folder.run("labelled", &[("FORALL_OBSERVE", "0")]);
    assert!(output.status.success() && !folder.0.join("observed").exists());
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    let inside = file.join("observed");
    let output = folder.run("labelled", &[("FORALL_OBSERVE", inside.to_str().unwrap())]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("_testcases.jsonl: ").count(), 1, "{said}");
    assert!(said.contains("make it writable, or set FORALL_EVENTS and FORALL_OBSERVE to another path"), "{said}");
}
