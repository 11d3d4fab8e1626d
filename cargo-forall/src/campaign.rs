//! A campaign: the property's test program runs in a process of its own and searches; this one watches it.
//!
//! The search is the library's. What is done here is what the searching process cannot do itself: noticing that it has died
//! or hangs, and saving the input that did it.

mod search;
mod watch;

use crate::arguments::Fuzz;
use crate::corpus::strangers;
use crate::properties::{self, Property};
use crate::screen::aside;
use crate::shard::Part;
use crate::share::Sharing;
use crate::trouble;
use crate::{Error, build, interrupt, results, scratch};
use forall::protocol::Request;
use search::Search;
use std::fs::{self, File};
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Builds, and searches for a counterexample of the property that is meant; or of several, which share the time.
pub fn fuzz(arguments: &Fuzz) -> Result<ExitCode, Error> {
    let part = arguments.worker.part()?;
    aside(&part.as_ref().map(Part::text).unwrap_or_default());
    let mut link = arguments.worker.link()?;
    let binaries = build::tests(&arguments.which, arguments.dev)?;
    let all = properties::of(&binaries)?;
    let wanted = arguments.property.as_deref();
    let chosen = match arguments.time {
        Some(_) => properties::fitting(&all, wanted)?,
        None => vec![properties::choose(&all, wanted).map_err(|why| several(&all, wanted, why))?],
    };
    let chosen = leave_out_what_is_to_fail(chosen)?;
    if let Some(link) = link.as_mut().filter(|_| arguments.which.is_everything()) {
        strangers::tell(link, &all);
        aside(&link.take_said());
    }
    interrupt::notice();
    let mut sharing = Sharing::new(arguments.split.share, arguments.time, chosen.len());
    let mut searches: Vec<Search<'_>> = chosen.iter().map(|property| Search::new(property)).collect();
    let (mut found, mut trouble) = (false, false);
    'campaign: for round in 0..sharing.rounds() {
        for (at, time) in sharing.round(round) {
            let began = Instant::now();
            let search = &mut searches[at];
            let code = search.go_on(arguments, part.as_ref(), &mut link, time, round)?;
            // What it takes to make a counterexample small is not taken from the others.
            let took = time.map_or(began.elapsed(), |time| time.min(began.elapsed()));
            sharing.spent(at, took, search.rate(), code == ExitCode::SUCCESS);
            found |= code == ExitCode::from(1);
            trouble |= code == ExitCode::from(2);
            if interrupt::came() {
                break 'campaign;
            }
        }
    }
    if let Some(link) = &mut link {
        aside(&link.summary());
    }
    let names: Vec<&str> = chosen.iter().map(|property| &*property.name).collect();
    aside(&sharing.text(&names));
    if interrupt::came() && !found {
        return Ok(interrupt::pass_on());
    }
    Ok(ExitCode::from(if found { 1 } else { u8::from(trouble) * 2 }))
}

/// Says which are to fail: whatever a search found in them would be as it should.
fn leave_out_what_is_to_fail(chosen: Vec<&Property>) -> Result<Vec<&Property>, Error> {
    let (to_fail, chosen): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|property| property.should_panic);
    let why = |property: &Property| {
        format!("{} is to fail (#[should_panic]), so there is nothing to search for", property.name)
    };
    if let (true, Some(property)) = (chosen.is_empty(), to_fail.first()) {
        return Err(why(property).into());
    }
    for property in to_fail {
        aside(&format!("forall: {}\n", why(property)));
    }
    Ok(chosen)
}

/// That several fit needs no choice, if there is an end to it.
fn several(all: &[Property], wanted: Option<&str>, why: Error) -> Error {
    match properties::fitting(all, wanted) {
        Ok(fitting) if fitting.len() > 1 => {
            why.or("Or say for how long, as in --for 10m, and all of them are searched")
        }
        _ => why,
    }
}

/// The test program, with a request for one property.
pub(crate) fn run(property: &Property, request: &Request, running: &Running) -> Command {
    let mut command = Command::new(&property.binary.path);
    // Nothing captured, which would fill the memory.
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

/// The file in which the searching process has the input that it is running.
pub(crate) struct Running {
    path: PathBuf,
}

impl Running {
    pub(crate) fn new(binary: &Path) -> Result<Self, Error> {
        let directory = binary.parent().unwrap_or(Path::new("."));
        Ok(Self { path: scratch::file(directory, ".running")? })
    }

    /// How many inputs were begun, if one is running.
    fn pulse(&self) -> Option<u64> {
        let mut start = [0; 16];
        File::open(&self.path).ok()?.read_exact(&mut start).ok()?;
        forall::protocol::running::pulse(&start)
    }

    /// Puts it where nothing removes it.
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

/// Runs a process that says nothing. Whether it succeeded; none if it had not ended by then, and was killed.
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
