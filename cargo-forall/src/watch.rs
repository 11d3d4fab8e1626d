//! `forall watch`: the page of `forall report`, live, in a browser. Properties run again when sources change, or when another
//! command saves a failure.

mod board;
mod server;
mod sources;

use crate::arguments::{number, seed};
use crate::jobs::{self, Job};
use crate::live::Watching;
use crate::process::aloud;
use crate::progress::Bar;
use crate::properties::{self, Property};
use crate::report::{self, LeftOut, Observer};
use crate::screen::{Screen, print, visible};
use crate::workspace::{self, Place, Workspace};
use crate::{Error, build, interrupt, orphans, results, words};
use board::Board;
use clap::Args;
use serde_json::json;
use server::Server;
use sources::{Snapshot, Sources, difference};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The arguments of `watch`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Watch {
    /// Only properties whose name contains this
    pub filter: Option<String>,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// The port on this machine. By default, any free one
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// The number of tests of each property, overriding its attribute
    #[arg(long, value_name = "N", value_parser = number)]
    pub tests: Option<u64>,
    /// The seed, as in 7 or 0x1f. By default, a new one for each run
    #[arg(long, value_name = "SEED", value_parser = seed)]
    pub seed: Option<u64>,
    /// Which tests to build.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Runs the properties and shows them on a page in a browser, which is updated while they run. When a source file or a manifest changes,
the tests are built again, and the properties of test binaries that changed run again, failures first. A failure that `cargo test`,
`forall run` or `forall fuzz` saves meanwhile is shown as well, and so is the progress of `run` and `fuzz`.

  forall watch                 all properties; open the printed address
  forall watch parser --open   properties with `parser` in their name, and open a browser

The page is served on this machine only (127.0.0.1), at an address that contains a token. Ctrl-C ends it.

Exit codes: 2 the page could not be served, 130 after Ctrl-C.";

/// The interval at which files are checked.
const PERIOD: Duration = Duration::from_millis(300);

/// The time from a signal to the end. A test program has less to clean up.
const LATE: Duration = Duration::from_secs(5);

/// Serves the page until Ctrl-C.
pub fn watch(arguments: &Watch) -> Result<ExitCode, Error> {
    let which = &arguments.place.which;
    let metadata = build::metadata(which.manifest_path.as_deref())?;
    let board = Arc::new(Board::default());
    let server = Server::start(arguments.port, board.clone())?;
    let screen = Screen::of_this_process();
    // Not wrapped: the address must stay on one line.
    print(&format!("forall: watching at {}\n", server.url()));
    if arguments.open
        && let Err(tried) = open(&server.url(), &browsers())
    {
        screen.warn(&format!("forall: warning: {}", no_browser(&tried)));
    }
    interrupt::notice();
    end_in_time();
    let mut sources = Sources::of(&metadata);
    let mut session = Session::new(arguments, screen, &board);
    while !interrupt::came() {
        // A manifest may have another path dependency now.
        if let Ok(metadata) = build::metadata(which.manifest_path.as_deref()) {
            sources = Sources::of(&metadata);
        }
        let watcher = Watcher::new(&sources, settled(&sources));
        session.build_and_run(&watcher);
        while !interrupt::came() && !watcher.has_changed() {
            std::thread::sleep(PERIOD);
            session.look_around(&watcher);
        }
    }
    // The process ends by the signal, without cleaning up.
    drop(session);
    Ok(interrupt::pass_on())
}

/// Ends the process if a build does not: `kill` signals this process only, and not cargo.
fn end_in_time() {
    std::thread::spawn(|| {
        while !interrupt::came() {
            std::thread::sleep(PERIOD);
        }
        std::thread::sleep(LATE);
        interrupt::pass_on();
    });
}

/// Waits until the sources stop changing, since an editor or `git checkout` may write several files, and returns them.
fn settled(sources: &Sources) -> Snapshot {
    let mut now = sources.snapshot();
    loop {
        std::thread::sleep(PERIOD / 3);
        let later = sources.snapshot();
        if later == now || interrupt::came() {
            return later;
        }
        now = later;
    }
}

/// Detects changes of the sources since the build.
struct Watcher<'a> {
    sources: &'a Sources,
    before: Snapshot,
    /// The time of the last check.
    last: Mutex<Instant>,
    changed: AtomicBool,
}

impl<'a> Watcher<'a> {
    fn new(sources: &'a Sources, before: Snapshot) -> Self {
        Self { sources, before, last: Mutex::new(Instant::now()), changed: AtomicBool::new(false) }
    }

    /// Returns whether the sources have changed. Checks the files once per `PERIOD`, in one thread only.
    fn has_changed(&self) -> bool {
        if let Ok(mut last) = self.last.try_lock()
            && last.elapsed() >= PERIOD
        {
            *last = Instant::now();
            if difference(&self.before, &self.sources.snapshot()).is_some() {
                self.changed.store(true, Ordering::Relaxed);
            }
        }
        self.changed.load(Ordering::Relaxed)
    }
}

/// A property with its name on the page, unique in the workspace.
type Named<'a> = (String, &'a Property);

/// The state that the command keeps between builds.
struct Session<'a> {
    arguments: &'a Watch,
    screen: Screen,
    board: &'a Board,
    built: Option<(Workspace, Vec<Property>)>,
    /// The compiler's errors if some of the tests do not build.
    errors: String,
    /// The test binary of the last run of each property, and its result.
    ran: BTreeMap<String, (Stamp, Done)>,
    /// The saved failures after the last run.
    saved: BTreeMap<PathBuf, Stamp>,
    /// One for each package.
    watching: BTreeMap<PathBuf, Watching>,
    /// The edges that `fuzz` reached, by property: seconds and edges.
    curves: BTreeMap<String, Vec<(f64, f64)>>,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Passed,
    Failed,
    /// The test harness skipped it: it is `#[ignore]`d.
    Skipped,
}

/// A file and its time.
type Stamp = (PathBuf, Option<SystemTime>);

fn stamp(path: &Path) -> Stamp {
    (path.to_owned(), fs::metadata(path).and_then(|metadata| metadata.modified()).ok())
}

impl<'a> Session<'a> {
    fn new(arguments: &'a Watch, screen: Screen, board: &'a Board) -> Self {
        let (ran, saved, watching, curves) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { arguments, screen, board, built: None, errors: String::new(), ran, saved, watching, curves }
    }

    /// Builds the tests, and runs the properties whose test binaries changed.
    fn build_and_run(&mut self, watcher: &Watcher<'_>) {
        self.board.set_status(json!({"phase": "building", "text": "building the tests…"}));
        let arguments = self.arguments;
        let built = workspace::build(&arguments.place).and_then(|workspace| {
            let known = properties::of(&workspace.binaries)?;
            Ok((workspace, properties::filter(known, arguments.filter.as_deref())?))
        });
        match built {
            Err(_) if interrupt::came() => {}
            Err(why) => {
                let errors = workspace::diagnostics(&arguments.place);
                let text = "the tests do not build, or have no properties; waiting for changes";
                self.screen.warn(&format!("forall: {why}"));
                self.screen.print("forall: waiting for changes\n");
                self.board
                    .set_status(json!({"phase": "broken", "text": text, "errors": format!("{errors}\n{why}").trim()}));
            }
            Ok(built) => {
                for property in &built.1 {
                    let package = &property.binary.package_directory;
                    self.watching.entry(package.clone()).or_insert_with(|| Watching::new(package));
                }
                self.errors = if built.0.is_partial { workspace::diagnostics(&arguments.place) } else { String::new() };
                self.built = Some(built);
                self.run(watcher, &BTreeSet::new());
            }
        }
    }

    /// Runs the properties whose test binaries changed, and those with these names.
    fn run(&mut self, watcher: &Watcher<'_>, also: &BTreeSet<String>) {
        let Some((workspace, all)) = &self.built else { return };
        let shown: Vec<Named<'_>> = shown(all).map(|property| (key(property), property)).collect();
        self.board.retain(&shown.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>());
        self.ran.retain(|key, _| shown.iter().any(|(other, _)| other == key));
        let is_due = |(key, property): &&Named<'_>| {
            also.contains(&property.name)
                || self.ran.get(key).is_none_or(|(ran, _)| *ran != stamp(&property.binary.path))
        };
        let mut due: Vec<&Named<'_>> = shown.iter().filter(is_due).collect();
        // Failures first.
        due.sort_by_key(|(key, _)| self.ran.get(key).is_none_or(|(_, done)| *done != Done::Failed));
        let lanes = jobs::cores().min(due.len());
        let (bar, began) = (Bar::new(due.len(), "").with_lanes(lanes), Instant::now());
        let Watch { tests, seed, filter, .. } = self.arguments;
        let stop = &watcher.changed;
        let observer = Observer {
            workspace,
            tests: *tests,
            time: None,
            seed: *seed,
            filter: filter.as_deref(),
            budget: report::budget(all.len()),
            coverage: false,
            stop: Some(stop),
        };
        let running = Mutex::new(Running { names: BTreeMap::new(), done: 0, of: due.len(), errors: &self.errors });
        let work = |job: Job| {
            let (key, property) = due[job.item];
            bar.begin_in(job.lane, &property.name);
            running.lock().expect("no panic while it is locked").begin(key, self.board);
            let observed = observer.observe(property, &mut |urgent| {
                bar.tick();
                watcher.has_changed();
                if !urgent.is_empty() {
                    bar.suspend(|| aloud(urgent));
                }
            });
            running.lock().expect("no panic while it is locked").end(key, self.board);
            bar.end_in(job.lane, matches!(&observed, Ok(Some(observed)) if !observed.good));
            observed
        };
        let (mut trouble, mut ran) = (None, Vec::new());
        jobs::each(due.len(), lanes, work, |item, observed| {
            let (key, property) = due[item];
            match observed {
                Err(why) => trouble = Some(why.to_string()),
                // Without a result: it was stopped, or is `#[ignore]`d.
                Ok(None) if watcher.has_changed() => {}
                Ok(None) => ran.push((key.clone(), (stamp(&property.binary.path), Done::Skipped))),
                Ok(Some(observed)) => {
                    if let Some(why) = &observed.warning {
                        bar.suspend(|| self.screen.warn(&format!("forall: warning: {why}")));
                    }
                    let done = if observed.good { Done::Passed } else { Done::Failed };
                    ran.push((key.clone(), (stamp(&property.binary.path), done)));
                    self.board.put(key, observed.data);
                }
            }
            trouble.is_none() && !watcher.has_changed() && !interrupt::came()
        });
        bar.end();
        let is_complete = ran.len() == due.len();
        let ran_names: BTreeSet<String> = due.iter().map(|(_, property)| property.name.clone()).collect();
        let has_failed = |key: &String| ran.iter().any(|(other, (_, done))| other == key && *done == Done::Failed);
        let failed = due.iter().filter(|(key, _)| has_failed(key));
        let failed: String = failed.map(|(_, property)| format!("    FAILED  {}\n", visible(&property.name))).collect();
        self.ran.extend(ran);
        let number = |which: Done| self.ran.values().filter(|(_, done)| *done == which).count();
        let should_panic = all.iter().filter(|property| property.should_panic).count();
        let left_out = LeftOut { ignored: number(Done::Skipped), should_panic, not_run: 0 };
        let summary = report::summary(number(Done::Passed), number(Done::Failed), &left_out);
        self.board.set_summary(&summary);
        // Failures that other commands saved meanwhile are still new.
        let saved = self.failures();
        self.saved.retain(|path, _| saved.contains_key(path));
        for (path, stamp) in saved {
            if orphans::property_of(&path).is_none_or(|name| ran_names.contains(&name)) {
                self.saved.insert(path, stamp);
            }
        }
        if let Some(why) = trouble {
            self.board.set_status(json!({"phase": "broken", "text": "a test program cannot be run", "errors": why}));
            self.screen.warn(&format!("forall: {why}"));
        } else if is_complete && !interrupt::came() {
            self.screen.print(&failed);
            let time = words::seconds(began.elapsed().as_secs_f64());
            self.screen.print(&format!("forall: {summary} ({time}); waiting for changes\n"));
            self.wait();
        }
    }

    /// Shows that no property runs here, and the progress of other commands.
    fn wait(&mut self) {
        let mut others = Vec::new();
        for note in self.watching.values().flat_map(Watching::notes) {
            let name = note["property"].as_str().unwrap_or_default().to_owned();
            if let (Some(seconds), Some(edges)) = (note["seconds"].as_f64(), note["edges"].as_f64()) {
                let curve = self.curves.entry(name.clone()).or_default();
                if curve.last().is_some_and(|(last, _)| seconds < *last) {
                    // Another campaign.
                    curve.clear();
                }
                if curve.last().is_none_or(|(last, _)| seconds > *last) {
                    curve.push((seconds, edges));
                }
                thin(curve);
            }
            others.push(json!({"command": note["command"], "property": name, "text": note["text"],
                "curve": self.curves.get(&name)}));
        }
        let text = match self.errors.is_empty() {
            true => "waiting for changes",
            false => "some tests do not build; waiting for changes",
        };
        self.board.set_status(json!({"phase": "waiting", "text": text, "errors": self.errors, "others": others}));
    }

    /// Checks the progress of other commands and the failures they saved.
    fn look_around(&mut self, watcher: &Watcher<'_>) {
        let Some((_, all)) = &self.built else { return };
        // A failed build stays on the page, and the programs of an earlier one do not run again.
        if self.board.phase() == "broken" {
            return;
        }
        let now = self.failures();
        let differs = |path: &PathBuf| now.get(path) != self.saved.get(path);
        let changed: BTreeSet<&PathBuf> = now.keys().chain(self.saved.keys()).filter(|path| differs(path)).collect();
        if changed.is_empty() {
            self.wait();
            return;
        }
        // A deleted file does not name its property: all properties with failures run again.
        let mut names: BTreeSet<String> = changed.iter().filter_map(|path| orphans::property_of(path)).collect();
        if changed.iter().any(|path| !now.contains_key(*path)) {
            let failed =
                |property: &&Property| self.ran.get(&key(property)).is_some_and(|(_, done)| *done == Done::Failed);
            names.extend(shown(all).filter(failed).map(|property| property.name.clone()));
        }
        let is_here = shown(all).any(|property| names.contains(&property.name));
        self.saved = now;
        if is_here {
            self.run(watcher, &names);
        }
    }

    /// The files of saved failures, local and committed.
    fn failures(&self) -> BTreeMap<PathBuf, Stamp> {
        let mut files = BTreeMap::new();
        for package in self.watching.keys() {
            for place in results::local_store(package).into_iter().chain([package.join("forall-regressions")]) {
                let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
                for folder in entries(&place).filter(|entry| entry.path().is_dir()) {
                    for file in entries(&folder.path()).map(|entry| entry.path()) {
                        if file.extension().is_some_and(|end| end == "case") {
                            files.insert(file.clone(), stamp(&file));
                        }
                    }
                }
            }
        }
        files
    }
}

/// The properties that have a card: not those that are expected to panic.
fn shown(all: &[Property]) -> impl Iterator<Item = &Property> {
    all.iter().filter(|property| !property.should_panic)
}

/// Halves the number of points of a long curve; the last point stays.
fn thin(curve: &mut Vec<(f64, f64)>) {
    const MOST: usize = 400;
    if curve.len() > MOST {
        let last = curve.len() - 1;
        let mut at = 0;
        curve.retain(|_| {
            at += 1;
            at % 2 == 1 || at > last
        });
    }
}

/// A property's name on the page, unique in the workspace. A library and a program may have the same name, and the same
/// modules: the names of their test programs differ in a hash, which a new build does not change.
fn key(property: &Property) -> String {
    let program = property.binary.path.file_name().unwrap_or_default().to_string_lossy();
    format!("{} {program} {}", property.binary.package, property.name)
}

/// The running properties.
struct Running<'a> {
    /// The start of each, as Unix time in milliseconds.
    names: BTreeMap<String, u64>,
    done: usize,
    of: usize,
    /// The errors of tests that do not build.
    errors: &'a str,
}

impl Running<'_> {
    fn begin(&mut self, key: &str, board: &Board) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
        self.names.insert(key.to_owned(), now);
        self.show(board);
    }

    fn end(&mut self, key: &str, board: &Board) {
        self.names.remove(key);
        self.done += 1;
        self.show(board);
    }

    fn show(&self, board: &Board) {
        let text = format!("running: {} of {} done", self.done, self.of);
        board.set_status(json!({"phase": "running", "text": text, "running": self.names, "errors": self.errors}));
    }
}

/// The programs that open an address, in order of preference.
fn browsers() -> Vec<Vec<String>> {
    let own = std::env::var("BROWSER").ok().filter(|own| !own.is_empty());
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let system = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    own.iter().map(String::as_str).chain([system]).map(words).collect()
}

/// Opens an address in a browser. The error has the names of the programs that could not be started.
fn open(address: &str, browsers: &[Vec<String>]) -> Result<(), Vec<String>> {
    for browser in browsers {
        let Some((program, arguments)) = browser.split_first() else { continue };
        let mut command = Command::new(program);
        command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C ends this program, and not the browser.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        if let Ok(mut browser) = command.spawn() {
            std::thread::spawn(move || browser.wait());
            return Ok(());
        }
    }
    Err(browsers.iter().filter_map(|browser| browser.first().cloned()).collect())
}

fn no_browser(tried: &[String]) -> String {
    format!(
        "cannot start a browser (tried {}); open the address above yourself, or set BROWSER to a program",
        tried.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_browser_is_reported() {
        let none = [vec!["no-such-browser".to_owned(), "--new".to_owned()], vec!["nor-this".to_owned()]];
        let tried = open("http://127.0.0.1:1/", &none).unwrap_err();
        assert_eq!(
            no_browser(&tried),
            "cannot start a browser (tried no-such-browser, nor-this); open the address above yourself, or set BROWSER to a program"
        );
        assert!(!browsers().is_empty());
    }

    #[test]
    fn a_long_curve_keeps_its_ends() {
        let mut curve: Vec<(f64, f64)> = (0..1000).map(|n| (f64::from(n), 1.0)).collect();
        while curve.len() > 400 {
            thin(&mut curve);
        }
        assert_eq!((curve.len() > 200, curve[0].0, curve.last().unwrap().0), (true, 0.0, 999.0));
    }
}
