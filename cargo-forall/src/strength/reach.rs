//! The baseline run without mutants: whether all tests pass, their times, and the mutants that each reaches.

use super::limits::{self, Limits};
use super::tests::{Place, Setting, Test};
use crate::screen::{aside, visible};
use crate::{Error, interrupt, trouble};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
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

/// The limit of a test without a mutant, unless `--for` is shorter: of CPU time, and of the time spent waiting.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// A test that takes longer is named, and again whenever its time has doubled.
const SLOW: Duration = Duration::from_secs(10);

/// The maximum length of a failing test's output in the message.
const SHOWN: u64 = 4 << 10;

/// A test that does not pass without a mutant.
struct Unfit {
    /// Its position among the tests.
    at: usize,
    /// Whether it was stopped at the limit.
    timed_out: bool,
    /// The end of its output.
    said: String,
}

/// Runs each test once, for at most `patience`. A failing test is an error: every mutant that it reaches would count as
/// detected.
pub fn reach(
    tests: &[Test],
    mutants: u32,
    setting: &Setting,
    directory: &Path,
    workers: usize,
    patience: Duration,
) -> Result<Vec<Reach>, Error> {
    let reached = Mutex::new(vec![Reach::default(); tests.len()]);
    let failed: Mutex<Vec<Unfit>> = Mutex::new(Vec::new());
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
            let limits = Limits { processor: patience, waiting: patience, memory: setting.memory };
            let mut command = place.command(test, setting, limits)?;
            command.env("__FORALL_MUTANT", "reach").env("__FORALL_MUTANTS", mutants.to_string());
            command.env("__FORALL_REACHED", &file);
            command.stdout(out.try_clone().map_err(failure)?).stderr(out.try_clone().map_err(failure)?);
            let began = Instant::now();
            let ended = naming_if_slow(test, || limits::to_its_end(&mut command, limits))?;
            let (processor, clock) = (ended.processor, began.elapsed());
            place.restore(&test.binary)?;
            if ended.end != limits::End::Passed && !interrupt::came() {
                let length = out.metadata().map_or(0, |found| found.len());
                let mut said = Vec::new();
                let _ = out.seek(std::io::SeekFrom::Start(length.saturating_sub(SHOWN)));
                let _ = out.read_to_end(&mut said);
                let said = String::from_utf8_lossy(&said).into_owned();
                let timed_out = ended.end == limits::End::TimedOut;
                failed.lock().expect("no worker panics").push(Unfit { at, timed_out, said });
            }
            let text = fs::read_to_string(&file).unwrap_or_default();
            let _ = (fs::remove_file(&file), fs::remove_file(&output));
            reached.lock().expect("no worker panics")[at] = Reach { mutants: read(&text), processor, clock };
        }
    };
    in_parallel(workers, &work)?;
    let mut failed = failed.into_inner().expect("no worker panics");
    failed.sort_by_key(|failed| failed.at);
    match failed.first() {
        None => Ok(reached.into_inner().expect("no worker panics")),
        Some(first) => Err(unfit(tests, &failed, first, patience)),
    }
}

/// Runs a test, and names it on stderr while it takes long.
fn naming_if_slow<T>(test: &Test, run: impl FnOnce() -> T) -> T {
    let (ended, end_comes) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let (mut wait, mut took) = (SLOW, Duration::ZERO);
            while end_comes.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                (wait, took) = (wait + took, wait + took);
                aside(&still_running(test, took));
            }
        });
        let done = run();
        drop(ended);
        done
    })
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

fn still_running(test: &Test, took: Duration) -> String {
    format!("still running after {} s without a mutant: {}\n", took.as_secs(), visible(&test.name))
}

/// Returns the error for tests that fail without a mutant, or take too long.
fn unfit(tests: &[Test], failed: &[Unfit], first: &Unfit, patience: Duration) -> Error {
    let name = |failed: &Unfit| {
        let time = format!(" (stopped after {})", forall::text::time(patience));
        format!("    {}{}", tests[failed.at].name, if failed.timed_out { &time } else { "" })
    };
    let names: Vec<String> = failed.iter().take(10).map(name).collect();
    let more = failed.len().saturating_sub(names.len());
    let more = if more > 0 { format!("\n    and {more} more") } else { String::new() };
    let said = visible(first.said.trim());
    let advice = match failed.iter().all(|failed| failed.timed_out) {
        true if patience < PATIENCE => "Give a longer --for, or name the properties to run",
        true => "Make them faster, or name the properties to run",
        false => {
            "Fix them first; `cargo forall run` prints their counterexamples. Results for a failing test would be \
             meaningless"
        }
    };
    Error::Refused(format!(
        "{} of {} tests fail without a mutant:\n{}{more}\n\nthe output of {} ends with\n\n{said}\n\n{advice}",
        failed.len(),
        tests.len(),
        names.join("\n"),
        tests[first.at].name
    ))
}

#[cfg(test)]
mod unit_tests {
    use super::*;
    use crate::build::Binary;

    #[test]
    #[cfg(unix)]
    fn a_test_that_does_not_end_is_stopped_at_the_limit_and_named() {
        use std::os::unix::fs::PermissionsExt;
        let base = std::env::temp_dir().join(format!("forall-reach-{}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        fs::create_dir_all(base.join("package")).unwrap();
        let program = base.join("program");
        fs::write(&program, "#!/bin/sh\necho begun\n[ \"$2\" = waits ] && exec sleep 60\nexit 0\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let test = |name: &str| Test {
            name: name.to_owned(),
            harness_name: name.to_owned(),
            place: String::new(),
            is_property: true,
            binary: Binary { path: program.clone(), package: "p".into(), package_directory: base.join("package") },
        };
        let setting = Setting { seed: 1, memory: 1 << 30 };
        let tests = [test("passes"), test("waits")];
        let stopped = reach(&tests, 0, &setting, &base.join("runs"), 1, Duration::from_secs(1)).unwrap_err();
        insta::assert_snapshot!(stopped.to_string(), @r"
        1 of 2 tests fail without a mutant:
            waits (stopped after 1.0 s)

        the output of waits ends with

        begun

        Give a longer --for, or name the properties to run
        ");
        let slowest = [Unfit { at: 1, timed_out: true, said: "begun".to_owned() }];
        insta::assert_snapshot!(unfit(&tests, &slowest, &slowest[0], PATIENCE).to_string(), @r"
        1 of 2 tests fail without a mutant:
            waits (stopped after 5 min 0 s)

        the output of waits ends with

        begun

        Make them faster, or name the properties to run
        ");
        insta::assert_snapshot!(still_running(&tests[1], SLOW), @"still running after 10 s without a mutant: waits");
        assert_eq!(reach(&tests[..1], 0, &setting, &base.join("runs"), 1, PATIENCE).unwrap().len(), 1);
        fs::remove_dir_all(base).unwrap();
    }
}
