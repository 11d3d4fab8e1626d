//! Races under the controlled scheduler, on real threads, and ported to shuttle and loom.
//!
//! forall generates its programs; the others get the smallest program that fails, since they have no generators. The five bugs of
//! published crates are not ported.

use crate::Options;
use crate::process::{Programs, TOOL, bench_directory, run};
use crate::report::{Bar, Limit, Report, Row, Table, number};
use std::path::Path;
use std::process::Command;

/// The package with the races on real threads and in other tools.
const PORTED: &str = "bench-races";

/// The other tools, as that package names them.
const OTHERS: [&str; 4] = ["threads", "shuttle-random", "shuttle-pct", "loom"];

/// The races of `examples/machines`.
const CLASSICAL: [&str; 6] =
    ["check_then_act", "two_state_flag", "aba", "lock_order", "lost_wake_up", "double_checked"];

/// The bugs of published crates of `examples/races`.
const PUBLISHED: [&str; 5] = ["oneshot_close", "oneshot_unparking", "flume_shutdown", "once_failure", "full_buffer"];

/// How long another tool searches, in seconds.
const TIME: &str = "10";

/// The number of random schedules that follow the systematic ones of a program.
const RANDOM: f64 = 100.0;

/// How often each failure is replayed, each time by a new process. With ten seeds, a race is replayed 100 times.
const REPLAYS: u64 = 10;

const SCHEDULES: &str = "schedules_to_bug";
const SECONDS: &str = "seconds";
const FOUND: &str = "found";
const REPLAYED: &str = "replays";
const RATE: &str = "schedules_per_second";

/// Where a race is, and the arguments that select its tests.
struct Place {
    directory: &'static str,
    arguments: &'static [&'static str],
}

const IN_MACHINES: Place = Place { directory: "..", arguments: &["-p", "forall-example-machines", "--test", "races"] };
const IN_RACES: Place =
    Place { directory: "../examples/races/found", arguments: &["--test", "races", "--instrument", "all"] };

/// The result of one search.
struct Hunted {
    schedules: f64,
    seconds: f64,
    /// The input from the line `replay:`, if the tool has one.
    input: Option<String>,
}

/// Measures all races, and adds rows, bars and a table.
pub fn run_all(options: &Options, seeds: u64, report: &mut Report) -> Result<(), String> {
    let programs = Programs::build(options, "release", &[TOOL, PORTED])?;
    let all = CLASSICAL.iter().map(|case| (*case, IN_MACHINES)).chain(PUBLISHED.iter().map(|case| (*case, IN_RACES)));
    for (case, place) in all {
        let mut hunted = Vec::new();
        let mut replays = 0;
        for seed in 1..=seeds {
            let seed = seed.to_string();
            let text = race(programs.of(TOOL), &place, &[case, "--include-ignored", "--seed", &seed])?;
            let Some(found) = read(&text) else { continue };
            if let Some(input) = &found.input {
                let fails = |_: &u64| race(programs.of(TOOL), &place, &[case, input]).is_ok_and(|text| failed(&text));
                replays += (0..REPLAYS).filter(fails).count() as u64;
            }
            hunted.push(found);
        }
        rows(report, case, "forall", &hunted, seeds);
        row(report, case, "forall", REPLAYED, replays as f64 * 100.0 / (seeds * REPLAYS) as f64);
        bar(report, case, FOUND, Limit::AtLeast(100.0));
        bar(report, case, SECONDS, Limit::AtMost(10.0));
        bar(report, case, REPLAYED, Limit::AtLeast(100.0));
    }
    for case in CLASSICAL {
        for tool in OTHERS.into_iter().filter(|tool| options.wants(tool)) {
            // loom has no seed.
            let seeds = if tool == "loom" { 1 } else { seeds };
            let mut hunted = Vec::new();
            for seed in 1..=seeds {
                hunted.extend(other(programs.of(PORTED), tool, case, seed)?);
            }
            rows(report, case, tool, &hunted, seeds);
        }
    }
    let rate = schedules_per_second(programs.of(TOOL))?;
    row(report, "2x3", "forall", RATE, rate);
    bar(report, "2x3", RATE, Limit::AtLeast(20_000.0));
    report.tables.push(table(report));
    Ok(())
}

/// The report of a race.
fn race(tool: &Path, place: &Place, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(tool);
    command.current_dir(bench_directory().join(place.directory)).arg("race").args(arguments).args(place.arguments);
    command.env("FORALL_STORE", "off").env("FORALL_EXPLAIN", "0").env("NO_COLOR", "1");
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0 | 1) => Ok(text),
        _ => Err(format!("{command:?} failed:\n{text}")),
    }
}

fn failed(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("FAILED "))
}

/// Reads the report of a failure.
fn read(text: &str) -> Option<Hunted> {
    // A head that does not fit on a line is wrapped.
    let head = text.split_once("FAILED ")?.1.split("\n\n").next()?;
    let seconds = duration(head.rsplit(',').next()?)?;
    let schedules = text.split(", found after ").nth(1)?.split(' ').next()?.replace(',', "").parse().ok()?;
    let replay = text.lines().find(|line| line.starts_with("replay:"));
    let input = replay.and_then(|line| line.split('\'').nth(1)).map(str::to_owned);
    Some(Hunted { schedules, seconds, input })
}

/// A duration as reports print it, in seconds.
fn duration(text: &str) -> Option<f64> {
    let (number, unit) = text.trim().split_once(' ')?;
    let number: f64 = number.replace(',', "").parse().ok()?;
    match unit {
        "µs" => Some(number / 1e6),
        "ms" => Some(number / 1e3),
        "s" => Some(number),
        "min" => Some(number * 60.0),
        _ => None,
    }
}

/// Searches with another tool. `None` if it found nothing.
fn other(program: &Path, tool: &str, case: &str, seed: u64) -> Result<Option<Hunted>, String> {
    let began = std::time::Instant::now();
    let output = run(Command::new(program).args([tool, case, &seed.to_string(), TIME]))?;
    let seconds = began.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    // Other lines are output of the tool itself.
    let last = text.lines().last().unwrap_or_default();
    Ok(last.trim().parse().ok().map(|schedules| Hunted { schedules, seconds, input: None }))
}

/// How many schedules of two branches of three commands run in a second, on one core.
fn schedules_per_second(tool: &Path) -> Result<f64, String> {
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(tool).current_dir(bench_directory().join(IN_MACHINES.directory));
    command.args(["race", "races::small_program", "--verbose"]).args(IN_MACHINES.arguments);
    command.env("FORALL_STORE", "off").env("NO_COLOR", "1");
    let output = run(&mut command)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    rate(&text).ok_or_else(|| format!("no rate in the report:\n{text}"))
}

/// Reads tests, schedules of each and time from `passed  races::small_program  all 20 inputs, 35 ms` and its statistics.
fn rate(text: &str) -> Option<f64> {
    let head = text.lines().find(|line| line.starts_with("passed ") && line.contains("small_program"))?;
    let (tests, time) = head.split("  all ").last()?.split_once(" inputs, ")?;
    let tests: f64 = tests.trim().parse().ok()?;
    let row = text.lines().find(|line| line.contains(" schedules with up to "))?;
    let schedules: f64 = row.split(" all ").nth(1)?.split(' ').next()?.replace(',', "").parse().ok()?;
    Some(tests * (schedules + RANDOM) / duration(time)?)
}

fn rows(report: &mut Report, case: &str, tool: &str, hunted: &[Hunted], seeds: u64) {
    row(report, case, tool, FOUND, hunted.len() as f64 * 100.0 / seeds as f64);
    if hunted.is_empty() {
        return;
    }
    let mut schedules: Vec<f64> = hunted.iter().map(|hunted| hunted.schedules).collect();
    schedules.sort_by(f64::total_cmp);
    row(report, case, tool, SCHEDULES, schedules[schedules.len() / 2]);
    row(report, case, tool, SECONDS, hunted.iter().map(|hunted| hunted.seconds).fold(0.0, f64::max));
}

fn row(report: &mut Report, case: &str, tool: &str, metric: &'static str, value: f64) {
    report.rows.push(Row { case: case.to_owned(), tool: tool.to_owned(), profile: "release", metric, value });
}

fn bar(report: &mut Report, case: &str, metric: &str, limit: Limit) {
    let value = report.value(case, "forall", "release", metric);
    report.bars.push(Bar { what: format!("{case}: {metric}"), value, limit });
}

fn table(report: &Report) -> Table {
    let mut table = Table {
        title: "Races".to_owned(),
        head: ["case", "tool", FOUND, SCHEDULES, SECONDS, REPLAYED].map(str::to_owned).to_vec(),
        ..Table::default()
    };
    for Row { case, tool, .. } in report.rows.iter().filter(|row| row.metric == FOUND) {
        let value = |metric| report.value(case, tool, "release", metric).map_or("–".to_owned(), number);
        table.rows.push(vec![
            case.clone(),
            tool.clone(),
            value(FOUND),
            value(SCHEDULES),
            value(SECONDS),
            value(REPLAYED),
        ]);
    }
    table.notes.push(format!(
        "`{FOUND}` and `{REPLAYED}` in percent; `{SCHEDULES}` is the median, `{SECONDS}` the worst, with shrinking. forall generates the \
         programs; the other tools have {TIME} s for the smallest program that fails."
    ));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_of_a_race_is_read() {
        let text = "FAILED races::aba (src/lib.rs:1) after 15 tests with literals, 9 shrinks,\n       498 ms\n\n  schedule with 1 preemption, found \
                    after 4,202 schedules:\nreplay:   cargo forall race --test races races::aba '2-ZLj4'\n";
        let found = read(text).unwrap();
        assert_eq!((found.schedules, found.seconds, found.input.as_deref()), (4202.0, 0.498, Some("2-ZLj4")));
        assert!(read("passed  races::aba  256 tests, 2.3 s").is_none());
    }

    #[test]
    fn the_rate_is_schedules_of_all_tests_in_their_time() {
        let text = "passed  races::small_program  all 20 inputs, 50 ms\n    20 valid, 0 discarded\n    schedules:\n    100.0 %  ████  \
                    all 100 schedules with up to 2 preemptions tried\n";
        assert_eq!(rate(text), Some(80_000.0));
    }
}
