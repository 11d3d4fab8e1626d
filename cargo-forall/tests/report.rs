//! `forall report`: the page, and what it does when somebody clicks.
#![cfg(target_os = "linux")]

mod support;

use insta::assert_snapshot;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use support::Workspace;

/// Whether a program is there. If not, that is said; where all tools are required, it is a failure.
fn has(test: &str, program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("SKIPPED {test}: there is no {program}");
        assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none_or(|value| value != "1"), "{program} is required");
    }
    there
}

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

#[test]
fn a_browser_draws_it_and_filters() {
    let name = "a_browser_draws_it_and_filters";
    let (workspace, page) = reported("browser", &[]);
    if has(name, "chromium") {
        let click = "<script>[...document.querySelectorAll('button.bar')].find(b => b.ariaLabel.startsWith('even, yes')).click()</script>";
        let path = workspace.path("clicked.html");
        fs::write(&path, page.replace("</body>", &format!("{click}</body>"))).unwrap();
        let mut chromium = Command::new("chromium");
        chromium
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--dump-dom"])
            .arg(format!("--user-data-dir={}", workspace.path("browser").display()))
            .arg(format!("file://{}", path.display()));
        let dom = String::from_utf8(chromium.output().unwrap().stdout).unwrap();
        assert!(dom.matches("class=\"bar\"").count() > 20 && dom.contains("examples with even = yes"), "{dom}");
    }
}

#[test]
fn a_long_run_makes_a_small_page() {
    let workspace = Workspace::new("long", &["shop"]);
    workspace.forall(&["list"]);
    let began = Instant::now();
    let said = workspace.forall(&["report", "nothing_costs", "--tests", "100000", "--seed", "7"]);
    assert!(said.starts_with("exit code 0"), "{said}");
    let page = fs::read_to_string(workspace.path("forall-report.html")).unwrap();
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    assert!(page.contains("of 100,000 tests: the first ones, and a sample of the others"));
    eprintln!("{} bytes after {:?}", page.len(), began.elapsed());
}

#[test]
fn what_is_said_is_pinned() {
    let workspace = Workspace::new("said", &["shop"]);
    let said = workspace.forall(&["report", "nothing_costs", "--seed", "7"]);
    let size = regex::Regex::new(r"\(\d+ KB\)").unwrap();
    assert_snapshot!("report", size.replace(&said, "([size] KB)"));
    assert_snapshot!("report_unwritable", workspace.forall(&["report", "-o", "no/such/folder/page.html"]));
    assert_snapshot!("help_report", workspace.forall(&["report", "--help"]));
    // The second time it is compared with the first.
    workspace.forall(&["report", "nothing_costs", "--seed", "7"]);
    let page = fs::read_to_string(workspace.path("forall-report.html")).unwrap();
    assert!(page.contains("Last time: passed, too; 50 tests."), "{page}");
}
