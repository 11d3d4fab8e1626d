//! The overhead of a test beyond the property: instructions per test.
//!
//! Each tool has a runner of its own, a package in `cases/`, which runs a number of tests of a case. Callgrind counts
//! the instructions of two runs of different lengths; fixed costs cancel in the difference:
//!
//! ```text
//! (instructions(2400) − instructions(400)) / (evaluations(2400) − evaluations(400))
//! ```
//!
//! The first 4,096 tests of a run of forall are partly shaped, on tape, and cost more; from then on 16 of each 16,384
//! are. So forall, and `hand_same` beside it, are measured where tests are plain, from test 4,200 on. A separate table
//! has the cost of the first 256 tests.
//!
//! Times would depend on the machine and on what else it does; instruction counts do not. Evaluations and the sizes of
//! the values come from a census that runs without callgrind, so that counting costs the tools nothing.
//!
//! A tool that does not run under valgrind is measured by CPU time, and forall beside it: user and system time of the process, again
//! as a difference. That varies from run to run by some percent, so no bar depends on it.
//!
//! To add a tool, write its package in `cases/` and add a line to [`TOOLS`].

mod bars;
mod measure;
mod tables;

use super::Suite;
use crate::report::{Report, Row};
use crate::{Finished, Options, process};
use measure::{Job, Measured, Runners, Timed};

pub const SUITE: Suite = Suite {
    name: "overhead",
    about: "instructions per test of every tool, in both profiles (needs valgrind)",
    tools: TOOLS,
    own: &[],
    run,
};

/// The tools, each with a package `bench-case-<tool>`.
const TOOLS: &[&str] = &[
    "hand",
    "hand_same",
    "forall",
    "quickcheck",
    "proptest",
    "bolero",
    "arbtest",
    "crabcheck",
    "chaos_theory",
    "hegeltest",
];
/// Those of them that are libraries of others, and whose instructions can be counted.
const PEERS: &[&str] = &["quickcheck", "proptest", "bolero", "arbtest", "crabcheck", "chaos_theory"];
/// Those that do not run under valgrind: one of their dependencies makes system calls that it does not know.
const TIMED: &[&str] = &["hegeltest"];
/// Of `()` they notice that there is one value, and run one test.
const TIMED_CASES: &[&str] = &["pair", "vec50", "vec", "str", "expr"];
/// The cases that every tool runs, with the constant property; under `peers/` also with that of the baseline.
const CASES: &[&str] = &["unit", "pair", "vec50", "vec", "str", "expr"];
/// Texts that match a regular expression, which not every tool has; `hand` builds them by hand. The expressions are those of
/// `cases/common`.
const REGEX: &[&str] = &[
    "regex/address",
    "regex/date",
    "regex/letters",
    "regex/any",
    "regex/shown",
    "regex/word",
    "regex/digit",
    "regex/greek",
    "regex/han",
    "regex/parts",
];
const REGEX_TOOLS: &[&str] = &["hand", "forall", "proptest"];
/// Tests of forall's own: the same one written with `property!` and as a closure.
const FORMS: &[&str] = &["pair", "dependent"];
const PROFILES: &[&str] = &["release", "dev"];

const CPU_TIME: &str = "cpu_ns_per_test";
const INSTRUCTIONS: &str = "instructions_per_test";
/// Of the tests 2 to 256 of a run.
const FIRST: &str = "instructions_per_test_of_first_256";
const PER_ELEMENT: &str = "instructions_per_element";
const SIZE: &str = "mean_size";
const RATIO: &str = "ratio";

/// How far the mean sizes of two tools may be apart to count as equal. Quickcheck's lengths end at 99 where the others'
/// end at 100, and a mean over 2,000 random lengths has an error of one part in a hundred.
const SAME_SIZE: f64 = 0.03;

/// The two run lengths.
#[derive(Clone, Copy, Debug)]
struct Lengths {
    short: u64,
    long: u64,
}

const FULL: Lengths = Lengths { short: 400, long: 2400 };
/// From here on the tests of forall are plain, up to test 16,384.
const PLAIN_FROM: u64 = 4200;
/// Both include the cost of a run without tests.
const FIRST_TESTS: Lengths = Lengths { short: 1, long: 256 };
/// Too short for sizes to even out, long enough to show that everything runs.
const SHORT: Lengths = Lengths { short: 40, long: 140 };

/// The measurement of a tool's case in a profile.
enum Plan {
    Count(Lengths),
    /// Run it without callgrind.
    Run,
    Skip,
}

/// Everything is counted.
fn full(_: &str, _: &str, _: &str) -> Plan {
    Plan::Count(FULL)
}

/// Quick, on a machine where nothing is built yet: every case of every tool shows in one profile that it runs, and two of them that
/// their instructions are counted.
fn smoke(_: &str, profile: &str, case: &str) -> Plan {
    match (profile, case) {
        ("dev", _) => Plan::Skip,
        (_, "pair" | "vec50") => Plan::Count(SHORT),
        _ => Plan::Run,
    }
}

fn jobs(tools: &[&'static str], plan: fn(&str, &str, &str) -> Plan) -> Vec<Job> {
    let mut jobs = Vec::new();
    for &tool in tools.iter().filter(|tool| !TIMED.contains(tool)) {
        for &profile in PROFILES {
            let mut add = |case: String, census| {
                let (lengths, counted) = match plan(tool, profile, &case) {
                    Plan::Count(lengths) => (lengths, true),
                    Plan::Run => (SHORT, false),
                    Plan::Skip => return,
                };
                jobs.push(Job {
                    tool,
                    profile,
                    case,
                    metric: INSTRUCTIONS,
                    from: PLAIN_FROM,
                    census,
                    lengths,
                    counted,
                });
            };
            for &case in CASES {
                add(case.to_owned(), Some(case));
                add(format!("peers/{case}"), None);
            }
            // Only in release, where they have a table and a bar.
            for &case in REGEX.iter().filter(|_| REGEX_TOOLS.contains(&tool) && profile == "release") {
                add(case.to_owned(), Some(case));
            }
            for form in FORMS.iter().filter(|_| tool == "forall") {
                add(format!("property/{form}"), None);
                add(format!("closure/{form}"), None);
            }
            let counted = |case: &str| matches!(plan(tool, profile, case), Plan::Count(_));
            for &case in CASES.iter().filter(|case| tool == "forall" && counted(case)) {
                let case = case.to_owned();
                let (lengths, counted) = (FIRST_TESTS, true);
                jobs.push(Job { tool, profile, case, metric: FIRST, from: 0, census: None, lengths, counted });
            }
        }
    }
    jobs
}

/// The cases measured by CPU time: none in a smoke run, since the engine of hegeltest takes too long to build.
fn timed(tools: &[&'static str], smoke: bool) -> Vec<Timed> {
    let mut timed = Vec::new();
    if smoke || !tools.iter().any(|tool| TIMED.contains(tool)) {
        return timed;
    }
    for &tool in tools.iter().filter(|tool| TIMED.contains(tool) || **tool == "forall") {
        // Long enough for a clock that counts microseconds.
        let lengths = if TIMED.contains(&tool) {
            Lengths { short: 1_000, long: 11_000 }
        } else {
            Lengths { short: 10_000, long: 1_010_000 }
        };
        timed.extend(TIMED_CASES.iter().map(|&case| Timed { tool, case, lengths }));
    }
    timed
}

fn run(options: &Options) -> Result<Finished, String> {
    if !process::installed("valgrind") {
        return Ok(Finished::Skipped("valgrind is not installed".into()));
    }
    let tools: Vec<&str> = TOOLS.iter().copied().filter(|tool| options.wants(tool)).collect();
    let plan = if options.smoke { smoke } else { full };
    let jobs = jobs(&tools, plan);
    let timed = timed(&tools, options.smoke);
    eprintln!("building the runners of {} tools", tools.len());
    let runners =
        Runners::build(options, jobs.iter().map(|job| (job.tool, job.profile)).chain(timed.iter().map(Timed::runner)))?;
    same_values(&runners, &tools)?;
    eprintln!("counting {} cases", jobs.len());
    let measured = measure::all(&runners, &jobs)?;
    let mut report = Report { rows: rows(&measured), ..Report::default() };
    for timed in &timed {
        eprintln!("timing {} of {}", timed.case, timed.tool);
        report.rows.extend(measure::time(&runners, timed)?);
    }
    report.tables = tables::tables(&report, &tools);
    report.bars = bars::bars(&report);
    Ok(Finished::Measured(report))
}

fn rows(measured: &[Measured]) -> Vec<Row> {
    let mut rows = Vec::new();
    for Measured { job, instructions, census } in measured {
        let mut row = |metric, value: f64| {
            let (case, tool) = (job.case.clone(), job.tool.to_owned());
            // Two decimals are more than is ever compared.
            rows.push(Row { case, tool, profile: job.profile, metric, value: (value * 100.0).round() / 100.0 });
        };
        let size = census.as_ref().map(|census| census.mean_size);
        if let Some(instructions) = instructions {
            row(job.metric, *instructions);
            if let Some(size) = size.filter(|size| *size > 0.0) {
                row(PER_ELEMENT, instructions / size);
            }
        }
        if let Some(size) = size {
            row(SIZE, size);
        }
    }
    for &profile in PROFILES {
        for &form in FORMS {
            let value = |writing: &str| {
                let case = format!("{writing}/{form}");
                rows.iter().find(|row| row.case == case && row.profile == profile).map(|row| row.value)
            };
            if let (Some(property), Some(closure)) = (value("property"), value("closure")) {
                let case = format!("property_vs_closure/{form}");
                let value = (property / closure * 10_000.0).round() / 10_000.0;
                rows.push(Row { case, tool: "forall".into(), profile, metric: RATIO, value });
            }
        }
    }
    rows
}

/// `hand_same` is the limit only if it makes the very values that forall makes.
fn same_values(runners: &Runners, tools: &[&str]) -> Result<(), String> {
    if !["forall", "hand_same"].iter().all(|tool| tools.contains(tool)) {
        return Ok(());
    }
    for &case in CASES {
        let census = |tool| measure::census(runners, (tool, "release"), case, FULL.long, PLAIN_FROM);
        let hash = |tool| census(tool).map(|census| census.hash);
        if hash("forall")? != hash("hand_same")? {
            return Err(format!(
                "hand_same makes other values than forall in case {case}: \
                 bring cases/hand_same in line with forall's distribution"
            ));
        }
    }
    Ok(())
}
