//! Testing programs: parses the blocks, compiles the program, runs its cases and properties, and returns the outcomes.
//!
//! This implements `forall futhark test`.
//!
//! ```no_run
//! use forall_futhark::programs::{Options, find, test};
//!
//! let programs = find(&["lib".into()]).unwrap();
//! let results = test(&programs, &Options::default(), &|_| {});
//! let failed = results.iter().filter(|result| !result.failures.is_empty()).count();
//! println!("{failed} failed");
//! ```

mod cases;
mod compile;
mod install;
mod one;
mod script;

pub use compile::compiler_is_there;
pub use one::{Outcome, sample_program, test_program, test_server};

use crate::blocks::{Blocks, Test};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The options for testing programs, as on the command line.
///
/// ```
/// use forall_futhark::programs::Options;
/// let options = Options::default();
/// assert_eq!((&*options.futhark, &*options.backend), ("futhark", "c"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The compiler.
    pub futhark: String,
    /// The compiler back end.
    pub backend: String,
    /// Arguments for the compiler.
    pub compiler_options: Vec<String>,
    /// Arguments for the compiled program.
    pub program_options: Vec<String>,
    /// The program that runs the compiled program, if it is not run directly.
    pub runner: Option<String>,
    /// The only entry point whose cases and property are run; all if `None`.
    pub entry_point: Option<String>,
    /// The tags of programs and cases that are skipped.
    pub exclude: Vec<String>,
    /// The number of candidates for each property.
    pub tests: u64,
    /// The largest size, unless the property has its own.
    pub size: i64,
    /// The seed of all candidates.
    pub seed: u64,
    /// The number of consecutive shrinking steps that may be rejected.
    pub tries: u64,
    /// Whether to behave exactly as `futhark test` does: same random numbers, shrinking and messages.
    pub compatible: bool,
    /// The file that every candidate is appended to, with its outcome.
    pub log_candidates: Option<PathBuf>,
    /// The time for further exploration of a property that passed within this time; 250 ms by default. See
    /// [`Settings::extra_time`](crate::properties::Settings::extra_time).
    pub extra_time: Duration,
    /// The time limit for shrinking a counterexample; 30 seconds by default.
    pub shrink_time: Option<Duration>,
    /// Whether the search is guided by coverage.
    pub coverage: bool,
    /// The number of programs that are tested at once.
    pub concurrency: usize,
    /// The time limit for each program.
    pub timeout: Duration,
    /// The time limit for each call.
    pub call_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            futhark: "futhark".to_owned(),
            backend: "c".to_owned(),
            compiler_options: Vec::new(),
            program_options: Vec::new(),
            runner: None,
            entry_point: None,
            exclude: Vec::new(),
            tests: 100,
            size: 50,
            seed: 0,
            tries: 5,
            compatible: false,
            log_candidates: None,
            extra_time: Duration::from_millis(250),
            shrink_time: None,
            coverage: false,
            concurrency: std::thread::available_parallelism().map_or(1, usize::from),
            timeout: Duration::from_secs(300),
            call_timeout: Duration::from_secs(30),
        }
    }
}

impl Options {
    /// Returns whether a test with these tags is skipped.
    fn excludes(&self, tags: &[String]) -> bool {
        let no_backend = format!("no_{}", self.backend);
        tags.iter().any(|tag| {
            tag == "disable" || tag == "notest" || *tag == no_backend || self.exclude.iter().any(|other| other == tag)
        })
    }

    /// Returns whether cases of this entry point are run.
    fn asks_for(&self, entry_point: &str) -> bool {
        self.entry_point.as_deref().is_none_or(|only| only == entry_point)
    }

    /// Returns the number of runs in test blocks.
    fn runs(&self, blocks: &Blocks) -> usize {
        let asked_for = |test: &Test| match test {
            Test::Cases { entry_points, cases } => {
                entry_points.iter().filter(|name| self.asks_for(name)).count() * cases.len()
            }
            // `futhark test` runs properties regardless of the selected entry point.
            Test::Property { name, .. } => usize::from(self.compatible || self.asks_for(name)),
        };
        if self.excludes(&blocks.tags) { 0 } else { blocks.tests.iter().map(asked_for).sum() }
    }
}

/// Returns the selected programs: files, and all `.fut` files in directories, in order.
///
/// ```
/// let error = forall_futhark::programs::find(&["no/such/folder".into()]).unwrap_err();
/// assert!(error.contains("no/such/folder"));
/// ```
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut programs = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = programs.len();
            find_in(path, &mut HashSet::new(), &mut programs)?;
            if programs.len() == before {
                return Err(format!("{}: there is no .fut file in this folder", path.display()));
            }
        } else if path.is_file() {
            programs.push(path.clone());
        } else {
            return Err(format!(
                "{}: there is no such file or folder; name a .fut file, or a folder with some",
                path.display()
            ));
        }
    }
    Ok(programs)
}

/// Finds the programs in a directory. `seen` contains the canonical paths of visited directories, since links may form
/// cycles.
fn find_in(folder: &Path, seen: &mut HashSet<PathBuf>, programs: &mut Vec<PathBuf>) -> Result<(), String> {
    let unreadable = |error: std::io::Error| format!("{}: {error}", folder.display());
    if !seen.insert(folder.canonicalize().map_err(unreadable)?) {
        return Ok(());
    }
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find_in(&path, seen, programs)?;
        } else if path.extension().is_some_and(|extension| extension == "fut") {
            programs.push(path);
        }
    }
    Ok(())
}

/// Returns the number of runs in the test blocks of programs: one per property, and one per case and entry point.
/// Compiles nothing. Unreadable programs count as 0.
///
/// ```
/// use forall_futhark::programs::{Options, runs};
/// assert_eq!(runs(&["no/such/file.fut".into()], &Options::default()), 0);
/// ```
pub fn runs(programs: &[PathBuf], options: &Options) -> usize {
    blocks_of(programs).map(|blocks| options.runs(&blocks)).sum()
}

/// Returns the test blocks of the readable programs.
fn blocks_of(programs: &[PathBuf]) -> impl Iterator<Item = Blocks> {
    programs.iter().filter_map(|program| Blocks::parse(&std::fs::read_to_string(program).ok()?).ok())
}

/// Returns the entry points that the test blocks of programs name, in order: cases and properties. Unreadable programs
/// have none.
///
/// ```
/// assert!(forall_futhark::programs::tested_entry_points(&["no/such/file.fut".into()]).is_empty());
/// ```
pub fn tested_entry_points(programs: &[PathBuf]) -> Vec<String> {
    let mut all = BTreeSet::new();
    for test in blocks_of(programs).flat_map(|blocks| blocks.tests) {
        match test {
            Test::Cases { entry_points, .. } => all.extend(entry_points),
            Test::Property { name, .. } => all.extend([name]),
        }
    }
    all.into_iter().collect()
}

/// Tests programs, several at once. Calls `done` with the outcome of each; the results are in the order of the programs.
///
/// ```no_run
/// use forall_futhark::programs::{Options, test};
/// let results = test(&["lib/sort.fut".into()], &Options::default(), &|result| println!("{}", result.program.display()));
/// # let _ = results;
/// ```
pub fn test(programs: &[PathBuf], options: &Options, done: &(dyn Fn(&Outcome) + Sync)) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Outcome)>> = Mutex::default();
    let work = || {
        while let Some((at, program)) = programs.get(next.load(Ordering::Relaxed)).and_then(|_| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            programs.get(at).map(|program| (at, program))
        }) {
            let result = test_program(program, options);
            done(&result);
            results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.concurrency.clamp(1, programs.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
