//! The gain from testing and shrinking on several threads, measured with the benchmarks of the QuickerCheck paper.
//!
//! ```text
//! bench-parallel [--question NAME]… [--benchmark NAME]… [--workers 2,4] [--repetitions N] [--searches N] [--milliseconds N]
//!     [--progress-milliseconds N] [--slowest-candidate MILLISECONDS]
//! ```
//!
//! The benchmarks are in `programs/`, one file or folder each; the questions are in `questions/`, one file each.
//! Measurements are printed line by line, see [`measure::Row`]; the suite `parallel` turns them into tables and plots.
//!
//! The program starts itself for measurements that need separate processes: see [`child`].

mod child;
mod measure;
mod programs;
mod questions;
mod runs;
mod terminal;

use programs::{PROGRAMS, Program};
use questions::QUESTIONS;
use std::process::ExitCode;
use std::time::Duration;

/// The measurements, and their number of repetitions.
pub struct Plan {
    /// The benchmarks that can run here.
    pub programs: Vec<Program>,
    /// The numbers of workers to measure, in addition to one.
    pub workers: Vec<usize>,
    /// The number of repetitions of each run.
    pub repetitions: u64,
    /// The number of searches for a bug; `None` for the paper's number.
    pub searches: Option<u64>,
    /// The approximate duration of a run on one thread.
    pub run_time: Duration,
    /// The approximate duration of a run that shows its progress, which appears after a second.
    pub progress_time: Duration,
    /// The run time of the slowest candidate to shrink.
    pub slowest_candidate: Duration,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.first().map(String::as_str) {
        Some(child::SHARE | child::SEARCH | child::RUN) => child::main(&arguments),
        _ => answer(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn answer() -> Result<(), String> {
    let (plan, questions) = parse().map_err(|error| error.to_string())?;
    // Naive properties leave files in the current directory.
    let directory = forall::scratch_dir().map_err(|error| format!("cannot make a directory: {error}"))?;
    std::env::set_current_dir(&directory).map_err(|error| format!("cannot enter {directory:?}: {error}"))?;
    for (name, ask) in QUESTIONS {
        if questions.is_empty() || questions.iter().any(|asked| asked == name) {
            ask(&plan)?;
        }
    }
    // The directory is removed, so it must not be the current one.
    std::env::set_current_dir("/").map_err(|error| format!("cannot leave {directory:?}: {error}"))
}

/// Returns the plan, and the selected questions: all if none are selected.
fn parse() -> Result<(Plan, Vec<String>), lexopt::Error> {
    use lexopt::prelude::*;
    let (mut programs, mut questions): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let mut workers: Vec<usize> =
        [2, 4, 8, 16, 32, 64].into_iter().filter(|workers| *workers <= cores.max(2)).collect();
    let (mut repetitions, mut searches) = (20, None);
    let (mut run_time, mut progress_time, mut slowest_candidate) = (400, 1300, 50);
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("question") => questions.push(parser.value()?.string()?),
            Long("benchmark") => programs.push(parser.value()?.string()?),
            Long("workers") => workers = parser.value()?.parse_with(numbers)?,
            Long("repetitions") => repetitions = parser.value()?.parse()?,
            Long("searches") => searches = Some(parser.value()?.parse()?),
            Long("milliseconds") => run_time = parser.value()?.parse()?,
            Long("progress-milliseconds") => progress_time = parser.value()?.parse()?,
            Long("slowest-candidate") => slowest_candidate = parser.value()?.parse()?,
            _ => return Err(argument.unexpected()),
        }
    }
    if let Some(unknown) = questions.iter().find(|asked| !QUESTIONS.iter().any(|(name, _)| name == asked)) {
        let names: Vec<&str> = QUESTIONS.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no question {unknown:?}; there are {}", names.join(", ")).into());
    }
    if repetitions == 0 || searches == Some(0) || run_time == 0 || progress_time == 0 || workers.contains(&0) {
        return Err("every number is at least 1".into());
    }
    let wanted = match programs.is_empty() {
        true => PROGRAMS.to_vec(),
        false => programs.iter().map(|name| Program::named(name)).collect::<Result<_, _>>()?,
    };
    let programs = wanted.into_iter().filter(is_possible).collect();
    let [run_time, progress_time, slowest_candidate] =
        [run_time, progress_time, slowest_candidate].map(Duration::from_millis);
    let plan = Plan { programs, workers, repetitions, searches, run_time, progress_time, slowest_candidate };
    Ok((plan, questions))
}

/// Parses comma-separated numbers.
fn numbers(text: &str) -> Result<Vec<usize>, std::num::ParseIntError> {
    text.split(',').map(str::parse).collect()
}

/// Returns whether a benchmark can run here, and prints a message if not.
fn is_possible(program: &Program) -> bool {
    let Some(missing) = program.missing() else { return true };
    eprintln!("SKIPPED {}: {missing} is not installed", program.name);
    false
}
