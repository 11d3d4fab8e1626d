//! One search: a tool, a target, a budget and a seed.

use super::FORALL;
use crate::process::Scratch;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The limit of a search.
#[derive(Clone, Copy)]
pub enum Budget {
    Executions(u64),
    /// In seconds.
    Cpu(u64),
}

impl Budget {
    pub fn name(self) -> &'static str {
        match self {
            Budget::Executions(_) => "executions",
            Budget::Cpu(_) => "cpu",
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Executions(number) => write!(f, "{number} executions"),
            Budget::Cpu(seconds) => write!(f, "{seconds} s of CPU time"),
        }
    }
}

pub struct Search<'a> {
    pub tool: &'a str,
    pub program: &'a Path,
    pub target: &'a str,
    pub budget: Budget,
}

/// The signal for a process that has used its CPU time.
const SIGXCPU: i32 = 24;

impl Search<'_> {
    /// The number of executions after which the bug was found, if it was.
    pub fn run(&self, seed: u64) -> Result<Option<u64>, String> {
        let scratch = Scratch::new(&format!("coverage-{}-{}-{seed}", self.tool, self.target))?;
        let mut command = Command::new("prlimit");
        if let Budget::Cpu(seconds) = self.budget {
            command.arg(format!("--cpu={seconds}"));
        }
        command.arg(self.program).current_dir(scratch.path()).stdin(Stdio::null());
        if self.tool == FORALL {
            self.forall(&mut command, &scratch, seed)?
        } else {
            self.libfuzzer(&mut command, seed)
        }
        let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
        Ok(if self.tool == FORALL { found_by_forall(&output) } else { found_by_libfuzzer(&output) })
    }

    fn forall(&self, command: &mut Command, scratch: &Scratch, seed: u64) -> Result<(), String> {
        let (test, running) = (format!("properties::{}", self.target), scratch.path().join("running"));
        fs::write(&running, []).map_err(|error| format!("cannot write {}: {error}", running.display()))?;
        let executions = if let Budget::Executions(number) = self.budget { number } else { u64::MAX };
        command.args(["--exact", &test, "--include-ignored", "--nocapture"]);
        command.env("FORALL_DO", format!("fuzz bench_coverage::{test}")).env("FORALL_RUNNING", running);
        command.env("FORALL_TESTS", executions.to_string()).env("FORALL_SEED", seed.to_string());
        // Only the search is measured.
        command.env("FORALL_STORE", scratch.path()).env("FORALL_SHRINK_EVALUATIONS", "0");
        command.env("LLVM_PROFILE_FILE", "/dev/null");
        Ok(())
    }

    fn libfuzzer(&self, command: &mut Command, seed: u64) {
        let runs = if let Budget::Executions(number) = self.budget { number as i64 } else { -1 };
        command.args([&format!("-runs={runs}"), &format!("-seed={seed}"), "-print_final_stats=1"]);
        command.env("TARGET", self.target);
    }
}

/// forall prints its status several times a second, and the verdict at the end; a crash ends its process.
fn found_by_forall(output: &Output) -> Option<u64> {
    use std::os::unix::process::ExitStatusExt;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().rev().find_map(|line| line.split_once("\"executions\":"));
    let executions = last.and_then(|(_, rest)| rest.split(',').next()?.parse().ok()).unwrap_or(0);
    // A decoder that reads uninitialised memory is flaky.
    let is_failure =
        |line: &str| ["failed", "flaky"].iter().any(|word| line.contains(&format!("\"verdict\":\"{word}\"")));
    let has_failed = text.lines().any(|line| line.starts_with("forall-result") && is_failure(line));
    let has_crashed = output.status.signal().is_some_and(|signal| signal != SIGXCPU);
    (has_failed || has_crashed).then_some(executions)
}

fn found_by_libfuzzer(output: &Output) -> Option<u64> {
    use std::os::unix::process::ExitStatusExt;
    let text = String::from_utf8_lossy(&output.stderr);
    let executed = text.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let executions = executed.and_then(|number| number.trim().parse().ok()).unwrap_or(0);
    (!output.status.success() && output.status.signal() != Some(SIGXCPU)).then_some(executions)
}
