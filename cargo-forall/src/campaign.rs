//! Fuzzing campaigns: the test program searches in its own process, and this process watches it.
//!
//! The search is a runner of the library. This module detects that the searching process crashed or hangs, and saves the
//! input that caused it.

mod crew;
mod minimise;
mod search;
mod watch;

use crate::arguments::Fuzz;
use crate::corpus::{self, exchange, strangers};
use crate::instrument::Choice;
use crate::metrics::Metrics;
use crate::properties::{self, Property};
use crate::screen::aside;
use crate::shard::{Part, Time};
use crate::share::Sharing;
use crate::trouble;
use crate::{Error, build, interrupt, process, results, scratch};
use forall::protocol::{Finished, Kind as _, Request};
use forall::store::Entry;
use search::Search;
use std::fs::{self, File};
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Builds the tests and searches for a counterexample of one property, or of several that share the time.
pub fn fuzz(arguments: &Fuzz) -> Result<ExitCode, Error> {
    let part = arguments.worker.part()?;
    aside(&part.as_ref().map(Part::text).unwrap_or_default());
    let mut link = arguments.worker.link()?;
    let built = build::tests(&arguments.which, &Choice::of_fuzz(&arguments.instrument), arguments.dev)?;
    aside(&built.crates.map(|crates| crates.text()).unwrap_or_default());
    let all = properties::of(&built.binaries)?;
    let wanted = arguments.property.as_deref();
    if arguments.minimise {
        return minimise::minimise(&skip_properties_expected_to_panic(properties::fitting(&all, wanted)?)?);
    }
    if let Some(link) = &mut link {
        exchange::send_waiting(link, &built.binaries);
        if arguments.which.is_everything() {
            strangers::report(link, &all);
        }
        aside(&link.take_said());
    }
    interrupt::notice();
    let (limit, mut budget) = match arguments.worker.time(arguments.time, part.as_ref(), link.as_mut())? {
        Time::Limit(limit, budget) => (limit, budget),
        Time::Spent(text) => {
            aside(&text);
            // An earlier worker of this machine may have left something.
            let all_sent = link.as_mut().is_none_or(exchange::leave);
            return Ok(ExitCode::from(if all_sent { 0 } else { corpus::UNSENT }));
        }
    };
    let chosen = match limit {
        Some(_) => properties::fitting(&all, wanted)?,
        None => vec![properties::choose(&all, wanted).map_err(|why| several(&all, wanted, why))?],
    };
    let chosen = skip_properties_expected_to_panic(chosen)?;
    let mut metrics = Metrics::begin(arguments.worker.metrics.as_ref(), part.as_ref())?;
    let mut sharing = Sharing::new(arguments.split.share, limit, chosen.len());
    let mut searches: Vec<Search<'_>> = chosen.iter().map(|property| Search::new(property)).collect();
    let (mut found, mut trouble) = (false, false);
    'campaign: for round in 0..sharing.rounds() {
        for (at, time) in sharing.round(round) {
            let began = Instant::now();
            let search = &mut searches[at];
            let code = search.go_on(arguments, part.as_ref(), (&mut link, &mut budget), &mut metrics, time, round)?;
            // Shrinking does not count against the time of the other properties.
            let took = time.map_or(began.elapsed(), |time| time.min(began.elapsed()));
            // One that continued past failures has used its time.
            let has_continued =
                arguments.continues_past_failures() && time.is_some_and(|time| took >= time.mul_f64(0.9));
            sharing.spent(at, took, search.rate(), code == ExitCode::SUCCESS || has_continued);
            if let Some(metrics) = &mut metrics {
                metrics.update(link.as_ref());
            }
            if let (Some(link), Some(budget)) = (&mut link, &mut budget) {
                budget.save(link);
            }
            found |= code == ExitCode::from(1);
            trouble |= code == ExitCode::from(2);
            if interrupt::came() {
                break 'campaign;
            }
        }
    }
    let all_sent = link.as_mut().is_none_or(exchange::leave);
    if let Some(metrics) = &mut metrics {
        metrics.update(link.as_ref());
    }
    let names: Vec<&str> = chosen.iter().map(|property| &*property.name).collect();
    aside(&sharing.text(&names));
    if interrupt::came() && !found {
        return Ok(interrupt::pass_on());
    }
    if !all_sent {
        return Ok(ExitCode::from(corpus::UNSENT));
    }
    Ok(ExitCode::from(if found { 1 } else { u8::from(trouble) * 2 }))
}

/// Skips properties that are expected to panic.
fn skip_properties_expected_to_panic(chosen: Vec<&Property>) -> Result<Vec<&Property>, Error> {
    let (to_fail, chosen): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|property| property.should_panic);
    let why = |property: &Property| format!("skipping {}: it is expected to panic (#[should_panic])", property.name);
    if let (true, Some(property)) = (chosen.is_empty(), to_fail.first()) {
        return Err(why(property).into());
    }
    for property in to_fail {
        aside(&format!("forall: {}\n", why(property)));
    }
    Ok(chosen)
}

/// With a time limit, several properties may match.
fn several(all: &[Property], wanted: Option<&str>, why: Error) -> Error {
    match properties::fitting(all, wanted) {
        Ok(fitting) if fitting.len() > 1 => why.or("Or set a time limit, as in --for 10m, to search all of them"),
        _ => why,
    }
}

/// The test program, with a request for one property.
pub(crate) fn run(property: &Property, request: &Request, running: &Running) -> Command {
    let mut command = Command::new(&property.binary.path);
    // Captured output would fill the memory.
    command.args(["--exact", property.test_name(), "--include-ignored", "--nocapture"]);
    command.current_dir(&property.binary.package_directory);
    command.env("CARGO_MANIFEST_DIR", &property.binary.package_directory);
    command.env("CARGO_PKG_NAME", &property.binary.package);
    command
        .env_remove("FORALL_CORPUS")
        .env("FORALL_DO", request.to_string())
        .env("FORALL_RUNNING", &running.path)
        .env("LLVM_PROFILE_FILE", "/dev/null");
    if std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        command.env("CLICOLOR_FORCE", "1");
    }
    interrupt::ends_with_this(&mut command);
    command
}

/// The file in which the searching process stores its current input.
pub(crate) struct Running {
    path: PathBuf,
}

impl Running {
    pub(crate) fn new(binary: &Path) -> Result<Self, Error> {
        Self::on_core(binary, 0)
    }

    /// The file of one of several processes that run at once.
    pub(crate) fn on_core(binary: &Path, core: usize) -> Result<Self, Error> {
        let directory = binary.parent().unwrap_or(Path::new("."));
        let ending = if core == 0 { ".running".to_owned() } else { format!("-{core}.running") };
        Ok(Self { path: scratch::file(directory, &ending)? })
    }

    /// The number of inputs that were started, if one is running.
    fn pulse(&self) -> Option<u64> {
        let mut start = [0; 16];
        File::open(&self.path).ok()?.read_exact(&mut start).ok()?;
        forall::protocol::running::pulse(&start)
    }

    /// Copies it to a place from which it is not removed.
    fn keep(&self, package: &Path) -> Result<PathBuf, Error> {
        let store = results::local_store(package).unwrap_or_else(|| package.join(".forall"));
        let kept = store.join(format!("running-{}", scratch::own_name()));
        let copied = fs::create_dir_all(&store).and_then(|()| fs::copy(&self.path, &kept));
        copied.map_err(|error| trouble::no_build("write", &kept, error))?;
        Ok(kept)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Runs an entry's input again, for at most this long. Returns the entry as it fails in this build; `None` if it passes.
pub(crate) fn replayed(
    property: &Property,
    entry: &Entry,
    running: &Running,
    limit: Duration,
) -> Result<Option<Entry>, Error> {
    let events = running.path.with_extension("jsonl");
    let mut command = run(property, &exchange::replay(entry), running);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("FORALL_STORE", "off").env("FORALL_EVENTS", &events);
    command.envs(process::threads_at_once(entry.beside));
    let succeeded = ends_within(&mut command, limit);
    let text = fs::read_to_string(&events).unwrap_or_default();
    // A process that crashed early has written none.
    let _ = fs::remove_file(&events);
    let events = process::events_of(&text, &property.name)?;
    let finished = events.iter().rev().find_map(Finished::of);
    Ok(exchange::as_it_fails(entry, finished, succeeded? == Some(true)))
}

/// Runs a process without output. Returns whether it succeeded, or `None` if it was killed at the deadline.
pub(crate) fn ends_within(command: &mut Command, limit: Duration) -> Result<Option<bool>, Error> {
    let program = PathBuf::from(command.get_program());
    let failed = |error: std::io::Error| trouble::no_test_program(&program, error);
    let mut child = command.spawn().map_err(failed)?;
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(Some(status.success()));
        }
        if began.elapsed() > limit {
            let _ = child.kill();
            child.wait().map_err(failed)?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
