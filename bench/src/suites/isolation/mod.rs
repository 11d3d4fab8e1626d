//! The cost of isolation, and the crashes and hangs that it contains.
//!
//! **Overhead**: a property that holds is run plainly and isolated, with a shorter and a longer number of tests each;
//! the difference cancels the startup cost and leaves the cost of a test. The ratio is computed from the CPU time of
//! the program and its children, which can be measured on a busy machine, and from wall-clock time.
//!
//! **Single tests**: the cost of a test that is requested alone, as guided runners and shrinking do.
//!
//! **A crash**: how long it takes until an input that aborts has run, and there is a new process for the next one.
//!
//! **Containment**: twelve kinds of crashes and hangs, defined beside the library's own tests.
//!
//! The program that does all this is `bench/isolation/`.

use super::Suite;
use crate::process::{self, Programs, Scratch};
use crate::report::{Bar, Limit, Report, Row, Table, number};
use crate::{Finished, Options};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

pub const SUITE: Suite = Suite {
    name: "isolation",
    about: "the cost of tests in child processes, and the crashes and hangs that they contain",
    tools: &[TOOL],
    own: &[],
    run,
};

const TOOL: &str = "forall";
const PROFILE: &str = "release";
const CASES: [&str; 3] = ["spin", "sort", "label"];

const OVERHEAD: &str = "overhead";
/// The same of the time on the clock.
const OVERHEAD_CLOCK: &str = "overhead_clock";
/// The cost of a test that is requested alone, in microseconds.
const SINGLE: &str = "single_test_us";
const CRASH_COST: &str = "crash_cost_ms";
const CONTAINED: &str = "contained";

/// How much is run.
struct Lengths {
    tests: [u64; 2],
    rounds: u32,
    singles: u32,
    crashes: u32,
}

const FULL: Lengths = Lengths { tests: [100_000, 1_100_000], rounds: 7, singles: 20_000, crashes: 200 };
const SMOKE: Lengths = Lengths { tests: [2_000, 52_000], rounds: 1, singles: 500, crashes: 10 };

fn run(options: &Options) -> Result<Finished, String> {
    if cfg!(not(target_os = "linux")) {
        return Ok(Finished::Skipped("tests are isolated on Linux only".to_owned()));
    }
    let lengths = if options.smoke { SMOKE } else { FULL };
    let package = "bench-isolation";
    let programs = Programs::build(options, PROFILE, &[package])?;
    let program = programs.of(package);
    let mut report = Report::default();
    let mut overhead = Table {
        title: "Time of a test in a child process, divided by its time in a plain run".to_owned(),
        head: ["property", "plain, µs", "by CPU time", "by the clock"].map(str::to_owned).to_vec(),
        ..Table::default()
    };
    for case in CASES {
        let [plain, isolated] = measure(program, case, &lengths)?;
        let (cpu, clock) = (isolated.cpu / plain.cpu, isolated.clock / plain.clock);
        report.rows.push(row(&format!("overhead/{case}"), OVERHEAD, cpu));
        report.rows.push(row(&format!("overhead/{case}"), OVERHEAD_CLOCK, clock));
        let limit = Limit::AtMost(1.05);
        report.bars.push(Bar { what: format!("overhead of {case}"), value: (!options.smoke).then_some(cpu), limit });
        overhead.rows.push(vec![case.to_owned(), number(plain.cpu * 1e6), number(cpu), number(clock)]);
    }
    overhead
        .notes
        .push("The fixed cost of a child process is subtracted; the minimum of several rounds is shown.".to_owned());
    let single = printed(Command::new(program).args(["single", &lengths.singles.to_string()]))?;
    report.rows.push(row("single/number", SINGLE, single));
    overhead.notes.push(format!("Requesting a single test takes {} µs per round trip.", number(single)));
    let crash = printed(Command::new(program).args(["crash", &lengths.crashes.to_string()]))?;
    report.rows.push(row("crash/abort", CRASH_COST, crash));
    report.bars.push(Bar { what: "a crash, ms".to_owned(), value: Some(crash), limit: Limit::Below(20.0) });
    let (troubles, contained) = contain(program, &mut report)?;
    report.bars.push(Bar {
        what: "kinds of crashes and hangs contained".to_owned(),
        value: Some(contained),
        limit: Limit::AtLeast(12.0),
    });
    report.tables = vec![overhead, troubles];
    Ok(Finished::Measured(report))
}

/// The cost of a test, in seconds.
#[derive(Clone, Copy)]
struct Cost {
    cpu: f64,
    clock: f64,
}

/// The cost of a case's test, plain and isolated. The two take turns, so that both meet the same machine.
fn measure(program: &Path, case: &str, lengths: &Lengths) -> Result<[Cost; 2], String> {
    let mut least = [[Cost { cpu: f64::MAX, clock: f64::MAX }; 2]; 2];
    for _ in 0..lengths.rounds {
        for (mode, least) in ["plain", "isolated"].iter().zip(&mut least) {
            for (tests, least) in lengths.tests.iter().zip(least) {
                let mut command = Command::new(program);
                command.args(["run", case, mode, &tests.to_string()]);
                let mut clock = 0.0;
                let cpu = process::cpu_time_of(|| {
                    clock = printed(&mut command)?;
                    Ok(())
                })?;
                least.cpu = least.cpu.min(Duration::as_secs_f64(&cpu));
                least.clock = least.clock.min(clock);
            }
        }
    }
    let tests = (lengths.tests[1] - lengths.tests[0]) as f64;
    Ok(least
        .map(|[short, long]| Cost { cpu: (long.cpu - short.cpu) / tests, clock: (long.clock - short.clock) / tests }))
}

/// Lets tests make each kind of trouble: a table, and how many kinds were contained.
fn contain(program: &Path, report: &mut Report) -> Result<(Table, f64), String> {
    let names = process::run(Command::new(program).arg("troubles"))?;
    let names = String::from_utf8_lossy(&names.stdout).into_owned();
    let mut table = Table {
        title: "Crashes and hangs of a test's process".to_owned(),
        head: ["kind", "contained", "seconds"].map(str::to_owned).to_vec(),
        ..Table::default()
    };
    let mut contained = 0.0;
    for name in names.lines() {
        let place = Scratch::new(&format!("isolation-{name}"))?;
        let begun = std::time::Instant::now();
        let ended = process::run(Command::new(program).args(["trouble", name]).arg(place.path()));
        if let Err(why) = &ended {
            eprintln!("{why}");
        }
        let value = f64::from(u8::from(ended.is_ok()));
        contained += value;
        report.rows.push(row(&format!("trouble/{name}"), CONTAINED, value));
        let word = if ended.is_ok() { "yes" } else { "NO" };
        table.rows.push(vec![name.to_owned(), word.to_owned(), number(begun.elapsed().as_secs_f64())]);
    }
    table.notes.push(
        "Contained: the run ends with a minimal, saved counterexample of the right kind, and no process is left."
            .to_owned(),
    );
    report.rows.push(row("trouble/all", CONTAINED, contained));
    Ok((table, contained))
}

/// The number that a program prints.
fn printed(command: &mut Command) -> Result<f64, String> {
    let output = process::run(command)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.trim().parse().map_err(|_| format!("{command:?} printed {text:?}"))
}

fn row(case: &str, metric: &'static str, value: f64) -> Row {
    Row { case: case.to_owned(), tool: TOOL.to_owned(), profile: PROFILE, metric, value: (value * 1e4).round() / 1e4 }
}
