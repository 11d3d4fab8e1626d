//! The gain from testing and shrinking on several threads: the benchmarks and questions of the QuickerCheck paper.
//!
//! The program `bench-parallel` measures and prints lines; it documents the method, with one file per benchmark and one
//! per question. Here it is built and run, and its lines made into rows, tables, plots and bars. Lines that it printed
//! on another machine are read with `--from`.

mod bars;
mod charts;
mod lines;
mod tables;

use super::{Own, Suite};
use crate::process::{self, Programs};
use crate::report::{Report, Row};
use crate::{Finished, Options};
use lines::Line;
use std::path::Path;
use std::process::Command;

pub const SUITE: Suite = Suite {
    name: "parallel",
    about: "the gain from several threads: overhead, speed-up, time to find bugs, shrinking",
    tools: &["forall"],
    own: &[
        Own {
            name: "question",
            value: "NAME",
            about: "only this one: overhead, speedup, bugs, rare_bugs, shrinking, threads, processes, claiming, races, whole, domains, perturbed",
        },
        Own { name: "benchmark", value: "NAME", about: "only this one: constant, system_f, verse, gzip_…, compiler" },
        Own { name: "workers", value: "N,N,…", about: "the numbers of workers (2, 4, … up to the machine's)" },
        Own { name: "repetitions", value: "N", about: "how often each run is repeated (20)" },
        Own {
            name: "searches",
            value: "N",
            about: "searches for each bug (1000, for the compiler 50, for rare ones 40)",
        },
        Own { name: "milliseconds", value: "N", about: "how long a run takes on one thread (400)" },
        Own { name: "progress-milliseconds", value: "N", about: "the same with the progress line on (1300)" },
        Own {
            name: "slowest-candidate",
            value: "N",
            about: "the longest run of a shrinking candidate, in milliseconds (50)",
        },
        Own { name: "charts", value: "DIRECTORY", about: "write plots there, as SVG" },
        Own { name: "from", value: "FILE", about: "measure nothing: read lines that bench-parallel printed" },
    ],
    run,
};

/// Options passed to the program.
const HANDED_ON: &[&str] = &[
    "question",
    "benchmark",
    "workers",
    "repetitions",
    "searches",
    "milliseconds",
    "progress-milliseconds",
    "slowest-candidate",
];

/// The defaults of a smoke run.
const SMOKE: &[(&str, &str)] = &[
    ("workers", "2"),
    ("repetitions", "2"),
    ("searches", "1"),
    ("milliseconds", "20"),
    ("progress-milliseconds", "20"),
    ("slowest-candidate", "1"),
];

/// The environment variables passed to the program: the paths of other programs, and of temporary files. No setting of
/// forall's.
const ENVIRONMENT: &[&str] = &["PATH", "TMPDIR"];

fn run(options: &Options) -> Result<Finished, String> {
    let text = match options.own("from").last() {
        Some(file) => std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?,
        None => measure(options)?,
    };
    let lines: Vec<Line> = text.lines().map(Line::parse).collect::<Result<_, _>>()?;
    for directory in options.own("charts") {
        charts::write(Path::new(directory), &lines)?;
    }
    let mut report = Report { rows: lines.iter().flat_map(rows).collect(), ..Report::default() };
    report.tables = tables::tables(&lines);
    if !options.smoke {
        report.bars = bars::bars(&lines);
    }
    Ok(Finished::Measured(report))
}

/// Builds and runs the program. Returns its output.
fn measure(options: &Options) -> Result<String, String> {
    let package = "bench-parallel";
    let programs = Programs::build(options, "release", &[package])?;
    let mut command = Command::new(programs.of(package));
    command.env_clear().args(process::handed_on(options, HANDED_ON, SMOKE));
    command.envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    let output = process::run(&mut command)?;
    let said = String::from_utf8_lossy(&output.stderr);
    let skipped: Vec<&str> = said.lines().filter(|line| line.starts_with("SKIPPED ")).collect();
    skipped.iter().for_each(|line| eprintln!("{line}"));
    if !skipped.is_empty() && process::tools_are_required() {
        return Err("FORALL_REQUIRE_TOOLS=1 asks for every tool".to_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn rows(line: &Line) -> [Row; 2] {
    let row = |metric, value| Row { case: line.case(), tool: line.tool.clone(), profile: "release", metric, value };
    [row(line.metric.name, line.value()), row(line.metric.spread, line.spread)]
}
