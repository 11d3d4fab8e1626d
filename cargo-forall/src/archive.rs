//! `forall archive`: test programs in a directory, for machines without a toolchain.
//!
//! ```text
//! archive/forall-archive.json     the list of programs
//! archive/programs/shop-0f3a…     the programs
//! archive/packages/shop/          the directory that each runs in: forall.toml, forall-regressions, saved failures
//! ```
//!
//! [`open`] also reads an unpacked archive of cargo-nextest.

use crate::build::{self, Binary, package_name};
use crate::instrument::Choice;
use crate::properties::as_argument;
use crate::screen::Screen;
use crate::words::count;
use crate::workspace::{self, Place, Which, Workspace};
use crate::{Error, lines, literals};
use clap::Args;
use serde_json::{Value, json};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

/// The file that lists an archive's contents, and its format version.
const CONTENTS: &str = "forall-archive.json";
const VERSION: u64 = 1;

/// The file that cargo-nextest writes into its archives.
const NEXTEST: &str = "target/nextest/binaries-metadata.json";

/// Files of a package that its tests read.
const BESIDE: [&str; 2] = ["forall.toml", "forall-regressions"];

/// The arguments of `archive`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Archive {
    /// The directory to write; created if it does not exist
    pub directory: PathBuf,
    /// Build for `fuzz`: instrumented and optimised
    #[arg(long)]
    pub coverage: bool,
    /// The tests to build, and how.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Builds the tests and copies the programs into a directory that runs without cargo, rustc and the sources:

  forall archive tests && tar czf tests.tar.gz tests
  forall run --archive tests --for 1h --shard 3/64 --corpus /shared/corpus      on the other machine, after unpacking

  forall archive fuzzers --coverage
  forall fuzz --archive fuzzers --for 1h --shard 3/64 --corpus /shared/corpus

A program runs in archive/packages/PACKAGE, with the forall.toml and forall-regressions of its package. Other files that your tests
read must be put there. An unpacked archive of cargo-nextest (tar --zstd -xf) works as well, if it was built with
--features forall/full. The other machine needs the same target (architecture and OS), and a C library that is at least as new.

Exit codes: 0 the archive was written, 2 it could not be written.";

/// Creates an archive.
pub fn archive(arguments: &Archive) -> Result<ExitCode, Error> {
    let Archive { directory, coverage, place } = arguments;
    if directory.join("Cargo.toml").exists() {
        return Err(format!("{} is a package; choose another directory", directory.display()).into());
    }
    let unwritable = |error| lines::unwritable(directory, error);
    // Fails before the build rather than after it.
    fs::create_dir_all(directory.join("programs")).map_err(unwritable)?;
    let (binaries, scratch) = if *coverage {
        (build::tests(&place.which, &Choice::of_fuzz(&[]), false)?.binaries, None)
    } else {
        let built = workspace::build(place)?;
        (built.binaries, Some(built.target_directory))
    };
    let mut programs = Vec::new();
    for binary in &binaries {
        let name = binary.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (program, package) = (Path::new("programs").join(&name), Path::new("packages").join(&binary.package));
        fs::copy(&binary.path, directory.join(&program)).map_err(unwritable)?;
        fs::create_dir_all(directory.join(&package)).map_err(unwritable)?;
        for name in BESIDE {
            copy(&binary.package_directory.join(name), &directory.join(&package).join(name)).map_err(unwritable)?;
        }
        if let Some(scratch) = &scratch {
            let literals = literals::file(scratch, &binary.package_directory);
            copy(&literals, &directory.join(&package).join(literals::BESIDE)).map_err(unwritable)?;
        }
        programs.push(json!({"program": program, "package": binary.package, "directory": package}));
    }
    let contents = json!({"v": VERSION, "coverage": coverage, "programs": programs});
    // Written last: an unfinished directory is not an archive.
    fs::write(directory.join(CONTENTS), format!("{contents:#}\n")).map_err(unwritable)?;
    let (what, path) = (count(binaries.len() as u64, "test program"), directory.display());
    let command = if *coverage { "fuzz" } else { "run" };
    let screen = Screen::of_this_process();
    let argument = as_argument(&directory.to_string_lossy());
    let next = format!("run them with `forall {command} --archive {argument}`");
    screen.print(&screen.wrap("", &format!("wrote {what} to {path}; {next}")));
    Ok(ExitCode::SUCCESS)
}

/// Copies a file, or a directory with its contents. A missing one is skipped.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let Ok(found) = fs::metadata(from) else { return Ok(()) };
    if !found.is_dir() {
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        copy(&file.path(), &to.join(file.file_name()))?;
    }
    Ok(())
}

/// The build that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// An ordinary build.
    Plain,
    /// An instrumented build.
    Coverage,
}

/// Opens the archive that the arguments name, if any.
pub fn of(which: &Which, needs: Needs) -> Result<Option<Workspace>, Error> {
    which.archive.as_deref().map(|directory| open(directory, needs)).transpose()
}

/// Opens an archive in a directory.
pub fn open(directory: &Path, needs: Needs) -> Result<Workspace, Error> {
    let shown = directory.display();
    let argument = as_argument(&directory.to_string_lossy());
    if directory.is_file() {
        return Err(format!(
            "{shown} is a file, but an archive is a directory: unpack it, as in `mkdir tests && tar --zstd -xf {argument} -C tests`"
        ).into());
    }
    let root = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let binaries = if root.join(CONTENTS).is_file() {
        own(&root, needs)?
    } else if root.join(NEXTEST).is_file() {
        of_nextest(&root)?
    } else {
        return Err(format!(
            "{shown} is not an archive: it has no {CONTENTS}. Create one with `forall archive {argument}`"
        )
        .into());
    };
    if binaries.is_empty() {
        return Err(format!("the archive {shown} has no test programs; create it again").into());
    }
    for binary in &binaries {
        prepare(binary)?;
    }
    Ok(Workspace {
        binaries,
        root: root.clone(),
        target_directory: root,
        cargo_options: String::new(),
        race_options: None,
        is_partial: false,
    })
}

fn own(root: &Path, needs: Needs) -> Result<Vec<Binary>, Error> {
    let contents = read(&root.join(CONTENTS))?;
    let shown = root.display();
    if contents["v"] != VERSION {
        return Err(format!(
            "the archive {shown} has format version {}, but this tool reads version {VERSION}. Create it again, or update the older \
             of the two",
            contents["v"]
        ).into());
    }
    let (is, command) = (contents["coverage"] == true, "forall archive");
    match needs {
        Needs::Coverage if !is => {
            return Err(format!(
                "the tests in {shown} are not instrumented; create the archive with `{command} --coverage`"
            )
            .into());
        }
        Needs::Plain if is => {
            return Err(format!(
                "the tests in {shown} are built for `fuzz`; create another archive without --coverage"
            )
            .into());
        }
        _ => {}
    }
    let mut binaries = Vec::new();
    for program in contents["programs"].as_array().into_iter().flatten() {
        let text = |key: &str| program[key].as_str().unwrap_or_default();
        let (path, directory) = (inside(root, text("program"))?, inside(root, text("directory"))?);
        binaries.push(Binary { path, package: text("package").to_owned(), package_directory: directory });
    }
    Ok(binaries)
}

/// The programs of a cargo-nextest archive, which lists the paths at which they were built.
fn of_nextest(root: &Path) -> Result<Vec<Binary>, Error> {
    let contents = read(&root.join(NEXTEST))?;
    let built = contents["rust-build-meta"]["target-directory"].as_str().unwrap_or_default();
    let mut binaries = Vec::new();
    for (_, binary) in contents["rust-binaries"].as_object().into_iter().flatten() {
        let text = |key: &str| binary[key].as_str().unwrap_or_default();
        let path = Path::new(text("binary-path")).strip_prefix(built).map_err(|_| {
            format!(
                "{} names a program outside of its target directory: {}; create the archive again",
                root.join(NEXTEST).display(),
                text("binary-path")
            )
        })?;
        let package = package_name(text("package-id")).to_owned();
        let directory = inside(root, &format!("packages/{package}"))?;
        binaries.push(Binary { path: root.join("target").join(path), package, package_directory: directory });
    }
    Ok(binaries)
}

fn read(path: &Path) -> Result<Value, Error> {
    let wrong = |why: String| format!("cannot read {}: {why}; create the archive again", path.display());
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    Ok(serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?)
}

/// A path inside the archive; an error if it leads out of it.
fn inside(root: &Path, path: &str) -> Result<PathBuf, Error> {
    let is_inside = !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    match is_inside {
        true => Ok(root.join(path)),
        false => {
            Err(format!("the archive {} names `{path}`, which is outside of it; create it again", root.display())
                .into())
        }
    }
}

/// Restores empty directories and execute permissions, which CI artifact stores lose.
fn prepare(binary: &Binary) -> Result<(), Error> {
    let Binary { path, package_directory, .. } = binary;
    let found = fs::metadata(path)
        .map_err(|error| format!("the archive lacks {}: {error}; create it again", path.display()))?;
    let failed = |error| format!("cannot use {}: {error}; copy the archive to a writable directory", path.display());
    fs::create_dir_all(package_directory).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = found.permissions().mode();
        if mode & 0o100 == 0 {
            fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o500)).map_err(failed)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("forall-archive-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        root
    }

    #[test]
    fn invalid_archives_are_reported_and_paths_stay_inside() {
        let root = scratch("wrong");
        let wrong = || open(&root, Needs::Plain).unwrap_err().to_string();
        let mut told = vec![wrong()];
        let program = |path: &str| json!({"v": 1, "coverage": false, "programs": [{"program": path, "package": "a", "directory": "b"}]});
        for contents in [
            json!({"v": 2}),
            json!({"v": 1, "coverage": true}),
            json!({"v": 1, "programs": "none"}),
            program("../../bin/sh"),
            program("/bin/sh"),
            program("gone"),
        ] {
            fs::write(root.join(CONTENTS), contents.to_string()).unwrap();
            told.push(wrong());
        }
        fs::write(root.join(CONTENTS), program("gone").to_string()).unwrap();
        told.push(open(&root, Needs::Coverage).unwrap_err().to_string());
        fs::write(root.join(CONTENTS), "{").unwrap();
        told.extend([wrong(), open(&root.join(CONTENTS), Needs::Plain).unwrap_err().to_string()]);
        // A file has the path of the package directory.
        fs::write(root.join("b"), "").unwrap();
        fs::write(root.join(CONTENTS), program("b").to_string()).unwrap();
        told.push(wrong());
        fs::remove_file(root.join(CONTENTS)).unwrap();
        fs::create_dir_all(root.join("target/nextest")).unwrap();
        let elsewhere = json!({"rust-build-meta": {"target-directory": "/there"}, "rust-binaries": {"a": {"binary-path": "/bin/sh"}}});
        fs::write(root.join(NEXTEST), elsewhere.to_string()).unwrap();
        told.push(wrong());
        fs::write(root.join("Cargo.toml"), "").unwrap();
        let made = Archive { directory: root.clone(), coverage: false, place: Place::default() };
        told.push(archive(&made).unwrap_err().to_string());
        let file = Archive { directory: root.join("Cargo.toml/inside"), coverage: false, place: Place::default() };
        told.push(archive(&file).unwrap_err().to_string());
        insta::assert_snapshot!(told.join("\n\n").replace(&*root.to_string_lossy(), "[archive]"));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn an_archive_of_nextest_is_read() {
        let root = scratch("nextest");
        let metadata = json!({
            "rust-build-meta": {"target-directory": "/there/target"},
            "rust-binaries": {"shop": {"package-id": "path+file:///there/shop#0.1.0", "binary-path": "/there/target/debug/deps/shop-1"}},
        });
        fs::create_dir_all(root.join("target/nextest")).unwrap();
        fs::create_dir_all(root.join("target/debug/deps")).unwrap();
        fs::write(root.join(NEXTEST), metadata.to_string()).unwrap();
        fs::write(root.join("target/debug/deps/shop-1"), "").unwrap();
        let found = open(&root, Needs::Coverage).unwrap();
        assert_eq!(found.binaries[0].path, root.join("target/debug/deps/shop-1"));
        assert_eq!((&*found.binaries[0].package, root.join("packages/shop").is_dir()), ("shop", true));
        fs::remove_dir_all(root).unwrap();
    }
}
