//! Building the runners, and running them under callgrind and without.

use super::{CPU_TIME, Lengths, SIZE};
use crate::Options;
use crate::process::{self, Programs};
use crate::report::Row;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The runners, by tool and profile.
pub struct Runners(BTreeMap<Runner, PathBuf>);

/// A tool and a profile.
type Runner = (&'static str, &'static str);

/// A case of a tool to be measured.
#[derive(Clone, Debug)]
pub struct Job {
    pub tool: &'static str,
    pub profile: &'static str,
    pub case: String,
    /// The name of its metric for instructions per test.
    pub metric: &'static str,
    /// The first test, where the tool can begin with another than 0.
    pub from: u64,
    /// The case of whose values a census is taken.
    pub census: Option<&'static str>,
    pub lengths: Lengths,
    /// Whether instructions are counted.
    pub counted: bool,
}

/// The measurements.
#[derive(Clone, Debug)]
pub struct Measured {
    pub job: Job,
    /// Per test.
    pub instructions: Option<f64>,
    /// Of the longer run.
    pub census: Option<Census>,
}

/// The values that a tool generated.
#[derive(Clone, Debug)]
pub struct Census {
    pub evaluations: u64,
    /// The mean size of the values.
    pub mean_size: f64,
    /// Of all values.
    pub hash: String,
}

/// A case of a tool whose CPU time is measured, in release.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    pub tool: &'static str,
    pub case: &'static str,
    pub lengths: Lengths,
}

impl Timed {
    pub fn runner(&self) -> (&'static str, &'static str) {
        (self.tool, "release")
    }
}

impl Job {
    fn runner(&self) -> Runner {
        (self.tool, self.profile)
    }
}

impl Runners {
    /// Builds the runners of these tools in these profiles.
    pub fn build(options: &Options, wanted: impl Iterator<Item = Runner>) -> Result<Self, String> {
        let mut tools: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for (tool, profile) in wanted {
            tools.entry(profile).or_default().insert(tool);
        }
        let mut runners = BTreeMap::new();
        for (profile, tools) in tools {
            let package = |tool: &str| format!("bench-case-{}", tool.replace('_', "-"));
            let packages: Vec<String> = tools.iter().map(|tool| package(tool)).collect();
            let programs = Programs::build(options, profile, &packages)?;
            runners.extend(tools.iter().map(|&tool| ((tool, profile), programs.of(&package(tool)).to_owned())));
        }
        Ok(Self(runners))
    }

    fn of(&self, runner: Runner) -> &PathBuf {
        &self.0[&runner]
    }
}

/// The CPU time of a case, and the size of its values. Nothing may run beside it.
pub fn time(runners: &Runners, timed: &Timed) -> Result<Vec<Row>, String> {
    let Timed { tool, case, lengths: Lengths { short, long } } = *timed;
    let census = |tests| census(runners, timed.runner(), case, tests, 0);
    let (few, many) = (census(short)?, census(long)?);
    let spent = |tests: u64| {
        // The least of three: whatever else runs only adds to it.
        let one = || process::cpu_time(command(runners, timed.runner()).arg(case).arg(tests.to_string()));
        Ok::<_, String>(one()?.min(one()?).min(one()?))
    };
    let spent = spent(long)?.saturating_sub(spent(short)?).as_nanos() as f64;
    let per_test = (spent / (many.evaluations - few.evaluations) as f64).round();
    let row = |metric, value| Row { case: case.to_owned(), tool: tool.to_owned(), profile: "release", metric, value };
    let size = (many.mean_size * 100.0).round() / 100.0;
    // The size of what forall makes is known from where it is counted.
    let size = (tool != "forall").then(|| row(SIZE, size));
    Ok([row(CPU_TIME, per_test)].into_iter().chain(size).collect())
}

/// Measures all jobs, as many at once as the machine has cores: counts do not depend on what else runs.
pub fn all(runners: &Runners, jobs: &[Job]) -> Result<Vec<Measured>, String> {
    process::on_all_cores(jobs, |job| measure(runners, job)).into_iter().collect()
}

fn measure(runners: &Runners, job: &Job) -> Result<Measured, String> {
    let Lengths { short, long } = job.lengths;
    let evaluations = |tests| match job.census {
        // The census does not change what is evaluated, so it holds for the counted run.
        Some(case) => census(runners, job.runner(), case, tests, job.from).map(Some),
        None => Ok(None),
    };
    let (few, many) = (evaluations(short)?, evaluations(long)?);
    let evaluated = match (&few, &many) {
        (Some(few), Some(many)) => many.evaluations - few.evaluations,
        _ => long - short,
    };
    let instructions = if job.counted {
        let (few, many) = (instructions(runners, job, short)?, instructions(runners, job, long)?);
        Some((many as f64 - few as f64) / evaluated as f64)
    } else {
        // Not counted, but run: a case that is broken shows.
        process::run(command(runners, job.runner()).arg(&job.case).arg(short.to_string()))?;
        None
    };
    Ok(Measured { job: job.clone(), instructions, census: many })
}

/// The runner in an empty environment: no setting of the user's changes what a tool does.
fn command(runners: &Runners, runner: Runner) -> Command {
    let mut command = Command::new(runners.of(runner));
    command.env_clear();
    command
}

/// The values that a tool generates in a run of this length that begins with test `from`.
pub fn census(runners: &Runners, runner: Runner, case: &str, tests: u64, from: u64) -> Result<Census, String> {
    let mut command = command(runners, runner);
    command.envs(range(runner.0, from, tests));
    let output = process::run(command.arg(format!("census/{case}")).arg(tests.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let parse = || {
        // The last line: some tools print.
        let mut words = text.lines().next_back()?.split(' ');
        let (evaluations, size): (u64, u64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let mean_size = size as f64 / evaluations as f64;
        Some(Census { evaluations, mean_size, hash: words.next()?.to_owned() })
    };
    parse().ok_or_else(|| format!("{command:?} printed no census:\n{text}"))
}

/// The instructions of a whole run: the median of several where a test costs so little that the thousand or two by which
/// the start of a thread differs from run to run would show.
fn instructions(runners: &Runners, job: &Job, tests: u64) -> Result<u64, String> {
    let cheap = ["unit", "pair"].iter().any(|case| job.case.ends_with(case));
    let repetitions = if cheap { 3 } else { 1 };
    let mut counts = Vec::new();
    for _ in 0..repetitions {
        counts.push(count(runners, job, tests)?);
    }
    counts.sort_unstable();
    Ok(counts[counts.len() / 2])
}

fn count(runners: &Runners, job: &Job, tests: u64) -> Result<u64, String> {
    let range = range(job.tool, job.from, tests);
    let variables: Vec<(&str, &Path)> = range.iter().map(|(name, value)| (*name, Path::new(value))).collect();
    process::instructions(runners.of(job.runner()), &[&job.case, &tests.to_string()], &variables)
}

/// The variable that makes a run of forall begin with another test than 0. `hand_same` has only plain tests; those of other
/// tools have no numbers.
fn range(tool: &str, from: u64, tests: u64) -> Option<(&'static str, String)> {
    (tool == "forall" && from > 0).then(|| ("FORALL_DO", format!("run bench {from}..{}", from + tests)))
}
