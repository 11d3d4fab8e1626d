//! `forall list` and `forall run` as a user meets them. Their output is pinned in `tests/snapshots/`.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests need more of it")]
mod support;

use insta::assert_snapshot;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Workspace, unwrapped};

#[test]
fn list_shows_the_results_of_run() {
    let workspace = Workspace::new("life", &["shop", "plain"]);
    assert_snapshot!("list_before", workspace.forall(&["list"]));
    assert_snapshot!("run_all", workspace.forall(&["run", "--seed", "7"]));
    assert_snapshot!("list_after", workspace.forall(&["list"]));
    assert_snapshot!("run_filtered", workspace.forall(&["run", "costs_nothing", "--tests", "20", "--seed", "7"]));
    let listed = workspace.forall(&["list", "signs", "--json"]);
    assert!(
        listed.contains(r#""v":1"#)
            && listed.contains(r#""verdict":"exhausted""#)
            && listed.contains(r#""runner":"generational""#),
        "{listed}"
    );
}

#[test]
fn one_seed_gives_one_result_on_any_number_of_threads() {
    let workspace = Workspace::new("threads", &["shop"]);
    let tested = |threads: &str| {
        let arguments = ["run", "costs_nothing", "--seed", "7", "--tests", "1000", "--threads", threads];
        let said = workspace.forall(&arguments);
        assert!(said.starts_with("exit code 0"), "{said}");
        said
    };
    assert_eq!(tested("1"), tested("3"));
}

#[test]
fn another_runner_needs_nothing_in_cargo_toml() {
    let workspace = Workspace::new("runner", &["shop"]);
    let said = workspace.forall(&["run", "more_pieces", "--seed", "7", "--runner", "combinatorial"]);
    assert!(said.starts_with("exit code 1") && said.contains("let pieces: u32 = 99;"), "{said}");
}

#[test]
fn a_time_limit_is_shared_and_kept() {
    let workspace = Workspace::new("time", &["shop"]);
    let said = workspace.forall(&["run", "shop", "--for", "600ms", "--verbose", "--json", "events.jsonl"]);
    assert!(said.contains("stopped because its time limit of [time] was reached"), "{said}");
    let events = fs::read_to_string(workspace.path("events.jsonl")).unwrap();
    let events: Vec<serde_json::Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let started: Vec<_> = events.iter().filter(|event| event["event"] == "started").collect();
    let limit = 0.6 / 8.0;
    assert!(
        started.len() == 7 && started.iter().all(|run| (run["time_limit"].as_f64().unwrap() - limit).abs() < 0.001)
    );
    let passed = events.iter().filter(|event| event["verdict"] == "passed").map(|run| run["time"].as_f64().unwrap());
    assert!(passed.clone().count() > 0 && passed.into_iter().all(|time| time < 5.0), "{events:?}");
}

#[test]
fn results_are_written_as_json_and_junit() {
    let workspace = Workspace::new("written", &["shop"]);
    let said = workspace.forall(&["run", "cost", "--seed", "7", "--junit", "results.xml", "--json", "events.jsonl"]);
    assert!(said.starts_with("exit code 1"), "{said}");
    let junit = fs::read_to_string(workspace.path("results.xml")).unwrap();
    assert!(
        junit.contains(r#"<testsuite name="shop" tests="2" failures="1" errors="0" skipped="0" time=""#),
        "{junit}"
    );
    // The headline is the message with the values, and the whole report follows.
    let message = "<failure type=\"falsified\" message=\"assertion failed: price(pieces + 1, each) &gt; price(pieces, each), for pieces = 99, each = 1\">\
                   FAILED shop::tests::more_pieces_cost_more (shop/src/lib.rs:14) after 16 tests with literals";
    assert!(junit.contains(message), "{junit}");
    let events = fs::read_to_string(workspace.path("events.jsonl")).unwrap();
    let events: Vec<serde_json::Value> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    assert_eq!((kinds("started"), kinds("finished"), kinds("failed")), (2, 2, 1));
    assert!(events.iter().all(|event| event["v"] == 1 && event["property"].is_string()), "{events:?}");
}

#[test]
fn a_crashed_process_is_reported_with_its_last_output() {
    let workspace = Workspace::new("ends", &["shop"]);
    assert_snapshot!("ends_its_process", workspace.forall(&["run", "ends_its_process", "--seed", "7"]));
}

#[test]
fn a_narrow_terminal_without_colours_and_utf_8_is_enough() {
    let workspace = Workspace::new("narrow", &["shop"]);
    let mut command = workspace.command(&["run", "nothing_costs", "--seed", "7"]);
    let output = command.env("COLUMNS", "40").env("LC_ALL", "C").output().unwrap();
    assert!(output.stdout.is_ascii(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_snapshot!("narrow", workspace.said(output));
}

#[test]
fn selections_that_cannot_run_are_reported() {
    let workspace = Workspace::new("wrong", &["shop", "plain"]);
    assert_snapshot!("no_such_property", workspace.forall(&["run", "nothing_cost_nothing"]));
    assert_snapshot!("no_such_package", workspace.forall(&["list", "--package", "plain"]));
    assert_snapshot!("no_such_runner", workspace.forall(&["run", "signs", "--runner", "fast", "--seed", "7"]));
    assert_snapshot!("no_such_file", workspace.forall(&["run", "signs", "--json", "no/such/folder/x"]));
    assert_snapshot!("no_such_time", workspace.forall(&["run", "--for", "5"]));
    workspace.write("shop/src/lib.rs", "fn broken( {}\n");
    let said = workspace.forall(&["run"]);
    let advice = "the tests do not build; see cargo's errors above. Fix them";
    assert!(said.starts_with("exit code 2") && unwrapped(&said).contains(advice), "{said}");
    let empty = Workspace::new("empty", &["plain"]);
    assert_snapshot!("no_forall", empty.forall(&["list"]));
    let none = Workspace::new("none", &["shop"]);
    none.write("shop/src/lib.rs", "");
    assert_snapshot!("no_properties", none.forall(&["run"]));
    let nowhere = std::env::temp_dir();
    let output = empty.command(&["list"]).current_dir(&nowhere).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cargo finds no package here"));
}

#[test]
fn should_panic_properties_pass_if_they_panic() {
    let workspace = Workspace::new("should-panic", &["shop"]);
    assert_snapshot!("should_panic", workspace.forall(&["run", "orders_are_free", "--seed", "7"]));
    assert!(workspace.forall(&["review"]).contains("nothing to review"));
    let source = fs::read_to_string(workspace.path("shop/src/lib.rs")).unwrap();
    workspace.write("shop/src/lib.rs", &source.replace("price(pieces, 1) == 0", "price(pieces, 0) == 0"));
    assert_snapshot!("should_panic_and_does_not", workspace.forall(&["run", "orders_are_free", "--seed", "7"]));
}

#[test]
fn suggested_commands_work_with_similar_names() {
    let workspace = Workspace::new("alike", &["shop", "counter"]);
    let fails = "#[forall::test]\nfn same(n: u8) { assert!(n < 9) }\n";
    workspace.write("shop/src/lib.rs", "");
    workspace.write("counter/src/lib.rs", "");
    workspace.write("shop/tests/lines.rs", &format!("mod a {{\n{fails}}}\nmod b {{\n{fails}}}\n"));
    let next = |run: &[&str]| {
        let said = workspace.forall(run);
        let command = said.split("next: `forall ").nth(1).and_then(|next| next.split('`').next());
        let command = unwrapped(command.unwrap_or_else(|| panic!("{said}")));
        let said = workspace.forall(&command.split(' ').collect::<Vec<_>>());
        assert!(said.starts_with("exit code 1"), "{command}: {said}");
        command
    };
    assert_eq!(next(&["run", "b::same"]), "explain b::same");
    workspace.write("shop/tests/lines.rs", fails);
    workspace.write("counter/tests/lines.rs", fails);
    assert_eq!(next(&["run", "same"]), "explain same -p counter");
    assert_eq!(next(&["run", "-p", "shop", "--test", "lines"]), "explain same -p shop --test lines");
    let several = unwrapped(&workspace.forall(&["explain", "same"]));
    assert!(several.contains("they have the same name, so add the package: -p counter or -p shop:"), "{several}");
}

#[test]
fn properties_with_the_same_name_are_reported() {
    let workspace = Workspace::new("twins", &["twins"]);
    assert_snapshot!("twins", workspace.forall(&["list"]));
}

#[test]
fn a_damaged_store_is_reported_and_does_not_stop_a_run() {
    let workspace = Workspace::new("damaged", &["shop"]);
    workspace.forall(&["run", "more_pieces", "--seed", "7"]);
    let store = workspace.path("shop/.forall");
    fs::write(store.join("results.jsonl"), "{\"property\":\"a\"}\n\u{0}garbage\n").unwrap();
    for folder in fs::read_dir(&store).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        for file in fs::read_dir(folder.path()).unwrap().flatten() {
            fs::write(file.path(), "garbage").unwrap();
        }
    }
    assert_snapshot!("damaged_list", unwrapped(&workspace.forall(&["list", "more_pieces"])));
    assert_snapshot!("damaged_run", unwrapped(&workspace.forall(&["run", "more_pieces", "--seed", "7"])));
    assert!(fs::read_to_string(store.join("results.jsonl")).unwrap().lines().all(|line| line.starts_with('{')));
}

#[test]
fn a_store_that_is_a_file_is_reported_and_does_not_stop_a_run() {
    let workspace = Workspace::new("no-store", &["shop"]);
    workspace.write("shop/.forall", "in the way");
    assert_snapshot!("no_store_list", unwrapped(&workspace.forall(&["list", "more_pieces"])));
    assert_snapshot!("no_store_run", unwrapped(&workspace.forall(&["run", "more_pieces", "--seed", "7"])));
    let all = unwrapped(&workspace.forall(&["run", "--seed", "7"]));
    assert_eq!(all.matches("forall: warning: cannot write").count(), 1, "{all}");
    assert_snapshot!("no_store_replay", unwrapped(&workspace.forall(&["replay", "more_pieces"])));
    assert_snapshot!("no_store_review", unwrapped(&workspace.forall(&["review", "more_pieces"])));
}

#[test]
fn every_command_has_advice_for_an_empty_selection() {
    let workspace = Workspace::new("nothing", &["shop"]);
    let commands =
        [&["run"][..], &["list"], &["report"], &["review"], &["replay"], &["explain"], &["sample"], &["bench"]];
    let told = |arguments: &[&str], advice: &str| {
        let said = workspace.forall(arguments);
        assert!(said.starts_with("exit code 2") && unwrapped(&said).contains(advice), "{arguments:?}: {said}");
    };
    for command in commands {
        told(
            &[command, &["more_peices"]].concat(),
            "the properties are shop::tests::more_pieces_cost_more (shop/src/lib.rs:14)",
        );
    }
    told(
        &["run", "signs", "--observe", "/proc/no"],
        "cannot write /proc/no: No such file or directory (os error 2); choose another file",
    );
    workspace.write("shop/src/lib.rs", "");
    for command in commands {
        told(command, "write one");
    }
    workspace.write("shop/src/lib.rs", "fn broken( {}\n");
    for command in commands {
        told(command, "see cargo's errors above. Fix them");
    }
}

/// A value whose `Debug` is a megabyte, with everything in it that a terminal or a page might obey.
const HOSTILE: &str = r#"
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[derive(Clone)]
    struct Hostile(u32);

    impl std::fmt::Debug for Hostile {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "</script><img src=x onerror=alert(1)>\u{1b}[31mred\u{1b}]0;title\u{7}\u{0}\u{9b}\u{202e}\n\r{}", "x".repeat(1 << 20))
        }
    }

    #[forall::test(tests = 20)]
    fn is_small(#[forall(any::<u32>().map(Hostile))] value: Hostile) {
        label!("<b>{}\u{1b}[2J", value.0 < 1000);
        feature!("<i>\u{1b}[2J", format!("{value:?}"));
        note!("{value:?}");
        assert!(value.0 < 1000, "{value:?}");
    }
}
"#;

#[test]
#[ignore = "slow: 20 s"]
fn hostile_values_reach_neither_the_terminal_nor_the_page() {
    let workspace = Workspace::new("hostile", &["shop"]);
    workspace.write("shop/src/lib.rs", HOSTILE);
    for arguments in [
        &["run", "--seed", "7"][..],
        &["list"],
        &["explain"],
        &["replay"],
        &["sample"],
        &["review", "--example"],
        &["review", "--keep"],
        &["report", "--seed", "7"],
    ] {
        let output = workspace.command(arguments).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let hostile: Vec<char> = said.chars().filter(|&c| c.is_control() && c != '\n' || c == '\u{202e}').collect();
        assert!(hostile.is_empty() && said.len() < 20_000, "{arguments:?}: {hostile:?} in {} bytes", said.len());
    }
    let page = fs::read_to_string(workspace.path("forall-report.html")).unwrap();
    assert!(!page.contains("<img") && !page.contains('\u{1b}') && page.len() < 1 << 18, "{} bytes", page.len());
}

#[test]
fn help_texts_are_pinned() {
    let workspace = Workspace::new("help", &["plain"]);
    for command in ["list", "run"] {
        assert_snapshot!(format!("help_{command}"), workspace.forall(&[command, "--help"]));
    }
    assert_snapshot!("help", workspace.forall(&["--help"]));
}

#[test]
fn literals_of_the_sources_are_tried() {
    let workspace = Workspace::new("literals", &["shop"]);
    let source = workspace.path("shop/src/lib.rs");
    let text = fs::read_to_string(&source).unwrap();
    let secret = "\npub fn is_sold_out(number: u64) -> bool {\n    number == 0x5eed_cafe_0bad_f00d\n}\n\n#[cfg(test)]\nmod secret \
                  {\n    #[forall::test]\n    fn nothing_is_sold_out(number: u64) {\n        assert!(!super::is_sold_out(number));\n    \
                  }\n}\n";
    fs::write(&source, text + secret).unwrap();
    let said = workspace.forall(&["run", "nothing_is_sold_out", "--seed", "7"]);
    assert!(said.starts_with("exit code 1") && said.contains("let number: u64 = 6840346601512103949;"), "{said}");
    assert!(said.contains("with literals from the source"), "{said}");
}

#[test]
fn literals_of_tests_outside_of_their_bodies_are_tried() {
    let workspace = Workspace::new("literals_of_tests", &["shop"]);
    fs::create_dir_all(workspace.path("shop/tests")).unwrap();
    let test = "const SOLD_OUT: u64 = 0x5eed_cafe_0bad_f00d;\n\n#[forall::test]\nfn nothing_is_gone(number: u64) {\n    \
                assert_ne!(number, SOLD_OUT);\n}\n";
    fs::write(workspace.path("shop/tests/gone.rs"), test).unwrap();
    let said = workspace.forall(&["run", "nothing_is_gone", "--seed", "7"]);
    assert!(said.starts_with("exit code 1") && said.contains("let number: u64 = 6840346601512103949;"), "{said}");
}

const VALUES: &str = r#"
#[cfg(test)]
mod tests {
    use forall::prelude::*;

    #[test]
    fn nth_is_get() {
        let property = property! { forall xs: Vec<u8>; implies !xs.is_empty(); check xs.first() != xs.last() };
        // forall::check("in a comment", &property);
        forall::check("nth is get", &property);
    }

    fn holds(name: &'static str) {
        let property = property! { forall x: u8; check *x <= u8::MAX };
        forall::check("helped", &property);
        forall::check(name, &property);
    }

    #[test]
    fn several() {
        holds("any name");
        let property = property! { forall x: u32; forall y: u32; check x.wrapping_add(*y) == y.wrapping_add(*x) };
        let _ = "outside";
        forall::run::Run::parallel("sums", &property).test();
        let never = property! { forall x: u32; check *x < 10 };
        assert!(!forall::run::Run::new("a report", &never).report().verdict.is_success());
    }

    #[test]
    #[should_panic]
    fn is_to_fail() {
        forall::check("fails", &property! { forall x: u32; check *x < 10 });
    }
}
"#;

#[test]
fn property_values_are_listed_and_run_by_their_names() {
    let workspace = Workspace::new("values", &["shop"]);
    workspace.write("shop/src/lib.rs", VALUES);
    assert_snapshot!("list_values", workspace.forall(&["list"]));
    assert_snapshot!(
        "run_values",
        workspace.forall(&["run", "--seed", "7", "--threads", "2", "--junit", "results.xml"])
    );
    let junit = fs::read_to_string(workspace.path("results.xml")).unwrap();
    assert!(junit.contains(r#"<testsuite name="shop" tests="5" failures="1""#), "{junit}");
    assert_snapshot!("list_values_run", workspace.forall(&["list"]));
    for (arguments, code, wanted) in [
        (&["sample", "sums", "-n", "3"][..], 0, "x = "),
        // Empty inputs are discarded.
        (&["sample", "nth", "-n", "1", "--seed", "7"], 0, "xs = vec!["),
        (&["sample", "nth", "-n", "100", "--seed", "7"], 0, "the property discards "),
        (&["replay", "nth is get"], 1, "let xs: Vec<u8> = vec![0];"),
        (&["explain", "nth"], 1, "what matters:"),
        (&["explain", "sums"], 0, "`forall run sums --for 1m` searches longer"),
        (&["bench", "sums", "--tests", "100"], 0, "tests per second"),
        (&["report", "sums", "--seed", "7", "-o", "page.html"], 0, "1 property: 1 passed"),
        (&["review", "nth", "--example"], 2, "is a property value, which cannot have #[example]"),
        (&["review", "nth", "--keep"], 0, "forall-regressions/"),
        (&["replay", "sums"], 2, "`forall run sums` searches for one"),
    ] {
        let said = workspace.forall(arguments);
        let started = said.starts_with(&format!("exit code {code}\n"));
        assert!(started && unwrapped(&said).contains(wanted), "{arguments:?}: {said}");
    }
    let said = unwrapped(&workspace.forall(&["run", "nth", "--seed", "7"]));
    assert!(said.contains("next: `forall explain 'nth is get'` shows which parts matter"), "{said}");
    // The statement before it in its test.
    workspace.write("shop/src/lib.rs", &VALUES.replace("let _ = \"outside\"", "assert_eq!(1, 2)"));
    assert_snapshot!("run_value_not_reached", workspace.forall(&["run", "sums", "--seed", "7"]));
}

/// Runs properties for the tests of other packages.
const HELPER: &str = r##"
use forall::prelude::*;

pub fn holds(name: String) {
    let property = property! { forall n: u8; check *n < 200 };
    forall::check(name, &property);
}

#[macro_export]
macro_rules! holds {
    ($name:expr) => {
        $crate::holds($name.to_owned())
    };
}
"##;

/// Tests without the name of a property, and without that of forall.
const HELPED: &str = r#"
#[cfg(test)]
mod tests {
    #[test]
    fn helped() {
        helper::holds("by a function".to_owned());
    }

    #[test]
    fn expanded() {
        helper::holds!("by a macro");
    }

    #[test]
    #[ignore = "it is slow"]
    fn ignored() {
        for n in 0..2 {
            helper::holds(format!("ignored {n}"));
        }
    }

}

#[cfg(test)]
#[path = "../../outside.rs"]
mod outside;
"#;

const OUTSIDE: &str = r#"
use forall::check as holds;
use forall::prelude::*;

#[test]
fn elsewhere() {
    holds("outside", &property! { forall n: u8; check *n < 200 });
}
"#;

const LEAVES: &str = r#"
#[cfg(test)]
mod tests {
    #[test]
    fn helped() {
        helper::holds("by a function".to_owned());
    }

    #[test]
    fn leaves() {
        std::process::exit(0);
    }
}
"#;

#[test]
fn properties_that_the_sources_of_a_package_do_not_show_are_run() {
    let workspace = Workspace::new("unseen", &["shop"]);
    let manifest = workspace.manifest("shop");
    let root = "[workspace]\nresolver = \"3\"\nmembers = [\"shop\", \"helper\"]\n";
    workspace.write("Cargo.toml", root);
    workspace.write("helper/Cargo.toml", &manifest.replace("\"shop\"", "\"helper\"").replace("dev-dep", "dep"));
    workspace.write("helper/src/lib.rs", HELPER);
    workspace.write("shop/Cargo.toml", &format!("{manifest}helper = {{ path = \"../helper\" }}\n"));
    workspace.write("shop/src/lib.rs", HELPED);
    workspace.write("outside.rs", OUTSIDE);
    let said = workspace.forall(&["run", "--seed", "7"]);
    assert!(said.starts_with("exit code 1") && said.contains("3 properties: 0 passed, 3 failed"), "{said}");
    for name in ["by a function", "by a macro", "outside"] {
        assert!(said.contains(&format!("FAILED  {name}")), "{name}: {said}");
    }
    let said = workspace.forall(&["run", "ignored", "--seed", "7", "--include-ignored"]);
    assert!(said.contains("2 properties: 0 passed, 2 failed"), "{said}");
    // Without a dependency on forall of its own.
    let (package, _) = manifest.split_once("\nforall = ").unwrap();
    workspace.write("shop/Cargo.toml", &format!("{package}\nhelper = {{ path = \"../helper\" }}\n"));
    workspace.write("shop/src/lib.rs", HELPED.split_once("\n#[cfg(test)]\n#[path").unwrap().0);
    let said = workspace.forall(&["run", "-p", "shop", "--seed", "7"]);
    assert!(said.contains("2 properties: 0 passed, 2 failed"), "{said}");
    // A test that ends its process hides its properties.
    workspace.write("shop/src/lib.rs", LEAVES);
    let said = workspace.forall(&["run", "-p", "shop", "--seed", "7"]);
    let warning =
        "warning: the test tests::leaves of shop ends its process, so the properties that it runs are not known";
    assert!(said.starts_with("exit code 1") && unwrapped(&said).contains(warning), "{said}");
    assert!(said.contains("1 property: 0 passed, 1 failed"), "{said}");
}

const FORGED: &str = r#"
#[cfg(test)]
mod tests {
    #[forall::test]
    fn forges(n: u8) {
        println!("::error file=src/lib.rs,line=1::printed");
        assert!(n < 100, "wrong\n::error file=src/lib.rs,line=1::in a message\n::stop-commands::x\n::x::");
    }
}
"#;

#[test]
fn a_workflow_gets_one_annotation_for_each_failure_whatever_the_tests_print() {
    let workspace = Workspace::new("workflow", &["shop"]);
    workspace.write("shop/src/lib.rs", FORGED);
    let mut command = workspace.command(&["run", "--seed", "7"]);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_WORKSPACE", workspace.path(""));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let (said, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let (before, rest) = said.split_once("::stop-commands::").expect("commands are disabled");
    let (token, rest) = rest.split_once('\n').unwrap();
    let (quiet, after) = rest.split_once(&format!("\n::{token}::\n")).expect("commands are enabled again");
    assert!(before.is_empty() && quiet.contains("in a message") && token.len() > 16, "{said}");
    let annotations: Vec<&str> = after.lines().filter(|line| line.trim_start().starts_with("::")).collect();
    let [annotation] = annotations[..] else { panic!("{annotations:?}") };
    assert!(annotation.starts_with("::error file=shop/src/lib.rs,line=4,title=falsified"), "{annotation}");
    assert!(annotation.contains("::wrong") && annotation.contains("n = 100"), "{annotation}");
    assert!(!errors.lines().any(|line| line.trim_start().starts_with("::")), "{errors}");
}

const ENDLESS: &str = r#"
#[cfg(test)]
mod tests {
    #[forall::test]
    fn a_is_quick(n: u8) {
        assert!(n < 255 || n == 255);
    }

    #[forall::test(tests = 1000000)]
    fn b_is_endless(n: u64) {
        static TELL: std::sync::Once = std::sync::Once::new();
        TELL.call_once(|| std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/process"), std::process::id().to_string()).unwrap());
        std::thread::sleep(std::time::Duration::from_millis(1 + n % 2));
    }
}
"#;

#[test]
fn an_interrupted_run_reports_its_progress() {
    let workspace = Workspace::new("asked", &["shop"]);
    workspace.write("shop/src/lib.rs", ENDLESS);
    workspace.forall(&["list"]);
    for (signal, number) in [("-TERM", 15), ("-INT", 2)] {
        let mut command = workspace.command(&["run", "--threads", "1"]);
        let mut running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The first property has been reported, and the second one runs.
        let mut told = BufReader::new(running.stdout.take().unwrap());
        let mut text = String::new();
        told.read_line(&mut text).unwrap();
        let process = workspace.path("shop/process");
        while fs::read_to_string(&process).unwrap_or_default().is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        // This program alone, and not its group.
        let killed = Command::new("kill").args([signal, &running.id().to_string()]).status().unwrap();
        assert!(killed.success());
        told.read_to_string(&mut text).unwrap();
        let status = running.wait().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(number), "{text}");
        assert!(
            text.contains("passed  shop::tests::a_is_quick") && text.contains("2 properties: 1 passed, 1 not run"),
            "{text}"
        );
        assert!(text.contains("stopped  shop::tests::b_is_endless  no failure in "), "{text}");
        let number = fs::read_to_string(&process).unwrap();
        assert!(!Path::new("/proc").join(number).exists(), "the test program has ended as well");
        fs::remove_file(process).unwrap();
    }
}

const LEAVING: &str = r#"
#[cfg(test)]
mod tests {
    #[forall::test]
    fn hangs(n: u64) {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/process"), std::process::id().to_string()).unwrap();
        while n < u64::MAX { std::hint::spin_loop() }
    }

    /// Starts a process that does not end for hours.
    fn leave() {
        use std::io::Write;
        let left = std::process::Command::new("sleep").arg("10000").spawn().unwrap();
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("left");
        writeln!(std::fs::File::options().create(true).append(true).open(file).unwrap(), "{}", left.id()).unwrap();
    }

    #[forall::test(tests = 1)]
    fn leaves_a_process_behind(_n: u64) {
        leave();
    }

    #[test]
    fn so_does_this_test() {
        use forall::prelude::*;
        leave();
        forall::check(format!("computed {}", 1), &property! { forall n: u8; check *n < 255 || *n == 255 });
    }
}
"#;

#[test]
#[ignore = "slow: 8 s"]
fn a_test_that_hangs_ends_with_a_tool_that_is_killed() {
    let workspace = Workspace::new("orphan", &["shop"]);
    workspace.write("shop/src/lib.rs", LEAVING);
    workspace.forall(&["list"]);
    let mut running = workspace.command(&["run", "hangs"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let process = workspace.path("shop/process");
    let began = Instant::now();
    while fs::read_to_string(&process).unwrap_or_default().is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    running.kill().unwrap();
    running.wait().unwrap();
    let stat = Path::new("/proc").join(fs::read_to_string(&process).unwrap()).join("stat");
    // The process that adopts it may take a while to reap it.
    while fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
        assert!(began.elapsed() < Duration::from_secs(60), "the test program goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_process_that_a_test_leaves_behind_does_not_delay_the_run() {
    let workspace = Workspace::new("left-behind", &["shop"]);
    workspace.write("shop/src/lib.rs", LEAVING);
    workspace.forall(&["list"]);
    // A run that waits for the process does not end.
    let run = workspace.forall(&["run", "leaves_a_process_behind"]);
    // Tests that run to find the names of properties.
    let list = workspace.forall(&["list", "computed"]);
    let left = fs::read_to_string(workspace.path("shop/left")).unwrap();
    // The tool may have killed them.
    let _ = Command::new("kill").arg("-KILL").args(left.lines()).stderr(Stdio::null()).status();
    assert!(left.lines().count() >= 2, "{left}");
    assert!(run.starts_with("exit code 0"), "{run}");
    assert!(list.contains("computed 1"), "{list}");
}

const IGNORED: &str = r#"
#[cfg(test)]
mod tests {
    #[forall::test]
    #[ignore = "it is slow"]
    fn left_out(n: u16) {
        assert!(n < 1000);
    }
}
"#;

#[test]
fn replay_commands_of_ignored_tests_include_ignored() {
    let workspace = Workspace::new("ignored", &["shop"]);
    workspace.write("shop/src/lib.rs", IGNORED);
    let said = workspace.forall(&["run", "left_out"]);
    assert_eq!(said.matches("cargo test -p shop tests::left_out -- --ignored\n").count(), 2, "{said}");
    assert_snapshot!("left_out", workspace.forall(&["run"]));
}
