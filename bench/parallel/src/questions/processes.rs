//! One run on k threads compared with k independent processes, each of which runs the sequential loop with its own
//! seed: time to find a bug, and repeated tests.

use crate::Plan;
use crate::child;
use crate::measure::{Row, seconds};
use crate::programs::Program;
use forall::run::{Schedule, Tester};
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, pipe};
use std::process::Stdio;

pub const NAME: &str = "processes";

/// The number of searches, and for slow tests: each starts processes.
const SEARCHES: u64 = 200;
const SLOW_SEARCHES: u64 = 10;

/// The number of tests whose inputs are compared.
const TESTS: u64 = 2_000;

pub fn ask(plan: &Plan) -> Result<(), String> {
    for program in plan.programs.iter().filter(|program| program.with_bug.is_some()) {
        let searches = plan.searches.unwrap_or(if program.cpu_bound { SEARCHES } else { SLOW_SEARCHES });
        for &workers in &plan.workers {
            measure(program, searches, workers)?;
            if program.cpu_bound {
                count_repeated(program, workers);
            }
        }
    }
    Ok(())
}

fn measure(program: &Program, searches: u64, workers: usize) -> Result<(), String> {
    let (mut together, mut apart) = (Vec::new(), Vec::new());
    for search in 0..searches {
        let mut found = Ok(());
        let one = [child::search(program, search, workers)];
        together.push(seconds(|| found = first_to_find(&one)));
        found.clone()?;
        let own_seed = |worker| child::search(program, search * workers as u64 + worker as u64, 1);
        let several: Vec<_> = (0..workers).map(own_seed).collect();
        apart.push(seconds(|| found = first_to_find(&several)));
        found?;
    }
    for (tool, times) in [("forall", together), ("independent_processes", apart)] {
        Row { question: NAME, benchmark: program.name, workers, tool, metric: "seconds_to_bug" }.print(&times);
    }
    Ok(())
}

/// Starts processes, waits for the first that finds the bug, and kills the others.
fn first_to_find(searches: &[Vec<String>]) -> Result<(), String> {
    let (reader, writer) = pipe().map_err(|error| format!("cannot make a pipe: {error}"))?;
    let mut children = Vec::new();
    for arguments in searches {
        let writer = writer.try_clone().map_err(|error| format!("cannot share a pipe: {error}"))?;
        children.push(child::start(arguments, Stdio::from(writer))?);
    }
    drop(writer);
    let mut line = String::new();
    let read = BufReader::new(reader).read_line(&mut line);
    for mut child in children {
        // A process that has exited cannot be killed, and need not be.
        let _ = child.kill();
        child.wait().map_err(|error| format!("a process is lost: {error}"))?;
    }
    match read {
        Ok(read) if read > 0 => Ok(()),
        _ => Err("no process found the bug".to_owned()),
    }
}

/// Counts repeated inputs: in one run, and in as many tests split into processes. In both, sizes increase from 0, as
/// they do by default.
fn count_repeated(program: &Program, workers: usize) {
    let property = (program.property)();
    let hashing = RandomState::new();
    let repeated = |runs: u64| {
        let (mut seen, mut again) = (HashSet::new(), 0);
        let tests = TESTS / runs;
        for seed in 0..runs {
            let tester = Tester::new(program.name, &*property, seed);
            for index in 0..tests {
                let values: Vec<u64> = tester.choices(index, Schedule::default().size(index)).values().collect();
                again += u64::from(!seen.insert(hashing.hash_one(values)));
            }
        }
        again as f64 / (tests * runs) as f64
    };
    for (tool, share) in [("forall", repeated(1)), ("independent_processes", repeated(workers as u64))] {
        Row { question: NAME, benchmark: program.name, workers, tool, metric: "repeated_tests" }.print(&[share]);
    }
}
