//! How soon bugs are found: the ETNA tasks, by strategy, runner and tool.
//!
//! Each tool has a program of its own, `bench-etna` or `bench-etna-<peer>`, which runs trials and prints them, and
//! documents the metrics. Here the programs are built and run, and their trials made into rows, tables, charts and
//! bars. The peers are heavy: they are built only if they are asked for.
//!
//! To add a tool, write its package in `etna/peers/` and add a line to [`TOOLS`].

mod bars;
mod charts;
mod tables;
mod trials;

use super::{Own, Suite};
use crate::process::{self, Programs, TOOL};
use crate::report::{Report, Row};
use crate::{Finished, Options};
use std::path::{Path, PathBuf};
use std::process::Command;
use trials::{Solved, Trial};

pub const SUITE: Suite = Suite {
    name: "etna",
    about: "how soon bugs are found: tasks, by strategy, runner and tool (peers only with --tool)",
    tools: TOOLS,
    own: &[
        Own { name: "workload", value: "NAME", about: "only this workload: bst, rbt, stlc, fsub, ifc" },
        Own {
            name: "strategy",
            value: "NAME",
            about: "only this strategy: type, specification, bespoke, plain, fuzzing",
        },
        Own { name: "runner", value: "NAME", about: "this runner instead of a tool's usual one" },
        Own { name: "trials", value: "N", about: "trials of each task (10)" },
        Own { name: "cap", value: "N", about: "evaluations of a trial, discarded ones included (20000)" },
        Own { name: "cpu", value: "SECONDS", about: "CPU time of a trial (no limit)" },
        Own { name: "tasks", value: "common|all", about: "the tasks of the newer lists, or all of them (all)" },
        Own { name: "charts", value: "DIRECTORY", about: "write bucket charts there, as SVG" },
    ],
    run,
};

/// The tools. Forall's program is `bench-etna`, a peer's is `bench-etna-<tool>`.
const TOOLS: &[&str] = &["forall", "quickcheck", "proptest", "crabcheck", "hegel"];

/// Options passed to the programs unchanged. Strategies and runners are passed on as well, but also determine which
/// programs run.
const HANDED_ON: &[&str] = &["workload", "trials", "cap", "cpu", "tasks"];

/// The strategies, where none is asked for.
const STRATEGIES: &[&str] = &["type", "specification", "bespoke", "plain", "fuzzing"];

/// The strategy whose usual runner, and the runner which, needs an instrumented program.
const FUZZING: &str = "fuzzing";
const COVERAGE: &str = "coverage";

/// The defaults of a smoke run.
const SMOKE: &[(&str, &str)] = &[("strategy", "bespoke"), ("trials", "1"), ("cap", "2000")];

fn run(options: &Options) -> Result<Finished, String> {
    let tools: Vec<&str> = if options.tools.is_empty() {
        vec!["forall"]
    } else {
        TOOLS.iter().copied().filter(|tool| options.wants(tool)).collect()
    };
    let arguments = process::handed_on(options, HANDED_ON, SMOKE);
    let mut trials = Vec::new();
    for (tool, program) in build(options, &tools)? {
        for part in parts(tool, options) {
            let program = if part.is_instrumented { &build_instrumented(options)? } else { &program };
            // In an empty environment: no setting of the user's changes what a tool does.
            let output = process::run(Command::new(program).env_clear().args(&arguments).args(&part.arguments))?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            for line in text.lines() {
                trials.push(
                    Trial::from_line(tool, line).ok_or_else(|| format!("{} printed {line:?}", program.display()))?,
                );
            }
        }
    }
    let solved = trials::by_task(&trials);
    if solved.is_empty() {
        return Err("no tool has this combination of workload, strategy and runner".to_owned());
    }
    for directory in options.own("charts") {
        charts::write(Path::new(directory), &solved)?;
    }
    let mut report = Report { rows: rows(&solved), ..Report::default() };
    report.tables = tables::tables(&solved);
    if !options.smoke {
        report.bars = bars::bars(&solved);
    }
    Ok(Finished::Measured(report))
}

/// Builds the programs of these tools.
fn build<'a>(options: &Options, tools: &[&'a str]) -> Result<Vec<(&'a str, PathBuf)>, String> {
    let package = |tool: &str| if tool == "forall" { "bench-etna".to_owned() } else { format!("bench-etna-{tool}") };
    let packages: Vec<String> = tools.iter().map(|tool| package(tool)).collect();
    let programs = Programs::build(options, "release", &packages)?;
    Ok(tools.iter().zip(packages).map(|(&tool, package)| (tool, programs.of(&package).to_owned())).collect())
}

/// Some of the strategies and runners that are asked for, in one program.
struct Part {
    is_instrumented: bool,
    arguments: Vec<String>,
}

impl Part {
    fn new(is_instrumented: bool, strategies: &[&str], runners: &[&str]) -> Self {
        let option = |name: &'static str| move |value: &&str| [format!("--{name}"), (*value).to_owned()];
        let mut arguments: Vec<String> = strategies.iter().flat_map(option("strategy")).collect();
        arguments.extend(runners.iter().flat_map(option("runner")));
        Self { is_instrumented, arguments }
    }
}

/// The requested rows, grouped by program. Only forall is guided by coverage.
fn parts(tool: &str, options: &Options) -> Vec<Part> {
    let mut strategies: Vec<&str> = options.own("strategy").collect();
    if strategies.is_empty() {
        strategies = match SMOKE.iter().find(|(name, _)| options.smoke && *name == "strategy") {
            Some((_, quick)) => vec![quick],
            None => STRATEGIES.to_vec(),
        };
    }
    let runners: Vec<&str> = options.own("runner").collect();
    let mut parts = Vec::new();
    if tool == "forall" && runners.is_empty() {
        let (fuzzing, others): (Vec<&str>, Vec<&str>) = strategies.iter().partition(|strategy| **strategy == FUZZING);
        parts.push((others, vec![], false));
        parts.push((fuzzing, vec![COVERAGE], true));
    } else {
        let (coverage, others): (Vec<&str>, Vec<&str>) = runners.iter().partition(|runner| **runner == COVERAGE);
        if !others.is_empty() || runners.is_empty() {
            parts.push((strategies.clone(), others, false));
        }
        if !coverage.is_empty() {
            parts.push((strategies, coverage, true));
        }
    }
    parts.retain(|(strategies, ..)| !strategies.is_empty());
    parts.iter().map(|(strategies, runners, instrumented)| Part::new(*instrumented, strategies, runners)).collect()
}

/// Builds forall's program instrumented, as `cargo forall fuzz` builds tests.
fn build_instrumented(options: &Options) -> Result<PathBuf, String> {
    let bench = process::bench_directory();
    let tool = Programs::build(options, "release", &[TOOL])?.of(TOOL).to_owned();
    let mut build = process::cargo(bench);
    let cargo = build.get_program().to_owned();
    let mut instrumented = Command::new(tool);
    instrumented.current_dir(bench).env("CARGO", cargo).env_remove("CARGO_TARGET_DIR");
    instrumented.args(["instrumented", "build", "--release", "--locked", "--package", "bench-etna"]);
    process::run(&mut instrumented)?;
    build.args(["-vV"]);
    let said = process::run(&mut build)?.stdout;
    let said = String::from_utf8_lossy(&said).into_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("cargo -vV does not name its host")?;
    Ok(bench.join("target/forall-fuzz").join(host).join("release/bench-etna"))
}

fn rows(solved: &[Solved]) -> Vec<Row> {
    let mut rows = Vec::new();
    for task in solved {
        let mut row = |metric, value| {
            rows.push(Row { case: task.case.clone(), tool: task.tool.clone(), profile: "release", metric, value });
        };
        row("trials_solved", task.trials_solved as f64);
        row("trials", task.trials as f64);
        row("median_evaluations", task.median_evaluations as f64);
        row("median_cpu_ms", task.median_cpu_ms());
    }
    rows
}
