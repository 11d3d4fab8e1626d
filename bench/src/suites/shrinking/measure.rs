//! Building the runners, running them, and reading what they print.

use super::{FORALL, FORALL_LARGE, HYPOTHESIS, OURS};
use crate::Options;
use crate::process::{self, Programs, Scratch};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// The CPU time that a runner has for a challenge, in seconds.
const SECONDS: u64 = 10;
/// That of forall, which must finish all seeds: its runs include the explanation of the result, which is not measured.
const OUR_SECONDS: u64 = 120;

/// The installed version: the newest when the suite was written.
const HYPOTHESIS_VERSION: &str = "hypothesis==6.170.15";

/// How each tool is started, and where: some leave files.
pub struct Runners {
    commands: BTreeMap<&'static str, Vec<OsString>>,
    directory: Scratch,
}

/// A tool on a challenge.
#[derive(Clone, Debug)]
pub struct Job {
    pub tool: &'static str,
    pub set: &'static str,
    pub challenge: &'static str,
    pub seeds: u64,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Measured {
    pub job: Job,
    /// One for each seed, as far as the time sufficed and a failure was found.
    pub runs: Vec<Run>,
    /// Why the tool does not take up the challenge.
    pub cannot: Option<String>,
}

/// A failure that was found and shrunk.
#[derive(Clone, Debug)]
pub struct Run {
    pub ideal: bool,
    pub evaluations: u64,
    pub apart: u64,
    pub cpu: Duration,
    pub result: String,
}

impl Runners {
    /// Builds those that are crates.
    pub fn build(options: &Options, tools: &[&'static str]) -> Result<Self, String> {
        let crates: Vec<&str> = tools.iter().copied().filter(|tool| *tool != HYPOTHESIS).collect();
        let mut commands = BTreeMap::new();
        if !crates.is_empty() {
            let package = |tool: &str| match tool {
                FORALL_LARGE => format!("bench-challenge-{FORALL}"),
                tool => format!("bench-challenge-{}", tool.replace('_', "-")),
            };
            let packages: Vec<String> = crates.iter().map(|tool| package(tool)).collect();
            let programs = Programs::build(options, super::PROFILE, &packages)?;
            commands.extend(crates.iter().map(|&tool| (tool, vec![programs.of(&package(tool)).into()])));
        }
        Ok(Self { commands, directory: Scratch::new("shrinking")? })
    }

    /// Installs Hypothesis for the system's Python, in a virtual environment.
    pub fn add_hypothesis(&mut self) -> Result<(), String> {
        if !process::installed("python3") {
            return Err("python3 is not installed".into());
        }
        let environment = process::bench_directory().join("target").join(HYPOTHESIS);
        let python = environment.join("bin").join("python");
        let reason = |error: String| error.lines().last().unwrap_or("for no reason it gives").to_owned();
        process::run(Command::new("python3").args(["-m", "venv"]).arg(&environment))
            .map_err(|error| format!("python3 cannot make a virtual environment: {}", reason(error)))?;
        process::run(Command::new(&python).args(["-m", "pip", "install", "--quiet", HYPOTHESIS_VERSION]))
            .map_err(|error| format!("pip cannot install {HYPOTHESIS_VERSION}: {}", reason(error)))?;
        let script = challenges().join("hypothesis.py");
        self.commands.insert(HYPOTHESIS, vec![python.into_os_string(), script.into_os_string()]);
        Ok(())
    }
}

fn challenges() -> PathBuf {
    process::bench_directory().join("challenges")
}

/// Runs all jobs, as many at once as the machine has cores: only counts and CPU times are measured.
pub fn all(runners: &Runners, jobs: &[Job]) -> Result<Vec<Measured>, String> {
    process::on_all_cores(jobs, |job| measure(runners, job)).into_iter().collect()
}

fn measure(runners: &Runners, job: &Job) -> Result<Measured, String> {
    let words = &runners.commands[job.tool];
    let mut command = Command::new(&words[0]);
    // No setting of the user's changes what a tool does.
    command.env_clear().current_dir(runners.directory.path()).args(&words[1..]);
    if job.tool == FORALL_LARGE {
        command.env("FORALL_SIZE", "100");
    }
    let seconds = if OURS.contains(&job.tool) { OUR_SECONDS } else { SECONDS };
    command.arg(job.challenge).arg(job.seeds.to_string()).arg(seconds.to_string());
    let output = process::run(&mut command)?;
    let mut measured = Measured { job: job.clone(), runs: Vec::new(), cannot: None };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match line.split_once('\t') {
            Some(("shrunk", run)) => {
                let run = parse(run).ok_or_else(|| format!("{command:?} printed a line that is none: {line}"))?;
                measured.runs.push(run);
            }
            Some(("cannot", reason)) => measured.cannot = Some(reason.to_owned()),
            // Some tools print.
            _ => {}
        }
    }
    if OURS.contains(&job.tool) && (measured.runs.len() as u64) < job.seeds {
        return Err(format!("{command:?} finished {} of {} seeds", measured.runs.len(), job.seeds));
    }
    Ok(measured)
}

fn parse(line: &str) -> Option<Run> {
    let mut fields = line.splitn(5, '\t');
    let mut number = || fields.next()?.parse().ok();
    let (ideal, evaluations, apart, cpu): (u64, u64, u64, u64) = (number()?, number()?, number()?, number()?);
    let result = fields.next()?.to_owned();
    Some(Run { ideal: ideal == 1, evaluations, apart, cpu: Duration::from_nanos(cpu), result })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_describes_a_run() {
        let run = parse("1\t97\t3\t159296\t[0, 1]").unwrap();
        assert!(run.ideal);
        assert_eq!((run.evaluations, run.apart, run.cpu.as_nanos()), (97, 3, 159_296));
        assert_eq!(run.result, "[0, 1]");
        assert!(parse("1\t97").is_none());
    }
}
