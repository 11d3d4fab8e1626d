//! The cost of observability when it is off, and of observing runs.
//!
//! The runner of forall's own cases (`cases/forall`) is built twice: as it is, and on the lean core, which cannot observe. Callgrind counts
//! the instructions of two runs of different lengths, as the suite `overhead` does. A test that is not observed must cost what it costs
//! on the lean core; when each test is observed, counters and clocks may cost two microseconds.

use super::Suite;
use crate::process::{self, Programs, Scratch};
use crate::report::{Bar, Limit, Report, Row, Table};
use crate::{Finished, Options};
use std::path::{Path, PathBuf};
use std::process::Command;

pub const SUITE: Suite = Suite {
    name: "observe",
    about: "the cost of observing runs, and of observability that is off (needs valgrind)",
    tools: &[],
    own: &[],
    run,
};

const CASES: &[&str] = &["unit", "pair", "vec50", "expr"];
const PROFILES: &[&str] = &["release", "dev"];

/// How much more a test may cost because it could be observed.
const TIMES_WITHOUT: f64 = 1.01;

/// The threshold for counters and clocks per test, in nanoseconds, in release.
const NANOSECONDS: f64 = 2000.0;

/// The two run lengths of unobserved tests. Both exceed the number of inputs that are regenerated for statistics. For
/// cheap tests they are far apart, since the cost of starting a thread varies by a thousand instructions.
fn lengths(case: &str) -> (u64, u64) {
    if matches!(case, "unit" | "pair") { (10_000, 210_000) } else { (2000, 4000) }
}

/// The two run lengths of observed tests: after the first ten thousand, one test in a hundred is recorded with its
/// values, which costs as much as their `Debug` output.
const OBSERVED: (u64, u64) = (20_000, 40_000);

/// In what way a run is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Built on the lean core.
    Lean,
    /// Built as usual, and asked for nothing.
    Off,
    /// Its events are written down.
    Events,
    /// Each test is looked at, and some are written down.
    Tests,
}

const MANNERS: &[(Manner, &str)] = &[
    (Manner::Lean, "lean core"),
    (Manner::Off, "default, off"),
    (Manner::Events, "events"),
    (Manner::Tests, "each test"),
];

/// The two builds of the runner, in a profile.
struct Runners {
    lean: PathBuf,
    default: PathBuf,
}

impl Runners {
    fn build(options: &Options, profile: &str) -> Result<Self, String> {
        // One after the other: built together, both would have the features of both.
        let one = |package: &str| {
            let program = Programs::build(options, profile, &[package])?.of(package).to_owned();
            Ok::<_, String>(program)
        };
        Ok(Self { lean: one("bench-case-forall-lean")?, default: one("bench-case-forall")? })
    }

    fn of(&self, manner: Manner) -> &Path {
        if manner == Manner::Lean { &self.lean } else { &self.default }
    }
}

/// The variables that ask for it.
fn variables(manner: Manner, scratch: &Scratch) -> Vec<(&'static str, PathBuf)> {
    match manner {
        Manner::Lean | Manner::Off => Vec::new(),
        Manner::Events => vec![("FORALL_EVENTS", scratch.path().join("events"))],
        Manner::Tests => vec![("FORALL_OBSERVE", scratch.path().join("tests"))],
    }
}

/// Instructions per test: the difference between two runs of different lengths.
fn instructions(program: &Path, case: &str, manner: Manner, scratch: &Scratch) -> Result<f64, String> {
    let (short, long) = if manner == Manner::Tests { OBSERVED } else { lengths(case) };
    let variables = variables(manner, scratch);
    let variables: Vec<(&str, &Path)> = variables.iter().map(|(name, path)| (*name, path.as_path())).collect();
    let count = |tests: u64| process::instructions(program, &[case, &tests.to_string()], &variables);
    Ok((count(long)? as f64 - count(short)? as f64) / (long - short) as f64)
}

/// CPU time per test, in nanoseconds: the median of several.
fn nanoseconds(program: &Path, case: &str, manner: Manner, scratch: &Scratch) -> Result<f64, String> {
    let (short, long) = OBSERVED;
    let time = |tests: u64| {
        let mut command = Command::new(program);
        command.env_clear().envs(variables(manner, scratch)).arg(case).arg((tests * 10).to_string());
        process::cpu_time(&mut command)
    };
    let mut times = Vec::new();
    for _ in 0..5 {
        times.push((time(long)?.as_secs_f64() - time(short)?.as_secs_f64()) * 1e9 / (10 * (long - short)) as f64);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

fn run(options: &Options) -> Result<Finished, String> {
    if !process::installed("valgrind") {
        return Ok(Finished::Skipped("valgrind is not installed".into()));
    }
    let scratch = Scratch::new("observe")?;
    let mut report = Report::default();
    let profiles = if options.smoke { &PROFILES[..1] } else { PROFILES };
    let cases = if options.smoke { &CASES[..2] } else { CASES };
    for &profile in profiles {
        let runners = Runners::build(options, profile)?;
        for &case in cases {
            for &(manner, tool) in MANNERS {
                let mut row = |metric, value: f64| {
                    let (case, tool) = (case.to_owned(), tool.to_owned());
                    report.rows.push(Row { case, tool, profile, metric, value: (value * 100.0).round() / 100.0 });
                };
                if profile == "dev" && manner == Manner::Tests {
                    continue;
                }
                row(INSTRUCTIONS, instructions(runners.of(manner), case, manner, &scratch)?);
                if profile == "release" && manner != Manner::Events {
                    row(TIME, nanoseconds(runners.of(manner), case, manner, &scratch)?);
                }
            }
        }
    }
    report.tables = profiles.iter().map(|profile| table(&report, profile, cases)).collect();
    report.bars = bars(&report, profiles, cases);
    Ok(Finished::Measured(report))
}

const INSTRUCTIONS: &str = "instructions_per_test";
const TIME: &str = "nanoseconds_per_test";

fn table(report: &Report, profile: &str, cases: &[&str]) -> Table {
    let mut head = vec!["observed".to_owned()];
    head.extend(cases.iter().map(|case| case.to_string()));
    let mut table = Table { title: format!("Instructions per test, {profile} (CPU time)"), head, ..Table::default() };
    for &(_, tool) in MANNERS {
        let cell = |case: &&str| {
            let instructions =
                report.value(case, tool, profile, INSTRUCTIONS).map_or("–".into(), |n| format!("{n:.0}"));
            let time = report.value(case, tool, profile, TIME).map_or(String::new(), |n| format!(" ({n:.0} ns)"));
            instructions + &time
        };
        table.rows.push(std::iter::once(tool.to_owned()).chain(cases.iter().map(cell)).collect());
    }
    table.notes.push(
        "When events are written, some inputs are made once more after the run, for a tenth of a second at most."
            .into(),
    );
    table
}

fn bars(report: &Report, profiles: &[&'static str], cases: &[&str]) -> Vec<Bar> {
    let mut bars = Vec::new();
    let [without, off, tests] = [0, 1, 3].map(|at: usize| MANNERS[at].1);
    for profile in profiles {
        for case in cases {
            let cost = |tool, metric| report.value(case, tool, profile, metric);
            let value = cost(off, INSTRUCTIONS).zip(cost(without, INSTRUCTIONS)).map(|(with, without)| with / without);
            let what = format!("{profile} {case}, {off} / {without}");
            bars.push(Bar { what, value, limit: Limit::AtMost(TIMES_WITHOUT) });
            if let Some((with, plain)) = cost(tests, TIME).zip(cost(without, TIME)) {
                let what = format!("{profile} {case}, additional nanoseconds of {tests}");
                bars.push(Bar { what, value: Some(with - plain), limit: Limit::AtMost(NANOSECONDS) });
            }
        }
    }
    bars
}
