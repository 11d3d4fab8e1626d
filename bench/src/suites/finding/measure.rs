//! Building the programs, running them, and reading what they print.

use super::{ETNA, FORALL, HELD_OUT, MUTANTS, Mode, PROPTEST, TUNED};
use crate::Options;
use crate::process::{self, Programs};
use std::process::Command;
use std::time::Duration;

/// How one run ended.
#[derive(Clone, Debug)]
pub struct Found {
    pub tool: &'static str,
    /// `etna/workload/mutant/property`, `everyday/half/area/task`, or `mutants/crate/number`.
    pub case: String,
    pub mode: Mode,
    pub found: bool,
    /// Up to and including the failing one. With ETNA, discarded tests count.
    pub tests: u64,
    pub cpu: Duration,
}

impl Found {
    /// The workload or the area, with the part that it belongs to.
    pub fn group(&self) -> &str {
        let parts = if [ETNA, MUTANTS].iter().any(|part| self.case.starts_with(part)) { 2 } else { 3 };
        let end = self.case.match_indices('/').nth(parts - 1).map_or(self.case.len(), |(at, _)| at);
        &self.case[..end]
    }
}

/// All tools are in this one.
const EVERYDAY: &str = "bench-finding";

/// The workloads whose tasks all lists have.
const WORKLOADS: &[&str] = &["bst", "rbt", "stlc"];
/// The limits of a smoke run.
const SMOKE_WORKLOADS: &[&str] = &["bst"];
const SMOKE_AREA: &str = "caches";

/// Of ETNA and its peers.
fn package(tool: &str) -> String {
    if tool == FORALL { "bench-etna".to_owned() } else { format!("bench-etna-{}", short(tool)) }
}

/// The name of a tool in the names and in the arguments of the programs.
pub fn short(tool: &str) -> &str {
    if tool == "hegeltest" { "hegel" } else { tool }
}

/// Builds the programs of these tools.
pub fn build(options: &Options, tools: &[&str]) -> Result<Programs, String> {
    let packages: Vec<String> = tools.iter().map(|tool| package(tool)).chain([EVERYDAY.to_owned()]).collect();
    Programs::build(options, super::PROFILE, &packages)
}

/// A run of a program.
struct Job {
    tool: &'static str,
    mode: Mode,
    program: String,
    arguments: Vec<String>,
    parse: fn(&Job, &str) -> Option<Found>,
}

/// Runs everything, as many programs at once as the machine has cores: only counts and CPU times are measured.
pub fn all(programs: &Programs, tools: &[&'static str], seeds: u64, smoke: bool) -> Result<Vec<Found>, String> {
    let mut jobs = Vec::new();
    for &tool in tools {
        for mode in [Mode::Default, Mode::In256] {
            jobs.extend(etna(tool, mode, seeds, smoke));
            jobs.extend(["tuned", "held-out"].map(|half| everyday(tool, mode, half, seeds, smoke)));
        }
    }
    let results = process::on_all_cores(&jobs, |job| measure(programs, job));
    let found: Vec<Vec<Found>> = results.into_iter().collect::<Result<_, _>>()?;
    Ok(found.into_iter().flatten().collect())
}

fn etna(tool: &'static str, mode: Mode, seeds: u64, smoke: bool) -> impl Iterator<Item = Job> {
    let runner = match mode {
        // Strategies, as in the everyday bugs.
        Mode::Default if tool == PROPTEST => "default-generators",
        Mode::In256 if tool == PROPTEST => "generators",
        Mode::Default => "default",
        Mode::In256 if tool == FORALL => "generational",
        Mode::In256 => "own",
    };
    let workloads = if smoke { SMOKE_WORKLOADS } else { WORKLOADS };
    workloads.iter().map(move |workload| {
        let seeds = seeds.to_string();
        let options = [("workload", *workload), ("strategy", "type"), ("runner", runner), ("tasks", "common")];
        let limits = [("trials", &*seeds), ("cap", "256")];
        let arguments = arguments(options.into_iter().chain(limits));
        Job { tool, mode, program: package(tool), arguments, parse: etna_line }
    })
}

fn everyday(tool: &'static str, mode: Mode, half: &str, seeds: u64, smoke: bool) -> Job {
    let seeds = seeds.to_string();
    let tests = if mode == Mode::Default { "default" } else { "256" };
    let options = [("tool", short(tool)), ("mode", tests), ("half", half), ("seeds", &seeds)];
    let arguments = arguments(options.into_iter().chain(smoke.then_some(("area", SMOKE_AREA))));
    Job { tool, mode, program: EVERYDAY.to_owned(), arguments, parse: everyday_line }
}

fn arguments<'a>(options: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    options.flat_map(|(name, value)| [format!("--{name}"), value.to_owned()]).collect()
}

fn measure(programs: &Programs, job: &Job) -> Result<Vec<Found>, String> {
    let mut command = Command::new(programs.of(&job.program));
    // In an empty environment: no setting of the user's changes what a tool does.
    let output = process::run(command.env_clear().args(&job.arguments))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let read = |line: &str| (job.parse)(job, line).ok_or_else(|| format!("{command:?} printed {line:?}"));
    text.lines().map(read).collect()
}

fn etna_line(&Job { tool, mode, .. }: &Job, line: &str) -> Option<Found> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[workload, mutant, property, _, _, _, solved, evaluations, nanoseconds] = &fields[..] else { return None };
    Some(Found {
        tool,
        case: format!("{ETNA}/{workload}/{mutant}/{property}"),
        mode,
        found: solved.parse().ok()?,
        tests: evaluations.parse().ok()?,
        cpu: Duration::from_nanos(nanoseconds.parse().ok()?),
    })
}

fn everyday_line(&Job { tool, mode, .. }: &Job, line: &str) -> Option<Found> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[_, area, task, half, _, found, tests, microseconds] = &fields[..] else { return None };
    let part = [TUNED, HELD_OUT].into_iter().find(|part| part.ends_with(half))?;
    Some(Found {
        tool,
        case: format!("{part}/{area}/{task}"),
        mode,
        found: found == "1",
        tests: tests.parse().ok()?,
        cpu: Duration::from_micros(microseconds.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_programs_are_read() {
        let job = everyday(FORALL, Mode::Default, "tuned", 1, false);
        let found = everyday_line(&job, "forall\tcaches\tlru_reinsert\ttuned\tdefault\t1\t17\t250").unwrap();
        assert_eq!((&*found.case, found.group()), ("everyday/tuned/caches/lru_reinsert", "everyday/tuned/caches"));
        assert_eq!((found.found, found.tests, found.cpu.as_micros()), (true, 17, 250));
        let line = "bst\tinsert_1\tInsertPost\ttype\tdefault\ttrue\tfalse\t256\t9000";
        let found = etna_line(&job, line).unwrap();
        assert_eq!((&*found.case, found.group()), ("etna/bst/insert_1/InsertPost", "etna/bst"));
        assert!(!found.found);
        assert!(etna_line(&job, "warning: something").is_none() && everyday_line(&job, "").is_none());
    }
}
