//! The tests that run on mutants, each with limits and in its own directory.

use super::copy;
use super::limits::{self, End, Ended, Limits};
use crate::build::Binary;
use crate::properties::{self, Property};
use crate::{Error, trouble};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// A test that may detect a mutant.
#[derive(Clone, Debug)]
pub struct Test {
    /// The display name: the property's name, if the test is a property.
    pub name: String,
    /// The name in the test harness.
    pub harness_name: String,
    /// The source location; empty for an ordinary test.
    pub place: String,
    /// Whether the test is a property.
    pub is_property: bool,
    /// The program that contains the test.
    pub binary: Binary,
}

/// The selected properties, and all other tests if requested.
pub fn of(binaries: &[Binary], filter: Option<&str>, ordinary: bool) -> Result<Vec<Test>, Error> {
    let known = properties::of(binaries)?;
    let mut tests: Vec<Test> = Vec::new();
    let of_property = |property: &Property| Test {
        name: property.name.clone(),
        harness_name: property.test_name().to_owned(),
        place: property.place.clone(),
        is_property: true,
        binary: property.binary.clone(),
    };
    let chosen = match ordinary && known.is_empty() {
        true => Vec::new(),
        false => properties::filter(known.clone(), filter)?,
    };
    for test in chosen.iter().map(of_property) {
        // One verdict covers all property values that a test runs.
        let same = |other: &&mut Test| other.binary.path == test.binary.path && other.harness_name == test.harness_name;
        match tests.iter_mut().find(same) {
            Some(other) => other.name += &format!(", {}", test.name),
            None => tests.push(test),
        }
    }
    let known: BTreeSet<(&Path, &str)> =
        known.iter().map(|property| (property.binary.path.as_path(), property.test_name())).collect();
    for binary in binaries.iter().filter(|_| ordinary) {
        for name in properties::tests_of(binary)? {
            if !known.contains(&(binary.path.as_path(), &*name)) && filter.is_none_or(|part| name.contains(part)) {
                let (harness_name, binary) = (name.clone(), binary.clone());
                tests.push(Test { name, harness_name, place: String::new(), is_property: false, binary });
            }
        }
    }
    Ok(tests)
}

/// The settings that all test runs share.
#[derive(Debug)]
pub struct Setting {
    /// The seed of all properties.
    pub seed: u64,
    /// The memory limit of a process.
    pub memory: u64,
}

/// The directory in which a worker runs tests: copies of their packages, restored when a test changes them.
#[derive(Debug)]
pub struct Place {
    directory: PathBuf,
    packages: Vec<Package>,
}

/// A package whose tests run. A test can access two of its directories: the working directory, and that of the build, which
/// `env!("CARGO_MANIFEST_DIR")` names.
#[derive(Debug)]
struct Package {
    /// The directory of the build, and its contents.
    built: PathBuf,
    built_entries: Vec<Entry>,
    /// The working directory, and its contents.
    working: PathBuf,
    working_entries: Vec<Entry>,
    /// A copy that no test can access, from which both are restored.
    pristine: PathBuf,
}

type Entry = (PathBuf, u64, Option<SystemTime>);

impl Place {
    /// Creates a place in a directory, which is emptied first.
    pub fn new(directory: PathBuf) -> Result<Self, Error> {
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(directory.join("tmp")).map_err(|error| trouble::no_build("write", &directory, error))?;
        Ok(Self { directory, packages: Vec::new() })
    }

    /// Returns the command that runs a test here. The store of failures is read-only, and failures are not shrunk.
    pub fn command(&mut self, test: &Test, setting: &Setting, limits: Limits) -> Result<Command, Error> {
        let package = self.package(&test.binary)?;
        let mut command = Command::new(&test.binary.path);
        command.args(["--exact", &test.harness_name, "--nocapture", "--test-threads=1"]).current_dir(&package);
        command.env("CARGO_MANIFEST_DIR", &package).env("CARGO_PKG_NAME", &test.binary.package);
        command.env("TMPDIR", self.directory.join("tmp")).env("RUST_BACKTRACE", "0").env_remove("FORALL_DO");
        for (variable, value) in [
            ("FORALL_SEED", &*setting.seed.to_string()),
            ("FORALL_READ_ONLY", "1"),
            ("FORALL_EXTRA_TIME", "off"),
            ("FORALL_EXPLAIN", "off"),
            ("FORALL_SHRINK_EVALUATIONS", "0"),
            ("FORALL_THREADS", "1"),
        ] {
            command.env(variable, value);
        }
        limits::limit(&mut command, limits);
        Ok(command)
    }

    /// Runs a test with a mutant. Repeats the run if another program kills it or its files were deleted.
    pub fn run(&mut self, test: &Test, mutant: u32, setting: &Setting, limits: Limits) -> Result<End, Error> {
        for _ in 0..2 {
            let mut command = self.command(test, setting, limits)?;
            let Ended { end, .. } = limits::run(command.env("__FORALL_MUTANT", mutant.to_string()), limits)?;
            // A test of another worker may have deleted a file that this test reads.
            let is_disturbed = self.restore(&test.binary)? && end == End::Failed;
            if end != End::Killed && !is_disturbed {
                return Ok(end);
            }
        }
        Ok(End::Failed)
    }

    /// Returns the working directory of a package.
    fn package(&mut self, binary: &Binary) -> Result<PathBuf, Error> {
        let built = &binary.package_directory;
        if let Some(package) = self.packages.iter().find(|package| package.built == *built) {
            return Ok(package.working.clone());
        }
        let number = self.packages.len();
        let working = self.directory.join(format!("{}-{number}", binary.package));
        let pristine = self.directory.join("pristine").join(number.to_string());
        copied(built, &pristine)?;
        let (working_entries, built_entries) = (copied(&pristine, &working)?, listed(built));
        let built = built.clone();
        self.packages.push(Package { built, built_entries, working: working.clone(), working_entries, pristine });
        Ok(working)
    }

    /// Restores the directories of a package, if a test changed them. Returns whether that of the build was changed.
    pub fn restore(&mut self, binary: &Binary) -> Result<bool, Error> {
        let is_it = |package: &&mut Package| package.built == binary.package_directory;
        let Some(package) = self.packages.iter_mut().find(is_it) else { return Ok(false) };
        if listed(&package.working) != package.working_entries {
            let _ = fs::remove_dir_all(&package.working);
            package.working_entries = copied(&package.pristine, &package.working)?;
        }
        let is_changed = listed(&package.built) != package.built_entries;
        if is_changed {
            package.built_entries = copied(&package.pristine, &package.built)?;
        }
        let temporary = self.directory.join("tmp");
        if fs::read_dir(&temporary).map_or(true, |mut entries| entries.next().is_some()) {
            let _ = fs::remove_dir_all(&temporary);
            let _ = fs::create_dir_all(&temporary);
        }
        Ok(is_changed)
    }
}

fn copied(original: &Path, there: &Path) -> Result<Vec<Entry>, Error> {
    let is_left_out = |path: &Path| path.ends_with(".git") || path.join("CACHEDIR.TAG").is_file();
    copy::copy(original, there, &is_left_out).map_err(|error| trouble::no_build("write", there, error))?;
    Ok(listed(there))
}

/// Returns the contents of a directory.
fn listed(directory: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let (path, Ok(found)) = (entry.path(), entry.metadata()) else { continue };
        match found.is_dir() {
            true => {
                entries.extend(listed(&path));
                entries.push((path, 0, None));
            }
            false => entries.push((path, found.len(), found.modified().ok())),
        }
    }
    entries.sort();
    entries
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn both_directories_of_a_package_are_restored_after_a_test_that_deletes_them() {
        let base = std::env::temp_dir().join(format!("forall-places-{}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        let built = base.join("built");
        copy::write(&built.join("data/kept.txt"), b"kept").unwrap();
        let (package, package_directory) = ("shop".to_owned(), built.clone());
        let binary = Binary { path: "shop".into(), package, package_directory };
        let mut place = Place::new(base.join("run")).unwrap();
        let working = place.package(&binary).unwrap();
        assert!(!place.restore(&binary).unwrap(), "nothing changed");
        for deleted in [&working, &built] {
            fs::remove_dir_all(deleted).unwrap();
            assert_eq!(place.restore(&binary).unwrap(), *deleted == built);
            assert_eq!(fs::read_to_string(deleted.join("data/kept.txt")).unwrap(), "kept");
        }
        fs::write(built.join("more.txt"), "more").unwrap();
        assert!(place.restore(&binary).unwrap() && !built.join("more.txt").exists());
        fs::remove_dir_all(base).unwrap();
    }
}
