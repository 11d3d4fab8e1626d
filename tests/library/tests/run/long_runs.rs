//! Long runs: their output, and the saved state when they are stopped.

#![cfg(unix)]

#[path = "../support/after_two.rs"]
mod after_two;

use after_two::AfterTwo;
use forall::prelude::*;
use forall::property::{Empty, Property, Telescope};
use forall::run::{Cancel, Found, Run, Settings, Store, Verdict};
use forall::store::{Entry, Places};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const NAME: &str = "slow sum";
const STORE: &str = "LONG_RUNS_STORE";

/// Fails for vectors that sum to more than 1000, and takes its time about it.
fn slow_sum(pause: Duration) -> impl Property {
    Empty.forall("xs", |(), s| s.draw(vec(any::<u16>()))).printed_by(forall::property::Printed::code).check(
        move |(xs, ())| {
            std::thread::sleep(pause);
            xs.iter().map(|&x| u64::from(x)).sum::<u64>() <= 1000
        },
    )
}

fn settings(store: &Path) -> Settings {
    Settings::new().seed(1).store(Store::Directory(store.to_owned()))
}

/// The tasks of the child processes.
#[test]
#[ignore = "run by its parent"]
fn child() {
    let store = PathBuf::from(std::env::var_os(STORE).expect("run by its parent"));
    Run::new(NAME, &slow_sum(Duration::from_millis(40))).settings(settings(&store)).test();
}

const CHILD: [&str; 4] = ["--exact", "long_runs::child", "--ignored", "--nocapture"];

/// The saved failures of the property.
fn stored(store: &Path) -> Vec<Entry> {
    let places = Places::for_package(Path::new(""), &Store::Directory(store.to_owned()), false);
    places.failures(NAME).into_iter().map(|(_, entry)| entry.unwrap()).collect()
}

fn skip(test: &str, reason: &str) {
    println!("SKIPPED {test}: {reason}");
    assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none_or(|set| set != "1"), "{test} needs its tool: {reason}");
}

#[test]
fn ctrl_c_while_shrinking_keeps_the_best_so_far_and_the_next_run_continues_from_it() {
    let scratch = forall::scratch_dir().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(CHILD).env(STORE, &scratch).env("FORALL_VERBOSE", "1");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        if let Some((_, value)) = line.strip_prefix("forall: shrunk (").and_then(|rest| rest.split_once("): ")) {
            said.push(value.to_owned());
        }
        if said.len() == 3 {
            break;
        }
    }
    assert_eq!(said.len(), 3, "the child ended before it had shrunk three times");
    // The signal that a terminal sends for Ctrl-C.
    let Ok(killed) = Command::new("kill").args(["-INT", &child.id().to_string()]).status() else {
        child.kill().unwrap();
        child.wait().unwrap();
        return skip("ctrl_c_while_shrinking", "there is no `kill`");
    };
    assert!(killed.success());
    assert!(!child.wait().unwrap().success());

    let [kept] = &stored(&scratch)[..] else { panic!("one failure is kept") };
    assert!(!kept.minimal && kept.unfinished == 1, "shrinking was not at its end");
    let value = format!("xs = {}", kept.printed[0].text);
    // The third may have been said before it was kept.
    assert!(said[1..].contains(&value), "{value} is not one of {said:?}");

    let found = Run::new(NAME, &slow_sum(Duration::ZERO)).settings(settings(&scratch)).report().counterexample.unwrap();
    assert!(matches!(found.found, Found::Stored(_)));
    assert_eq!(format!("xs = {}", found.original.unwrap()[0].printed.text()), value, "it goes on from there");
    assert_eq!(found.bindings[0].printed.text(), "vec![1001]");
    let [kept] = &stored(&scratch)[..] else { panic!("one failure is kept") };
    assert!(kept.minimal);
}

#[test]
fn a_cancelled_run_reports_the_best_so_far() {
    let scratch = forall::scratch_dir().unwrap();
    let cancel = Cancel::new();
    let mut observer = AfterTwo::new(&cancel);
    let runs = AtomicU64::new(0);
    let property = property! {
        forall xs: Vec<u16>;
        check {
            runs.fetch_add(u64::from(cancel.is_cancelled()), Ordering::Relaxed);
            xs.iter().map(|&x| u64::from(x)).sum::<u64>() <= 1000
        }
    };
    let run = Run::new(NAME, &property).settings(settings(&scratch)).cancelled_by(&cancel);
    let report = run.observer(&mut observer).report();
    assert_eq!(report.verdict, Verdict::Failed);
    let found = report.counterexample.unwrap();
    assert_eq!(found.shrinking.accepted, 2);
    assert_eq!(found.shrinking.cut_short.unwrap().to_string(), "when the run was stopped");
    assert_eq!(runs.load(Ordering::Relaxed), 1, "only what is shown is run once more");
    assert!(found.explanation.claims.is_empty());
    let [kept] = &stored(&scratch)[..] else { panic!("one failure is kept") };
    assert!(!kept.minimal);
    assert!(kept.case.sequence.values().eq(found.case.sequence.values()), "{kept:?}");
}

#[test]
#[ignore = "slow: 1 s"]
fn a_cancelled_run_with_too_few_tests_is_reported() {
    let cancel = Cancel::new();
    let property = property! { forall n: u64; check if *n > 3 { cancel.cancel(); } };
    let settings = Settings::new().seed(1).tests(1_000_000).store(Store::Off);
    let started = Instant::now();
    let report = Run::new("stopped", &property).settings(settings.clone()).cancelled_by(&cancel).report();
    assert!(started.elapsed() < Duration::from_secs(20) && report.statistics.valid < 1_000_000);
    assert!(report.warnings[0].to_string().contains("was stopped after"), "{:?}", report.warnings);
    let report = Run::new("stopped", &property).settings(settings).cancelled_by(&cancel).report();
    assert!(matches!(&report.verdict, Verdict::GaveUp(why) if why.to_string().contains("Nothing was tested")));
}

#[test]
fn a_cancelled_run_stops_on_all_its_threads() {
    let cancel = Cancel::new();
    let property = property! {
        forall n: u64;
        check {
            if *n > 3 {
                cancel.cancel();
            }
            // The body of a long test.
            assert!(!cancel.is_cancelled() || forall::context().is_cancelled());
        }
    };
    let settings = Settings::new().seed(1).tests(10_000_000).threads(2).store(Store::Off);
    let report = Run::parallel("stopped", &property).settings(settings).cancelled_by(&cancel).report();
    assert!(report.verdict.is_success() && report.statistics.valid < 10_000_000);
    assert!(report.warnings[0].to_string().contains("was stopped after"), "{:?}", report.warnings);
}

#[test]
fn on_a_terminal_a_line_shows_how_far_a_slow_run_is() {
    let scratch = forall::scratch_dir().unwrap();
    let this = std::env::current_exe().unwrap();
    let command = format!("'{}' {}", this.display(), CHILD.join(" "));
    let mut script = Command::new("script");
    script
        .args(["-q", "-e", "-c", &command, "/dev/null"])
        .env(STORE, &scratch)
        .env("TERM", "xterm")
        .env("NO_COLOR", "1");
    let Ok(output) = script.stdin(Stdio::null()).output() else {
        return skip("on_a_terminal_a_line_shows", "there is no `script`");
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let Some(start) = text.find("\r\u{1b}[Kforall: slow sum: shrinking, ") else { panic!("{text:?}") };
    assert!(text[start..].contains(" runs, 1 s\r\u{1b}[K"), "{text:?}");
    // The report stands alone: the line is gone.
    let report = text.find("FAILED slow sum").expect("there is a report");
    assert!(text[..report].ends_with("\r\u{1b}[K") || text[..report].ends_with('\n'), "{text:?}");
    assert!(!text[report..].contains("\u{1b}[K"), "{text:?}");
}

#[test]
fn in_a_pipe_nothing_is_shown_but_the_report() {
    let scratch = forall::scratch_dir().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.args(CHILD).env(STORE, &scratch).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.starts_with("FAILED slow sum"), "{text}");
    assert!(!text.contains('\r') && !text.contains("shrinking, "), "{text}");
}

#[test]
fn a_verbose_run_prints_every_shrink_and_a_table_of_passes() {
    let scratch = forall::scratch_dir().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(CHILD).env(STORE, &scratch).env("FORALL_VERBOSE", "1").env("FORALL_EXPLAIN", "50");
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    let steps: Vec<&str> = text.lines().filter(|line| line.starts_with("forall: shrunk (")).collect();
    assert!(steps.last().unwrap().ends_with("): xs = vec![1001]"), "{text}");
    let (_, story) = text.split_once("\nshrinking: ").expect("the story is told");
    assert!(story.starts_with(&format!("{} steps, ", steps.len())), "{text}");
    assert!(story.contains("  lower numbers") && story.contains("\nexplaining: "), "{text}");
    // Each step was made by a pass of the table.
    for step in steps {
        let (pass, _) = step["forall: shrunk (".len()..].split_once(", run ").unwrap();
        assert!(story.contains(&format!("\n  {pass} ")), "{step}: {story}");
    }
}
