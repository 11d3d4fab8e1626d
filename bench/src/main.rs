//! Workloads, and comparisons of forall with its peers.
//!
//! ```text
//! cargo run --release --manifest-path bench/Cargo.toml -- <suite> [--json] [--smoke [--built]] [--write] [--check] [--slow] [--tool NAME]… [--seeds N]
//! ```
//!
//! A suite is a file in `suites/` and a line in [`suites::SUITES`]. They share the command line, the format of results
//! ([`report`]) and their files ([`written`]), and the code that runs other programs ([`process`]).

mod process;
mod report;
mod suites;
mod written;

use report::Report;
use std::process::ExitCode;
use suites::{SUITES, Suite};

/// The options of a suite.
#[derive(Clone, Debug, Default)]
struct Options {
    /// One JSON object per line instead of tables.
    json: bool,
    /// Quick: everything runs, little is measured.
    smoke: bool,
    /// Programs are taken from where this one is, if they are there, instead of being built: quick runs share one build.
    built: bool,
    /// The tables go into the file of the suite's results.
    write: bool,
    /// A missed bar is a failure of the program. One with a limit of zero always is.
    check: bool,
    /// Includes cases that take more than a minute.
    slow: bool,
    /// Only these tools; all if empty.
    tools: Vec<String>,
    /// How many seeds, where a suite repeats what it measures under several; as many as it thinks fit if none.
    seeds: Option<u64>,
    /// The options that only this suite has, in the order in which they were given.
    own: Vec<(&'static str, String)>,
}

impl Options {
    fn wants(&self, tool: &str) -> bool {
        self.tools.is_empty() || self.tools.iter().any(|wanted| wanted == tool)
    }

    /// The values that were given for an option of the suite's own.
    fn own<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.own.iter().filter(move |(own, _)| *own == name).map(|(_, value)| value.as_str())
    }
}

/// The result of a suite.
enum Finished {
    Measured(Report),
    /// Something that it needs is not installed: this.
    Skipped(String),
}

fn main() -> ExitCode {
    let (suite, options) = match parse() {
        Ok(Some(asked)) => asked,
        Ok(None) => {
            print!("{}", usage());
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprint!("error: {error}\n\n{}", usage());
            return ExitCode::from(2);
        }
    };
    match (suite.run)(&options) {
        Ok(Finished::Measured(report)) => {
            if options.json {
                print!("{}", report.json(suite.name));
            } else {
                print!("{}", report.tables());
            }
            if options.write {
                match written::write(suite.name, &report.tables()) {
                    Ok(path) => eprintln!("written to {}", path.display()),
                    Err(error) => {
                        eprintln!("error: {error}");
                        return ExitCode::FAILURE;
                    }
                }
            }
            let missed = if options.check { report.missed() } else { report.forbidden() };
            if missed > 0 {
                eprintln!("error: {missed} thresholds missed");
                return ExitCode::FAILURE;
            }
            ExitCode::SUCCESS
        }
        Ok(Finished::Skipped(reason)) => {
            eprintln!("SKIPPED {}: {reason}", suite.name);
            if process::tools_are_required() {
                eprintln!("error: FORALL_REQUIRE_TOOLS=1 requires every tool");
                return ExitCode::FAILURE;
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The suite and its options; none when help was asked for.
fn parse() -> Result<Option<(&'static Suite, Options)>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut parser = lexopt::Parser::from_env();
    let mut suite: Option<&'static Suite> = None;
    let mut options = Options::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("json") => options.json = true,
            Long("smoke") => options.smoke = true,
            Long("built") => options.built = true,
            Long("write") => options.write = true,
            Long("check") => options.check = true,
            Long("slow") => options.slow = true,
            Long("tool") => options.tools.push(parser.value()?.string()?),
            Long("seeds") => options.seeds = Some(parser.value()?.parse()?),
            Short('h') | Long("help") => return Ok(None),
            Value(name) if suite.is_none() => {
                let name = name.string()?;
                let found = SUITES.iter().find(|suite| suite.name == name);
                suite = Some(found.ok_or_else(|| format!("there is no suite {name:?}"))?);
            }
            Long(name) => {
                let own = suite.and_then(|suite| suite.own.iter().find(|own| own.name == name));
                let Some(own) = own else { return Err(argument.unexpected()) };
                options.own.push((own.name, parser.value()?.string()?));
            }
            _ => return Err(argument.unexpected()),
        }
    }
    let suite = suite.ok_or("name a suite")?;
    if options.built && !options.smoke {
        return Err("--built requires --smoke: programs built together share features, so they are not measured".into());
    }
    if options.write && options.smoke {
        return Err("--write: a smoke run measures too little to be recorded".into());
    }
    if options.seeds == Some(0) {
        return Err("--seeds: at least 1".into());
    }
    match options.tools.iter().find(|name| !suite.tools.contains(&name.as_str())) {
        Some(name) => Err(format!("{} has no tool {name:?}; it has {}", suite.name, suite.tools.join(", ")).into()),
        None => Ok(Some((suite, options))),
    }
}

fn usage() -> String {
    let mut text = String::from("usage: forall-bench <suite> [options]\n\nsuites:\n");
    for suite in SUITES {
        text += &format!("  {:<16} {}\n", suite.name, suite.about);
    }
    text += "\noptions:\n";
    for (option, about) in [
        ("--json", "one object per line: suite, case, tool, profile, metric, value"),
        ("--smoke", "quick: everything runs, little is measured"),
        ("--built", "with --smoke: use programs that were built beside this one"),
        ("--write", "write the tables to results/<suite>.md, below the comments there"),
        ("--check", "exit with 1 if a threshold is missed (one of zero always counts)"),
        ("--slow", "include cases that take more than a minute"),
        ("--tool NAME", "only this tool (may be repeated)"),
        ("--seeds N", "how many seeds (shrinking: 100, with --smoke 2; finding: 50, with --smoke 2)"),
    ] {
        text += &format!("  {option:<18} {about}\n");
    }
    for suite in SUITES.iter().filter(|suite| !suite.own.is_empty()) {
        text += &format!("\noptions of {}, after its name:\n", suite.name);
        for own in suite.own {
            text += &format!("  {:<18} {}\n", format!("--{} {}", own.name, own.value), own.about);
        }
    }
    text
}
