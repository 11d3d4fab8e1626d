//! `forall strength`: would the properties detect a bug?
//!
//! The code under test is changed in small ways, and a change that no test detects is a gap. All these mutants are in
//! one build, as branches on a switch, so that judging one takes as long as running a few tests. The steps, in
//! the order of [`strength`]: find mutants ([`library`], [`find`], `operators`), write them into a copy of the
//! workspace ([`copy`], [`rewrite`]) and build it ([`build`], [`switch`]), run the tests without a mutant ([`reach`]),
//! run mutants against tests ([`judge`]), and report ([`outcome`], [`text`]).

pub mod build;
pub mod cfg;
pub mod copy;
pub mod differ;
pub mod find;
pub mod json;
pub mod judge;
pub mod library;
pub mod limits;
pub mod memory;
pub mod mutant;
mod operators;
pub mod outcome;
pub mod page;
pub mod reach;
pub mod reference;
pub mod rewrite;
pub mod score;
pub mod select;
pub mod switch;
pub mod tests;
pub mod text;
pub mod values;

use crate::arguments::{seed, time};
use crate::build::metadata;
use crate::progress::Bar;
use crate::screen::{Screen, aside};
use crate::workspace::{self, Which};
use crate::{Error, interrupt, lines};
use clap::Args;
use copy::Copy;
use judge::{Judged, Task};
use library::Library;
use memory::Memory;
use mutant::Mutant;
use outcome::Outcome;
use reference::Reference;
use score::percent;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

pub use switch::run_if_called_by_cargo;

/// The arguments of `strength`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Strength {
    /// A file or directory whose functions are mutated, or a part of the names of the properties to run
    #[arg(value_name = "PATH or PROPERTY")]
    pub subject: Option<String>,
    /// Mutate only functions that changed since this commit, branch or tag
    #[arg(long, value_name = "REF")]
    pub since: Option<String>,
    /// Stop this long after the build, as in 30s, 5m or 1h: a random sample of the mutants is tested
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// Run ordinary tests as well, not only properties
    #[arg(long)]
    pub tests: bool,
    /// Run every test on every mutant that it reaches, to find the mutants that only one property kills
    #[arg(long)]
    pub all_killers: bool,
    /// Mutate code in `unsafe` as well
    #[arg(long = "unsafe")]
    pub in_unsafe: bool,
    /// Fail if the score is lower, as in 80%
    #[arg(long, value_name = "PERCENT", value_parser = share)]
    pub at_least: Option<f64>,
    /// Fail if the score is lower than that of this commit, branch or tag, or of this file of --json
    #[arg(long, value_name = "REF or FILE")]
    pub no_worse_than: Option<String>,
    /// Do not search for inputs on which survivors and the original differ
    #[arg(long)]
    pub no_inputs: bool,
    /// The maximum number of survivors to print
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub show: usize,
    /// Write the outcome to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the outcome to this file, as an HTML page: the source with its survivors
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// The seed of all properties: the same seed gives the same verdicts
    #[arg(long, value_name = "SEED", value_parser = seed, default_value = "1")]
    pub seed: u64,
    /// Which tests to build.
    #[command(flatten)]
    pub which: Which,
}

const HELP: &str = "\
Changes the functions of the library in small ways (another comparison, a missing statement, another return value), and runs the
properties on each of these mutants. A mutant is killed if a property fails on it. It survives if all properties pass, and shows what no property checks.

  forall strength                          all functions of the packages that use forall
  forall strength src/parser.rs            the functions of a file or a directory
  forall strength parses_what_it_prints    only these properties
  forall strength --since main             functions that changed since a commit
  forall strength --tests                  ordinary tests as well as properties
  forall strength --at-least 80%           for CI: exit code 1 below that score
  forall strength --no-worse-than main     for CI: exit code 1 below the score of main, which is tested first and cached

All mutants are in one build, in a copy of the workspace: target/forall-strength. Nothing else is written, not even to .forall: saved
failures are replayed first, and none is saved. Each run has limits of time and memory and its own working directory.

Code in const, in macros, in patterns and in tests has no mutants, nor has code in unsafe unless --unsafe is given. #[mutants::skip] excludes a
function, an impl or a module. So does forall.toml:

  [strength]
  exclude = \"src/generated; Tree::balance\"
  equivalent = \"insert: replace '<' by '<='\"

The score is the share of mutants that are killed or time out, among all that were tested. Its interval treats the mutants as a random sample.

Exit codes: 0 the mutants were tested, or no function changed since --since, 1 the score is below --at-least or --no-worse-than, 2 nothing could
be tested: the tests do not build, or fail without a mutant. 130 after Ctrl-C, which prints the verdicts so far.";

/// The directory of builds and copies, in the target directory.
const DIRECTORY: &str = "forall-strength";

/// The memory limit of a test.
const MEMORY: u64 = 4 << 30;

/// Reads an argument.
fn share(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end().parse::<f64>();
    match number {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number / 100.0),
        _ => Err(format!("`{text}` is not a percentage: write 80%, for example")),
    }
}

/// Runs the command.
pub fn strength(arguments: &Strength) -> Result<ExitCode, Error> {
    if arguments.which.archive.is_some() {
        return Err("an archive has no source code to mutate: remove --archive".into());
    }
    // Checked here so that errors appear before all the runs.
    for path in arguments.json.iter().chain(&arguments.html) {
        lines::begin(path)?;
    }
    let screen = Screen::of_this_process();
    let metadata = metadata(arguments.which.manifest_path.as_deref())?;
    let text = |key: &str| PathBuf::from(metadata[key].as_str().unwrap_or_default());
    let (root, target) = (text("workspace_root"), text("target_directory"));
    let directory = target.join(DIRECTORY);
    let path = arguments.subject.as_deref().map(Path::new).and_then(|path| path.canonicalize().ok());
    let filter = arguments.subject.as_deref().filter(|_| path.is_none());
    let library = find(arguments, &metadata, &root, path.as_deref())?;
    if let (true, Some(since)) = (library.mutants.is_empty(), &arguments.since) {
        aside(&format!(
            "forall: note: no function that can be mutated changed since `{since}`: there is nothing to test\n"
        ));
        write_files(arguments, &Outcome::empty(&library, &Judged::default()))?;
        return Ok(ExitCode::SUCCESS);
    }
    // This directory is chosen before that of a commit, whose packages have the same names.
    let build_directory = build::directory(&directory, &metadata, &root)?;
    let reference = arguments.no_worse_than.as_deref();
    let reference = reference.map(|name| Reference::of(name, &root, &target, &directory)).transpose()?;
    let files: Vec<&Path> = library.files.iter().map(|file| file.path.as_path()).collect();
    let copy = Copy::of(&root, &target, &directory, &files)?;
    aside(&format!("forall: building {}\n", text::plural(library.mutants.len(), "mutant")));
    let cargo = || {
        let mut which = arguments.which.clone();
        which.manifest_path = Some(copy.root.join("Cargo.toml").display().to_string());
        let mut cargo = which.cargo_test_in("json");
        workspace::packages(&mut cargo, &which, &metadata)?;
        cargo.arg("--quiet").arg("--target-dir").arg(&build_directory);
        switch::wrap(&mut cargo, &directory.join("switch"))?;
        Ok::<_, Error>(cargo)
    };
    let built = build::build(&library, &copy, &cargo)?;
    aside(&built.text(library.left_out));
    let mutants = order(&library, &built, arguments);
    let tests = tests::of(&built.binaries, filter, arguments.tests)?;
    interrupt::notice();
    let workers = forall::run::all_threads();
    let setting = tests::Setting { seed: arguments.seed, memory: MEMORY };
    let until = arguments.time.map(|time| Instant::now() + time);
    let reached = reach::reach(
        &tests,
        library.mutants.iter().map(|mutant| mutant.id).max().unwrap_or(0),
        &setting,
        &copy.runs,
        workers,
        arguments.time.map_or(reach::PATIENCE, |time| time.min(reach::PATIENCE)),
    )?;
    if interrupt::came() {
        return Ok(interrupt::pass_on());
    }
    let memory = Memory::of(&directory, &root);
    let began = Instant::now();
    let bar = Bar::new(mutants.len(), "");
    let task = Task {
        tests: &tests,
        reached: &reached,
        mutants: &mutants,
        known: &memory.killers(&library, &tests),
        all_killers: arguments.all_killers,
        setting: &setting,
        directory: &copy.runs,
        workers,
        until,
    };
    let (judged, result) = task.judge(&bar);
    bar.end();
    aside(&format!(
        "forall: tested {} in {}: {} of {}\n",
        text::plural(mutants.len(), "mutant"),
        crate::words::time(began.elapsed()),
        text::plural(judged.runs, "run"),
        text::plural(tests.len(), "test")
    ));
    let mut outcome = Outcome {
        mutants: mutants.clone(),
        tests: &tests,
        reached: &reached,
        all_killers: arguments.all_killers,
        ..Outcome::empty(&library, &judged)
    };
    memory.add(&outcome);
    let survivors = outcome.survivors();
    let search = differ::Search {
        library: &library,
        compiled: &built.compiled,
        survivors: &survivors[..searched(arguments, survivors.len())],
        tests: &tests,
        reached: &reached,
        copy: &copy,
        forall: &forall_name(arguments, &metadata),
        setting: &setting,
        directory: &copy.runs,
        workers,
        until: task.until,
    };
    let is_wanted = !(arguments.no_inputs || search.survivors.is_empty() || task.is_over() || result.is_err());
    let (differences, warning) = inputs(is_wanted, || search.run(&cargo));
    outcome.differences = differences;
    // Ctrl-C ends the search.
    if let Some(warning) = warning.filter(|_| !interrupt::came()) {
        aside(&warning);
    }
    screen.print(&text::text(&outcome, arguments.show, &screen));
    write_files(arguments, &outcome)?;
    if interrupt::came() {
        return Ok(interrupt::pass_on());
    }
    result?;
    let only_these = arguments.since.is_some() || arguments.subject.is_some();
    if let Some(comparison) = reference.map(|reference| reference.compare(&outcome, only_these)) {
        screen.print(&comparison.text(arguments.show, &screen));
        if comparison.is_worse() {
            return Ok(ExitCode::FAILURE);
        }
    }
    let score = outcome.tally().score().unwrap_or(1.0);
    if let Some(least) = arguments.at_least.filter(|least| score < *least) {
        screen.print(&format!("\nthe score is below --at-least {}\n", percent(least)));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the number of survivors whose inputs are searched for: all that are printed or written to a file.
fn searched(arguments: &Strength, survivors: usize) -> usize {
    let is_written = arguments.json.is_some() || arguments.html.is_some();
    if is_written { survivors } else { survivors.min(arguments.show) }
}

/// Searches for inputs if they are wanted. An error is a warning: the verdicts are known, and are reported without inputs.
fn inputs<T: Default>(is_wanted: bool, search: impl FnOnce() -> Result<T, Error>) -> (T, Option<String>) {
    match if is_wanted { search() } else { Ok(T::default()) } {
        Ok(found) => (found, None),
        Err(error) => {
            let warning = format!(
                "forall: warning: cannot search for inputs on which survivors and the original differ: {error}\n"
            );
            (T::default(), Some(warning))
        }
    }
}

/// Writes the outcome to the files that the arguments name.
fn write_files(arguments: &Strength, outcome: &Outcome<'_>) -> Result<(), Error> {
    let write = |path: &Path, text: String| std::fs::write(path, text).map_err(|error| lines::unwritable(path, error));
    if let Some(path) = &arguments.json {
        write(path, format!("{}\n", json::json(outcome)))?;
    }
    if let Some(path) = &arguments.html {
        write(path, page::page(outcome))?;
    }
    Ok(())
}

/// The names under which packages import forall.
fn forall_name(arguments: &Strength, metadata: &Value) -> String {
    let chosen = workspace::packages(&mut Command::new("cargo"), &arguments.which, metadata).unwrap_or_default();
    let name = chosen.first().and_then(|package| workspace::name_of_forall(metadata, package));
    name.map_or_else(|| "forall".to_owned(), |name| name.replace('-', "_"))
}

/// The mutants that were built: in the order of the source, or shuffled if only a sample of them may be judged.
fn order<'a>(library: &'a Library, built: &build::Built, arguments: &Strength) -> Vec<&'a Mutant> {
    let mut mutants: Vec<&Mutant> =
        library.mutants.iter().filter(|mutant| built.compiled.contains(&mutant.id)).collect();
    if arguments.time.is_some() {
        mutants.sort_by_key(|mutant| crate::shard::hash(&format!("{} {}", arguments.seed, mutant.id)));
    }
    mutants
}

/// Returns whether a path is in a package, or a member of the workspace below the path.
fn is_below(package: &Value, path: &Path, directory: &Path) -> bool {
    path.starts_with(directory) || (package["source"].is_null() && directory.starts_with(path))
}

/// Finds the mutants of the selected packages: those whose tests run, or those in, around or below a path.
fn find(arguments: &Strength, metadata: &Value, root: &Path, path: Option<&Path>) -> Result<Library, Error> {
    let mut library = Library::default();
    let chosen = workspace::packages(&mut Command::new("cargo"), &arguments.which, metadata)?;
    let options = find::Options { in_unsafe: arguments.in_unsafe };
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let directory = package["manifest_path"].as_str().and_then(|path| Path::new(path).parent());
        let is_meant = match (path, directory) {
            (Some(path), Some(directory)) => is_below(package, path, directory),
            _ => package["name"].as_str().is_some_and(|name| chosen.iter().any(|chosen| chosen == name)),
        };
        if is_meant {
            library.add(package, root, &options);
        }
    }
    let changed = arguments.since.as_deref().map(|since| select::changed(root, since)).transpose()?;
    select::select(&mut library, path, changed.as_ref(), &select::Excluded::of(root)?);
    if library.mutants.is_empty() && arguments.since.is_none() {
        return Err("no function can be mutated: procedural macros, `const` functions and code in macros have no mutants, and \
                    `exclude` in forall.toml and #[mutants::skip] exclude functions. Name another package with --package, or a \
                    path"
            .into());
    }
    Ok(library)
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn a_failed_search_for_inputs_is_a_warning() {
        let (found, warning) = inputs(true, || Err::<Vec<u8>, _>("the build failed".into()));
        let expected =
            "forall: warning: cannot search for inputs on which survivors and the original differ: the build failed\n";
        assert_eq!((found, warning.as_deref()), (Vec::new(), Some(expected)));
        assert_eq!(inputs(true, || Ok(vec![1])), (vec![1], None));
        assert_eq!(inputs(false, || -> Result<Vec<u8>, Error> { unreachable!() }), (Vec::new(), None));
    }

    #[test]
    fn inputs_of_all_survivors_are_searched_for_if_the_outcome_is_written_to_a_file() {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            strength: Strength,
        }
        let searched = |line: &[&str]| {
            let line = <Line as clap::Parser>::parse_from([&["strength", "--show", "3"], line].concat());
            searched(&line.strength, 25)
        };
        assert_eq!((searched(&[]), searched(&["--json", "a"]), searched(&["--html", "b"])), (3, 25, 25));
    }

    #[test]
    fn percentages_are_read() {
        assert_eq!((share("80%"), share("80"), share("99.5 %")), (Ok(0.8), Ok(0.8), Ok(0.995)));
        assert_eq!(share("many").unwrap_err(), "`many` is not a percentage: write 80%, for example");
        assert!(share("101%").is_err() && share("-1").is_err());
    }
}
