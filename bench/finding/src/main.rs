//! Runs tools on tasks, and prints one line per run.

use finding::{Bug, Half, Plan, Task, Tool, all};
use std::process::ExitCode;

const USAGE: &str = "usage: bench-finding [--tool forall|proptest|quickcheck|hegel] [--seeds 50] [--task NAME] [--area AREA] \
                     [--half tuned|held-out] [--mode default|256] [--bug present|fixed]

`--mode` takes any number of tests. With `--bug fixed`, each failure is a mistake in a task.

Prints, separated by tabs: tool, area, task, half, mode, found (0 or 1), valid tests up to and including the failing one,
CPU microseconds up to the failing one or to the end of the run.";

fn main() -> ExitCode {
    let options = match Options::parse() {
        Ok(options) => options,
        Err(error) => {
            eprintln!("error: {error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    // The tools detect panics as failures; the messages are irrelevant.
    std::panic::set_hook(Box::new(|_| {}));
    for task in all().filter(|task| options.selects(task)) {
        for tool in Tool::ALL.into_iter().filter(|tool| options.tool.is_none_or(|name| name == *tool)) {
            for seed in 0..options.seeds {
                let search = (task.search)(tool, options.bug, &Plan { seed, tests: options.tests });
                let (tool, half) = (tool.name(), task.half().name());
                let mode = options.tests.map_or("default".to_owned(), |tests| tests.to_string());
                let (found, tests, cpu) = (u8::from(search.found), search.tests, search.cpu.as_micros());
                println!("{tool}\t{}\t{}\t{half}\t{mode}\t{found}\t{tests}\t{cpu}", task.area, task.name);
            }
        }
    }
    ExitCode::SUCCESS
}

/// The options. By default, all tools, tasks, areas and both halves.
struct Options {
    tool: Option<Tool>,
    task: Option<String>,
    area: Option<String>,
    half: Option<Half>,
    seeds: u64,
    tests: Option<u64>,
    bug: Bug,
}

impl Options {
    fn parse() -> Result<Self, lexopt::Error> {
        use lexopt::prelude::*;
        let mut options =
            Self { tool: None, task: None, area: None, half: None, seeds: 50, tests: None, bug: Bug::Present };
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("tool") => options.tool = Some(arguments.value()?.parse_with(tool)?),
                Long("task") => options.task = Some(arguments.value()?.string()?),
                Long("area") => options.area = Some(arguments.value()?.string()?),
                Long("half") => options.half = Some(arguments.value()?.parse_with(half)?),
                Long("seeds") => options.seeds = arguments.value()?.parse()?,
                Long("mode") => options.tests = arguments.value()?.parse_with(mode)?,
                Long("bug") => options.bug = arguments.value()?.parse_with(bug)?,
                Long("help") => {
                    println!("{USAGE}");
                    std::process::exit(0)
                }
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }

    fn selects(&self, task: &Task) -> bool {
        self.task.as_ref().is_none_or(|name| name == task.name)
            && self.area.as_ref().is_none_or(|area| area == task.area)
            && self.half.is_none_or(|half| half == task.half())
    }
}

fn tool(name: &str) -> Result<Tool, &'static str> {
    Tool::ALL.into_iter().find(|tool| tool.name() == name).ok_or("no such tool")
}

fn half(name: &str) -> Result<Half, &'static str> {
    [Half::Tuned, Half::HeldOut].into_iter().find(|half| half.name() == name).ok_or("no such half")
}

fn mode(name: &str) -> Result<Option<u64>, std::num::ParseIntError> {
    if name == "default" { Ok(None) } else { name.parse().map(Some) }
}

fn bug(name: &str) -> Result<Bug, &'static str> {
    match name {
        "present" => Ok(Bug::Present),
        "fixed" => Ok(Bug::Fixed),
        _ => Err("neither `present` nor `fixed`"),
    }
}
