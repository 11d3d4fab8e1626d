//! The baseline run without mutants: whether all tests pass, their times, and the mutants that each reaches.

use super::limits::{self, Limits};
use super::tests::{Place, Setting, Test};
use crate::{Error, interrupt, trouble};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The baseline of a test.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// The mutants that the test reaches, and the number of executions, rounded down to a power of four.
    pub mutants: BTreeMap<u32, u64>,
    /// The CPU time of the test.
    pub processor: Duration,
    /// The wall-clock time of the test.
    pub clock: Duration,
}

/// The limits of a test without a mutant: CPU time, and time spent waiting.
const PATIENCE: Duration = Duration::from_secs(300);

/// The maximum length of a failing test's output in the message.
const SHOWN: u64 = 4 << 10;

/// Runs each test once. A failing test is an error: every mutant that it reaches would count as detected.
pub fn reach(
    tests: &[Test],
    mutants: u32,
    setting: &Setting,
    directory: &Path,
    workers: usize,
) -> Result<Vec<Reach>, Error> {
    let reached = Mutex::new(vec![Reach::default(); tests.len()]);
    let failed: Mutex<Vec<(usize, String)>> = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let work = |worker: usize| -> Result<(), Error> {
        let mut place = Place::new(directory.join(worker.to_string()))?;
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(test) = tests.get(at).filter(|_| !interrupt::came()) else { return Ok(()) };
            let (file, output) = (directory.join(format!("{at}.reached")), directory.join(format!("{at}.output")));
            let failure = |error| trouble::no_build("write", &output, error);
            let _ = fs::remove_file(&file);
            let mut out = fs::File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(true)
                .open(&output)
                .map_err(failure)?;
            let limits = Limits { processor: PATIENCE, waiting: PATIENCE, memory: setting.memory };
            let mut command = place.command(test, setting, limits)?;
            command.env("__FORALL_MUTANT", "reach").env("__FORALL_MUTANTS", mutants.to_string());
            command.env("__FORALL_REACHED", &file);
            command.stdout(out.try_clone().map_err(failure)?).stderr(out.try_clone().map_err(failure)?);
            let began = Instant::now();
            let ended = limits::to_its_end(&mut command, limits)?;
            let (processor, clock) = (ended.processor, began.elapsed());
            place.restore(&test.binary)?;
            if ended.end != limits::End::Passed && !interrupt::came() {
                let length = out.metadata().map_or(0, |found| found.len());
                let mut said = Vec::new();
                let _ = out.seek(std::io::SeekFrom::Start(length.saturating_sub(SHOWN)));
                let _ = out.read_to_end(&mut said);
                failed.lock().expect("no worker panics").push((at, String::from_utf8_lossy(&said).into_owned()));
            }
            let text = fs::read_to_string(&file).unwrap_or_default();
            let _ = (fs::remove_file(&file), fs::remove_file(&output));
            reached.lock().expect("no worker panics")[at] = Reach { mutants: read(&text), processor, clock };
        }
    };
    in_parallel(workers, &work)?;
    let mut failed = failed.into_inner().expect("no worker panics");
    failed.sort();
    match failed.first() {
        None => Ok(reached.into_inner().expect("no worker panics")),
        Some((at, said)) => Err(unfit(tests, &failed, &tests[*at], said)),
    }
}

/// Runs a function on several threads. Returns the first error.
pub fn in_parallel(workers: usize, work: &(dyn Fn(usize) -> Result<(), Error> + Sync)) -> Result<(), Error> {
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|worker| scope.spawn(move || work(worker))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })
}

fn read(text: &str) -> BTreeMap<u32, u64> {
    let line = |line: &str| {
        let (mutant, count) = line.split_once(' ')?;
        Some((mutant.parse().ok()?, count.parse::<u64>().ok()?))
    };
    let mut reached: BTreeMap<u32, u64> = BTreeMap::new();
    for (mutant, count) in text.lines().filter_map(line) {
        let most = reached.entry(mutant).or_default();
        *most = count.max(*most);
    }
    reached
}

/// Returns the error for tests that fail without a mutant.
fn unfit(tests: &[Test], failed: &[(usize, String)], first: &Test, said: &str) -> Error {
    let names: Vec<String> = failed.iter().take(10).map(|(at, _)| format!("    {}", tests[*at].name)).collect();
    let more = failed.len().saturating_sub(names.len());
    let more = if more > 0 { format!("\n    and {more} more") } else { String::new() };
    let said = crate::screen::visible(said.trim());
    Error::Refused(format!(
        "{} of {} tests fail without a mutant:\n{}{more}\n\nthe output of {} ends with\n\n{said}\n\nFix them first; \
         `cargo forall run` prints their counterexamples. Results for a failing test would be meaningless",
        failed.len(),
        tests.len(),
        names.join("\n"),
        first.name
    ))
}
