//! The programs that run tasks: one per tool, all with this command line and this output.
//!
//! ```text
//! bench-etna --workload bst --strategy bespoke --runner generational --tasks common --trials 10 --cap 20000 --cpu 60
//! ```
//!
//! Each of `--workload`, `--strategy` and `--runner` may be repeated. With `--part 1/4` it runs every fourth task,
//! beginning with the first, so that four processes with the parts 1/4 to 4/4 share the work. Every trial is printed on
//! its own line, as tab-separated fields of [`Trial`].

use crate::clock::{cpu_time, timed};
use crate::runner::{Budget, Search};
use crate::{Strategy, Task, WORKLOADS, Workload};
use lexopt::prelude::*;
use std::process::ExitCode;
use std::time::Duration;

/// A tool that searches for counterexamples.
pub trait Tool {
    /// Returns the names of the tool's runners, the default first.
    fn runners(&self) -> Vec<&'static str>;

    /// Prepares a search for a counterexample of a property; `None` if the tool does not support this combination.
    fn search(&self, workload: &Workload, property: &str, strategy: Strategy, runner: &str) -> Option<Prepared>;
}

/// A prepared search: it takes a seed and a budget.
pub type Prepared = Box<dyn Fn(u64, &Budget) -> Search>;

/// The options.
struct Asked {
    workloads: Vec<Workload>,
    strategies: Vec<Strategy>,
    runners: Vec<&'static str>,
    common_only: bool,
    /// The number of tasks to skip first, and the step between tasks.
    part: (usize, usize),
    trials: u64,
    cap: u64,
    cpu: Option<Duration>,
}

/// Runs the tasks that the command line selects.
pub fn main(tool: &dyn Tool) -> ExitCode {
    match parse(tool) {
        Ok(asked) => {
            run(tool, &asked);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse(tool: &dyn Tool) -> Result<Asked, lexopt::Error> {
    let mut asked = Asked {
        workloads: Vec::new(),
        strategies: Vec::new(),
        runners: Vec::new(),
        common_only: false,
        part: (0, 1),
        trials: 10,
        cap: 20_000,
        cpu: None,
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("workload") => {
                asked.workloads.push(named(&parser.value()?.string()?, WORKLOADS, |workload| workload.name)?)
            }
            Long("strategy") => {
                asked.strategies.push(named(&parser.value()?.string()?, Strategy::ALL, |one| one.name())?)
            }
            Long("runner") => asked.runners.push(named(&parser.value()?.string()?, &tool.runners(), |name| name)?),
            Long("tasks") => {
                asked.common_only = named(&parser.value()?.string()?, &["all", "common"], |name| name)? == "common"
            }
            Long("part") => asked.part = part(&parser.value()?.string()?)?,
            Long("trials") => asked.trials = parser.value()?.parse()?,
            Long("cap") => asked.cap = parser.value()?.parse()?,
            Long("cpu") => {
                asked.cpu =
                    Some(Duration::try_from_secs_f64(parser.value()?.parse()?).map_err(|error| error.to_string())?)
            }
            _ => return Err(argument.unexpected()),
        }
    }
    if asked.workloads.is_empty() {
        asked.workloads = WORKLOADS.to_vec();
    }
    if asked.strategies.is_empty() {
        asked.strategies = Strategy::ALL.to_vec();
    }
    if asked.runners.is_empty() {
        asked.runners = tool.runners().into_iter().take(1).collect();
    }
    Ok(asked)
}

/// Parses a part: `2/4` is the second of four.
fn part(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((number, of)) if (1..=of).contains(&number) => Ok((number - 1, of)),
        _ => Err(format!("{text:?} is no part: write 1/4 to 4/4 for the four parts of the tasks")),
    }
}

fn named<T: Copy>(wanted: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let names = || all.iter().map(|&one| name(one)).collect::<Vec<_>>().join(", ");
    all.iter()
        .copied()
        .find(|&one| name(one) == wanted)
        .ok_or_else(|| format!("there is no {wanted:?}; there are {}", names()))
}

fn run(tool: &dyn Tool, asked: &Asked) {
    for workload in &asked.workloads {
        for &strategy in &asked.strategies {
            for &runner in &asked.runners {
                let tasks = (workload.tasks)().into_iter().filter(|task| task.common || !asked.common_only);
                let (skipped, every) = asked.part;
                for task in tasks.skip(skipped).step_by(every) {
                    let Some(search) = tool.search(workload, task.property, strategy, runner) else { continue };
                    for trial in 0..asked.trials {
                        let (search, cpu) = measure(workload, task, trial, asked, &search);
                        let trial = Trial {
                            workload: workload.name.to_owned(),
                            mutant: task.mutant.to_owned(),
                            property: task.property.to_owned(),
                            strategy: strategy.name().to_owned(),
                            runner: runner.to_owned(),
                            common: task.common,
                            solved: search.solved,
                            evaluations: search.evaluations,
                            cpu,
                        };
                        println!("{}", trial.to_line());
                    }
                }
            }
        }
    }
}

fn measure(workload: &Workload, task: Task, trial: u64, asked: &Asked, search: &Prepared) -> (Search, Duration) {
    workload.with_mutant(Some(task.mutant), || {
        let budget = Budget { evaluations: asked.cap, until: asked.cpu.map(|limit| cpu_time() + limit) };
        timed(|| search(seed(workload, task, trial), &budget))
    })
}

/// Returns the seed of a trial: fixed, and different for every task.
fn seed(workload: &Workload, task: Task, trial: u64) -> u64 {
    let text = format!("{}/{}/{}/{trial}", workload.name, task.mutant, task.property);
    // FNV-1a; any hash would do.
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The result of one trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The name of the workload.
    pub workload: String,
    /// The name of the mutant.
    pub mutant: String,
    /// The name of the property.
    pub property: String,
    /// The name of the strategy.
    pub strategy: String,
    /// The name of the runner.
    pub runner: String,
    /// Whether the task is in the newer lists as well.
    pub common: bool,
    /// Whether a counterexample was found.
    pub solved: bool,
    /// The number of evaluated inputs.
    pub evaluations: u64,
    /// The CPU time up to the first failure, or of the whole trial.
    pub cpu: Duration,
}

impl Trial {
    /// Returns the fields separated by tabs, with the CPU time in nanoseconds.
    pub fn to_line(&self) -> String {
        let Self { workload, mutant, property, strategy, runner, common, solved, evaluations, cpu } = self;
        let nanoseconds = cpu.as_nanos();
        format!(
            "{workload}\t{mutant}\t{property}\t{strategy}\t{runner}\t{common}\t{solved}\t{evaluations}\t{nanoseconds}"
        )
    }
}
