//! The child mode of this program: a share of a run, or a search for a bug, in a separate process. And a single run,
//! for profiling.

use crate::programs::Program;
use crate::questions::bugs;
use crate::runs::{Path, Prepared};
use std::process::{Child, Command, Stdio};

/// The argument for a share: `share NAME TESTS INDICES WORKER WORKERS`.
pub const SHARE: &str = "share";

/// The argument for a search: `search NAME SEED WORKERS`. Prints the result as one line.
pub const SEARCH: &str = "search";

/// The argument for one run, for a profiler: `run NAME TESTS WORKERS`. With 0 workers, the sequential loop runs.
pub const RUN: &str = "run";

/// Starts a process of this program.
pub fn start(arguments: &[String], output: Stdio) -> Result<Child, String> {
    let program = std::env::current_exe().map_err(|error| format!("which program is this? {error}"))?;
    let child = Command::new(program).args(arguments).stdin(Stdio::null()).stdout(output).spawn();
    child.map_err(|error| format!("cannot start another process: {error}"))
}

/// Returns the arguments for the share of a worker.
pub fn share(prepared: &Prepared, indices: u64, worker: usize, workers: usize) -> Vec<String> {
    let numbers = [prepared.tests, indices, worker as u64, workers as u64].map(|number| number.to_string());
    [SHARE, prepared.program.name].map(str::to_owned).into_iter().chain(numbers).collect()
}

/// Returns the arguments for a search.
pub fn search(program: &Program, seed: u64, workers: usize) -> Vec<String> {
    vec![SEARCH.to_owned(), program.name.to_owned(), seed.to_string(), workers.to_string()]
}

/// Runs the child mode that the arguments select.
pub fn main(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<u64>().map_err(|_| format!("{word:?} is no number"));
    match words[..] {
        [SHARE, name, tests, indices, worker, workers] => {
            let program = Program::named(name)?;
            let prepared = Prepared { program, property: (program.property)(), tests: number(tests)? };
            prepared.run_share(number(indices)?, number(worker)? as usize, number(workers)? as usize);
        }
        [SEARCH, name, seed, workers] => {
            let program = Program::named(name)?;
            let found = bugs::search(&program, &*(program.property)(), number(seed)?, number(workers)? as usize)?;
            println!("{}", found.tests);
        }
        [RUN, name, tests, workers] => {
            let program = Program::named(name)?;
            let prepared = Prepared { program, property: (program.property)(), tests: number(tests)? };
            let path = match number(workers)? {
                0 => Path::Sequential,
                workers => Path::Workers(workers as usize),
            };
            prepared.run(path, false)?;
        }
        _ => {
            return Err(
                "usage: share NAME TESTS INDICES WORKER WORKERS, search NAME SEED WORKERS, or run NAME TESTS WORKERS"
                    .to_owned(),
            );
        }
    }
    Ok(())
}
