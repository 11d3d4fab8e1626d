//! How soon bugs are found: the ETNA tasks, by strategy, runner and tool.
//!
//! Each tool has a program of its own, `bench-etna` or `bench-etna-<peer>`, which runs trials and prints them; what is
//! measured is said there. Here the programs are built and run, and their trials made into rows, tables, charts and bars.
//! The peers are heavy: they are built only if they are asked for.
//!
//! To add a tool, write its package in `etna/peers/` and add a line to [`TOOLS`].

mod bars;
mod charts;
mod tables;
mod trials;

use super::{Own, Suite};
use crate::report::{Report, Row};
use crate::{Finished, Options, process};
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

/// What is handed on to the programs.
const HANDED_ON: &[&str] = &["workload", "strategy", "runner", "trials", "cap", "cpu", "tasks"];

/// What a quick run does, unless the command line says otherwise.
const SMOKE: &[(&str, &str)] = &[("strategy", "bespoke"), ("trials", "1"), ("cap", "2000")];

fn run(options: &Options) -> Result<Finished, String> {
    let tools: Vec<&str> = if options.tools.is_empty() {
        vec!["forall"]
    } else {
        TOOLS.iter().copied().filter(|tool| options.wants(tool)).collect()
    };
    let arguments = process::handed_on(options, HANDED_ON, SMOKE);
    let mut trials = Vec::new();
    for (tool, program) in build(&tools)? {
        // In an empty environment: no setting of the user's changes what a tool does.
        let output = process::run(Command::new(&program).env_clear().args(&arguments))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        for line in text.lines() {
            trials.push(Trial::from_line(tool, line).ok_or_else(|| format!("{} printed {line:?}", program.display()))?);
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
fn build<'a>(tools: &[&'a str]) -> Result<Vec<(&'a str, PathBuf)>, String> {
    let package = |tool: &str| if tool == "forall" { "bench-etna".to_owned() } else { format!("bench-etna-{tool}") };
    let packages: Vec<String> = tools.iter().map(|tool| package(tool)).collect();
    let directory = process::build(process::bench_directory(), "cases", "release", &packages)?;
    Ok(tools.iter().zip(packages).map(|(&tool, package)| (tool, directory.join(package))).collect())
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
