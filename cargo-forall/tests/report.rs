//! `forall report`: the page, and its reaction to clicks.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use insta::assert_snapshot;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Workspace, has};

fn reported(name: &str, arguments: &[&str]) -> (Workspace, String) {
    let workspace = Workspace::new(name, &["shop"]);
    let said = workspace.forall(&[&["report", "--seed", "7", "-o", "page.html"], arguments].concat());
    assert!(said.starts_with("exit code 1"), "{said}");
    let page = fs::read_to_string(workspace.path("page.html")).unwrap();
    (workspace, page)
}

#[test]
fn a_page_is_one_file_that_loads_nothing() {
    let (_, page) = reported("page", &[]);
    assert!(page.contains("Content-Security-Policy") && page.contains("default-src 'none'"));
    for outside in ["src=\"", "<link", "@import", "url(", "https://", "fetch(", "innerHTML"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("prefers-color-scheme: dark"));
}

#[test]
fn every_chart_is_drawn_and_bars_filter_examples() {
    let (workspace, _) = reported("clicked", &[]);
    if has("every_chart_is_drawn_and_bars_filter_examples", "node") {
        let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/page.mjs");
        let output = Command::new("node").arg(driver).arg(workspace.path("page.html")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).starts_with("6 properties, "));
    }
}

/// Uses the page in a browser. The output of the script.
fn browsed(test: &str, workspace: &Workspace, page: &str) -> Option<String> {
    if !has(test, "chromium") || !has(test, "node") {
        return None;
    }
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/browser.mjs");
    let profile = workspace.path("browser");
    let output = Command::new("node").arg(driver).arg(workspace.path(page)).arg(&profile).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let _ = fs::remove_dir_all(profile);
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
#[ignore = "slow: 20 s"]
fn the_page_works_in_a_browser_with_keyboard_dark_mode_and_aria_labels() {
    let name = "the_page_works_in_a_browser_with_keyboard_dark_mode_and_aria_labels";
    let (workspace, _) = reported("browser", &[]);
    if let Some(said) = browsed(name, &workspace, "page.html") {
        assert!(said.contains("bars and drawings"), "{said}");
    }
}

#[test]
#[ignore = "slow: 10 s"]
fn a_parallel_run_is_drawn() {
    let name = "a_parallel_run_is_drawn";
    let workspace = Workspace::new("machine", &["counter"]);
    let said = workspace.forall(&["report", "--seed", "7", "-o", "page.html"]);
    assert!(said.starts_with("exit code 1"), "{said}");
    let page = fs::read_to_string(workspace.path("page.html")).unwrap();
    assert!(page.contains(r#""drawing":{"branches":[[{"command":"#), "{page}");
    browsed(name, &workspace, "page.html");
}

#[test]
#[ignore = "slow: 40 s"]
fn an_instrumented_run_shows_how_many_branches_and_which_lines_are_reached() {
    let name = "an_instrumented_run_shows_how_many_branches_and_which_lines_are_reached";
    let workspace = Workspace::new("covered", &["shop"]);
    let said = workspace.forall(&["report", "nothing_costs", "--seed", "7", "--coverage", "-o", "page.html"]);
    assert!(said.starts_with("exit code 0"), "{said}");
    let page = fs::read_to_string(workspace.path("page.html")).unwrap();
    let places = regex::Regex::new(r#""places":(\d+)"#).unwrap().captures(&page).unwrap()[1].parse::<u32>().unwrap();
    let reached = regex::Regex::new(r#""c":(\d+)"#).unwrap();
    let reached: Vec<u32> = reached.captures_iter(&page).map(|found| found[1].parse().unwrap()).collect();
    assert!(
        reached.len() >= 50 && reached.is_sorted() && reached[0] > 0 && reached[49] < places,
        "{reached:?} of {places}"
    );
    browsed(name, &workspace, "page.html");
    // The lines that no test reached, until the corpus of a campaign reaches them.
    workspace.write("shop/src/lib.rs", GUARDED);
    let sources = || {
        let said = workspace.forall(&["report", "never_panics", "--seed", "7", "--coverage", "-o", "page.html"]);
        assert!(said.starts_with("exit code 0"), "{said}");
        let sources = data(&fs::read_to_string(workspace.path("page.html")).unwrap()).remove(0)["sources"].take();
        let file = sources["files"].as_array().unwrap().iter().find(|file| file["name"] == "shop/src/lib.rs").unwrap();
        let lines = file["lines"].as_array().unwrap().iter();
        let marks = lines.map(|line| format!("{} {}", line[0], line[1].as_str().unwrap())).collect::<Vec<_>>();
        let [all, reached] = ["all", "reached"].map(|key| file[key].as_u64().unwrap());
        (marks[..6].join(", "), sources["inputs"].clone(), all - reached)
    };
    let (marks, inputs, left) = sources();
    assert_eq!(marks, "1 all, 2 all, 3 none, 4 all, 5 all, 6 all");
    assert_eq!((inputs, left), (serde_json::json!([]), 1));
    let said = workspace.forall(&["fuzz", "--dev", "never_panics", "--execs", "5000", "--seed", "1"]);
    assert!(said.starts_with("exit code 0"), "{said}");
    let (marks, inputs, left) = sources();
    assert_eq!(marks, "1 all, 2 all, 3 all, 4 all, 5 all, 6 all");
    assert!(inputs[0][0].as_str().unwrap().contains("2125770091") && left == 0, "{inputs}");
    browsed(name, &workspace, "page.html");
}

const GUARDED: &str = r#"pub fn guarded(n: u32) -> u8 {
    if n == 0x6fa5_bc7a ^ 0x1111_1111 {
        return 1;
    }
    2
}

#[cfg(test)]
mod tests {
    #[forall::test]
    fn never_panics(n: u32) {
        super::guarded(n);
    }
}
"#;

#[test]
#[ignore = "slow: 10 s"]
fn a_long_run_makes_a_small_page() {
    let workspace = Workspace::new("long", &["shop"]);
    workspace.forall(&["list"]);
    let began = Instant::now();
    let said = workspace.forall(&["report", "nothing_costs", "--tests", "100000", "--seed", "7"]);
    assert!(said.starts_with("exit code 0"), "{said}");
    let page = fs::read_to_string(workspace.path("forall-report.html")).unwrap();
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    // Some more with literals.
    let sampled = regex::Regex::new("of 10\\d,\\d{3} tests: the first ones and a sample of the rest").unwrap();
    assert!(sampled.is_match(&page));
    eprintln!("{} bytes after {:?}", page.len(), began.elapsed());
    if let Some(said) = browsed("a_long_run_makes_a_small_page", &workspace, "forall-report.html") {
        eprintln!("{said}");
    }
}

const COUNTED: &str = r#"
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[forall::test]
    fn lengths(bytes: Vec<u8>) {
        classify!(bytes.len() > 5, "long\u{202e}");
        feature!("length", bytes.len());
        feature!("most", u64::MAX);
    }

    #[forall::test]
    fn is_another(number: u64) {
        classify!(number > 9, "large");
        assert!(number != 0x5eed_cafe_0bad_f00d);
    }
}
"#;

/// The page's data for each property.
fn data(page: &str) -> Vec<serde_json::Value> {
    let (_, data) = page.split_once(r#"id="data">"#).unwrap();
    let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    data["properties"].as_array().unwrap().clone()
}

#[test]
fn charts_count_all_tests() {
    let workspace = Workspace::new("counted", &["shop"]);
    workspace.write("shop/src/lib.rs", COUNTED);
    let reported = || {
        workspace.forall(&["report", "--tests", "20000", "--seed", "7", "-o", "page.html"]);
        let properties = data(&fs::read_to_string(workspace.path("page.html")).unwrap());
        let named = |name: &str| {
            properties.iter().find(|one| one["name"].as_str().unwrap().ends_with(name)).expect("it ran").clone()
        };
        (named("lengths"), named("is_another"))
    };
    let (lengths, is_another) = reported();
    // The label is there as it is written, of all tests.
    let long = &lengths["labels"];
    assert_eq!((&long["whole"], &long["values"][0][0]), (&20_000.into(), &"long\\u{202e}".into()), "{long}");
    let exact = long["values"][0][1].as_f64().unwrap() / 20_000.0;
    // The weights of the examples add up to the counts.
    let tests = lengths["tests"].as_array().unwrap();
    let weight = |least: f64| -> f64 {
        let tests = tests.iter().filter(|test| test["f"]["length"].as_f64() >= Some(least));
        tests.map(|test| test["w"].as_f64().unwrap()).sum()
    };
    let share = weight(6.0) / weight(0.0);
    assert!((0.3..0.9).contains(&exact) && (share - exact).abs() < 0.07, "{share} for {exact}");
    assert_eq!(lengths["counted"]["most"]["values"][0][0], "18446744073709551615");
    assert_eq!(tests[0]["f"]["most"], "18446744073709551615");
    // Tests with literals are tests.
    let extent = is_another["extent"].as_str().unwrap();
    assert!(extent.ends_with(" with literals") && !extent.starts_with('0'), "{extent}");
    assert!(is_another["tests"].as_array().unwrap().iter().any(|test| test["l"][0] == "large"), "{is_another}");
    // From then on the saved failure fails at once, and the charts are those of another run: also if it is committed, or an
    // example.
    for how in ["saved", "committed", "example"] {
        match how {
            "saved" => {}
            "committed" => {
                let said = workspace.forall(&["review", "is_another", "--keep"]);
                assert!(
                    said.starts_with("exit code 0") && workspace.path("shop/forall-regressions").is_dir(),
                    "{said}"
                );
            }
            _ => {
                fs::remove_dir_all(workspace.path("shop/forall-regressions")).unwrap();
                let example = "#[example(0x5eed_cafe_0bad_f00d)]\n    fn is_another";
                workspace.write("shop/src/lib.rs", &COUNTED.replace("fn is_another", example));
            }
        }
        let (_, is_another) = reported();
        let extent = if how == "example" { "failed on an example" } else { "failed on a saved failure" };
        assert_eq!(is_another["extent"], extent);
        assert_snapshot!("report_charts_of_another_run", is_another["notice"].as_str().unwrap());
        assert!(is_another["tests"].as_array().unwrap().iter().any(|test| test["l"][0] == "large"), "{is_another}");
        let words = is_another["labels"]["whole"].as_u64().unwrap();
        assert!(words > 0 && is_another["outcomes"].as_array().unwrap().len() == 2, "{how}: {is_another}");
    }
}

const FLOATS: &str = r#"
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[forall::test]
    fn floats(x: f64, n: u16) {
        feature!("ratio", x);
        feature!("half", f64::from(n) / 2.0);
        feature!("kind", if n < 9 { "few" } else { "many" });
    }
}
"#;

#[test]
fn numbers_of_every_kind_are_in_ranges_and_two_runs_are_compared() {
    let workspace = Workspace::new("floats", &["shop"]);
    workspace.write("shop/src/lib.rs", FLOATS);
    let reported = |tests: &str| {
        workspace.forall(&["report", "--tests", tests, "--seed", "7", "-o", "page.html"]);
        data(&fs::read_to_string(workspace.path("page.html")).unwrap()).remove(0)
    };
    let floats = reported("3000");
    let tests = floats["tests"].as_array().unwrap();
    let numbers = |feature: &str| tests.iter().filter(|test| test["f"][feature].is_number()).count();
    assert!(numbers("ratio") * 10 > tests.len() * 9 && numbers("half") == tests.len(), "floats are numbers");
    assert_eq!(floats["before"], serde_json::Value::Null);
    let again = reported("2000");
    let rows: Vec<&str> = again["differences"].as_array().unwrap().iter().filter_map(|row| row[0].as_str()).collect();
    let expected = [
        "verdict",
        "valid tests",
        "discarded tests",
        "distinct inputs",
        "sizes of inputs",
        "time",
        "average time of a test",
        "share of generating",
        "half",
        "kind: few",
        "kind: many",
        "ratio",
    ];
    assert_eq!(rows, expected);
    if has("numbers_of_every_kind_are_in_ranges_and_two_runs_are_compared", "node") {
        let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/bars.mjs");
        let output = Command::new("node").arg(driver).arg(workspace.path("page.html")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    browsed("numbers_of_every_kind_are_in_ranges_and_two_runs_are_compared", &workspace, "page.html");
}

const NAMES: &str = r#"
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[forall::test]
    fn names(x: u8, y: u32) {
        feature!("status", if x % 2 == 0 { "passed" } else { "odd" });
        feature!("size", u32::from(x) * 1000);
        feature!("__proto__", x % 3);
        feature!("empty", "");
        feature!("list", if x < 100 { "a" } else { "a, b" });
        tabulate!("pairs", format!("({}, {})", x % 2, y % 2));
        tabulate!("pairs", format!("({}, {})", y % 2, x % 2));
        tabulate!("status", y % 3);
        cover!(1, x < 200, "size");
        if x % 2 == 1 {
            tabulate!("sometimes", "odd");
        }
        label!("every one");
        if y % 2 == 0 {
            label!("list");
        }
        if x % 2 == 0 {
            feature!("sometimes", "yes");
        } else {
            label!("sometimes");
        }
        collect!(y / 10);
    }
}
"#;

#[test]
fn odd_names_do_not_break_the_filters() {
    let workspace = Workspace::new("names", &["shop"]);
    workspace.write("shop/src/lib.rs", NAMES);
    let said = workspace.forall(&["report", "--seed", "7", "-o", "page.html"]);
    assert!(said.starts_with("exit code 0"), "{said}");
    if has("odd_names_do_not_break_the_filters", "node") {
        let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/filters.mjs");
        let output = Command::new("node").arg(driver).arg(workspace.path("page.html")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    browsed("odd_names_do_not_break_the_filters", &workspace, "page.html");
}

/// Every file of a directory, with what is in it and when it was written.
fn files(directory: &Path) -> Vec<(PathBuf, Vec<u8>, std::time::SystemTime)> {
    let mut all = Vec::new();
    for file in fs::read_dir(directory).unwrap().flatten() {
        if file.path().is_dir() {
            all.extend(files(&file.path()));
        } else {
            all.push((file.path(), fs::read(file.path()).unwrap(), file.metadata().unwrap().modified().unwrap()));
        }
    }
    all.sort();
    all
}

#[test]
#[ignore = "slow: 10 s"]
fn a_campaign_is_one_page_and_its_corpus_is_only_read() {
    let name = "a_campaign_is_one_page_and_its_corpus_is_only_read";
    let workspace = Workspace::new("campaign-page", &["shop"]);
    // A narrow screen has no room for such a word.
    let corpus = "corpus-of-a-campaign-whose-path-has-no-blank-to-break-at";
    let worker = |store: &str, arguments: &[&str]| {
        let mut command = workspace.command(&[arguments, &["--seed", "7", "--corpus", corpus]].concat());
        workspace.said(command.env("FORALL_STORE", workspace.path(store)).output().unwrap())
    };
    for shard in ["1/2", "2/2"] {
        worker(&shard[..1], &["run", "cost", "--shard", shard]);
        let said = worker(&shard[..1], &["fuzz", "nothing_costs", "--execs", "2000", "--shard", shard]);
        assert!(said.starts_with("exit code 0"), "{said}");
    }
    let before = files(&workspace.path(corpus));
    let said = workspace.forall(&["report", "--corpus", corpus, "-o", "page.html"]);
    assert!(said.starts_with("exit code 1") && said.contains("2 workers"), "a shard is one worker: {said}");
    assert_eq!(files(&workspace.path(corpus)), before, "it is only read");

    let page = fs::read_to_string(workspace.path("page.html")).unwrap();
    let (_, json) = page.split_once(r#"id="data">"#).unwrap();
    let all: serde_json::Value = serde_json::from_str(json.split_once("</script>").unwrap().0).unwrap();
    let runs = all["campaign"]["tests"].as_array().unwrap();
    let of = |did: &str| runs.iter().filter(|run| run["f"]["did"] == did).collect::<Vec<_>>();
    assert_eq!(of("fuzz").len(), 2);
    for (run, shard) in of("fuzz").iter().zip(["1/2", "2/2"]) {
        assert!(run["f"]["shard"] == shard && run["f"]["build"].as_str().unwrap().len() == 8, "{run}");
        assert!(run["r"].as_str().unwrap().contains("nothing_costs_nothing: 2,0"), "{run}");
    }
    let property = |name: &str| {
        let all = all["properties"].as_array().unwrap();
        all.iter().find(|one| one["name"].as_str().unwrap().ends_with(name)).unwrap().clone()
    };
    let fuzzed = property("nothing_costs_nothing");
    let titles: Vec<&str> =
        fuzzed["curves"].as_array().unwrap().iter().map(|curve| curve["title"].as_str().unwrap()).collect();
    assert!(
        titles[0].starts_with("edges reached: ") && titles[1].starts_with("inputs with new coverage: "),
        "{fuzzed}"
    );
    assert!(fuzzed["curves"][0]["points"].as_array().unwrap().len() > 2, "{fuzzed}");
    assert!(fuzzed["notes"][0].as_str().unwrap().contains("expected per worker-hour"), "{fuzzed}");
    let failed = &property("more_pieces_cost_more")["failures"][0];
    assert!(failed["text"].as_str().unwrap().contains("let pieces: u32 = 99;"), "{failed}");
    browsed(name, &workspace, "page.html");

    let said = workspace.forall(&["report", "--corpus", corpus, "no_such_name"]);
    assert!(said.starts_with("exit code 2") && said.contains("more_pieces_cost_more"), "{said}");
    let said = workspace.forall(&["report", "--corpus", "nothing"]);
    assert!(said.starts_with("exit code 2") && said.contains("is not a corpus"), "{said}");
    assert!(!workspace.path("nothing").exists());
}

const ENDLESS: &str = r#"
#[cfg(test)]
mod tests {
    #[forall::test]
    fn a_is_quick(_n: u8) {}

    #[forall::test(tests = 1000000)]
    fn b_is_endless(_n: u64) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}
"#;

#[test]
fn a_report_of_some_of_the_properties_is_not_a_success() {
    let workspace = Workspace::new("some-reported", &["shop"]);
    workspace.write("shop/src/lib.rs", ENDLESS);
    workspace.write("shop/tests/broken.rs", "fn broken(");
    let report = ["report", "--no-fail-fast", "-o", "page.html"];
    let said = workspace.forall(&[&report[..], &["a_is_quick"]].concat());
    assert!(said.starts_with("exit code 1") && said.contains("1 property: 1 passed, 0 failed"), "{said}");

    fs::remove_file(workspace.path("shop/tests/broken.rs")).unwrap();
    let results = workspace.path("shop/.forall/results.jsonl");
    fs::remove_file(&results).unwrap();
    let mut running = workspace.command(&report).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while !fs::read_to_string(&results).unwrap_or_default().contains("a_is_quick") {
        assert!(began.elapsed() < Duration::from_secs(60), "the first property does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-TERM", &running.id().to_string()]).status().unwrap();
    let status = running.wait().unwrap();
    assert!(sent.success() && std::os::unix::process::ExitStatusExt::signal(&status) == Some(15), "{status}");
    assert!(fs::read_to_string(workspace.path("page.html")).unwrap().contains("1 not run (interrupted)"));
}

#[test]
fn report_messages_are_pinned() {
    let workspace = Workspace::new("said", &["shop"]);
    let said = workspace.forall(&["report", "nothing_costs", "--seed", "7"]);
    let size = regex::Regex::new(r"\(\d+ KB\)").unwrap();
    assert_snapshot!("report", size.replace(&said, "([size] KB)"));
    assert_snapshot!("report_unwritable", workspace.forall(&["report", "-o", "no/such/folder/page.html"]));
    assert_snapshot!("help_report", workspace.forall(&["report", "--help"]));
    // The second time it is compared with the first.
    workspace.forall(&["report", "nothing_costs", "--seed", "7"]);
    let page = fs::read_to_string(workspace.path("forall-report.html")).unwrap();
    // On a busy machine more is said, of the time.
    assert!(page.contains("Previous run: also passed, 50 tests"), "{page}");
}
